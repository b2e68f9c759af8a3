import { addDays, formatTime } from "./dates.js";

// Until then, the day before may still be served.
const NIGHT_ENDS = "06:00";

/** Return the times at which a meal is served in a hall, from the rows of all. */
export function timesOf(hours, meal, location) {
  return hours.filter((row) => String(row.meal) === meal && row.location === location);
}

/** Describe the times of a meal at a time of its day, or on another day if `now` is null; "" if they are unknown. */
export function describeTimes(times, now) {
  if (!times.length || now === null) {
    return times.map(formatSpan).join(", ");
  }
  const open = times.find((each) => isOpen(each, now));
  const next = times.find(({ opens }) => opens > now);
  if (open) {
    return `Open now, until ${formatTime(open.closes)}${next ? `, and ${formatSpan(next)}` : ""}`;
  }
  return next
    ? `Opens at ${formatTime(next.opens)}, until ${formatTime(next.closes)}`
    : `Closed since ${formatTime(times.at(-1).closes)}`;
}

function formatSpan({ opens, closes }) {
  return `${formatTime(opens)}–${formatTime(closes)}`;
}

/** Return the place of a hall in the order at a time: open, opens later, of unknown hours, closed. */
export function openingRank(times, now) {
  if (!times.length) {
    return 2;
  }
  if (times.some((each) => isOpen(each, now))) {
    return 0;
  }
  return times.some(({ opens }) => opens > now) ? 1 : 3;
}

/** Tell whether a time may be within the serving times of the day before. */
export function isNight({ time }) {
  return time < NIGHT_ENDS;
}

/** Return a date and time, or as long as the day before is served, those of that day, such as 24:45. */
export function servingTime({ date, time }, hours, location) {
  const before = addDays(date, -1);
  const rows = ofHallOrAll(hours.filter((row) => row.date === before), location);
  const isServed = rows.some(({ opens, closes }) => closes <= opens && time < closes);
  return isServed ? { date: before, time: onNextDay(time) } : { date, time };
}

/** Return a time of the next day as one of this day: 00:45 is 24:45. */
function onNextDay(time) {
  return `${24 + Number(time.slice(0, 2))}${time.slice(2)}`;
}

/** Return the meal that is served at a time, or else the next one, or the last one of the day. */
export function mealServed(hours, now, location) {
  const rows = [...ofHallOrAll(hours, location)].sort((a, b) => (a.opens < b.opens ? -1 : 1));
  const row = rows.findLast((each) => isOpen(each, now)) ?? rows.find(({ opens }) => opens > now) ?? rows.at(-1);
  return row ? String(row.meal) : usualMeal(now);
}

/** Tell whether a time is within serving times, which may end on the next day. */
export function isOpen({ opens, closes }, now) {
  return opens <= now && now < (closes <= opens ? onNextDay(closes) : closes);
}

/** Return the rows of a hall, or all if none are known for it. */
function ofHallOrAll(hours, location) {
  const own = hours.filter((row) => String(row.location) === location);
  return own.length ? own : hours;
}

function usualMeal(now) {
  return now < "10:00" ? "0" : now < "15:00" ? "1" : "2";
}
