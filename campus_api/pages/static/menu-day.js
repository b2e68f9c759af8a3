import { fetchJson, unlessFailed } from "./api.js";
import { names } from "./text.js";

const INTEGER = /^(0|[1-9]\d*)$/;

/** Return the API path of dishes in a format, such as ".csv"; absent and empty parameters are left out. */
export function dishesPath(params, format = "") {
  return `dining/dishes${format}?${menuQuery(params)}`;
}

/** Return parameters of the page as a query of the API. */
export function menuQuery({ date = null, meal = null, location = null, label = [], without = [], recipes = [] }) {
  const present = Object.entries({ date, meal, location }).filter(([, value]) => value);
  const lists = Object.entries({ label, without, recipe: recipes });
  return new URLSearchParams([...present, ...lists.flatMap(([name, values]) => values.map((value) => [name, value]))]);
}

/** Tell whether the API accepts the parameters of a menu. */
export function areIntegers({ meal, location }) {
  return [meal, location].every((text) => INTEGER.test(text || "0"));
}

/** Return the dishes of a day, the headers of their response, why there are none, hours, adjacent dates, and names. */
export async function fetchDay(params, signal) {
  if (!areIntegers(params)) {
    // The error has the reason and the correction.
    const { date, meal, location } = params;
    await fetchJson(dishesPath({ date, meal, location }), signal);
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
  const buildings = new Map(places.data.features.map(({ id, properties }) => [id, properties.building]));
  const points = new Map(places.data.features.map(({ id, geometry }) => [id, geometry?.coordinates]));
  return {
    date: params.date,
    rows: dishes.data,
    headers: dishes.headers,
    emptyReason: dishes.headers.get("X-Campus-Empty"),
    adjacent: adjacentDates(dishes.headers),
    hours,
    halls: named(withMissing(locations.data, dishes.data.flatMap((dish) => dish.locations)), "Hall")
      .sort((a, b) => names.compare(a.name, b.name))
      .map((hall) => ({ ...hall, building: buildings.get(hall.id) ?? null, point: points.get(hall.id) })),
    categories: named(categories.data, "Category"),
    // The codes that the texts of labels stand for, by diets that the service alone knows.
    labels: JSON.parse(document.getElementById("menus").dataset.labels),
  };
}

/** Return the serving hours of a date; menus are shown without them, too. */
export async function fetchHours(date, signal) {
  return (await unlessFailed(fetchJson(`dining/hours?${menuQuery({ date })}`, signal), [])).data;
}

/** Return the dates of the nearest days with menus before and after. */
function adjacentDates(headers) {
  const { prev, next } = linkedParams(headers);
  return { prev: prev?.get("date"), next: next?.get("date") };
}

/** Return the parameters of the links in the Link header, by their relation. */
function linkedParams(headers) {
  const links = (headers.get("Link") ?? "").matchAll(/<([^>]*)>\s*;\s*rel="?(\w+)"?/g);
  return Object.fromEntries([...links].map(([, url, rel]) => [rel, new URL(url, location.href).searchParams]));
}

/**
 * Return the words of allergens for the texts of a link or of an old choice, such as "Dairy".
 *
 * The service alone knows spellings; a text of which it knows none stays.
 */
export async function wordsOf(texts, { words, others }, signal) {
  const isWord = (text) => [...words, ...others].includes(text);
  const each = await Promise.all(texts.map((text) => (isWord(text) ? [text] : lookUp(text, signal))));
  return [...new Set(each.flat())];
}

async function lookUp(text, signal) {
  const { headers } = await unlessFailed(fetchJson(`dining/dishes?${new URLSearchParams({ without: text })}`, signal));
  return linkedParams(headers).canonical?.getAll("without") ?? [text];
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
