import { countDishes } from "./menu-list.js";
import { navigate } from "./router.js";

const MEALS = new Map([["0", "Breakfast"], ["1", "Lunch"], ["2", "Dinner"]]);

/** Return the name of a meal. */
export function mealName(meal) {
  return MEALS.get(meal) ?? `Meal ${meal}`;
}

/** Tell whether a meal has a tab. */
export function hasTab(meal) {
  return MEALS.has(meal);
}

/** The tabs of the meals: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
export class MealTabs {
  #tabs = [...document.querySelectorAll("[data-meal]")];
  #panel;

  constructor(panel) {
    this.#panel = panel;
    for (const [index, tab] of this.#tabs.entries()) {
      tab.addEventListener("click", () => this.#choose(tab.dataset.meal));
      tab.addEventListener("keydown", (event) => this.#onKeydown(event, index));
    }
  }

  /** Select a meal; in a search, show how many dishes of each meal match. */
  select(meal, matching = null) {
    for (const [index, tab] of this.#tabs.entries()) {
      const dishes = matching?.filter((row) => String(row.meal) === tab.dataset.meal);
      tab.textContent = mealName(tab.dataset.meal) + (dishes ? ` (${countDishes(dishes)})` : "");
      const isSelected = tab.dataset.meal === meal;
      tab.setAttribute("aria-selected", String(isSelected));
      tab.tabIndex = isSelected || (!hasTab(meal) && index === 0) ? 0 : -1;
      if (isSelected) {
        this.#panel.setAttribute("aria-labelledby", tab.id);
      }
    }
  }

  #choose(meal) {
    navigate({ meal });
    if (this.#panel.getBoundingClientRect().top < 0) {
      this.#panel.scrollIntoView();
    }
  }

  #onKeydown(event, index) {
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
