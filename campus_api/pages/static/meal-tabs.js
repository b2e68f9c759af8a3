import { navigate } from "./router.js";

const MEALS = new Map([["0", "Breakfast"], ["1", "Lunch"], ["2", "Dinner"]]);

/** Return the name of a meal. */
export function mealName(meal) {
  return MEALS.get(meal) ?? `Meal ${meal}`;
}

/** Return the meal to show first: today the one being served by the clock of the browser, else lunch. */
export function defaultMeal(isToday) {
  const hour = new Date().getHours();
  return !isToday || (hour >= 10 && hour < 15) ? "1" : hour < 10 ? "0" : "2";
}

/** The tabs of the meals: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
export class MealTabs {
  #tabs = [...document.querySelectorAll("[data-meal]")];
  #panel;

  constructor(panel) {
    this.#panel = panel;
    for (const [index, tab] of this.#tabs.entries()) {
      tab.addEventListener("click", () => navigate({ meal: tab.dataset.meal }));
      tab.addEventListener("keydown", (event) => this.#onKeydown(event, index));
    }
  }

  select(meal) {
    for (const tab of this.#tabs) {
      const isSelected = tab.dataset.meal === meal;
      tab.setAttribute("aria-selected", String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      if (isSelected) {
        this.#panel.setAttribute("aria-labelledby", tab.id);
      }
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
