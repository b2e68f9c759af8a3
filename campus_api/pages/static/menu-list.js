import { dishFacts } from "./dish-facts.js";
import { element } from "./dom.js";

/** Return a card for each dining hall, in the order of `halls`, with its dishes by category as they are served. */
export function menuList(rows, halls, categories) {
  const categoryNames = new Map(categories.map(({ id, name }) => [id, name]));
  const byHall = groupBy(rows, "location");
  return halls
    .filter(({ id }) => byHall.has(id))
    .map(({ id, name }) =>
      element(
        "article",
        { class: "hall", "data-location": id },
        element("h2", {}, name),
        [...groupBy(byHall.get(id), "category")].flatMap(([category, dishes]) => [
          element("h3", {}, categoryNames.get(category) ?? `Category ${category}`),
          element("ul", { "data-category": category }, dishes.map((dish) => element("li", {}, dishFacts(dish)))),
        ]),
      ),
    );
}

/** Return the number of different dishes in menu rows: a dish has a row for each hall and category. */
export function countDishes(rows) {
  return new Set(rows.map(({ recipe }) => recipe)).size;
}

function groupBy(rows, field) {
  const groups = new Map();
  for (const row of rows) {
    groups.set(row[field], [...(groups.get(row[field]) ?? []), row]);
  }
  return groups;
}
