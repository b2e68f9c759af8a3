import { capitalize, countDishes, formatDate, formatWalk, hasName, mealName, mealNameIn, nearestFirst, plural } from "./text.js";
import { choose, currentParams, favouritesOf, isFavourite, navigate, onLinkClick, parseParams, recentHalls, star, urlWith } from "./router.js";
import { allergenLine, areAnyKnown, dishItem, dishName, hallNames, hasFacts } from "./dish-facts.js";
import { closeResults, element, emptyMessage, nextTask } from "./dom.js";
import { describeTimes, inOrderOfDay, timesOf } from "./menu-selection.js";

const MANY_DISHES = 200;
const DISHES_PER_TASK = 60;
// What fills cards with dishes.
const fillers = new WeakMap();
// What the item of a dish shows.
const shownParts = new WeakMap();
const LOADING = "To load menus, run campus-load dining with an export, or campus-load samples.";
const ALL_HALLS = ["Show all halls", { location: null }];
// The device remembers them nevertheless.
const NO_FILTERS = ["Show without the filters", { label: [], without: [] }];
const ANOTHER = "Try another meal, hall or day.";
const NAMES_ONLY = "Names are searched, ingredients and allergens are not.";

/**
 * Return a list of the cards of halls that serve dishes, the nearest to a position or used last first; those there stay.
 *
 * fillCards() fills them.
 */
export function menuList(container, { shown, unknown, ...others }, day, meal, now, position) {
  const recent = recentHalls().reverse();
  const place = ({ id }) => recent.indexOf(String(id));
  const order = now.map(({ location }) => location);
  const next = [...day.halls].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  const halls = position ? nearestFirst(next, position) : next.sort((a, b) => place(b) - place(a));
  const groups = [shown, unknown, Object.values(others).flat()];
  const inView = [...container.querySelectorAll("[data-location]")].filter(isNearView);
  const cards = [...new Set([...favouritesOf("hall", halls, ({ id }) => id), ...halls])]
    .map((hall) => [hall, groups.map((dishes) => dishes.filter(({ locations }) => locations.includes(hall.id)))])
    .filter(([, served]) => served.flat().length)
    .map(([hall, served]) => {
      const existing = container.querySelector(`[data-location="${hall.id}"]`);
      const fill = filler(existing, served, day);
      const node = card(existing, hall, served, day, meal);
      const isInView = inView.includes(existing);
      fillers.set(node, { fill, isInView });
      node.classList.toggle("later", !isInView && shown.length > MANY_DISHES);
      return node;
    });
  return inColumns(cards);
}

/** Return a list of cards in columns, each as long as its own cards: an opened dish moves only what is below it. */
function inColumns(cards) {
  const list = element("div", { class: "columns" }, cards);
  const place = () => {
    // The grid around the list has as many columns, whatever the cards name.
    const { columnGap, gridTemplateColumns } = getComputedStyle(list.parentElement ?? list);
    const count = gridTemplateColumns.split(" ").length;
    const gap = parseFloat(columnGap) || 0;
    const heights = [...list.children].map((each) => Math.ceil(each.getBoundingClientRect().height + gap));
    for (const [index, { style }] of [...list.children].entries()) {
      Object.assign(style, { gridColumnStart: (index % count) + 1, gridRowEnd: `span ${heights[index]}` });
    }
  };
  // In the first frame, before what follows the list is painted.
  requestAnimationFrame(place);
  const observer = new ResizeObserver(place);
  [list, ...cards].forEach((each) => observer.observe(each));
  // Halls that open come first.
  new MutationObserver(place).observe(list, { childList: true });
  return list;
}

/** Return a card of the favourites among dishes, with the halls that serve them; null if there are none. */
export function favouriteDishes(dishes, { halls, rows }) {
  const favourites = favouritesOf("dish", dishes, ({ recipe }) => recipe);
  const items = distinct(favourites).map((dish) => {
    const served = favourites.filter(({ recipe }) => recipe === dish.recipe);
    return element("li", {}, dishItem(dish, areAnyKnown(rows)), element("p", { class: "energy" }, hallNames(served, halls)));
  });
  const heading = element("h2", { id: "favourites" }, "Favourites");
  const card = element("article", { class: "hall favourites", "aria-labelledby": heading.id }, heading, element("ul", {}, items));
  return items.length ? card : null;
}

