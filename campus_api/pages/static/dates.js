const DAY_MILLISECONDS = 86_400_000;
const ISO = /^\d{4}-\d{2}-\d{2}$/;

/** Tell whether a text is a date, YYYY-MM-DD. */
export function isDate(text) {
  return ISO.test(text) && !Number.isNaN(Date.parse(text));
}

/** Return the date that is so many days after another one. */
export function plusDays(date, days) {
  return new Date(Date.parse(date) + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

/** Return the seven dates, from Sunday on, among which a date is. */
export function weekOf(date) {
  const sunday = plusDays(date, -new Date(date).getUTCDay());
  return [0, 1, 2, 3, 4, 5, 6].map((days) => plusDays(sunday, days));
}

/** Return a date for people; `options` are those of Intl.DateTimeFormat. */
export function spoken(date, options = { dateStyle: "full" }) {
  return new Intl.DateTimeFormat("en-US", { timeZone: "UTC", ...options }).format(new Date(date));
}
