import { element } from "./dom.js";

/** Return a card for each dining hall, with its dishes by category, in the order of the menu rows. */
export function menuList(rows, locations, categories) {
  const locationNames = namesById(locations);
  const categoryNames = namesById(categories);
  return [...groupBy(rows, "location")].map(([location, dishes]) =>
    element(
      "article",
      { class: "hall", "data-location": location },
      element("h2", {}, locationNames.get(location) ?? `Hall ${location}`),
      [...groupBy(dishes, "category")].flatMap(([category, dishes]) => [
        element("h3", {}, categoryNames.get(category) ?? `Category ${category}`),
        element("ul", { "data-category": category }, dishes.map(({ name }) => element("li", {}, name))),
      ]),
    ),
  );
}

function groupBy(rows, field) {
  const groups = new Map();
  for (const row of rows) {
    groups.set(row[field], [...(groups.get(row[field]) ?? []), row]);
  }
  return groups;
}

function namesById(rows) {
  return new Map(rows.map(({ id, name }) => [id, name]));
}
