import { labelNames } from "./dish-facts.js";
import { formatDate } from "./dates.js";
import { element } from "./dom.js";
import { mealName } from "./meal-tabs.js";
import { byCategory } from "./menu-list.js";
import { describeTimes, timesOf } from "./serving-hours.js";

/** Return the menu of a hall's day for a sheet of paper; `hidden` is what the filters hide. */
export function printedDay(hall, dishes, day, hidden) {
  const meals = [...Map.groupBy(dishes, ({ meal }) => String(meal))];
  return [
    element("h2", {}, hall.name),
    element("p", {}, formatDate(day.date)),
    element("div", { class: "meals" }, meals.map(([meal, served]) => printedMeal(hall, meal, served, day))),
    element("p", {}, "Names and labels are the provider’s. Ask in the hall about allergens.", hidden && ` ${hidden}`),
  ];
}

function printedMeal(hall, meal, dishes, day) {
  const times = describeTimes(timesOf(day.hours, meal, hall.id), null);
  return element(
    "section",
    {},
    element("h3", {}, mealName(meal), times && ` ${times}`),
    [...byCategory(dishes, day.categories)].flatMap(([category, served]) => [
      element("h4", {}, category),
      element("ul", {}, served.map((dish) => element("li", {}, printedName(dish)))),
    ]),
  );
}

function printedName({ recipe, name, facts }) {
  const labels = labelNames(facts?.labels ?? []);
  return `${name ?? `Recipe ${recipe}`}${labels.length ? ` (${labels.join(", ")})` : ""}`;
}
