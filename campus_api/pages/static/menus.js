import { fetchJson, showStaleness, unlessFailed } from "./api.js";
import { campusClock, formatDate } from "./dates.js";
import { loosensFilters, rememberedChoices } from "./device.js";
import { Loading, showTitle } from "./dom.js";
import { MenuContent } from "./menu-content.js";
import { MenuControls } from "./menu-controls.js";
import { areIntegers, fetchDay, wordsOf } from "./menu-day.js";
import { selectDishes, selectMenu } from "./menu-selection.js";
import { currentParams, navigate, urlWith } from "./router.js";
import { currentMeal } from "./serving-hours.js";
import { mealName, useMealNames } from "./text.js";

const TICK_MS = 20_000;
const filtersOf = ({ label, without }) => String([label, without]);

/** The dishes of one date and meal, in all dining halls or in one. */
export class MenusView {
  #section = document.getElementById("menus");
  #samples = document.getElementById("menu-samples");
  #menu = document.getElementById("menu");
  #controls = new MenuControls(this.#menu, (position) => this.#locate(position));
  #content = new MenuContent(this.#menu);
  #loading = new Loading(this.#menu, () => this.show(currentParams()));
  #day = /** @type {Day} */ (null);
  #shown = null;
  #isOffline = false;
  #position = null;
  #ownFilters = null;

  constructor() {
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
      const { index, today, now } = this.#shown;
      this.#controls.showDate({ meal: params.meal, date: params.date ?? now.date, today, now }, index);
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

  /** Tell whether a load is no longer about what the page shows. */
  #isLeft(signal) {
    return signal.aborted || this.#section.hidden;
  }

  async #load(params, signal) {
    const { data: index, headers } = await fetchJson("", signal);
    if (this.#isLeft(signal)) {
      return;
    }
    useMealNames(index.datasets.dining.meals);
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
    const { today, ...now } = currentMeal(index, clock(), params.location);
    const date = params.date ?? now.date;
    this.#controls.showDate({ meal: params.meal, date, today, now }, index);
    const day = await fetchDay({ ...params, date }, signal);
    if (!this.#isLeft(signal)) {
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
    this.#controls.show(params, selection, selected, this.#day);
    showTitle(selected.hall ? `${title} · ${selected.hall.name}` : title);
    this.#content.show(params, selection, selected, this.#day, { sentences, position: this.#position });
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
    // The menus of now, which came with the page, stay while nothing else is requested.
    const keepsHalls = !this.#shown && ["", "?view=menus"].includes(location.search);
    this.#isOffline = error.status === 0;
    showTitle("Menus");
    this.#content.showError(error, () => this.show(currentParams()), { keepsHalls });
  }
}
