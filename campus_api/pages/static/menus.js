import { fetchJson, showStaleness, unlessFailed } from "./api.js";
import { campusClock, formatDate, mealName, mealNameIn, names, showLocalTimes, useMealNames } from "./text.js";
import { currentParams, isFirstFilter, loosensFilters, navigate, rememberedChoices } from "./router.js";
import { aboutAllergens, allergenLine, areAnyKnown, caution, dishName, labelNames } from "./dish-facts.js";
import { element, errorMessage, Loading, replaceContent, showLoading, showTitle, usePart } from "./dom.js";
import { MenuControls } from "./menu-controls.js";
import { badLinkMessage, byCategory, favouriteDishes, fillCards, menuList, noDishesMessage, noneOpenMessage, noneShownMessage, showHours, unknownDishes } from "./menu-list.js";
import { aboutHidden, aboutUnknown, currentMeal, describeTimes, inOrderOfDay, selectDishes, selectMenu, summarize, timesOf } from "./menu-selection.js";

const TICK_MS = 20_000;
const filtersOf = ({ label, without }) => String([label, without]);
const menuOf = ({ date, meal, location }) => String([date, meal, location]);
const INTEGER = /^(0|[1-9]\d*)$/;

/** The dishes of one date and meal, in all dining halls or in one. */
export class MenusView {
  #section = document.getElementById("menus");
  #samples = document.getElementById("menu-samples");
  #menu = document.getElementById("menu");
  #controls = new MenuControls(this.#menu, (position) => this.#locate(position));
  #content = new MenuContent(this.#menu);
  #loading = new Loading(this.#section, () => showLoading(this.#menu, () => this.show(currentParams())));
  #day = /** @type {Day} */ (null);
  #shown = null;
  #isOffline = false;
  #position = null;
  #ownFilters = null;
  #first = null;

