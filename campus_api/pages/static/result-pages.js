import { fetchJson } from "./api.js";

const DAY_MS = 86_400_000;
// As far ahead as the search knows the menus.
const DAYS_AHEAD = 14;

/** Return the URL of the page that shows a result: a building, the menus of a hall, or the next serving of a dish. */
export async function pageOf({ type, id, name }) {
  const params = {
    building: () => ({ view: "buildings", id }),
    location: () => ({ view: "menus", location: id }),
    dish: async () => ({ view: "menus", ...(await nextServing(id, name)), q: name }),
  };
  return `${document.body.dataset.base}explore?${new URLSearchParams(await params[type]())}`;
}

/** Return the date and the meal when a dish is served next, if it is soon. */
async function nextServing(recipe, name) {
  const { today: from } = (await fetchJson("")).data;
  const to = new Date(Date.parse(from) + DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10);
  const { data: dishes } = await fetchJson(`dining/dishes?${new URLSearchParams({ recipe, from, to })}`);
  const next = dishes.find((dish) => dish.name === name);
  return next ? { date: next.date, meal: next.meal } : {};
}
