import { formatTime } from "./dates.js";

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

/**
 * Return the meal that the index says is served now, in a hall if it is chosen, with the day that is called today, its
 * time, such as 24:45, and whether the index is to be requested again; without a network, the date is the clock's then.
 */
export function currentMeal({ now }, { date, time }, location) {
  const own = now.locations.find((each) => String(each.location) === location) ?? now;
  const isOver = now.until.slice(0, 16) <= `${date}T${time}`;
  const isNight = !isOver && own.date < date;
  return {
    date: isOver ? date : own.date,
    meal: String(own.meal),
    opens: !isOver && own.date === now.date && own.meal === now.meal ? now.opens : null,
    locations: now.locations,
    today: isNight ? own.date : date,
    time: isNight ? onNextDay(time) : time,
    isOver,
  };
}

/** Return a time of the next day as one of this day: 00:45 is 24:45. */
function onNextDay(time) {
  return `${24 + Number(time.slice(0, 2))}${time.slice(2)}`;
}

/** Tell whether a time is within serving times, which may end on the next day. */
export function isOpen({ opens, closes }, now) {
  return opens <= now && now < (closes <= opens ? onNextDay(closes) : closes);
}
