import { element } from "./dom.js";
import { choose } from "./menu-choice.js";
import { countDishes } from "./menu-list.js";
import { fold, names } from "./text.js";

const alternatives = new Intl.ListFormat("en", { type: "disjunction" });
const list = new Intl.ListFormat("en");

/** Divide dishes into those that the filters show and those that they hide, by reason, as the API does. */
export function filterDishes(dishes, { label, without }) {
  const groups = { shown: [], unlabelled: [], listing: [], unknown: [] };
  const [labels, allergens] = [label.map(fold), without.map(fold)];
  for (const dish of dishes) {
    groups[group(dish, labels, allergens)].push(dish);
  }
  return groups;
}

function group({ facts }, labels, allergens) {
  if (labels.length && !terms(facts?.labels).some((text) => labels.includes(fold(text)))) {
    return "unlabelled";
  }
  if (allergens.some((word) => facts?.contains?.includes(word))) {
    return "listing";
  }
  return allergens.every((word) => facts?.without?.includes(word)) ? "shown" : "unknown";
}

/** Return the codes and the names of labels and of those that they imply. */
function terms(labels) {
  const all = labels?.flatMap((label) => [label, ...label.implies]) ?? [];
  return all.flatMap(({ code, name }) => [code, name ?? code]);
}

/** Say how many dishes the filters hide, and why; "" if they hide none. */
export function hiddenDishes({ unlabelled, listing, unknown }, { label, without }) {
  const counts = [unlabelled, listing, unknown].map(countDishes);
  const reasons = [
    `not labelled ${alternatives.format(label)}`,
    `that ${counts[1] === 1 ? "lists" : "list"} ${alternatives.format(without)}`,
    "whose allergens are unknown",
  ];
  const parts = reasons.map((reason, index) => [counts[index], reason]).filter(([count]) => count);
  const phrases = parts.map(([count, reason], index) => `${index ? count : plural(count)} ${reason}`);
  return phrases.length ? `Hidden: ${list.format(phrases)}.` : "";
}

/** Tell whether dishes have a label or an allergen for each text of the filters. */
export function areKnown({ label, without }, dishes) {
  const isKnown = (texts, known) => texts.every((text) => known.has(fold(text)));
  return isKnown(label, folded(dishes, labelTerms)) && isKnown(without, folded(dishes, allergenTerms));
}

const labelTerms = ({ facts }) => terms(facts?.labels);
const allergenTerms = ({ facts }) => facts?.contains ?? [];
const folded = (dishes, termsOf) => new Set(dishes.flatMap(termsOf).map(fold));

/** The panel with a box for each label and allergen of a day. */
export class FilterPanel {
  #button = document.getElementById("filter-button");
  #panel = document.getElementById("filters");
  #note = document.getElementById("filter-note");
  #remove = document.getElementById("no-filters");
  #groups = { label: document.getElementById("labels"), without: document.getElementById("allergens") };

  constructor() {
    this.#button.addEventListener("click", () => this.#expand(this.#panel.hidden));
    this.#remove.addEventListener("click", () => {
      // The button is about to disappear with the focus.
      this.#button.focus();
      choose({ label: [], without: [] });
    });
  }

  /** Show the filters of a day's dishes and those in force. */
  show(params, day, meal) {
    const labels = day.flatMap(({ facts }) => facts?.labels ?? []).flatMap((label) => [label, ...label.implies]);
    this.#showBoxes("label", labels.map(({ code, name }) => name ?? code), params.label);
    this.#showBoxes("without", day.flatMap(allergenTerms), params.without);
    this.#showButton(params.label.length + params.without.length);
    const dishes = day.filter((dish) => String(dish.meal) === meal);
    const unknown = countDishes(dishes.filter(({ facts }) => !facts?.contains));
    this.#note.textContent = `Dishes whose allergens are unknown are hidden, too: ${unknown} of this meal.`;
  }

  #showButton(count) {
    this.#button.textContent = count ? `Filters (${count})` : "Filters";
    this.#button.classList.toggle("in-force", count > 0);
    this.#button.hidden = Object.values(this.#groups).every(({ hidden }) => hidden);
    this.#remove.hidden = !count;
    this.#expand(!this.#panel.hidden && !this.#button.hidden);
  }

  #showBoxes(parameter, known, chosen) {
    const fieldset = this.#groups[parameter];
    const options = new Map([...chosen, ...known].map((text) => [fold(text), text]));
    const sorted = [...options.values()].sort(names.compare);
    if (fieldset.dataset.options !== JSON.stringify(sorted)) {
      fieldset.dataset.options = JSON.stringify(sorted);
      fieldset.querySelector(".boxes").replaceChildren(...sorted.map((text) => this.#box(parameter, text)));
    }
    fieldset.hidden = !sorted.length;
    for (const input of fieldset.querySelectorAll("input")) {
      input.checked = chosen.some((text) => fold(text) === fold(input.value));
    }
  }

  #box(parameter, text) {
    const onchange = () => {
      const checked = this.#groups[parameter].querySelectorAll("input:checked");
      choose({ [parameter]: [...checked].map(({ value }) => value) });
    };
    return element("label", { class: "chip" }, element("input", { type: "checkbox", value: text, onchange }), text);
  }

  #expand(isExpanded) {
    this.#panel.hidden = !isExpanded;
    this.#button.setAttribute("aria-expanded", String(isExpanded));
  }
}

function plural(count) {
  return `${count} ${count === 1 ? "dish" : "dishes"}`;
}