/** Tell whether a card is near what the window shows, without the layout that its position would require. */
function isNearView(card) {
  return card.firstElementChild.checkVisibility({ contentVisibilityAuto: true });
}

/** Fill the cards with dishes, those out of view later: thousands of dishes take long, in which nobody can go on. */
export async function fillCards(container) {
  const cards = [...container.querySelectorAll("[data-location]")].map((node) => ({ node, ...fillers.get(node) }));
  let room = DISHES_PER_TASK;
  for (const { node, fill } of cards.sort((a, b) => b.isInView - a.isInView)) {
    for (const part of fill()) {
      if (room <= 0) {
        await nextTask();
        room = DISHES_PER_TASK;
      }
      if (fillers.get(node).fill !== fill) {
        // They are shown anew.
        return;
      }
      node.append(part);
      room -= part.childElementCount;
    }
  }
}

function card(existing, { id, name, building, distance }, [shown], day, meal) {
  const heading = element("h2", { id: `hall-${id}` }, name);
  const walk = formatWalk(distance) && element("span", { class: "energy" }, formatWalk(distance));
  return element(
    existing ?? "article",
    { class: "hall", "data-location": id, "data-count": shown.length, "aria-labelledby": heading.id },
    element("header", {}, heading, star("hall", id, name), walk, building !== null && mapLink(name, building)),
    ...hoursOf(id, day, meal),
  );
}

/** Return a generator of the elements of the dishes of a hall; those there stay. */
function filler(existing, [shown, unknown, hidden], day) {
  const items = Map.groupBy(existing?.querySelectorAll("[data-recipe]") ?? [], ({ dataset }) => dataset.recipe);
  const hasAllergens = areAnyKnown(day.rows);
  return function* fill() {
    for (const [category, served] of byCategory(shown, day.categories)) {
      yield element("h3", {}, category);
      yield element("ul", {}, served.map((dish) => item(items, dish, hasAllergens)));
    }
    yield* closedGroups(unknown, hidden);
  };
}

function item(items, dish, hasAllergens) {
  // A dish may be in several categories.
  const existing = items.get(String(dish.recipe))?.shift();
  const parts = [dish.facts, dish.name, hasAllergens, isFavourite("dish", dish.recipe)];
  if (shownParts.get(existing)?.every((part, place) => part === parts[place])) {
    return existing;
  }
  const node = element(existing ?? "li", { "data-recipe": dish.recipe }, dishItem(dish, hasAllergens, existing));
  shownParts.set(node, parts);
  return node;
}

/**
 * Return the hours of a hall: those of the day, of which showHours() fills in the summary, and a line for paper. Without
 * any, a brunch is called so.
 */
function hoursOf(hall, { rows: all, hours }, meal) {
  const rows = all.filter(({ locations }) => locations.includes(hall));
  const times = timesOf(hours, meal, hall);
  const name = mealNameIn(rows, meal, hall);
  const otherwise = name === mealName(meal) ? null : name;
  const ofHall = hours.filter(({ location }) => location === hall);
  const day = inOrderOfDay(ofHall.map((row) => String(row.meal)), ofHall).map((each) => timesOf(hours, each, hall));
  return [
    element(
      "details",
      { class: "day-hours", hidden: !day.length },
      element("summary", { class: "hours", "data-times": JSON.stringify(times) }),
      element("dl", {}, day.flatMap((each) => [element("dt", {}, mealNameIn(rows, String(each[0].meal), hall)), element("dd", {}, describeTimes(each, null))])),
    ),
    !times.length && otherwise && element("p", { class: "muted" }, otherwise),
    element("p", { class: "printed-hours" }, [otherwise, describeTimes(times, null)].filter(Boolean).join(": ")),
  ].filter(Boolean);
}

