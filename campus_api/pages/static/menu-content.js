import { formatDate } from "./dates.js";
import { isFirstFilter } from "./device.js";
import { aboutAllergens, allergenLine, areAnyKnown, caution, dishName, labelNames } from "./dish-facts.js";
import { element, errorMessage, replaceContent, usePart } from "./dom.js";
import { byCategory, favouriteDishes, fillCards, menuList, showHours, unknownDishes } from "./menu-list.js";
import { badLinkMessage, noDishesMessage, noneOpenMessage, noneShownMessage } from "./menu-messages.js";
import { aboutHidden, aboutUnknown, inOrderOfDay, selectDishes, summarize } from "./menu-selection.js";
import { describeTimes, timesOf } from "./serving-hours.js";
import { mealNameIn } from "./text.js";

/** The dishes of a selection by hall, or a message in their place, with what to know of them and links to take along. */
export class MenuContent {
  #menu;
  #summary = document.getElementById("menu-summary");
  #caution = document.getElementById("menu-caution");
  #unknown = document.getElementById("menu-unknown");
  #links = document.getElementById("menu-links");
  #printed = document.getElementById("printed-menu");

  constructor(menu) {
    this.#menu = menu;
  }

  /** Show what is selected of a day, with sentences for the summary; the halls nearest to a position come first. */
  show(params, selection, selected, day, { sentences, position }) {
    const { shown } = selected.ofMeal;
    const filtered = [...aboutUnknown(selected.ofMeal), ...aboutFilters(selected.ofMeal, params, day)];
    const caution = isFirstFilter() ? [this.#caution.textContent] : [];
    const summary = summarize(selection, shown, params.q?.trim() ?? "");
    const all = [summary, ...(shown.length ? filtered : []), ...sentences, ...caution];
    this.#summary.replaceChildren(...all.map((sentence) => element("span", {}, `${sentence} `)));
    this.#caution.hidden = !areAnyKnown(day.rows) && !params.label.length && !params.without.length;
    this.#menu.removeAttribute("aria-busy");
    const message = shown.length ? [] : [emptyMenu(params, selection, selected, day, filtered)];
    const others = params.location && !selected.all.length ? selectDishes({ ...params, location: null }, selection, day) : selected;
    const favourites = [favouriteDishes(shown, day)].filter(Boolean);
    const list = menuList(this.#menu, others.ofMeal, day, selection.meal, locationsNow(selection), position);
    replaceContent(this.#menu, ...message, ...favourites, list);
    this.showHours(selection);
    fillCards(this.#menu);
    this.#unknown.textContent = unknownDishes(shown);
    this.#showExtras(params, selection, selected, day);
  }

  /** Update the hours, which decide on the order of the halls. */
  showHours({ date, meal, today, time, now }) {
    showHours(this.#menu, date === today ? time : null, locationsNow({ date, meal, now }));
  }

  /** Show an error; the halls that are there may stay below it. */
  showError(error, retry, { keepsHalls }) {
    const halls = keepsHalls ? this.#menu.querySelectorAll(".hall") : [];
    this.#menu.removeAttribute("aria-busy");
    this.#links.hidden = true;
    this.#caution.hidden = !halls.length;
    const emptied = [...(halls.length ? [] : [this.#summary]), this.#unknown, this.#printed];
    emptied.forEach((part) => part.replaceChildren());
    const message = error.problem?.errors?.length ? badLinkMessage(error.problem) : errorMessage(error, retry);
    replaceContent(this.#menu, message, ...halls);
  }

  #showExtras(params, { date, meal }, { hall, ofHall, ofMeal }, day) {
    const recipes = params.q?.trim() ? [...new Set(ofMeal.shown.map(({ recipe }) => recipe))] : [];
    this.#links.hidden = !ofMeal.shown.length;
    usePart(this.#links, "Sharing", import("./links.js"), ({ showMenuLinks }) => {
      showMenuLinks(this.#links, { ...params, date, meal }, recipes);
    });
    const printed = hall ? printedDay(hall, ofHall, day, aboutFilters(ofHall, params, day)) : [];
    this.#printed.replaceChildren(...printed);
  }
}

/** Return the locations with their states, if a selection is of now. */
function locationsNow({ date, meal, now }) {
  return date === now.date && meal === now.meal ? now.locations : [];
}

/** Say why no dish is shown. */
function emptyMenu(params, { date, meal, now }, { all, served: inOpenHalls, ofDay }, day, filtered) {
  if (!all.length) {
    return noDishesMessage({ ...params, date, meal }, day, ofDay.shown);
  }
  const { stated } = day.index.datasets.dining.allergens;
  return inOpenHalls.length ? noneShownMessage(filtered, params.without, stated) : noneOpenMessage(meal, now.meal);
}

/** Say what the filters hide, and what the provider says of their allergens. */
function aboutFilters(dishes, params, { index, rows }) {
  const { stated } = index.datasets.dining.allergens;
  return [...aboutHidden(dishes, params), ...aboutAllergens(params.without, rows, stated)];
}

/** Return the menu of a hall's day for a sheet of paper; `filtered` says what the filters hide. */
function printedDay(hall, { shown, unknown }, day, filtered) {
  const ofHall = day.hours.filter((row) => row.location === hall.id);
  const meals = inOrderOfDay(shown.map(({ meal }) => String(meal)), ofHall);
  const unknownNames = [...new Set(unknown.map(dishName))];
  return [
    element("h2", {}, hall.name),
    element("p", {}, formatDate(day.date)),
    element("div", { class: "meals" }, meals.map((meal) => printedMeal(hall, meal, shown, day))),
    unknownNames.length > 0 && printedNote("Of unknown allergens", unknownNames.join(", ")),
    printedNote("Allergens and labels", [caution(), ...filtered].join(" ")),
  ].filter(Boolean);
}

function printedNote(label, text) {
  return element("p", {}, element("strong", {}, `${label}: `), text);
}

function printedMeal(hall, meal, dishes, day) {
  const times = describeTimes(timesOf(day.hours, meal, hall.id), null);
  const hasAllergens = areAnyKnown(day.rows);
  const served = dishes.filter((dish) => String(dish.meal) === meal);
  return element(
    "section",
    {},
    element("h3", {}, mealNameIn(dishes, meal, hall.id), times && ` ${times}`),
    [...byCategory(served, day.categories)].flatMap(([category, items]) => [
      element("h4", {}, category),
      element("ul", {}, items.map((dish) => printedDish(dish, hasAllergens))),
    ]),
  );
}

function printedDish(dish, hasAllergens) {
  const labels = labelNames(dish.facts);
  const title = `${dishName(dish)}${labels.length ? ` (${labels.join(", ")})` : ""}`;
  return element("li", {}, title, " ", hasAllergens && allergenLine(dish));
}
