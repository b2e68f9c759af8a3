import { labelNames } from "./dish-facts.js";
import { formatDate } from "./dates.js";
import { element } from "./dom.js";
import { mealName } from "./meal-tabs.js";
import { byCategory } from "./menu-list.js";
import { describeTimes, timesOf } from "./serving-hours.js";

/** Return the menu of a hall's day for a sheet of paper; `hidden` is what the filters hide. */
export function printedDay(hall, dishes, day, hidden) {
  const meals = [...new Set(dishes.map(({ meal }) => meal))];
  return [
    element("h2", {}, hall.name),
    element("p", {}, formatDate(day.date)),
    element("div", { class: "meals" }, meals.map((meal) => printedMeal(hall, meal, dishes, day))),
    element("p", {}, "Names and labels are the provider’s. Ask in the hall about allergens.", hidden && ` ${hidden}`),
  ];
}

function printedMeal(hall, meal, dishes, day) {
  const times = describeTimes(timesOf(day.hours, String(meal), hall.id), null);
  const served = dishes.filter((dish) => dish.meal === meal);
  return element(
    "section",
    {},
    element("h3", {}, mealName(String(meal)), times && ` ${times}`),
    [...byCategory(served, day.categories)].flatMap(([category, items]) => [
      element("h4", {}, category),
      element("ul", {}, items.map((dish) => element("li", {}, printedName(dish)))),
    ]),
  );
}

function printedName({ recipe, name, facts }) {
  const labels = labelNames(facts?.labels ?? []);
  return `${name ?? `Recipe ${recipe}`}${labels.length ? ` (${labels.join(", ")})` : ""}`;
}
