/** What the results of a search are, by their type. */
export const KINDS = { building: "Building", location: "Hall", dish: "Dish" };

/** Return the URL of the page that shows a result: a building, the menus of a hall, or the next serving of a dish. */
export function pageOf({ type, id, name, date, meal }) {
  const params = {
    building: { view: "buildings", id },
    location: { view: "menus", location: id },
    dish: { view: "menus", ...(date && { date, meal }), q: name },
  };
  return `${document.body.dataset.base}explore?${new URLSearchParams(params[type])}`;
}

/** Return the name to show for a result; only buildings have none. */
export function resultName({ name }) {
  return name ?? "Unnamed building";
}
