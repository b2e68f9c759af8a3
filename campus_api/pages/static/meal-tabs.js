import { element } from "./dom.js";
import { navigate } from "./router.js";
import { countDishes } from "./text.js";

const MEALS = new Map([["0", "Breakfast"], ["1", "Lunch"], ["2", "Dinner"]]);

/** Return the name of a meal. */
export function mealName(meal) {
  return MEALS.get(meal) ?? `Meal ${meal}`;
}

/** Tell whether a meal has a name. */
export function isNamed(meal) {
  return MEALS.has(meal);
}

/** The tabs of the meals: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
export class MealTabs {
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

  /** Show a tab for each of `meals`, and for those that have a name; if they are those shown, the focus stays. */
  show(meals) {
    const all = [...new Set([...MEALS.keys(), ...meals])].sort((a, b) => a - b);
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
