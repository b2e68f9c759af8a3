import { buildingName } from "./building-list.js";
import { onNavigate } from "./router.js";
import { fold, names, wordMatcher } from "./text.js";

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
    // Whoever goes elsewhere is not called back by a search that waits for a pause in typing.
    onNavigate(() => clearTimeout(this.#timer));
  }

  setText(text) {
    // Assigning an equal value would still move the cursor.
    if (this.#input.value !== text) {
      this.#input.value = text;
    }
  }

  focus() {
    this.#input.focus();
  }
}

/** Buildings sorted by name, with the folded texts of their names, addresses and cities. */
export class BuildingIndex {
  #entries;

  constructor(buildings) {
    this.#entries = [...buildings].sort(byName).map((building) => [building, searchText(building)]);
  }

  /** Return the buildings whose text contains all words, in any order. */
  search(text) {
    const matches = wordMatcher(text);
    return this.#entries.filter(([, folded]) => matches(folded)).map(([building]) => building);
  }
}

function byName(a, b) {
  // Unnamed buildings come last.
  return Number(a.name === null) - Number(b.name === null) || names.compare(buildingName(a), buildingName(b)) || a.id - b.id;
}

function searchText({ name, address, city }) {
  return fold([name, address, city].filter(Boolean).join("\n"));
}
