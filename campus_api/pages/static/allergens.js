import { element } from "./dom.js";

const alternatives = new Intl.ListFormat("en", { type: "disjunction" });

/** Say what to know of allergens, wherever a filter, a fact or a print is. */
export function caution() {
  return document.getElementById("filter-caution").textContent;
}

/** Return the allergens of a dish on one line. */
export function allergenLine({ facts }) {
  const words = facts?.contains?.join(", ");
  const text = words ? [element("span", { class: "visually-hidden" }, "Allergens: "), words] : [withoutWords(facts)];
  return element("span", { class: "dish-allergens" }, ...text);
}

/** Say what it means that there are no words: null is unknown, never none. */
function withoutWords(facts) {
  return facts?.contains ? "no allergens listed" : "allergens unknown";
}

/** Tell whether the allergens of any dish are known. */
export function areAnyKnown(dishes) {
  return dishes.some(({ facts }) => facts?.contains);
}

/** Return the allergens of a dish in full: its words, what the provider lists, and the caution. */
export function allergenFacts({ allergens: names, contains }) {
  const known = contains?.join(", ") || "none listed";
  return [
    element(
      "p",
      { class: "allergens" },
      element("strong", {}, "Allergens: "),
      contains ? known : "unknown. The dish may contain any: ask in the hall.",
    ),
    names && element("p", {}, element("strong", {}, "Listed as: "), names.join(", ")),
    element("p", { class: "muted" }, caution()),
  ];
}

/** Say which allergens the provider does not state, by `stated` of the index, and which no dish of the day lists. */
export function aboutAllergens(without, dishes, stated) {
  const unstated = without.filter((word) => stated && !stated.includes(word));
  const unlisted = without.filter((word) => !unstated.includes(word) && !isListed(word, dishes));
  return [
    unstated.length && `The provider does not state whether dishes contain ${alternatives.format(unstated)}.`,
    unlisted.length && areAnyKnown(dishes) && `No dish of this day lists ${alternatives.format(unlisted)}.`,
  ].filter(Boolean);
}

function isListed(word, dishes) {
  return dishes.some(({ facts }) => facts?.contains?.includes(word));
}
