import { fetchJson, unlessFailed } from "./api.js";
import { element } from "./dom.js";
import { shownName, showLocalTimes, withLocalTimes } from "./text.js";

const DEBOUNCE_MS = 150;
// A longer pause than between two keys.
const PAUSE_MS = 250;
const MAX_SHOWN = 7;
// What the results of a search are, by their type.
const KINDS = { building: "Building", location: "Hall", dish: "Dish" };

/**
 * The search in the header of a page, a combobox with a listbox of suggestions.
 *
 * https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
class SiteSearch {
  #input = document.getElementById("site-search");
  #list = document.getElementById("site-suggestions");
  #status = document.getElementById("site-search-status");
  #controller = new AbortController();
  #timer = null;
  #results = [];
  #active = -1;

  constructor() {
    this.#input.addEventListener("input", () => this.#searchSoon());
    this.#input.addEventListener("keydown", (event) => this.#press(event));
    this.#input.addEventListener("blur", () => this.#close());
    this.#input.form.addEventListener("submit", (event) => this.#submit(event));
    // The focus stays in the field.
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
  }

  #searchSoon() {
    clearTimeout(this.#timer);
    this.#select(-1);
    this.#timer = setTimeout(() => this.#search(), DEBOUNCE_MS);
  }

  /** Show the results of the text, and return them; there are none if it has changed in the meantime. */
  async #search() {
    const text = this.#input.value.trim();
    this.#cancel();
    const { signal } = this.#controller;
    try {
      const { data } = text ? await fetchJson(`search?${new URLSearchParams({ q: text })}`, signal) : { data: [] };
      if (!signal.aborted) {
        this.#show(withAll(data, text), data.length || !text ? "" : `No results for “${text}”`);
        return data;
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#show([], error.title);
      }
    }
    return [];
  }

  #show(results, status) {
    this.#results = results;
    this.#list.replaceChildren(...results.map((result, index) => this.#option(result, index)));
    this.#list.hidden = !results.length;
    this.#input.setAttribute("aria-expanded", String(results.length > 0));
    this.#status.textContent = status;
    this.#select(-1);
  }

  #option(result, index) {
    return element(
      "li",
      { id: `site-suggestion-${index}`, role: "option", "aria-selected": "false", onclick: () => this.#open(result) },
      element("span", { class: "name" }, shownName(result)),
      element("span", { class: "kind" }, KINDS[result.type]),
      element("span", { class: "detail" }, withLocalTimes(result.detail ?? "")),
    );
  }

  #select(index) {
    this.#list.children[this.#active]?.setAttribute("aria-selected", "false");
    this.#active = index;
    const option = this.#list.children[index];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    this.#input.setAttribute("aria-activedescendant", option?.id ?? "");
  }

  #press(event) {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // Keys of an input method editor choose its characters.
    if (event.isComposing || !(move || event.key === "Escape")) {
      return;
    }
    event.preventDefault();
    if (event.key === "Escape") {
      // Without suggestions, it clears the text.
      if (this.#list.hidden && !this.#status.textContent) {
        this.#input.value = "";
      }
      this.#close();
    } else if (this.#list.hidden) {
      this.#search();
    } else {
      const { length } = this.#results;
      this.#select(this.#active < 0 && move < 0 ? length - 1 : (this.#active + move + length) % length);
    }
  }

  /** Open the selected suggestion, or the best one of the text. */
  async #submit(event) {
    event.preventDefault();
    const result = this.#results[this.#active] ?? (await this.#search())[0];
    if (result) {
      this.#open(result);
    }
  }

  #open(result) {
    this.#close();
    location.assign(pageOf(result));
  }

  #close() {
    this.#cancel();
    this.#show([], "");
  }

  #cancel() {
    clearTimeout(this.#timer);
    this.#controller.abort();
    this.#controller = new AbortController();
  }
}

/** Return the results that there is room for, and as the last one the page of all if there are more. */
function withAll(results, q) {
  return results.length > MAX_SHOWN ? [...results.slice(0, MAX_SHOWN), { name: "All results", q }] : results;
}

/** Return the URL of the page that shows a result: a building, a menu of a hall, the next serving of a dish, or all. */
function pageOf({ type, id, name, date, meal, without, q }) {
  const view = type === "building" ? "buildings" : "menus";
  const shown = { building: { id }, location: { location: id }, dish: { q: name } }[type];
  const query = new URLSearchParams(type ? { view, ...(date && { date, meal }), ...shown } : { q });
  without?.forEach((each) => query.append("without", each));
  return `${document.body.dataset.base}${type ? "explore" : "search"}?${query}`;
}

/** Show links to what the search of the campus has for a text, if there are any. */
export function showCloseResults(place, text) {
  setTimeout(() => place.isConnected && fill(place, text), PAUSE_MS);
}

async function fill(place, text) {
  const { data: results } = await unlessFailed(fetchJson(`search?${new URLSearchParams({ q: text })}`), []);
  if (results.length) {
    const heading = element("h3", {}, "Did you mean");
    const list = element("ul", {}, withAll(results, text).map(item));
    place.replaceChildren(element("section", { class: "close-results" }, heading, list));
  }
}

function item(result) {
  const parts = [KINDS[result.type], withLocalTimes(result.detail ?? "")].filter(Boolean);
  const about = element("span", { class: "muted" }, parts.join(" · "));
  return element("li", {}, element("a", { href: pageOf(result) }, shownName(result)), about);
}

new SiteSearch();
// Of documents, the times are those of the API.
const showTimes = () => document.querySelectorAll("main:not(.docs, .document)").forEach(showLocalTimes);
["DOMContentLoaded", "campus:rendered"].forEach((name) => addEventListener(name, showTimes));
showTimes();
