import { allergenLine, areAnyKnown, caution } from "./allergens.js";
import { formatDate } from "./dates.js";
import { dishName, labelNames } from "./dish-facts.js";
import { element } from "./dom.js";
import { mealName } from "./meal-tabs.js";
import { byCategory } from "./menu-list.js";
import { describeTimes, timesOf } from "./serving-hours.js";

/** Return the menu of a hall's day for a sheet of paper; `filtered` says what the filters hide. */
export function printedDay(hall, { shown, unknown }, day, filtered) {
  const meals = [...new Set(shown.map(({ meal }) => meal))];
  const unknownNames = [...new Set(unknown.map(dishName))];
  return [
    element("h2", {}, hall.name),
    element("p", {}, formatDate(day.date)),
    element("div", { class: "meals" }, meals.map((meal) => printedMeal(hall, meal, shown, day))),
    unknownNames.length > 0 && printedNote("Of unknown allergens", unknownNames.join(", ")),
    printedNote("Allergens and labels", [caution(), ...filtered].join(" ")),
  ].filter(Boolean);
}

function printedNote(label, text) {
  return element("p", {}, element("strong", {}, `${label}: `), text);
}

function printedMeal(hall, meal, dishes, day) {
  const times = describeTimes(timesOf(day.hours, String(meal), hall.id), null);
  const hasAllergens = areAnyKnown(day.rows);
  const served = dishes.filter((dish) => dish.meal === meal);
  return element(
    "section",
    {},
    element("h3", {}, mealName(String(meal)), times && ` ${times}`),
    [...byCategory(served, day.categories)].flatMap(([category, items]) => [
      element("h4", {}, category),
      element("ul", {}, items.map((dish) => printedDish(dish, hasAllergens))),
    ]),
  );
}

function printedDish(dish, hasAllergens) {
  const labels = labelNames(dish.facts);
  const title = `${dishName(dish)}${labels.length ? ` (${labels.join(", ")})` : ""}`;
  return element("li", {}, title, " ", hasAllergens && allergenLine(dish));
}
