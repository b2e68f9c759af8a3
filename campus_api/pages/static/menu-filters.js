import { countDishes, plural } from "./dish-count.js";

const alternatives = new Intl.ListFormat("en", { type: "disjunction" });
const list = new Intl.ListFormat("en");

/**
 * Divide dishes into those that the filters show, those that they hide, by reason, and those of unknown allergens.
 *
 * `labelled` are the recipes that the service has for the labels, null without any.
 */
export function filterDishes(dishes, without, labelled) {
  const groups = { shown: [], unlabelled: [], listing: [], unknown: [] };
  for (const dish of dishes) {
    groups[group(dish, without, labelled)].push(dish);
  }
  return groups;
}

function group({ recipe, facts }, without, labelled) {
  if (labelled && !labelled.has(recipe)) {
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
