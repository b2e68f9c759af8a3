const DAY_MS = 86_400_000;
// To make one takes long.
const formats = new Map();
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

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
  const format = new Intl.DateTimeFormat(ENGLISH, { timeZone: "UTC", timeStyle: "short" });
  return format.format(new Date(`2000-01-01T${time}Z`)).replace(/\s/, "\u00a0");
}

/** Format a date; `options` are those of Intl.DateTimeFormat. */
export function formatDate(date, options = /** @type {Intl.DateTimeFormatOptions} */ ({ dateStyle: "full" })) {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(ENGLISH, { timeZone: "UTC", ...options });
  formats.set(key, format);
  return format.format(new Date(date));
}
