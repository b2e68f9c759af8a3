import { daysBetween, formatDate } from "./dates.js";
import { choose } from "./device.js";
import { closeResults, element, emptyMessage } from "./dom.js";
import { hoursOf } from "./menu-list.js";
import { onLinkClick, parseParams, urlWith } from "./router.js";
import { hasName, mealName } from "./text.js";

const LOADING = "To load menus, run campus-load dining with an export, or campus-load samples.";
const ALL_HALLS = ["Show all halls", { location: null }];
// The device remembers them nevertheless.
const NO_FILTERS = ["Show without the filters", { label: [], without: [] }];
const ANOTHER = "Try another meal, hall or day.";
const NAMES_ONLY = "Names are searched, ingredients and allergens are not.";

/** Return a message for a link with invalid parameters, with a corrected one; `problem` is the error of the API. */
export function badLinkMessage({ detail, errors, corrected }) {
  const present = Object.entries(parseParams(corrected?.split("?")[1] ?? "")).filter(([, value]) => value.length);
  const { date, meal } = Object.fromEntries(present);
  const target = date && meal ? `Show ${mealName(meal).toLowerCase()}, ${formatDate(date)}` : "Show the current menu";
  const removed = Object.fromEntries(errors.map(({ parameter }) => [parameter, null]));
  return message("This link is not valid", [detail], [target, { ...removed, ...Object.fromEntries(present) }]);
}

/** Return a message that says why no dish is shown, with a way on; `matching` are the dishes that match the search. */
export function noDishesMessage(params, day, matching) {
  const { index, rows, emptyReason, adjacent, halls } = day;
  const { date, meal, location, q = "" } = params;
  const { first_date: first, last_date: last } = index.datasets.dining;
  if (!first) {
    return emptyMessage("No menus yet", LOADING);
  }
  if (location && !halls.some(({ id }) => String(id) === location)) {
    return message("Unknown hall", [`There is no hall with the ID ${location}.`], ALL_HALLS);
  }
  if (!hasName(meal) && !rows.some((row) => String(row.meal) === meal)) {
    const sentence = `There is no meal ${meal} on this day: 0 is breakfast, 1 lunch, 2 dinner.`;
    return message("Unknown meal", [sentence], ["Show lunch", { meal: "1" }]);
  }
  if (emptyReason === "closed") {
    return emptyMessage("Closed", "Nothing is served on this day.");
  }
  if (!rows.length) {
    const nearest = nearestDate(date, adjacent) ?? last;
    const sentences = ["There is no menu for this day.", availableRange(first, last)];
    return message("No menu", sentences, [`Show ${formatDate(nearest)}`, { date: nearest }]);
  }
  if (q.trim()) {
    return noMatchMessage(params, halls, matching);
  }
  return notListedMessage(params, day);
}

/** Return a message that no hall is open for a meal; `served` is the meal of now. */
export function noneOpenMessage(meal, served) {
  const other = served !== meal && [`Show ${mealName(served).toLowerCase()}`, { meal: null }];
  const ways = [other, ["Show all hours", { open: null }]];
  return message("Closed now", [`No hall is open for ${mealName(meal).toLowerCase()} now.`], ...ways.filter(Boolean));
}

/** Return a message that no dish matches the filters, and why; wheat is offered where it alone is declared of gluten. */
export function noneShownMessage(reasons, without, stated) {
  const others = without.filter((word) => word !== "gluten");
  const hasWheatOnly = others.length < without.length && stated?.includes("wheat") && !stated.includes("gluten");
  const wheat = hasWheatOnly && ["Hide only dishes with wheat", { without: [...new Set([...others, "wheat"])] }];
  return message("No dish matches the filters", reasons, ...[wheat, NO_FILTERS].filter(Boolean));
}

/** Return a message that says whether a meal is served by the hours, which do not limit menus, nor menus the hours. */
function notListedMessage({ meal, location }, day) {
  const hall = day.halls.find(({ id }) => String(id) === location);
  if (!day.hours.some((row) => String(row.meal) === meal && (!hall || row.location === hall.id))) {
    const where = hall ? `${hall.name} serves no ${mealName(meal).toLowerCase()} on this day.` : "No dishes are listed for this selection.";
    return emptyMessage("Nothing served", `${where} ${ANOTHER}`);
  }
  const menu = hall ? `menu of ${hall.name}` : "menu";
  const node = emptyMessage("No menu listed", `No ${menu} is listed for ${mealName(meal).toLowerCase()}. ${ANOTHER}`);
  node.append(...(hall ? hoursOf(hall.id, day, meal) : []));
  return node;
}

function noMatchMessage({ q, meal, location, label, without }, halls, matching) {
  const hall = halls.find(({ id }) => String(id) === location);
  const isFiltered = label.length + without.length > 0;
  const other = matching.length ? String(matching[0].meal) : null;
  const where = (other ? `at ${mealName(meal).toLowerCase()}` : "of this day") + (hall ? ` in ${hall.name}` : "");
  const sentence = `${isFiltered ? "With these filters, no" : "No"} dish name ${where} has “${q.trim()}”.`;
  const ways = [
    other && [`Show ${mealName(other).toLowerCase()}`, { meal: other }],
    hall && ALL_HALLS,
    isFiltered && NO_FILTERS,
  ];
  const node = message("No matches", [sentence, NAMES_ONLY], ...ways.filter(Boolean));
  node.append(closeResults(q.trim()));
  return node;
}

/** Return a message with links that change parameters of the page. */
function message(title, sentences, ...ways) {
  const node = emptyMessage(title, ...sentences);
  node.setAttribute("role", "alert");
  node.append(...ways.map(([label, changes]) => way(label, changes)));
  return node;
}

function way(label, changes) {
  const link = element("a", { class: "button", href: urlWith(changes) }, label);
  onLinkClick(link, () => choose(changes));
  return link;
}

function nearestDate(date, { prev, next }) {
  const [before, after] = [prev, next].map((day) => (day ? Math.abs(daysBetween(date, day)) : Infinity));
  return before <= after ? prev : next;
}

function availableRange(first, last) {
  const [from, to] = [first, last].map((date) => formatDate(date, { dateStyle: "long" }));
  return `There are menus from ${from} to ${to}.`;
}
