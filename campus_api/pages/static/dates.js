const DAY_MS = 86_400_000;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
const { timeZone, frozenAt } = document.getElementById("menus").dataset;

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

/** Return the hour on the campus when the service sent a response: the clock of the browser may be wrong. */
export function campusHour(headers) {
  const now = new Date(frozenAt ?? headers.get("Date") ?? Date.now());
  return Number(new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", hourCycle: "h23" }).format(now));
}

/** Format a date in US English; `options` are those of Intl.DateTimeFormat. */
export function formatDate(date, options = { dateStyle: "full" }) {
  return new Intl.DateTimeFormat("en-US", { timeZone: "UTC", ...options }).format(new Date(date));
}
