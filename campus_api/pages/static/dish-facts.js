import { apiUrl, fetchJson } from "./api.js";
import { addDays, alternatives, capitalize, formatDate, list, mealName, names } from "./text.js";
import { isFavourite, navigate, onLinkClick, star, urlWith } from "./router.js";
import { element, errorMessage } from "./dom.js";

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
  ["added_sugars", "Added sugars"],
  ["salt", "Salt"],
  ["potassium", "Potassium"],
  ["calcium", "Calcium"],
  ["iron", "Iron"],
  ["vitamin_d", "Vitamin D"],
]);
const DAYS_AHEAD = 45;
const MOST_SHOWN = 3;

/** Return the name of a dish with its labels, calories and allergens; it opens to show what else is known, and stays open. */
export function dishItem(dish, hasAllergens, existing = null) {
  const { facts } = dish;
  const mark = isFavourite("dish", dish.recipe) && element("span", { class: "favourite" }, "★");
  const title = element(existing?.querySelector(".dish-name") ?? "span", { class: "dish-name" }, dishName(dish), mark);
  const allergens = hasAllergens && allergenLine(dish);
  if (!hasFacts(facts)) {
    return element("div", { class: "dish" }, title, " ", allergens);
  }
  const badges = labelNames(facts).flatMap((label) => [" ", element("span", { class: "badge" }, label)]);
  const head = element("span", {}, title, badges);
  const energy = facts.calories !== null && [" ", element("span", { class: "energy" }, `${facts.calories} cal`)];
  const summary = element("summary", { class: "dish" }, head, energy, " ", allergens);
  const details = element("details", { open: existing?.firstElementChild.open }, summary);
  details.addEventListener("toggle", () => {
    const content = [star("dish", dish.recipe, dishName(dish)), ...describe(facts), whenServed(dish)];
    details.append(element("div", { class: "facts" }, content));
  }, { once: true });
  return details;
}

/** Return the name of a dish. */
export function dishName({ recipe, name }) {
  return name ?? `Recipe ${recipe}`;
}

/** Tell whether anything is known about a dish; all of it may be null. */
export function hasFacts(facts) {
  const isAnyKnown = (all) => Object.keys(all ?? {}).some((key) => all[key] !== null && !ALWAYS_KNOWN.includes(key));
  return isAnyKnown(facts) || isAnyKnown(facts?.nutrients);
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
  const parts = [total, fromFat === null ? null : `${fromFat} from fat`];
  return parts.filter((part) => part !== null).join(", ");
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

/** Say what to know of allergens, wherever a filter, a fact or a print is. */
export function caution() {
  return document.getElementById("filter-caution").textContent;
}

/** Return the allergens of a dish on one line. */
export function allergenLine({ facts }) {
  const words = facts?.contains?.join(", ");
  // Null is unknown, never none.
  const none = facts?.contains ? "no allergens listed" : "allergens unknown";
  const text = words ? [element("span", { class: "visually-hidden" }, "Allergens: "), words] : [none];
  return element("span", { class: "dish-allergens" }, ...text);
}

/** Tell whether the allergens of any dish are known. */
export function areAnyKnown(dishes) {
  return dishes.some(({ facts }) => facts?.contains);
}

/** Return the allergens of a dish in full: its words, what the provider lists, the caution, and the contact, if any. */
function allergenFacts({ allergens: names, contains }) {
  const known = contains?.join(", ") || "none listed";
  const unstated = JSON.parse(document.getElementById("menus").dataset.unstated);
  const undeclared = (contains ?? []).filter((word) => unstated.includes(word));
  return [
    element(
      "p",
      { class: "allergens" },
      element("strong", {}, "Allergens: "),
      contains ? known : "unknown. The dish may contain any: ask in the hall.",
    ),
    names && element("p", {}, element("strong", {}, "Listed as: "), names.join(", ")),
    undeclared.length > 0 && element("p", {}, namedInIngredients(undeclared)),
    element("p", { class: "muted" }, caution(), " ", document.querySelector("a.contact")?.cloneNode(true)),
  ];
}

/** Say of words that no list of the provider has where they are from. */
function namedInIngredients(words) {
  const them = words.length > 1 ? "them" : "it";
  return `${capitalize(list.format(words))}: named in ingredients; the provider never declares ${them}.`;
}

/** Say which allergens the provider does not state, by `stated` of the index, and which no dish of the day lists. */
export function aboutAllergens(without, dishes, stated) {
  const isContained = (word) => dishes.some(({ facts }) => facts?.contains?.includes(word));
  const isUnstated = (word) => stated && !stated.includes(word);
  const others = without.filter((word) => !isContained(word));
  const undeclared = without.filter((word) => isContained(word) && isUnstated(word));
  const unstated = others.filter(isUnstated);
  const ofNoDish = others.filter((word) => !isUnstated(word));
  return [
    undeclared.length && namedInIngredients(undeclared),
    unstated.length && `The provider does not state whether dishes contain ${alternatives.format(unstated)}.`,
    ofNoDish.length && areAnyKnown(dishes) && `No dish of this day lists ${alternatives.format(ofNoDish)}.`,
  ].filter(Boolean);
}

/** Return a disclosure of when and where a dish is served next, which also links its calendar. */
function whenServed({ recipe, date, meal }) {
  const webcal = `webcal://${location.host}${apiUrl(`dining/menus.ics?recipe=${recipe}`)}`;
  const next = element("div");
  const details = element(
    "details",
    { class: "dish-actions" },
    element("summary", {}, "When is it served?"),
    next,
    element("a", { href: webcal }, "Tell me when it is served: subscribe to its calendar"),
  );
  details.addEventListener("toggle", () => next.hasChildNodes() || showNext(next, recipe, date, meal));
  return details;
}

async function showNext(container, recipe, date, meal) {
  const paths = [`dining/dishes?recipe=${recipe}&to=${addDays(date, DAYS_AHEAD)}`, "dining/locations"];
  let rows, halls;
  try {
    [rows, halls] = (await Promise.all(paths.map((path) => fetchJson(path)))).map(({ data }) => data);
  } catch (error) {
    container.replaceChildren(errorMessage(error, () => showNext(container, recipe, date, meal)));
    return;
  }
  const servings = new Map(rows.map((row) => [`${row.date} ${row.meal}`, row]));
  servings.delete(`${date} ${meal}`);
  const links = [...servings.values()].slice(0, MOST_SHOWN).map((row) => {
    const changes = { date: row.date, meal: String(row.meal), location: null };
    const link = element("a", { href: urlWith(changes) }, `${formatDate(row.date)}, ${mealName(changes.meal).toLowerCase()}`);
    onLinkClick(link, () => navigate(changes));
    const servings = rows.filter((each) => each.date === row.date && each.meal === row.meal);
    return element("li", {}, link, ` at ${hallNames(servings, halls)}`);
  });
  container.replaceChildren(links.length ? element("ul", {}, links) : "On no other day of the menus that are known.");
}

/** Name the halls that serve dishes: "Annenberg Hall and Quincy House". */
export function hallNames(dishes, halls) {
  const ids = new Set(dishes.flatMap(({ locations }) => locations));
  return list.format([...ids].map((id) => halls.find((hall) => hall.id === id)?.name ?? `Hall ${id}`).sort(names.compare));
}
