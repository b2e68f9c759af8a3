import { aboutAllergens, areAnyKnown } from "./allergens.js";
import { fetchJson, showStaleness } from "./api.js";
import { DatePicker } from "./date-picker.js";
import { addDays, campusClock, formatDate, isDate, relativeDay } from "./dates.js";
import { element, errorMessage, replaceContent, showTitle } from "./dom.js";
import { isFavourite } from "./favourites.js";
import { FilterPanel } from "./filter-panel.js";
import { Loading } from "./loading.js";
import { mealName, MealTabs } from "./meal-tabs.js";
import { choose, isFirstFilter, isUnfolded, loosensFilters, rememberedChoices, rememberUnfolded } from "./menu-choice.js";
import { areIntegers, fetchDay, fetchHours, wordsOf } from "./menu-day.js";
import { aboutHidden, aboutUnknown } from "./menu-filters.js";
import { showMenuLinks } from "./menu-links.js";
import { hallChips, menuList, showHours, unknownDishes } from "./menu-list.js";
import { badLinkMessage, noDishesMessage, noneOpenMessage, noneShownMessage } from "./menu-messages.js";
import { printedDay } from "./menu-print.js";
import { selectDishes, selectMenu, summarize } from "./menu-selection.js";
import { currentParams, navigate, urlWith } from "./router.js";
import { isNight, servingTime } from "./serving-hours.js";
import { countDishes } from "./text.js";

const TICK_MS = 20_000;
const filtersOf = ({ label, without }) => String([label, without]);
const capitalized = (text) => text[0].toUpperCase() + text.slice(1);

/** The dishes of one date and meal, in all dining halls or in one. */
export class MenusView {
  #section = document.getElementById("menus");
  #hall = document.getElementById("hall");
  #dish = document.getElementById("dish");
  #menu = document.getElementById("menu");
  #chips = document.getElementById("hall-chips");
  #summary = document.getElementById("menu-summary");
  #caution = document.getElementById("menu-caution");
  #samples = document.getElementById("menu-samples");
  #selection = document.getElementById("selection");
  #controls = document.getElementById("menu-controls");
  #unknown = document.getElementById("menu-unknown");
  #links = document.getElementById("menu-links");
  #printed = document.getElementById("printed-menu");
  #datePicker = new DatePicker();
  #filters = new FilterPanel(this.#menu);
  #tabs = new MealTabs(this.#menu);
  #loading = new Loading(this.#menu, () => this.show(currentParams()));
  #day = /** @type {Day} */ (null);
  #shown = null;
  #isOffline = false;
  #nearest = document.getElementById("nearest");
  #position = null;
  #ownFilters = null;

  constructor() {
    this.#selection.addEventListener("click", () => this.#unfold(this.#selection.ariaExpanded !== "true"));
    this.#controls.addEventListener("keydown", ({ key }) => key === "Escape" && this.#unfold(false));
    this.#unfold(isUnfolded());
    this.#hall.addEventListener("change", () => choose({ location: this.#hall.value }));
    this.#dish.addEventListener("input", () => navigate({ view: "menus", q: this.#dish.value }, { replace: true }));
    this.#nearest.hidden = !isSecureContext;
    this.#nearest.addEventListener("click", () => this.#locate());
    setInterval(() => this.#moveOn(), TICK_MS);
    document.addEventListener("visibilitychange", () => this.#moveOn());
    addEventListener("online", () => this.#moveOn());
    addEventListener("popstate", () => {
      if (currentParams().view === "menus") {
        const { without } = rememberedChoices(currentParams());
        history.replaceState(null, "", urlWith({ without }));
      }
    });
    if (currentParams().view === "menus") {
      const isLoosened = loosensFilters(currentParams());
      navigate(rememberedChoices(currentParams()), { replace: true });
      this.#ownFilters = isLoosened && filtersOf(currentParams());
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
    this.#menu.setAttribute("aria-busy", "true");
    if (this.#shown) {
      // Further clicks on the next day count from the date that is loading.
      const { index, today } = this.#shown;
      this.#showControls({ meal: params.meal, date: params.date ?? today, today }, index);
    }
    await this.#loading.run(async (signal) => {
      try {
        await this.#load(params, signal);
      } catch (error) {
        if (!this.#isLeft(signal)) {
          this.#showError(error);
        }
      }
    });
  }

  /** Show or hide the controls, which phones fold into a line; remember it on this device. */
  #unfold(isOpen) {
    if (!isOpen && this.#controls.contains(document.activeElement)) {
      this.#selection.focus();
    }
    this.#selection.ariaExpanded = String(isOpen);
    rememberUnfolded(isOpen);
  }

  /** Show the nearest halls first; the position, which is requested on a click only, never leaves the page. */
  #locate() {
    const show = ({ coords }) => {
      this.#position = coords;
      this.#nearest.setAttribute("aria-pressed", "true");
      this.show(currentParams());
    };
    const fail = () => (document.getElementById("notice").textContent = "Your position is unknown.");
    navigator.geolocation.getCurrentPosition(show, fail, { timeout: 10_000 });
  }

