import { apiUrl, fetchJson, fetchJsonOnce } from "./api.js";
import { DatePicker } from "./date-picker.js";
import { addDays, formatDate, isDate } from "./dates.js";
import { element, emptyMessage, errorMessage, showSources } from "./dom.js";
import { defaultMeal, mealName, MealTabs } from "./meal-tabs.js";
import { menuList } from "./menu-list.js";
import { currentParams, navigate } from "./router.js";

/** The dishes of one date and meal, in all dining halls or in one. */
export class MenusView {
  #hall = document.getElementById("hall");
  #menu = document.getElementById("menu");
  #summary = document.getElementById("menu-summary");
  #sources = document.getElementById("menu-sources");
  #datePicker = new DatePicker();
  #tabs = new MealTabs(this.#menu);
  #controller = new AbortController();

  constructor() {
    this.#hall.addEventListener("change", () => navigate({ location: this.#hall.value }));
  }

  /** Show the menu that the parameters name; without a date or meal, navigate to the current one. */
  async show(params) {
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#menu.setAttribute("aria-busy", "true");
    try {
      const { data: index } = await fetchJsonOnce("");
      if (signal.aborted) {
        return;
      }
      if (params.date && params.meal) {
        await this.#showMenu(params, index, signal);
      } else {
        const date = params.date ?? index.today;
        const meal = params.meal ?? defaultMeal(date === index.today);
        navigate({ view: "menus", date, meal }, { replace: true });
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#showError(error);
      }
    }
  }

  async #showMenu(params, index, signal) {
    const { date, meal, location } = params;
    this.#showControls(params, index);
    // The menu of the whole day, because that of today is served even while the database is unavailable.
    const [locations, categories, menu] = await Promise.all([
      fetchJsonOnce("dining/locations"),
      fetchJsonOnce("dining/categories"),
      fetchJson(`dining/menus?${new URLSearchParams({ date })}`, signal),
    ]);
    if (signal.aborted) {
      return;
    }
    const rows = menu.data.filter(
      (row) => String(row.meal) === meal && (!location || String(row.location) === location),
    );
    const query = new URLSearchParams({ date, meal, ...(location && { location }) });
    const emptyReason = menu.headers.get("X-Campus-Empty");
    this.#showControls(params, index, adjacentDates(menu.headers));
    this.#showHalls(locations.data, location);
    showSources(this.#sources, [apiUrl(`dining/menus?${query}`)]);
    this.#summary.textContent = summary(rows, date, meal);
    this.#menu.removeAttribute("aria-busy");
    this.#menu.replaceChildren(
      ...(rows.length
        ? menuList(rows, locations.data, categories.data)
        : [noMenuMessage(emptyReason, date, index.datasets.dining)]),
    );
  }

  #showControls({ date, meal }, { today, datasets }, { prev, next } = {}) {
    const { first_date: first, last_date: last } = datasets.dining;
    const ifLoaded = (day) => (first && day >= first && day <= last ? day : null);
    const adjacent = isDate(date) ? { prev: ifLoaded(addDays(date, -1)), next: ifLoaded(addDays(date, 1)) } : {};
    this.#datePicker.show({ date, today, first, last, prev: prev ?? adjacent.prev, next: next ?? adjacent.next });
    this.#tabs.select(meal);
  }

  #showHalls(locations, selected = "") {
    const sorted = [...locations].sort((a, b) => (a.name ?? "").localeCompare(b.name ?? "", "en"));
    const options = sorted.map(({ id, name }) => element("option", { value: id }, name ?? `Hall ${id}`));
    this.#hall.replaceChildren(element("option", { value: "" }, "All halls"), ...options);
    this.#hall.value = selected;
  }

  #showError(error) {
    this.#menu.removeAttribute("aria-busy");
    this.#summary.textContent = "";
    showSources(this.#sources, []);
    this.#menu.replaceChildren(errorMessage(error, () => this.show(currentParams())));
  }
}

/** Return the dates of the Link header: the nearest ones with menus before and after. */
function adjacentDates(headers) {
  const links = (headers.get("Link") ?? "").matchAll(/<([^>]*)>\s*;\s*rel="?(prev|next)"?/g);
  const dateOf = (url) => new URL(url, location.href).searchParams.get("date");
  return Object.fromEntries([...links].map(([, url, rel]) => [rel, dateOf(url)]));
}

function summary(rows, date, meal) {
  const title = `${mealName(meal)}, ${formatDate(date)}`;
  const dishes = `${rows.length} ${rows.length === 1 ? "dish" : "dishes"}`;
  const halls = new Set(rows.map(({ location }) => location)).size;
  return rows.length ? `${title}: ${dishes} in ${halls} ${halls === 1 ? "hall" : "halls"}` : title;
}

function noMenuMessage(reason, date, { first_date: first, last_date: last }) {
  if (!first) {
    return emptyMessage("No menus yet", "No menu data has been loaded.");
  }
  if (reason === "closed") {
    return emptyMessage("Closed", "Nothing is served on this day.");
  }
  if (reason === "not-loaded" || date < first || date > last) {
    return emptyMessage("Not loaded", "There is no menu for this day.", loadedRange(first, last));
  }
  return emptyMessage("Nothing served", "No dishes are listed for this selection. Try another meal, hall or day.");
}

function loadedRange(first, last) {
  const [from, to] = [first, last].map((date) => formatDate(date, { dateStyle: "long" }));
  return `Menus are loaded from ${from} to ${to}.`;
}