/** Return the name of a meal for its times in a hall that calls it otherwise, such as "Brunch: ". */
function otherName([{ meal, meal_name: name }]) {
  return name && capitalize(name) !== mealName(String(meal)) ? `${capitalize(name)}: ` : "";
}

function mapLink(name, building) {
  const cleared = Object.fromEntries(Object.keys(currentParams()).map((parameter) => [parameter, null]));
  const changes = { ...cleared, view: "buildings", id: String(building) };
  const link = element("a", { href: urlWith(changes), "aria-label": `Map: ${name}` }, "Map");
  onLinkClick(link, () => navigate(changes));
  return link;
}

/** Update all hours to a time of the day, or null on another day; `locations` have the states of halls now. */
export function showHours(container, now, locations) {
  for (const summary of container.querySelectorAll("[data-times]")) {
    const times = JSON.parse(summary.dataset.times);
    const text = describeTimes(times, now);
    summary.textContent = text ? `${otherName(times)}${text}` : "Hours of the day";
    summary.classList.toggle("open", text.startsWith("Open now"));
  }
  sortHalls(container, locations);
}

/** Sort the cards of halls by their states, those without a dish that the filters show last; the focus stays. */
function sortHalls(container, locations) {
  const states = locations.map(({ state }) => state);
  const stateOf = (card) => locations.find(({ location }) => String(location) === card.dataset.location)?.state;
  const rank = (card) => states.indexOf(stateOf(card)) + (card.dataset.count === "0" ? states.length + 1 : 0);
  const cards = [...container.querySelectorAll(".columns > .hall")];
  const sorted = [...cards].sort((a, b) => rank(a) - rank(b));
  if (sorted.some((card, index) => card !== cards[index])) {
    const { activeElement } = document;
    cards[0].parentElement.append(...sorted);
    activeElement.focus({ preventScroll: true });
  }
}

/** Say of how many dishes nothing is known; "" if there are none. */
export function unknownDishes(dishes) {
  const count = countDishes(dishes.filter(({ facts }) => !hasFacts(facts)));
  const names = count === 1 ? "its name" : "their names";
  return count ? `Of ${plural(count)}, nothing but ${names} is known: ask in the hall.` : "";
}

/** Return dishes by the names of their categories, as they are served; categories may share a name. */
export function byCategory(dishes, categories) {
  const categoryNames = new Map(categories.map(({ id, name }) => [id, name]));
  const groups = new Map();
  for (const dish of dishes) {
    const name = categoryNames.get(dish.category) ?? `Category ${dish.category}`;
    groups.set(name, [...(groups.get(name) ?? []), dish]);
  }
  return groups;
}

/** Return the dishes of a hall that the filters do not show, each with its ingredients, in groups that are closed. */
function closedGroups(unknown, hidden) {
  return [
    closedGroup(unknown, `${plural(countDishes(unknown))} of unknown allergens`),
    closedGroup(hidden, `${plural(countDishes(hidden))} hidden by the filters`, "hidden-dishes"),
  ].filter(Boolean);
}

function closedGroup(dishes, title, kind = "") {
  if (!dishes.length) {
    return null;
  }
  const list = element("ul");
  const details = element("details", { class: `group ${kind}` }, element("summary", {}, title), list);
  details.addEventListener("toggle", () => list.hasChildNodes() || list.append(...distinct(dishes).map(closedItem)));
  return details;
}

/** Return each dish once, of which some are served in several categories. */
function distinct(dishes) {
  return [...new Map(dishes.map((dish) => [dish.recipe, dish])).values()];
}

function closedItem(dish) {
  return element(
    "li",
    {},
    element("p", { class: "dish-name" }, dishName(dish)),
    allergenLine(dish),
    element("p", { class: "muted" }, `Ingredients: ${dish.facts?.ingredients ?? "unknown"}`),
  );
}

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
  const { index, rows, emptyReason, halls } = day;
  const { meal, location, q = "" } = params;
  if (!index.datasets.dining.first_date) {
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
    return emptyMessage("No menu", "There is no menu for this day.");
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
    ["Show all dishes", { q: null }],
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
