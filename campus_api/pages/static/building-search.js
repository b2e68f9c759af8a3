import { fetchJson, fetchJsonOnce } from "./api.js";

const DEBOUNCE_MS = 200;

/** The search field: reports its text after a pause in typing, or at once on Enter. */
export class SearchField {
  #input;
  #timer = null;

  constructor(input, onSearch) {
    this.#input = input;
    const report = () => onSearch(input.value);
    input.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(report, DEBOUNCE_MS);
    });
    input.form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(this.#timer);
      report();
    });
  }

  /** Show `text`, and drop a search that is still waiting for a pause in typing. */
  setText(text) {
    clearTimeout(this.#timer);
    // Assigning an equal value would still move the cursor.
    if (this.#input.value !== text) {
      this.#input.value = text;
    }
  }

  focus() {
    this.#input.focus();
  }
}

/** The search requests: a new text aborts those in flight, the same text reuses them. */
export class BuildingSearch {
  #text = null;
  #controller = null;
  #results = null;

  /** Return a promise of the API responses that together hold all buildings matching `text`. */
  run(text) {
    if (text !== this.#text) {
      this.#controller?.abort();
      this.#controller = new AbortController();
      this.#text = text;
      this.#results = Promise.all(text ? this.#request(text) : [fetchJsonOnce("map/buildings")]);
    }
    return this.#results;
  }

  /** Tell whether no other search has started since the one that returned `results`. */
  isLatest(results) {
    return results === this.#results;
  }

  /** Send new requests next time, even for the same text. */
  reset() {
    this.#text = this.#results = null;
  }

  #request(text) {
    // Two requests, because parameters of one request combine with AND.
    return ["name", "address"].map((field) =>
      fetchJson(`map/buildings?${new URLSearchParams({ [field]: text })}`, this.#controller.signal),
    );
  }
}
