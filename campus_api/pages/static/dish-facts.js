import { allergenFacts, allergenLine } from "./allergens.js";
import { formatDate } from "./dates.js";
import { isFavourite } from "./device.js";
import { dishActions } from "./dish-actions.js";
import { element } from "./dom.js";

// The fields that say nothing if no others have a value.
const ALWAYS_KNOWN = ["id", "name", "nutrients", "without"];
const NUTRIENTS = new Map([
  ["total_fat", "Total fat"],
  ["saturated_fat", "Saturated fat"],
  ["trans_fat", "Trans fat"],
  ["cholesterol", "Cholesterol"],
  ["sodium", "Sodium"],
  ["total_carbohydrate", "Carbohydrate"],
  ["dietary_fiber", "Dietary fiber"],
  ["sugars", "Sugars"],
  ["protein", "Protein"],
]);

/** Return the name of a dish with its labels, calories and allergens; it opens to show what else is known about it. */
export function dishItem(dish, hasAllergens, existingName = null) {
  const { facts } = dish;
  const mark = isFavourite("dish", dish.recipe) && element("span", { class: "favourite" }, "★");
  const title = element(existingName ?? "span", { class: "dish-name" }, dishName(dish), mark);
  const allergens = hasAllergens && allergenLine(dish);
  if (!hasFacts(facts)) {
    return element("div", { class: "dish" }, title, allergens);
  }
  const content = element("div", { class: "facts" });
  const head = element("span", {}, title, badges(facts));
  const summary = element("summary", { class: "dish" }, head, energy(facts.calories), allergens);
  const details = element("details", {}, summary, content);
  details.addEventListener("toggle", () => {
    if (!content.hasChildNodes()) {
      content.append(...describe(facts), ...dishActions(dish, dishName(dish)));
    }
  });
  return details;
}

/** Return the name of a dish. */
export function dishName({ recipe, name }) {
  return name ?? `Recipe ${recipe}`;
}

/** Tell whether anything is known about a dish; all of it may be null. */
export function hasFacts(facts) {
  const others = Object.entries(facts ?? {}).filter(([key]) => !ALWAYS_KNOWN.includes(key));
  return [...Object.values(facts?.nutrients ?? {}), ...others.map(([, value]) => value)].some((fact) => fact !== null);
}

/** Return the names of the labels of a dish, without those that others imply. */
export function labelNames(facts) {
  const labels = uncontradicted(facts);
  const implied = new Set(labels.flatMap(({ implies }) => implies.map(({ code }) => code)));
  return labels.filter(({ code }) => !implied.has(code)).map(labelName);
}

/** Return the labels of a dish, and those that they imply, but for those that it contradicts. */
export function validLabels(facts) {
  return uncontradicted(facts).flatMap((label) => [label, ...label.implies]);
}

function uncontradicted(facts) {
  return (facts?.labels ?? []).filter(({ contradicted }) => !contradicted);
}

/** Return the name of a label, as far as it has one. */
export function labelName({ code, name }) {
  return name ?? code;
}

function badges(facts) {
  return labelNames(facts).flatMap((label) => [" ", element("span", { class: "badge" }, label)]);
}

function energy(calories) {
  return calories !== null && [" ", element("span", { class: "energy" }, `${calories} cal`)];
}

function describe(facts) {
  const amounts = [...NUTRIENTS].map(([key, label]) => [label, facts.nutrients[key]]).filter(([, amount]) => amount);
  return [
    ...allergenFacts(facts),
    fact("Labels", uncontradicted(facts).map(labelName).join(", ")),
    fact("Ingredients", facts.ingredients),
    fact("Serving size", facts.serving_size),
    fact("Calories", calories(facts)),
    amounts.length ? nutrientTable(amounts) : null,
    facts.as_of && element("p", { class: "muted" }, `As of ${formatDate(facts.as_of, { dateStyle: "long" })}`),
  ].filter(Boolean);
}

function fact(label, text) {
  return text ? element("p", {}, element("strong", {}, `${label}: `), text) : null;
}

function calories({ calories: total, calories_from_fat: fromFat }) {
  return [total, fromFat !== null && `${fromFat} from fat`].filter((part) => part !== null && part !== false).join(", ");
}

function nutrientTable(amounts) {
  const rows = amounts.map(([label, { amount, unit, daily_value: daily }]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, label),
      element("td", {}, `${amount} ${unit}`),
      element("td", {}, daily === null ? "" : `${daily}%`),
    ),
  );
  const header = ["Nutrient", "Amount", "Daily value"].map((text) => element("th", { scope: "col" }, text));
  return element("table", {}, element("thead", {}, element("tr", {}, header)), element("tbody", {}, rows));
}
