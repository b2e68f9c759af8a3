import { fetchJson, fetchJsonOnce } from "./api.js";
import { names } from "./text.js";

const INTEGER = /^(0|[1-9]\d*)$/;

/** Return the API path of the menu of a date and a meal, in all halls or in one. */
export function menuPath({ date, meal, location }) {
  return `dining/menus?${new URLSearchParams({ date, meal, ...(location && { location }) })}`;
}

/** Return the menu rows of a day, why there are none, the adjacent loaded dates, and all halls and categories. */
export async function fetchDay(params, signal) {
  const { date, meal, location } = params;
  if (![meal, location || "0"].every((text) => INTEGER.test(text))) {
    // The error has the reason and the correction.
    await fetchJson(menuPath(params), signal);
  }
  // The menu of the whole day, because that of today is served even while the database is unavailable.
  const [locations, categories, menu] = await Promise.all([
    fetchJsonOnce("dining/locations"),
    fetchJsonOnce("dining/categories"),
    fetchJson(`dining/menus?${new URLSearchParams({ date })}`, signal),
  ]);
  return {
    rows: menu.data,
    emptyReason: menu.headers.get("X-Campus-Empty"),
    adjacent: adjacentDates(menu.headers),
    halls: named(locations.data, "Hall").sort((a, b) => names.compare(a.name, b.name)),
    categories: named(categories.data, "Category"),
  };
}

/** Return the dates of the Link header: the nearest ones with menus before and after. */
function adjacentDates(headers) {
  const links = (headers.get("Link") ?? "").matchAll(/<([^>]*)>\s*;\s*rel="?(prev|next)"?/g);
  const dateOf = (url) => new URL(url, location.href).searchParams.get("date");
  return Object.fromEntries([...links].map(([, url, rel]) => [rel, dateOf(url)]));
}

function named(entities, kind) {
  return entities.map(({ id, name }) => ({ id, name: name ?? `${kind} ${id}` }));
}