  /** Tell whether a load is no longer about what the page shows. */
  #isLeft(signal) {
    return signal.aborted || this.#section.hidden;
  }

  async #load(params, signal) {
    const { data: index, headers } = await fetchJson("", signal);
    if (this.#isLeft(signal)) {
      return;
    }
    this.#samples.hidden = !index.datasets.dining.samples;
    const without = await wordsOf(params.without, index.datasets.dining.allergens, signal);
    if (this.#isLeft(signal)) {
      return;
    }
    if (without.join() !== params.without.join()) {
      navigate({ without }, { replace: true });
      return;
    }
    const clock = campusClock(headers, this.#section.dataset);
    const before = isNight(clock()) ? await fetchHours(addDays(clock().date, -1), signal) : [];
    const { date: today } = servingTime(clock(), before, params.location);
    const date = params.date ?? today;
    this.#showControls({ meal: params.meal, date, today }, index);
    const day = await fetchDay({ ...params, date }, signal);
    if (!this.#isLeft(signal)) {
      const now = (location) => servingTime(clock(), [...before, ...day.hours], location);
      this.#day = { ...day, index, now };
      this.#isOffline = day.headers.get("Cache-Status") === "offline";
      this.#showDay(params);
    }
  }

  #showDay(params) {
    const selection = selectMenu(params, this.#day);
    if (!params.date && params.meal && params.meal === selection.served) {
      navigate({ meal: null }, { replace: true });
      return;
    }
    showStaleness(this.#day.headers);
    this.#shown = { ...selection, index: this.#day.index };
    const selected = selectDishes(params, selection, this.#day);
    this.#showSelection(params, selection, selected);
    this.#showMenu(params, selection, selected);
    this.#showExtras(params, selection, selected);
  }

  #showSelection(params, selection, { hall, ofDay, ofMeal }) {
    const { index, halls, rows, adjacent } = this.#day;
    const { q = "" } = params;
    this.#tabs.show(rows.map(({ meal }) => String(meal)));
    this.#showControls(selection, index, adjacent);
    this.#tabs.select(selection.meal, q.trim() ? ofDay.shown : null);
    this.#filters.show(params, rows, selection, index.datasets.dining.allergens);
    this.#showHalls(halls, params.location);
    if (this.#dish.value !== q) {
      this.#dish.value = q;
    }
    const without = params.without.map((word) => `no ${word}`);
    const filters = [...params.label, ...without, ...(q.trim() ? [`“${q.trim()}”`] : [])];
    const day = relativeDay(selection.date, selection.today) ?? formatDate(selection.date);
    const stars = countDishes(ofMeal.shown.filter(({ recipe }) => isFavourite("dish", recipe)));
    const favourites = stars ? [`★ ${stars} ${stars === 1 ? "favourite" : "favourites"}`] : [];
    const parts = [capitalized(day), mealName(selection.meal), hall?.name ?? "All halls", ...filters, ...favourites];
    this.#selection.textContent = parts.join(" · ");
    const title = `${mealName(selection.meal)}, ${formatDate(selection.date)}`;
    showTitle(hall ? `${title} · ${hall.name}` : title);
  }

  #showMenu(params, selection, selected) {
    const { date, meal, today } = selection;
    const dishes = selected.ofMeal.shown;
    const filtered = [...aboutUnknown(selected.ofMeal), ...this.#aboutFilters(selected.ofMeal, params)];
    const ownFilters = this.#ownFilters === filtersOf(params) ? ["This link shows more dishes; your filters hide some."] : [];
    const caution = isFirstFilter() ? [this.#caution.textContent] : [];
    const sentences = [summarize(selection, dishes, params.q?.trim() ?? ""), ...(dishes.length ? filtered : []), ...ownFilters, ...caution];
    this.#summary.replaceChildren(...sentences.map((sentence) => element("span", {}, `${sentence} `)));
    this.#caution.hidden = !areAnyKnown(this.#day.rows) && !params.label.length && !params.without.length;
    this.#menu.removeAttribute("aria-busy");
    const message = dishes.length ? [] : [this.#message(params, selection, selected, filtered)];
    const others = params.location && !selected.all.length ? selectDishes({ ...params, location: null }, selection, this.#day) : selected;
    replaceContent(this.#menu, ...message, ...menuList(this.#menu, others.ofMeal, this.#day, meal, this.#position));
    this.#showHours(selection);
    this.#filters.showResults(dishes, date === today && this.#day.hours.length > 0);
    this.#unknown.textContent = unknownDishes(dishes);
  }

  /** Say why no dish is shown. */
  #message(params, { date, meal, served }, { all, served: inOpenHalls, ofDay }, filtered) {
    if (!all.length) {
      return noDishesMessage({ ...params, date, meal }, this.#day, ofDay.shown);
    }
    return inOpenHalls.length ? noneShownMessage(filtered) : noneOpenMessage(meal, served);
  }

  /** Update the hours, which decide on the order of the halls and of the links to them. */
  #showHours({ date, today, time }) {
    showHours(this.#menu, date === today ? time : null);
    const cards = [...this.#menu.querySelectorAll(".hall")];
    const order = cards.map(({ dataset }) => dataset.location).join();
    if (this.#chips.dataset.order !== order) {
      this.#chips.dataset.order = order;
      this.#chips.replaceChildren(...hallChips(cards));
    }
  }

  /** Say what the filters hide, and what the provider says of their allergens. */
  #aboutFilters(dishes, params) {
    const { index, rows } = this.#day;
    const { stated } = index.datasets.dining.allergens;
    return [...aboutHidden(dishes, params), ...aboutAllergens(params.without, rows, stated)];
  }

  #showExtras(params, { date, meal }, { hall, ofHall, ofMeal }) {
    const recipes = params.q?.trim() ? [...new Set(ofMeal.shown.map(({ recipe }) => recipe))] : [];
    this.#links.hidden = !ofMeal.shown.length;
    showMenuLinks(this.#links, { ...params, date, meal }, recipes);
    const printed = hall ? printedDay(hall, ofHall, this.#day, this.#aboutFilters(ofHall, params)) : [];
    this.#printed.replaceChildren(...printed);
  }

  /** Update the hours; when the day or the meal is over, or the network is back, load the menu of now. */
  #moveOn() {
    const params = currentParams();
    if (this.#section.hidden || !(this.#day || this.#isOffline)) {
      return;
    }
    const selection = this.#isOffline && navigator.onLine ? null : this.#day && selectMenu(params, this.#day);
    if (!selection || ["date", "meal", "today"].some((name) => selection[name] !== this.#shown[name])) {
      // Menus may have been loaded in the meantime.
      this.#day = null;
      this.show(params);
    } else if (selection.open?.join() !== this.#shown.open?.join()) {
      this.#showDay(params);
    } else {
      this.#showHours(selection);
    }
  }

  #showControls({ date, meal, today }, { datasets }, { prev = null, next = null } = {}) {
    const { state, first_date: first, last_date: last } = datasets.dining;
    const ifLoaded = (day) => (first && day >= first && day <= last ? day : null);
    const adjacent = isDate(date) ? { prev: ifLoaded(addDays(date, -1)), next: ifLoaded(addDays(date, 1)) } : {};
    const isKnown = state !== "unknown";
    const neighbors = { prev: prev ?? adjacent.prev, next: next ?? adjacent.next };
    this.#datePicker.show({ date, meal: meal ?? null, today, isKnown, first, last, ...neighbors });
    this.#tabs.select(meal);
  }

  #showHalls(halls, selected = "") {
    const options = halls.map(({ id, name }) => element("option", { value: id }, name));
    this.#hall.replaceChildren(element("option", { value: "" }, "All halls"), ...options);
    this.#hall.value = selected;
  }

  #showError(error) {
    // The menus of now, which came with the page, stay while nothing else is requested.
    const isOfNow = !this.#shown && ["", "?view=menus"].includes(location.search);
    const halls = isOfNow ? this.#menu.querySelectorAll(".hall") : [];
    this.#menu.removeAttribute("aria-busy");
    this.#links.hidden = true;
    this.#caution.hidden = !halls.length;
    const emptied = [...(halls.length ? [] : [this.#summary]), this.#chips, this.#unknown, this.#printed];
    emptied.forEach((part) => part.replaceChildren());
    delete this.#chips.dataset.order;
    showTitle("Menus");
    this.#isOffline = error.status === 0;
    const message = error.problem?.errors?.length ? badLinkMessage(error.problem) : errorMessage(error, () => this.show(currentParams()));
    replaceContent(this.#menu, message, ...halls);
  }
}
