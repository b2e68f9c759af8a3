const METRES_PER_DEGREE = 111_195;
// On foot, as the crow flies.
const METRES_PER_MINUTE = 65;
const DAY_MS = 86_400_000;
// To make one takes long, and to format the hours of all halls.
const formats = new Map();
const times = new Map();
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The order of names for people: "Hall 2" comes before "Hall 10". */
export const names = new Intl.Collator("en", { numeric: true });
export const list = new Intl.ListFormat("en");
export const alternatives = new Intl.ListFormat("en", { type: "disjunction" });

// Letters in lower case that casefold() of the API replaces; toLowerCase() has ς at the end of a word for Σ.
const FOLDED = /[ßςᲀ-ᲈ]/g;

/** The names of meals by their IDs, as texts. */
export const MEALS = new Map([["0", "Breakfast"], ["1", "Lunch"], ["2", "Dinner"]]);
// Of the data set, as the index has them.
const otherMeals = new Map();

/** Return a text with its first letter in upper case, and the others as they are. */
export const capitalize = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Remove letter case and accents, as the API does. */
export function fold(text) {
  const lower = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return lower.replace(FOLDED, (letter) => letter.toUpperCase().toLowerCase());
}

/** Return a function that tells whether a folded text contains all words of `text`, in any order. */
export function wordMatcher(text) {
  const words = fold(text).split(/[\s,]+/);
  return (folded) => words.every((word) => folded.includes(word));
}

/** Return the number of different dishes in rows: a dish has a row for each meal and category. */
export function countDishes(rows) {
  return new Set(rows.map(({ recipe }) => recipe)).size;
}

/** Return "1 dish" or "7 dishes". */
export function plural(count) {
  return `${count} ${count === 1 ? "dish" : "dishes"}`;
}

/** Use the names of meals of the index, null if it has none. */
export function useMealNames(meals) {
  (meals ?? []).filter(({ name }) => name).forEach(({ id, name }) => otherMeals.set(String(id), capitalize(name)));
}

/** Tell whether a meal has a name. */
export function hasName(meal) {
  return MEALS.has(meal) || otherMeals.has(meal);
}

/** Return the name of a meal. */
export function mealName(meal) {
  return MEALS.get(meal) ?? otherMeals.get(meal) ?? `Meal ${meal}`;
}

/** Return the name of a meal in a hall by dishes of the day: a lunch may be brunch. */
export function mealNameIn(dishes, meal, hall) {
  const dish = dishes.find((each) => String(each.meal) === meal && each.locations.includes(hall));
  // A response of an earlier version may have none.
  const name = dish?.meal_names?.[dish.locations.indexOf(hall)];
  return name ? capitalize(name) : mealName(meal);
}

/** Return the name to show for a building or a result of the search; only buildings may have none. */
export function shownName({ name }) {
  return name ?? "Unnamed building";
}

/** Return halls with their distances to a position, the nearest first, those of an unknown place last. */
export function nearestFirst(halls, { latitude, longitude }) {
  const scale = Math.cos((latitude * Math.PI) / 180);
  const degrees = ({ point }) => (point ? Math.hypot(point[1] - latitude, scale * (point[0] - longitude)) : Infinity);
  return halls.map((hall) => ({ ...hall, distance: METRES_PER_DEGREE * degrees(hall) })).sort((a, b) => a.distance - b.distance || 0);
}

/** Return a distance with the time that it takes on foot, such as "350 m, 5 min"; "" if it is unknown. */
export function formatWalk(metres) {
  const tens = (10 * Math.round(metres / 10)).toLocaleString("en");
  return Number.isFinite(metres) ? `${tens} m, ${Math.ceil(metres / METRES_PER_MINUTE)} min` : "";
}

/** Return the buildings with their distances to a position, a LatLng of Leaflet, the nearest first. */
export function byDistance(buildings, position) {
  return buildings
    .map((building) => ({ ...building, distance: position.distanceTo(building.geometry.point) }))
    .sort((a, b) => a.distance - b.distance);
}

/** English with the clock and the order of dates of the visitor's language: 14:00, or 2:00 PM. */
export const ENGLISH = english(navigator.language);

function english(language) {
  const { hourCycle } = new Intl.DateTimeFormat(language, { hour: "numeric" }).resolvedOptions();
  const [{ type }] = new Intl.DateTimeFormat(language, { month: "numeric", day: "numeric" }).formatToParts();
  return new Intl.Locale(type === "day" ? "en-GB" : "en-US", { hourCycle }).toString();
}

/** Tell whether a string is a day of the calendar, YYYY-MM-DD. */
export function isDate(text) {
  // Date.parse accepts February 30.
  return ISO_DATE.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;
}

/** Return the date that is `days` after `date`. */
export function addDays(date, days) {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Return the number of days from one date to another. */
export function daysBetween(from, to) {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** Return "yesterday", "today" or "tomorrow", or null for other dates. */
export function relativeDay(date, today) {
  return { "-1": "yesterday", 0: "today", 1: "tomorrow" }[daysBetween(today, date)] ?? null;
}

/** Return a function for the date and time in a zone, by the clock of the service: the browser's may be wrong. */
export function campusClock(headers, /** @type {DOMStringMap} */ { timeZone, frozenAt }) {
  const received = Date.now();
  const sent = Date.parse(frozenAt ?? headers.get("Date")) || received;
  // ISO 8601, but for the space.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  return () => {
    const [date, time] = format.format(frozenAt ? sent : sent + Date.now() - received).split(" ");
    return { date, time };
  };
}

/** Format a time of the day, HH:MM, without a break: "2:00 PM". */
export function formatTime(time) {
  const text = times.get(time) ?? formatDate(`2000-01-01T${time}Z`, { timeStyle: "short" }).replace(/\s/, "\u00a0");
  times.set(time, text);
  return text;
}

/** Return a text of the service, which has times such as "2:00 PM", in the words of the visitor's clock. */
export function withLocalTimes(text) {
  const hour = (text, half) => String((text % 12) + (half === "P" ? 12 : 0)).padStart(2, "0");
  return text.replace(/\b(1?\d):(\d\d) ([AP])M\b/g, (_, start, end, half) => formatTime(`${hour(start, half)}:${end}`));
}

/** Show the times in an element that the service has written as the visitor writes them. */
export function showLocalTimes(container) {
  const texts = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    const local = withLocalTimes(text.nodeValue);
    if (local !== text.nodeValue) {
      text.nodeValue = local;
    }
  }
}

/** Format a date; `options` are those of Intl.DateTimeFormat. */
export function formatDate(date, options = /** @type {Intl.DateTimeFormatOptions} */ ({ dateStyle: "full" })) {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(ENGLISH, { timeZone: "UTC", ...options });
  formats.set(key, format);
  return format.format(new Date(date));
}
