const DAY_MS = 86_400_000;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Tell whether a string is a valid date, YYYY-MM-DD. */
export function isDate(text) {
  return ISO_DATE.test(text) && !Number.isNaN(Date.parse(text));
}

/** Return the date that is `days` after `date`. */
export function addDays(date, days) {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Return the seven dates of the week of `date`, Sunday first. */
export function weekOf(date) {
  const sunday = addDays(date, -new Date(date).getUTCDay());
  return [0, 1, 2, 3, 4, 5, 6].map((days) => addDays(sunday, days));
}

/** Format a date in US English; `options` are those of Intl.DateTimeFormat. */
export function formatDate(date, options = { dateStyle: "full" }) {
  return new Intl.DateTimeFormat("en-US", { timeZone: "UTC", ...options }).format(new Date(date));
}
