import { DatePicker } from "./date-picker.js";
import { addDays, formatDate, isDate, relativeDay } from "./dates.js";
import { choose, isFavourite, isUnfolded, rememberUnfolded } from "./device.js";
import { element } from "./dom.js";
import { FilterPanel } from "./filter-panel.js";
import { inOrderOfDay } from "./menu-selection.js";
import { navigate } from "./router.js";
import { capitalize, countDishes, mealName, MEALS } from "./text.js";

/** What visitors choose a menu with; phones fold the fields into a line that describes the choice. */
export class MenuControls {
  #line = document.getElementById("selection");
  #fields = document.getElementById("menu-fields");
  #datePicker = new DatePicker();
  #hall = document.getElementById("hall");
  #nearest = document.getElementById("nearest");
  #dish = document.getElementById("dish");
  #filters;
  #tabs;

  /** `menu` is the element that shows the dishes; `onLocate` is called with the position of the visitor. */
  constructor(menu, onLocate) {
    // On a phone there is room for the fields or for the filters.
    this.#filters = new FilterPanel(() => this.#line.checkVisibility() && this.#unfold(false));
    this.#tabs = new MealTabs(menu);
    this.#line.addEventListener("click", () => this.#unfold(this.#line.ariaExpanded !== "true"));
    this.#fields.addEventListener("keydown", ({ key }) => key === "Escape" && this.#unfold(false));
    this.#unfold(isUnfolded());
    this.#hall.addEventListener("change", () => choose({ location: this.#hall.value }));
    this.#dish.addEventListener("input", () => navigate({ view: "menus", q: this.#dish.value }, { replace: true }));
    this.#nearest.hidden = !isSecureContext;
    this.#nearest.addEventListener("click", () => this.#locate(onLocate));
  }

  /** Show a date and a meal, which may still be loading. */
  showDate({ date, meal, today, now }, { datasets }, { prev = null, next = null } = {}) {
    const { state, first_date: first, last_date: last } = datasets.dining;
    const ifLoaded = (day) => (first && day >= first && day <= last ? day : null);
    const adjacent = isDate(date) ? { prev: ifLoaded(addDays(date, -1)), next: ifLoaded(addDays(date, 1)) } : {};
    const isKnown = state !== "unknown";
    const neighbors = { prev: prev ?? adjacent.prev, next: next ?? adjacent.next };
    this.#datePicker.show({ date, meal: meal ?? null, today, now, isKnown, first, last, ...neighbors });
    this.#tabs.select(meal);
  }

  /** Show what is selected of a day, and what can be. */
  show(params, selection, { hall, ofDay, ofMeal }, { index, halls, rows, adjacent, hours }) {
    const { q = "" } = params;
    this.#tabs.show(rows, hours);
    this.showDate(selection, index, adjacent);
    this.#tabs.select(selection.meal, q.trim() ? ofDay.shown : null);
    this.#filters.show(params, rows, selection, index.datasets.dining.allergens);
    this.#filters.showOpenNow(selection.date === selection.today && hours.length > 0);
    this.#showHalls(halls, params.location);
    if (this.#dish.value !== q) {
      this.#dish.value = q;
    }
    this.#line.textContent = describe(params, selection, hall, ofMeal.shown);
  }

  #showHalls(halls, selected = "") {
    const options = halls.map(({ id, name }) => element("option", { value: id }, name));
    this.#hall.replaceChildren(element("option", { value: "" }, "All halls"), ...options);
    this.#hall.value = selected;
  }

  /** Show or hide the fields, and remember it on this device. */
  #unfold(isOpen) {
    if (isOpen) {
      this.#filters.close();
    } else if (this.#fields.contains(document.activeElement)) {
      this.#line.focus();
    }
    this.#line.ariaExpanded = String(isOpen);
    rememberUnfolded(isOpen);
  }

  /** Request the position, on a click only; it never leaves the page. */
  #locate(onLocate) {
    const show = ({ coords }) => {
      this.#nearest.setAttribute("aria-pressed", "true");
      onLocate(coords);
    };
    const fail = () => (document.getElementById("notice").textContent = "Your position is unknown.");
    navigator.geolocation.getCurrentPosition(show, fail, { timeout: 10_000 });
  }
}

/** Describe a selection on one line: "Today · Lunch · All halls · vegan · no milk · ★ 1 favourite". */
function describe({ q = "", label, without }, { date, meal, today }, hall, dishes) {
  const stars = countDishes(dishes.filter(({ recipe }) => isFavourite("dish", recipe)));
  const parts = [
    capitalize(relativeDay(date, today) ?? formatDate(date)),
    mealName(meal),
    hall?.name ?? "All halls",
    ...label,
    ...without.map((word) => `no ${word}`),
    q.trim() && `“${q.trim()}”`,
    stars && `★ ${stars} ${stars === 1 ? "favourite" : "favourites"}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

/** The tabs of the meals: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
class MealTabs {
  #list = document.querySelector("[role=tablist]");
  #panel;

  constructor(panel) {
    this.#panel = panel;
    this.#list.addEventListener("click", ({ target }) => target.dataset.meal && this.#choose(target.dataset.meal));
    this.#list.addEventListener("keydown", (event) => this.#onKeydown(event));
  }

  get #tabs() {
    return [...this.#list.children];
  }

  /** Show a tab for breakfast, lunch, dinner and each meal of rows; if they are those shown, the focus stays. */
  show(rows, hours) {
    const all = inOrderOfDay([...MEALS.keys(), ...rows.map(({ meal }) => String(meal))], hours);
    if (all.join() !== this.#tabs.map(({ dataset }) => dataset.meal).join()) {
      this.#list.replaceChildren(...all.map(newTab));
    }
  }

  /** Select a meal; in a search, show how many dishes of each meal match. */
  select(meal, matching = null) {
    const selected = this.#tabs.find(({ dataset }) => dataset.meal === meal);
    for (const tab of this.#tabs) {
      const dishes = matching?.filter((row) => String(row.meal) === tab.dataset.meal);
      tab.textContent = mealName(tab.dataset.meal) + (dishes ? ` (${countDishes(dishes)})` : "");
      tab.setAttribute("aria-selected", String(tab === selected));
      tab.tabIndex = tab === (selected ?? this.#list.firstElementChild) ? 0 : -1;
    }
    if (selected) {
      this.#panel.setAttribute("aria-labelledby", selected.id);
    }
  }

  #choose(meal) {
    navigate({ meal });
    if (this.#panel.getBoundingClientRect().top < 0) {
      this.#panel.scrollIntoView();
    }
  }

  #onKeydown(event) {
    const index = this.#tabs.indexOf(event.target);
    const { length } = this.#tabs;
    const targets = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: length - 1 };
    if (event.key in targets) {
      event.preventDefault();
      const tab = this.#tabs[(targets[event.key] + length) % length];
      tab.focus();
      tab.click();
    }
  }
}

function newTab(meal) {
  const attributes = { type: "button", role: "tab", id: `meal-${meal}`, "data-meal": meal, "aria-controls": "menu" };
  return element("button", attributes, mealName(meal));
}
