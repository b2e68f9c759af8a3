import { element } from "./dom.js";

/** Return a card for each hall of menu rows, with the dishes below their categories, in the order of the rows. */
export function menuOf(rows, halls, categories) {
  const hallNames = namesOf(halls);
  const categoryNames = namesOf(categories);
  return [...grouped(rows, "location")].map(([location, ofHall]) =>
    element(
      "article",
      { class: "hall", "data-location": location },
      element("h2", {}, hallNames.get(location) ?? `Hall ${location}`),
      [...grouped(ofHall, "category")].map(([category, dishes]) => [
        element("h3", {}, categoryNames.get(category) ?? `Category ${category}`),
        element("ul", { "data-category": category }, dishes.map((dish) => element("li", {}, dish.name))),
      ]).flat(),
    ),
  );
}

function grouped(rows, by) {
  const groups = new Map();
  for (const row of rows) {
    groups.set(row[by], [...(groups.get(row[by]) ?? []), row]);
  }
  return groups;
}

function namesOf(rows) {
  return new Map(rows.map(({ id, name }) => [id, name]));
}
