import { ApiError, fetchJson } from "./api.js";
import { areKnown } from "./menu-filters.js";
import { names } from "./text.js";

const INTEGER = /^(0|[1-9]\d*)$/;

/** Return the API path of dishes in a format, such as ".csv"; absent and empty parameters are left out. */
export function dishesPath(params, format = "") {
  return `dining/dishes${format}?${menuQuery(params)}`;
}

/** Return parameters of the page as a query of the API. */
export function menuQuery({ date, meal, location, label = [], without = [], recipes = [] }) {
  const present = Object.entries({ date, meal, location }).filter(([, value]) => value);
  const lists = Object.entries({ label, without, recipe: recipes });
  return new URLSearchParams([...present, ...lists.flatMap(([name, values]) => values.map((value) => [name, value]))]);
}

/** Tell whether the API is known to accept parameters for a day. */
export function isValid(params, { rows, accepted }) {
  return areIntegers(params) && (accepted === filtersOf(params) || areKnown(params, rows));
}

function filtersOf({ label, without }) {
  return JSON.stringify([label, without]);
}

function areIntegers({ meal, location }) {
  return [meal, location].every((text) => INTEGER.test(text || "0"));
}

/** Return the dishes of a day, the headers of their response, why there are none, hours, adjacent dates, and names. */
export async function fetchDay(params, signal) {
  if (!areIntegers(params)) {
    // The error has the reason and the correction.
    await fetchJson(dishesPath(params), signal);
  }
  // The dishes of the whole day, because those of today are served even while the database is unavailable.
  const query = menuQuery({ date: params.date });
  const [locations, categories, dishes, hours, places] = await Promise.all([
    fetchJson("dining/locations", signal),
    fetchJson("dining/categories", signal),
    fetchJson(`dining/dishes?${query}`, signal),
    fetchHours(params.date, signal),
    unlessFailed(fetchJson("dining/locations.geojson", signal), { features: [] }),
  ]);
  if (!areKnown(params, dishes.data)) {
    await fetchJson(dishesPath(params), signal);
  }
  const buildings = new Map(places.features.map(({ id, properties }) => [id, properties.building]));
  return {
    date: params.date,
    rows: dishes.data,
    headers: dishes.headers,
    accepted: filtersOf(params),
    emptyReason: dishes.headers.get("X-Campus-Empty"),
    adjacent: adjacentDates(dishes.headers),
    hours,
    halls: named(withMissing(locations.data, dishes.data.flatMap((dish) => dish.locations)), "Hall")
      .sort((a, b) => names.compare(a.name, b.name))
      .map((hall) => ({ ...hall, building: buildings.get(hall.id) ?? null })),
    categories: named(categories.data, "Category"),
  };
}

/** Return the serving hours of a date. */
export function fetchHours(date, signal) {
  return unlessFailed(fetchJson(`dining/hours?${menuQuery({ date })}`, signal), []);
}

/** Return the data of a request, or `fallback` if it fails: menus are shown without hours and places, too. */
async function unlessFailed(request, fallback) {
  try {
    return (await request).data;
  } catch (error) {
    if (error instanceof ApiError) {
      return fallback;
    }
    throw error;
  }
}

/** Return the dates of the Link header: the nearest ones with menus before and after. */
function adjacentDates(headers) {
  const links = (headers.get("Link") ?? "").matchAll(/<([^>]*)>\s*;\s*rel="?(prev|next)"?/g);
  const dateOf = (url) => new URL(url, location.href).searchParams.get("date");
  return Object.fromEntries([...links].map(([, url, rel]) => [rel, dateOf(url)]));
}

/** Add the entities whose IDs are missing, because a cached list may be older than a day. */
function withMissing(entities, ids) {
  const known = new Set(entities.map(({ id }) => id));
  const missing = new Set(ids.filter((id) => !known.has(id)));
  return [...entities, ...[...missing].map((id) => ({ id, name: null }))];
}

function named(entities, kind) {
  return entities.map(({ id, name }) => ({ id, name: name ?? `${kind} ${id}` }));
}
