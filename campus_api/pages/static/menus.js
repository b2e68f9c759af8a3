import { apiUrl, fetchJson } from "./api.js";
import { DatePicker } from "./date-picker.js";
import { addDays, campusHour, formatDate, isDate } from "./dates.js";
import { element, errorMessage, showSources, showTitle } from "./dom.js";
import { mealAt, mealName, MealTabs } from "./meal-tabs.js";
import { fetchDay, menuPath } from "./menu-day.js";
import { countDishes, menuList } from "./menu-list.js";
import { badLinkMessage, noDishesMessage } from "./menu-messages.js";
import { currentParams, navigate } from "./router.js";
import { fold, wordMatcher } from "./text.js";

/** The dishes of one date and meal, in all dining halls or in one. */
export class MenusView {
  #section = document.getElementById("menus");
  #hall = document.getElementById("hall");
  #dish = document.getElementById("dish");
  #menu = document.getElementById("menu");
  #summary = document.getElementById("menu-summary");
  #sources = document.getElementById("menu-sources");
  #datePicker = new DatePicker();
  #tabs = new MealTabs(this.#menu);
  #controller = new AbortController();
  #shown = null;

  constructor() {
    this.#hall.addEventListener("change", () => navigate({ location: this.#hall.value }));
    this.#dish.addEventListener("input", () => navigate({ view: "menus", q: this.#dish.value }, { replace: true }));
  }

  /** Show the menu that the parameters name; without a date or meal, navigate to the current one. */
  async show(params) {
    const selection = JSON.stringify([params.date, params.meal, params.location]);
    if (this.#shown?.selection === selection) {
      this.#showDay(params);
      return;
    }
    this.#shown = null;
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#menu.setAttribute("aria-busy", "true");
    try {
      await this.#load(params, selection, signal);
    } catch (error) {
      if (!signal.aborted) {
        this.#showError(error);
      }
    }
  }

  async #load(params, selection, signal) {
    const isLeft = () => signal.aborted || this.#section.hidden;
    const { data: index, headers } = await fetchJson("", signal);
    if (isLeft()) {
      return;
    }
    if (!params.date || !params.meal) {
      const date = params.date ?? index.today;
      const meal = params.meal ?? (date === index.today ? mealAt(campusHour(headers)) : "1");
      navigate({ view: "menus", date, meal }, { replace: true });
      return;
    }
    this.#showControls(params, index);
    const day = await fetchDay(params, signal);
    if (!isLeft()) {
      this.#shown = { ...day, index, selection };
      this.#showDay(params);
    }
  }

  #showDay(params) {
    const { date, meal, location, q = "" } = params;
    const { index, halls, categories, rows, adjacent } = this.#shown;
    const served = rows.filter((row) => !location || String(row.location) === location);
    const matches = wordMatcher(q);
    const matching = served.filter(({ name }) => matches(fold(name ?? "")));
    const dishes = matching.filter((row) => String(row.meal) === meal);
    this.#showControls(params, index, adjacent);
    this.#tabs.select(meal, q.trim() ? matching : null);
    this.#showHalls(halls, location);
    if (this.#dish.value !== q) {
      this.#dish.value = q;
    }
    showSources(this.#sources, [apiUrl(menuPath(params))]);
    const title = `${mealName(meal)}, ${formatDate(date)}`;
    const hall = halls.find(({ id }) => String(id) === location)?.name;
    showTitle(hall ? `${title} · ${hall}` : title);
    this.#summary.textContent = dishes.length ? `${title}: ${extent(dishes)}` : title;
    this.#menu.removeAttribute("aria-busy");
    this.#menu.replaceChildren(
      ...(dishes.length ? menuList(dishes, halls, categories) : [noDishesMessage(params, this.#shown, matching)]),
    );
  }

  #showControls({ date, meal }, { today, datasets }, { prev, next } = {}) {
    const { state, first_date: first, last_date: last } = datasets.dining;
    const ifLoaded = (day) => (first && day >= first && day <= last ? day : null);
    const adjacent = isDate(date) ? { prev: ifLoaded(addDays(date, -1)), next: ifLoaded(addDays(date, 1)) } : {};
    const isKnown = state !== "unknown";
    const neighbors = { prev: prev ?? adjacent.prev, next: next ?? adjacent.next };
    this.#datePicker.show({ date, today, isKnown, first, last, ...neighbors });
    this.#tabs.select(meal);
  }

  #showHalls(halls, selected = "") {
    const options = halls.map(({ id, name }) => element("option", { value: id }, name));
    this.#hall.replaceChildren(element("option", { value: "" }, "All halls"), ...options);
    this.#hall.value = selected;
  }

  #showError(error) {
    this.#menu.removeAttribute("aria-busy");
    this.#summary.textContent = "";
    showTitle("Menus");
    showSources(this.#sources, []);
    this.#menu.replaceChildren(
      error.problem?.errors?.length ? badLinkMessage(error.problem) : errorMessage(error, () => this.show(currentParams())),
    );
  }
}

function extent(rows) {
  const dishes = countDishes(rows);
  const halls = new Set(rows.map(({ location }) => location)).size;
  return `${dishes} ${dishes === 1 ? "dish" : "dishes"} in ${halls} ${halls === 1 ? "hall" : "halls"}`;
}
