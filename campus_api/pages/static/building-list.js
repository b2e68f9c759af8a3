import { apiUrl } from "./api.js";
import { element, emptyMessage } from "./dom.js";
import { spreadsheetLink } from "./links.js";
import { onNavigate } from "./router.js";
import { closeResults } from "./search-results.js";
import { fold, formatDistance, names, wordMatcher } from "./text.js";

const MAX_LISTED = 200;
const DEBOUNCE_MS = 200;
const LISTS = { GeoJSON: "map/buildings.geojson", "Spreadsheet (CSV)": "map/buildings.csv", JSON: "map/buildings" };

/** Return the name to show for a building. */
export function buildingName(building) {
  return building.name ?? "Unnamed building";
}

/** Return the address and the city of a building, as far as they are known. */
export function buildingAddress({ address, city }) {
  return [address, city].filter(Boolean).join(", ");
}

/** Return "42 buildings", or "1 of 42 buildings" for a search. */
export function buildingCount(count, total, text = "") {
  const buildings = `${total.toLocaleString("en")} ${total === 1 ? "building" : "buildings"}`;
  return text ? `${count.toLocaleString("en")} of ${buildings}` : buildings;
}

/** Return the search results, the first ones and the selected one, as a list of buttons, or a message that there are none. */
export function buildingList(buildings, { total, text, selected, onSelect }) {
  if (!total) {
    return emptyMessage("No buildings yet", [
      "Next, an operator runs ",
      element("code", {}, "campus-load buildings"),
      " with an export, or ",
      element("code", {}, "campus-load samples"),
      " to try it out.",
    ]);
  }
  if (!buildings.length) {
    const message = emptyMessage("No matches", `No building has all words of “${text}” in its name, address and city.`);
    message.append(closeResults(text));
    return message;
  }
  const listed = buildings.filter(({ id }, index) => index < MAX_LISTED || id === selected);
  const hidden = buildings.length - listed.length;
  return element(
    "ul",
    {},
    listed.map((building) => element("li", {}, button(building, building.id === selected, onSelect))),
    hidden > 0 && element("li", { class: "more muted" }, `${hidden.toLocaleString("en")} more are shown on the map.`),
  );
}

function button(building, isSelected, onSelect) {
  const { id, distance } = building;
  const about = [distance === undefined ? "" : formatDistance(distance), buildingAddress(building)];
  return element(
    "button",
    { type: "button", "data-id": id, "aria-pressed": String(isSelected), onclick: () => onSelect(id) },
    element("strong", {}, buildingName(building)),
    element("span", {}, about.filter(Boolean).join(" · ")),
  );
}

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

/** Link the buildings that match a search, in all formats, or all buildings if the API has no query for the search. */
export function showDownloads(container, matches, text) {
  const query = queryFor(matches, text);
  const label = query ? buildingCount(matches.length, matches.length) : "All buildings";
  container.replaceChildren(element("span", { class: "label" }, label), ...links(LISTS, query));
}

/** Return links to one building in all formats. */
export function buildingDownloads(id) {
  return links({ GeoJSON: `map/buildings/${id}.geojson`, JSON: `map/buildings/${id}` });
}

function links(paths, query = "") {
  return Object.entries(paths).map(([format, path]) =>
    path.endsWith(".csv")
      ? spreadsheetLink(format, path + query)
      : element("a", { href: apiUrl(path) + query }, format),
  );
}

/**
 * Return the query string of the API for a search, or "" if there is none.
 *
 * The page looks for words in all fields together, the API for a text in one of them: these are never more buildings.
 */
function queryFor(matches, text) {
  if (!text || !matches.length) {
    return "";
  }
  const field = ["name", "address"].find((name) => matches.every((building) => fold(building[name] ?? "").includes(fold(text))));
  return field ? `?${new URLSearchParams({ [field]: text })}` : "";
}
