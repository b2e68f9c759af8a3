import { labelName, validLabels } from "./dish-facts.js";
import { countDishes, fold, plural } from "./text.js";

const alternatives = new Intl.ListFormat("en", { type: "disjunction" });
const list = new Intl.ListFormat("en");

/**
 * Return the codes of the labels of a day's dishes that have one of these texts as code or name, null without texts.
 *
 * Those in `known` are others for the same diet: "vegetarian" is also that of vegan dishes.
 */
export function codesOf(texts, dishes, known) {
  const folded = texts.map(fold);
  const labels = dishes.flatMap(({ facts }) => validLabels(facts));
  const matching = labels.filter((label) => [label.code, labelName(label)].some((text) => folded.includes(fold(text))));
  const others = folded.flatMap((text) => known[text] ?? []);
  return texts.length ? new Set([...matching.map(({ code }) => code), ...others]) : null;
}

/** Divide dishes into those that the filters show, those that they hide, by reason, and those of unknown allergens. */
export function filterDishes(dishes, without, codes) {
  const groups = { shown: [], unlabelled: [], listing: [], unknown: [] };
  for (const dish of dishes) {
    groups[group(dish, without, codes)].push(dish);
  }
  return groups;
}

function group(/** @type {Dish} */ { facts }, without, codes) {
  if (codes && !validLabels(facts).some(({ code }) => codes.has(code))) {
    return "unlabelled";
  }
  if (without.some((word) => facts?.contains?.includes(word))) {
    return "listing";
  }
  return without.every((word) => facts?.without?.includes(word)) ? "shown" : "unknown";
}

/** Say how many dishes the filters hide, and why. */
export function aboutHidden({ unlabelled, listing }, { label, without }) {
  const reasons = [
    [countDishes(unlabelled), `not labelled ${alternatives.format(label)}`],
    [countDishes(listing), `that ${countDishes(listing) === 1 ? "lists" : "list"} ${alternatives.format(without)}`],
  ];
  const phrases = reasons.filter(([count]) => count).map(([count, reason]) => `${plural(count)} ${reason}`);
  return phrases.length ? [`Hidden: ${list.format(phrases)}.`] : [];
}

/** Say of how many dishes the allergens are unknown. */
export function aboutUnknown({ unknown }) {
  const count = countDishes(unknown);
  return count ? [`Of unknown allergens: ${plural(count)}, at the end of each hall.`] : [];
}
