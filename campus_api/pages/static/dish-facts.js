import { apiUrl, fetchJsonOnce } from "./api.js";
import { formatDate } from "./dates.js";
import { element, errorMessage, showSources } from "./dom.js";

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

/** Return the name of a dish, which opens to show what is known about it. */
export function dishFacts({ recipe, name }) {
  const path = `dining/recipes/${recipe}/facts`;
  const content = element("div", { class: "facts" });
  const load = async () => {
    content.setAttribute("aria-busy", "true");
    try {
      content.replaceChildren(...facts(await fetchFacts(path)));
    } catch (error) {
      content.replaceChildren(errorMessage(error, load));
    }
    content.removeAttribute("aria-busy");
    const sources = element("p", { class: "sources" });
    showSources(sources, [apiUrl(path)]);
    content.append(sources);
  };
  const details = element("details", {}, element("summary", {}, name ?? `Recipe ${recipe}`), content);
  details.addEventListener("toggle", () => details.open && !content.hasChildNodes() && load());
  return details;
}

/** Return the facts of a dish, or null if the service has none. */
async function fetchFacts(path) {
  try {
    return (await fetchJsonOnce(path)).data;
  } catch (error) {
    if (error.status === 404) {
      return null;
    }
    throw error;
  }
}

function facts(dish) {
  const { id, name, nutrients, ...others } = dish ?? {};
  const amounts = [...NUTRIENTS].map(([key, label]) => [label, nutrients?.[key]]).filter(([, amount]) => amount);
  if (!amounts.length && Object.values(others).every((fact) => fact === null)) {
    return [element("p", {}, "Nothing is known about this dish. Its allergens are unknown, too: ask in the hall.")];
  }
  return [
    allergens(dish.allergens),
    fact("Labels", dish.labels?.map((label) => label.name ?? label.code).join(", ")),
    fact("Ingredients", dish.ingredients),
    fact("Serving size", dish.serving_size),
    fact("Calories", calories(dish)),
    amounts.length ? nutrientTable(amounts) : null,
    dish.as_of && element("p", { class: "muted" }, `As of ${formatDate(dish.as_of, { dateStyle: "long" })}`),
  ].filter(Boolean);
}

/** Return the allergens; an absent list means that they are unknown, never that there are none. */
function allergens(names) {
  return element(
    "p",
    { class: "allergens" },
    element("strong", {}, "Allergens: "),
    names?.length ? names.join(", ") : "unknown. The dish may contain any: ask in the hall.",
  );
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
