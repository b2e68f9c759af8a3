import { allergenLine } from "./allergens.js";
import { dishName } from "./dish-facts.js";
import { element } from "./dom.js";
import { countDishes, plural } from "./text.js";

/** Return the dishes of a hall that the filters do not show, each with its ingredients, in groups that are closed. */
export function closedGroups(unknown, hidden) {
  return [
    group(unknown, `${plural(countDishes(unknown))} of unknown allergens`),
    group(hidden, `${plural(countDishes(hidden))} hidden by the filters`, "hidden-dishes"),
  ].filter(Boolean);
}

function group(dishes, title, kind = "") {
  if (!dishes.length) {
    return null;
  }
  const list = element("ul");
  const details = element("details", { class: `group ${kind}` }, element("summary", {}, title), list);
  details.addEventListener("toggle", () => list.hasChildNodes() || list.append(...distinct(dishes).map(item)));
  return details;
}

/** Return each dish once, of which some are served in several categories. */
function distinct(dishes) {
  return [...new Map(dishes.map((dish) => [dish.recipe, dish])).values()];
}

function item(dish) {
  return element(
    "li",
    {},
    element("p", { class: "dish-name" }, dishName(dish)),
    allergenLine(dish),
    element("p", { class: "muted" }, `Ingredients: ${dish.facts?.ingredients ?? "unknown"}`),
  );
}