  constructor() {
    setInterval(() => this.#moveOn(), TICK_MS);
    document.addEventListener("visibilitychange", () => this.#moveOn());
    addEventListener("online", () => this.#moveOn());
    const limit = ({ type }) => {
      const params = currentParams();
      const { label, without } = rememberedChoices(params);
      // Back and forward revert a label.
      const changes = type === "storage" ? { label, without } : { without };
      if (params.view === "menus" && filtersOf({ ...params, ...changes }) !== filtersOf(params)) {
        navigate(changes, { replace: true });
      }
    };
    ["popstate", "storage"].forEach((name) => addEventListener(name, limit));
    if (currentParams().view === "menus") {
      const isLoosened = loosensFilters(currentParams());
      navigate(rememberedChoices(currentParams()), { replace: true });
      this.#ownFilters = isLoosened && filtersOf(currentParams());
      this.#first = menuOf(currentParams());
    }
  }

  /** Show the menu that the parameters name; without a date or meal, that of now. */
  async show(params) {
    const day = this.#day;
    if (day && day.date === (params.date ?? day.now(params.location).date) && areIntegers(params)) {
      this.#showDay(params);
      return;
    }
    this.#day = null;
    this.#isOffline = false;
    this.#controls.showChosen(params);
    this.#menu.setAttribute("aria-busy", "true");
    if (this.#shown) {
      // Further clicks on the next day count from the date that is loading.
      const { index, today, now } = this.#shown;
      this.#controls.showDate({ meal: params.meal, date: params.date ?? now.date, today, now }, index);
    }
    await this.#loading.run((signal) => this.#load(params, signal), (error) => this.#showError(error));
  }

  async #load(params, signal) {
    const { data: index, headers } = await fetchJson("", signal);
    if (this.#loading.isLeft(signal)) {
      return;
    }
    useMealNames(index.datasets.dining.meals);
    this.#samples.hidden = !index.datasets.dining.samples;
    const without = await wordsOf(params.without, index.datasets.dining.allergens, signal);
    if (this.#loading.isLeft(signal)) {
      return;
    }
    if (without.join() !== params.without.join()) {
      navigate({ without }, { replace: true });
      return;
    }
    const clock = campusClock(headers, this.#section.dataset);
    const { today, ...now } = currentMeal(index, clock(), params.location);
    const date = params.date ?? now.date;
    this.#controls.showDate({ meal: params.meal, date, today, now }, index);
    const day = await fetchDay({ ...params, date }, signal);
    if (!this.#loading.isLeft(signal)) {
      this.#day = { ...day, index, now: (location) => currentMeal(index, clock(), location) };
      this.#isOffline = day.headers.get("Cache-Status") === "offline";
      this.#showDay(params);
    }
  }

  #showDay(params) {
    const selection = selectMenu(params, this.#day);
    if (!params.date && params.meal && params.meal === selection.now.meal) {
      navigate({ meal: null }, { replace: true });
      return;
    }
    showStaleness(this.#day.headers);
    this.#shown = { ...selection, index: this.#day.index };
    const selected = selectDishes(params, selection, this.#day);
    const title = `${mealName(selection.meal)}, ${formatDate(selection.date)}`;
    const sentences = this.#ownFilters === filtersOf(params) ? ["This link shows more dishes; your filters hide some."] : [];
    // First, because it reads what is in view, which changes below open controls.
    this.#content.show(params, selection, selected, this.#day, { sentences, position: this.#position });
    this.#controls.show(params, selection, selected, this.#day);
    showTitle(selected.hall ? `${title} · ${selected.hall.name}` : title);
  }

  /** Show the nearest halls first. */
  #locate(position) {
    this.#position = position;
    this.show(currentParams());
  }

  /** Update the hours; when what is served now may have changed, or the network is back, follow it. */
  #moveOn() {
    if (this.#section.hidden || !(this.#day || this.#isOffline)) {
      return;
    }
    if (this.#isOffline && navigator.onLine) {
      this.#reload();
    } else if (this.#day?.now().isOver && !this.#isOffline) {
      this.#follow(this.#day);
    } else if (this.#day) {
      const selection = selectMenu(currentParams(), this.#day);
      if (selection.open?.join() === this.#shown.open?.join()) {
        this.#content.showHours(selection);
      } else {
        this.#showDay(currentParams());
      }
    }
  }

  /** Request what is served now, and show its menu unless that is shown. */
  async #follow(day) {
    const { data: index, headers } = await unlessFailed(fetchJson(""));
    if (this.#day === day && index) {
      const clock = campusClock(headers, this.#section.dataset);
      this.#day = { ...day, index, now: (location) => currentMeal(index, clock(), location) };
      const selection = selectMenu(currentParams(), this.#day);
      if (["date", "meal", "today"].every((name) => selection[name] === this.#shown[name])) {
        this.#content.showHours(selection);
        return;
      }
    }
    this.#reload();
  }

  #reload() {
    // Menus may have been loaded in the meantime.
    this.#day = null;
    this.show(currentParams());
  }

  #showError(error) {
    // The menu that came with the page stays while no other is requested, with marks for what the filters exclude.
    const keepsHalls = !this.#shown && this.#first === menuOf(currentParams());
    if (keepsHalls) {
      dispatchEvent(new CustomEvent("campus:unavailable", { detail: currentParams() }));
    }
    this.#isOffline = error.status === 0;
    showTitle("Menus");
    this.#content.showError(error, () => this.show(currentParams()), { keepsHalls });
  }
}

/** Return the API path of dishes in a format, such as ".csv"; absent and empty parameters are left out. */
export function dishesPath(params, format = "") {
  return `dining/dishes${format}?${menuQuery(params)}`;
}

/** Return parameters of the page as a query of the API. */
export function menuQuery({ date = null, meal = null, location = null, label = [], without = [], recipes = [] }) {
  const present = Object.entries({ date, meal, location }).filter(([, value]) => value);
  const lists = Object.entries({ label, without, recipe: recipes });
  return new URLSearchParams([...present, ...lists.flatMap(([name, values]) => values.map((value) => [name, value]))]);
}

/** Tell whether the API accepts the parameters of a menu. */
function areIntegers({ meal, location }) {
  return [meal, location].every((text) => INTEGER.test(text || "0"));
}

/** Return the dishes of a day, the headers of their response, why there are none, hours, adjacent dates, and names. */
async function fetchDay(params, signal) {
  if (!areIntegers(params)) {
    // The error has the reason and the correction.
    const { date, meal, location } = params;
    await fetchJson(dishesPath({ date, meal, location }), signal);
  }
  // The dishes of the whole day, because those of today are served even while the database is unavailable.
  const query = menuQuery({ date: params.date });
  const [locations, categories, dishes, hours, places] = await Promise.all([
    fetchJson("dining/locations", signal),
    fetchJson("dining/categories", signal),
    fetchJson(`dining/dishes?${query}`, signal),
    // Menus are shown without these, too.
    unlessFailed(fetchJson(`dining/hours?${query}`, signal), []),
    unlessFailed(fetchJson("dining/locations.geojson", signal), { features: [] }),
  ]);
  const buildings = new Map(places.data.features.map(({ id, properties }) => [id, properties.building]));
  const points = new Map(places.data.features.map(({ id, geometry }) => [id, geometry?.coordinates]));
  const { prev, next } = linkedParams(dishes.headers);
  // The order that the page came with; what it does not have is of a later load.
  const order = [...document.querySelectorAll("#hall option")].map((option) => option.getAttribute("value"));
  const place = ({ id }) => order.indexOf(String(id));
  return {
    date: params.date,
    rows: dishes.data,
    headers: dishes.headers,
    emptyReason: dishes.headers.get("X-Campus-Empty"),
    adjacent: { prev: prev?.get("date"), next: next?.get("date") },
    hours: hours.data,
    halls: named("Hall", locations.data, dishes.data.flatMap((dish) => dish.locations))
      .sort((a, b) => place(a) - place(b) || names.compare(a.name, b.name))
      .map((hall) => ({ ...hall, building: buildings.get(hall.id) ?? null, point: points.get(hall.id) })),
    categories: named("Category", categories.data),
    // The codes that the texts of labels stand for, by diets that the service alone knows.
    labels: JSON.parse(document.getElementById("menus").dataset.labels),
  };
}

/** Return the parameters of the links in the Link header, by their relation. */
function linkedParams(headers) {
  const links = (headers.get("Link") ?? "").matchAll(/<([^>]*)>\s*;\s*rel="?(\w+)"?/g);
  return Object.fromEntries([...links].map(([, url, rel]) => [rel, new URL(url, location.href).searchParams]));
}

/**
 * Return the words of allergens for the texts of a link or of an old choice, such as "Dairy".
 *
 * The service alone knows spellings; a text of which it knows none stays.
 */
async function wordsOf(texts, { words, others }, signal) {
  const isWord = (text) => [...words, ...others].includes(text);
  const each = await Promise.all(texts.map((text) => (isWord(text) ? [text] : lookUp(text, signal))));
  return [...new Set(each.flat())];
}

async function lookUp(text, signal) {
  const { headers } = await unlessFailed(fetchJson(`dining/dishes?${new URLSearchParams({ without: text })}`, signal));
  return linkedParams(headers).canonical?.getAll("without") ?? [text];
}

/** Return entities with a name for each, also for those of `ids`: a cached list may be older than a day. */
function named(kind, entities, ids = []) {
  const known = new Map(entities.map(({ id, name }) => [id, name]));
  ids.forEach((id) => known.set(id, known.get(id)));
  return [...known].map(([id, name]) => ({ id, name: name ?? `${kind} ${id}` }));
}

/** The dishes of a selection by hall, or a message in their place, with what to know of them and links to take along. */
class MenuContent {
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
    const first = isFirstFilter() ? [this.#caution.dataset.short] : [];
    const summary = summarize(selection, shown, params.q?.trim() ?? "");
    const all = [summary, ...(shown.length ? filtered : []), ...sentences, ...first];
    const message = shown.length ? [] : [emptyMenu(params, selection, selected, day, filtered)];
    const others = params.location && !selected.all.length ? selectDishes({ ...params, location: null }, selection, day) : selected;
    const favourites = [favouriteDishes(shown, day)].filter(Boolean);
    // Before any change, because it reads what is in view.
    const list = menuList(this.#menu, others.ofMeal, day, selection.meal, locationsNow(selection), position);
    this.#summary.replaceChildren(...all.map((sentence) => element("span", {}, `${sentence} `)));
    this.#caution.hidden = !areAnyKnown(day.rows) && !params.label.length && !params.without.length;
    this.#menu.removeAttribute("aria-busy");
    replaceContent(this.#menu, ...message, ...favourites, list);
    message.forEach(addNext);
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

/** Add the link to the next meal, which the page of the same URL has from the service. */
async function addNext(message) {
  const text = await fetch(location.href).then((response) => response.text()).catch(() => "");
  const page = new DOMParser().parseFromString(text, "text/html");
  message.append(...page.querySelectorAll("#next-menu"));
  showLocalTimes(message);
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
