import { alternatives, countDishes, daysBetween, fold, formatDate, formatTime, list, mealName, plural, relativeDay, wordMatcher } from "./text.js";
import { labelName, validLabels } from "./dish-facts.js";

const DAYS_OF_WEEK = 7;
// Of breakfast, lunch, dinner and other meals.
const USUAL_STARTS = ["00:00", "10:00", "15:00", "24:00"];

/**
 * Return the date and the meal of parameters, by default those of now, the date and time of today, and what is now.
 *
 * `open` are the halls that the parameter limits the menu to, null without it or on another day.
 */
export function selectMenu({ date: chosenDate, meal: chosenMeal, location, open }, day) {
  const { today, time, ...now } = day.now(location);
  const date = chosenDate ?? now.date;
  const meal = chosenMeal ?? (date === now.date ? now.meal : "1");
  return { date, meal, today, time, now, open: open && date === today ? openHalls(day.hours, meal, time) : null };
}

function openHalls(hours, meal, time) {
  const rows = hours.filter((row) => String(row.meal) === meal && isOpen(row, time));
  return [...new Set(rows.map(({ location }) => location))];
}

/** Return different meals, as texts, by the times at which they open, the usual ones where none are known. */
export function inOrderOfDay(meals, hours) {
  const opens = (meal) => hours.filter((row) => String(row.meal) === meal).map((row) => row.opens).sort();
  const start = (meal) => opens(meal)[0] ?? USUAL_STARTS[meal] ?? USUAL_STARTS.at(-1);
  return [...new Set(meals)].sort((a, b) => start(a).localeCompare(start(b)) || a - b);
}

/** Return the hall of parameters, its dishes, and those of the day and meal in a search, which the filters divide. */
export function selectDishes({ location, q = "", label, without }, { meal, open }, { rows, halls, labels }) {
  const matches = wordMatcher(q);
  const hall = halls.find(({ id }) => String(id) === location);
  const inHalls = location ? rows.filter(({ locations }) => locations.includes(hall?.id)) : rows;
  const matching = inHalls
    .filter(({ name }) => !q || matches(fold(name ?? "")))
    .map((dish) => (hall ? { ...dish, locations: [hall.id] } : dish));
  const ofMeal = matching.filter((dish) => String(dish.meal) === meal);
  const served = open ? limitTo(open, ofMeal) : ofMeal;
  const codes = codesOf(label, rows, labels);
  const [ofHall, ofDay, filtered] = [inHalls, matching, served].map((each) => filterDishes(each, without, codes));
  return { hall, ofHall, ofDay, ofMeal: filtered, all: ofMeal, served };
}

function limitTo(halls, dishes) {
  return dishes
    .map((dish) => ({ ...dish, locations: dish.locations.filter((id) => halls.includes(id)) }))
    .filter(({ locations }) => locations.length);
}

/** Describe a selection: "Dinner today, Friday, November 20: 45 dishes in 9 halls", in a search with its text. */
export function summarize(selection, dishes, text) {
  const title = describe(selection);
  return dishes.length ? `${title}: ${extent(dishes)}${text && ` for “${text}”`}` : title;
}

/** Describe a date and a meal; the next one is described as in the index, in the words of the visitor's clock. */
function describe({ date, meal, today, now }) {
  const [name, relative] = [mealName(meal), relativeDay(date, today)];
  const isNext = date === now.date && meal === now.meal && now.opens;
  const start = isNext ? `from ${formatTime(now.opens)}` : null;
  const long = formatDate(date, { weekday: "long", month: "long", day: "numeric" });
  if (relative) {
    return `${name} ${relative}, ${start ?? long}`;
  }
  const day = daysBetween(today, date) < DAYS_OF_WEEK ? formatDate(date, { weekday: "long" }) : long;
  return start ? `${day}, ${name.toLowerCase()}, ${start}` : `${name}, ${formatDate(date)}`;
}

function extent(rows) {
  const halls = new Set(rows.flatMap(({ locations }) => locations)).size;
  return `${plural(countDishes(rows))} in ${halls} ${halls === 1 ? "hall" : "halls"}`;
}

/**
 * Return the codes of the labels of a day's dishes that have one of these texts as code or name, null without texts.
 *
 * Those in `known` are others for the same diet: "vegetarian" is also that of vegan dishes.
 */
export function codesOf(texts, dishes, known = {}) {
  if (!texts.length) {
    return null;
  }
  const folded = texts.map(fold);
  const labels = new Map(dishes.flatMap(({ facts }) => validLabels(facts)).map((label) => [label.code + labelName(label), label]));
  const matching = [...labels.values()].filter((label) => [label.code, labelName(label)].some((text) => folded.includes(fold(text))));
  const others = folded.flatMap((text) => known[text] ?? []);
  return new Set([...matching.map(({ code }) => code), ...others]);
}

/** Divide dishes into those that the filters show, those that they hide, by reason, and those of unknown allergens. */
export function filterDishes(dishes, without, codes) {
  const groups = { shown: [], unlabelled: [], containing: [], unknown: [] };
  for (const dish of dishes) {
    groups[group(dish, without, codes)].push(dish);
  }
  return groups;
}

function group(/** @type {Dish} */ { facts }, without, codes) {
  if (codes && !validLabels(facts).some(({ code }) => codes.has(code))) {
    return "unlabelled";
  }
  if (without.some((word) => facts?.contains?.includes(word))) {
    return "containing";
  }
  return without.every((word) => facts?.without?.includes(word)) ? "shown" : "unknown";
}

/** Say how many dishes the filters hide, and why. */
export function aboutHidden({ unlabelled, containing }, { label, without }) {
  const reasons = [
    [countDishes(unlabelled), `not labelled ${alternatives.format(label)}`],
    [countDishes(containing), `that ${countDishes(containing) === 1 ? "lists" : "list"} ${alternatives.format(without)}`],
  ];
  const phrases = reasons.filter(([count]) => count).map(([count, reason]) => `${plural(count)} ${reason}`);
  return phrases.length ? [`Hidden: ${list.format(phrases)}.`] : [];
}

/** Say of how many dishes the allergens are unknown. */
export function aboutUnknown({ unknown }) {
  const count = countDishes(unknown);
  return count ? [`Of unknown allergens: ${plural(count)}, at the end of each hall.`] : [];
}

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
export function currentMeal({ serving: now }, { date, time }, location) {
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
