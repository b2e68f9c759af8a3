import { apiUrl, fetchJson, showStaleness, unlessFailed } from "./api.js";
import { closeResults, element, emptyMessage, errorMessage, Loading, nextTask, replaceContent, showLoading, showTitle, usePart } from "./dom.js";
import { shareButton, spreadsheetLink } from "./links.js";
import { currentParams, navigate, onNavigate } from "./router.js";
import { byDistance, fold, formatWalk, names, shownName, wordMatcher } from "./text.js";

const LEAFLET_MS = 10_000;
const SHAPES_PER_TASK = 1000;
const MAX_RESULTS = 200;
const DEBOUNCE_MS = 200;
const LISTS = { GeoJSON: "map/buildings.geojson", "Spreadsheet (CSV)": "map/buildings.csv", JSON: "map/buildings" };
// Less is left for it on small screens, if anything.
const MIN_PHOTO_HEIGHT = 80;
const MIN_MAP_HEIGHT = 100;

/** The buildings on a map and in a list, filtered by a search, with a card for the selected one. */
export class BuildingsView {
  #section = document.getElementById("buildings");
  #input = document.getElementById("search");
  #count = document.getElementById("result-count");
  #list = document.getElementById("results");
  #matches = [];
  #downloads = document.getElementById("building-downloads");
  #mapContainer = document.getElementById("map");
  #samples = document.getElementById("building-samples");
  #cardContainer = document.getElementById("building-card");
  #field = new SearchField(this.#input, searchFor);
  #card = new BuildingCard(this.#cardContainer, this.#input.closest(".search"), {
    onClose: (id) => this.#deselect(id),
    onGrow: () => this.#map?.showAgain(),
  });
  #loading = new Loading(this.#section, () => showLoading(this.#list, () => this.#reload()));
  #loaded = null;
  // By name, with the folded texts of their names, addresses and cities.
  #sorted = [];
  #createMap = null;
  #map = null;
  #buildings = [];
  #position = null;
  #text = null;
  #selected = null;
  #focusesCard = false;

  constructor() {
    this.#section.addEventListener("keydown", (event) => this.#moveFocus(event));
  }

  /** Show the buildings that contain all words of `q`, and the card of the one with this `id`. */
  async show({ q = "", id }, { takesFocus = false } = {}) {
    this.#focusesCard ||= takesFocus;
    this.#field.setText(q);
    this.#list.setAttribute("aria-busy", "true");
    this.#loaded ??= this.#loading.run((signal) => this.#load(signal), (error) => this.#showError(error));
    const load = this.#loaded;
    const loaded = await load;
    if (load !== this.#loaded) {
      return;
    }
    this.#loaded = loaded && load;
    this.#list.removeAttribute("aria-busy");
    if (loaded && !this.#section.hidden) {
      this.#showLoaded(loaded, q.trim(), id === undefined ? null : Number(id));
    }
  }

  /** Zoom to all buildings that are shown. */
  showAll() {
    this.#map?.showAll();
  }

  /** Fetch the buildings, once while the page is open unless that fails. */
  async #load(signal) {
    const parts = Promise.all([import("./map.js"), loadLeaflet(this.#mapContainer)]);
    // In the place of a script, some networks send another page.
    const map = parts.then(([module]) => (window.L ? module : null), () => null);
    const { data: buildings, headers } = await fetchJson("map/buildings", signal);
    // Fetched after the buildings, so that it has the state of the data even if the database was unavailable before.
    const { data: index } = await fetchJson("", signal);
    await nextTask();
    this.#sorted = [...buildings].sort(byName).map((building) => [building, searchText(building)]);
    await usePart(this.#mapContainer, "The map", map, (module) => this.#prepareMap(buildings, module));
    return { buildings, headers, index };
  }

  /** Fetch the buildings anew, instead of waiting for a response. */
  #reload() {
    this.#loaded = null;
    this.show(currentParams());
  }

  /** Make the shapes in several tasks: with thousands of buildings, each takes long. */
  async #prepareMap(buildings, { BuildingMap, byArea, createShape }) {
    await nextTask();
    const sorted = byArea(buildings);
    const shapes = [];
    for (let start = 0; start < sorted.length; start += SHAPES_PER_TASK) {
      await nextTask();
      shapes.push(...sorted.slice(start, start + SHAPES_PER_TASK).map(createShape));
    }
    this.#createMap = () => new BuildingMap(this.#mapContainer, this.#cardContainer, shapes, {
      onSelect: (id) => this.#select(id),
      onLocate: (position) => this.#locate(position),
    });
    await nextTask();
  }

  #showLoaded({ buildings, headers, index }, text, selected) {
    showStaleness(headers);
    this.#samples.hidden = !index.datasets.buildings.samples;
    try {
      this.#showBuildings(buildings, text, selected);
    } catch (error) {
      this.#showError(error);
    }
  }

  #showBuildings(buildings, text, selected) {
    this.#buildings = buildings;
    const isNewSearch = text !== this.#text;
    const isNewSelection = selected !== this.#selected;
    if (isNewSearch) {
      this.#showResults(text);
    }
    if (isNewSearch || this.#isNoResult(selected)) {
      this.#showList(text, selected);
    }
    this.#showSelected(buildings.find(({ id }) => id === selected), selected);
    if (selected !== null && (isNewSearch || isNewSelection)) {
      this.#map?.showSelected();
    } else if (isNewSearch) {
      this.#map?.showAll();
    }
    this.#text = text;
    this.#selected = selected;
  }

  #showResults(text) {
    const hasWords = wordMatcher(text);
    const matches = this.#sorted.filter(([, folded]) => hasWords(folded)).map(([building]) => building);
    const count = buildingCount(matches.length, this.#buildings.length, text);
    this.#matches = this.#position ? byDistance(matches, this.#position) : matches;
    this.#count.textContent = this.#position ? `${count}, nearest first` : count;
    showDownloads(this.#downloads, this.#matches, text);
    this.#mapContainer.setAttribute("aria-label", `Map: ${count}`);
    // Leaflet measures its container, which must be visible by now.
    this.#map ??= this.#createMap?.();
    this.#map?.highlight(this.#matches.map(({ id }) => id));
  }

  /** Tell whether a building is missing in the list only because it is one of many. */
  #isNoResult(id) {
    return !this.#buttonOf(id) && this.#matches.some((building) => building.id === id);
  }

  #showList(text, selected) {
    const options = { total: this.#buildings.length, text, selected, onSelect: (id) => this.#select(id) };
    this.#list.replaceChildren(buildingList(this.#matches, options));
  }

  /** List the buildings that are nearest to the visitor first. */
  #locate(position) {
    this.#position = position;
    this.#showResults(this.#text);
    this.#showList(this.#text, this.#selected);
    this.#list.parentElement.scrollTop = 0;
  }

  #showSelected(building, id) {
    for (const button of this.#buttons()) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.id) === id));
    }
    if (id !== this.#selected) {
      this.#scrollTo(this.#buttonOf(id));
    }
    showTitle(building ? shownName(building) : "Buildings");
    this.#map?.select(id);
    if (id === null) {
      this.#card.hide();
    } else {
      this.#card.show(id, building, { isSample: !this.#samples.hidden });
      if (this.#focusesCard) {
        this.#card.focus();
      }
    }
    this.#focusesCard = false;
  }

  /** Scroll the list, but not the page, in which the map and the search are above the list, to a hidden button. */
  #scrollTo(button) {
    const list = this.#list.parentElement;
    if (button && list.scrollHeight > list.clientHeight) {
      button.scrollIntoView({ block: "nearest" });
    }
  }

  #showError(error) {
    this.#count.textContent = "";
    this.#card.hide();
    this.#text = null;
    showTitle("Buildings");
    this.#downloads.replaceChildren();
    replaceContent(this.#list, errorMessage(error, () => this.#reload()));
  }

  #select(id) {
    this.#focusesCard = true;
    navigate({ view: "buildings", id: String(id) });
  }

  #deselect(id) {
    navigate({ id: null });
    (this.#buttonOf(id) ?? this.#input).focus();
  }

  #buttonOf(id) {
    return this.#buttons().find(({ dataset }) => Number(dataset.id) === id);
  }

  #buttons() {
    return [...this.#list.querySelectorAll("[data-id]")];
  }

  /** Move the focus between the search field and the buildings of the list with the arrow keys. */
  #moveFocus(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [this.#input, ...this.#buttons()];
    const index = stops.indexOf(event.target);
    const target = index < 0 || event.shiftKey || event.isComposing ? null : stops[index + step];
    if (target) {
      event.preventDefault();
      target.focus();
    }
  }
}

/** Search for `text`; while a search is being refined, the history keeps one entry. */
function searchFor(text) {
  navigate({ view: "buildings", q: text, id: null }, { replace: Boolean(currentParams().q) });
}

/** Load Leaflet, once. */
async function loadLeaflet({ dataset }) {
  if (window.L) {
    return;
  }
  const { leaflet } = dataset;
  const link = element("link", { rel: "stylesheet", href: `${leaflet}.css` });
  const script = element("script", { src: `${leaflet}.js` });
  const loaded = [link, script].map((node) => new Promise((resolve, reject) => {
    node.addEventListener("load", resolve);
    node.addEventListener("error", reject);
    setTimeout(reject, LEAFLET_MS);
  }));
  // The own styles come after it.
  document.head.prepend(link, script);
  await Promise.all(loaded);
  // Another network may have replaced it by a page.
  if (!link.sheet.cssRules.length) {
    throw new Error("Leaflet's styles are missing");
  }
}

/** Return the address and the city of a building, as far as they are known. */
function buildingAddress({ address, city }) {
  return [address, city].filter(Boolean).join(", ");
}

/** Return "42 buildings", or "1 of 42 buildings" for a search. */
function buildingCount(count, total, text = "") {
  const buildings = `${total.toLocaleString("en")} ${total === 1 ? "building" : "buildings"}`;
  return text ? `${count.toLocaleString("en")} of ${buildings}` : buildings;
}

/** Return the search results, the first ones and the selected one, as a list of buttons, or a message that there are none. */
function buildingList(buildings, { total, text, selected, onSelect }) {
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
    message.append(element("a", { class: "button", href: "?view=buildings" }, "Show all buildings"), closeResults(text));
    return message;
  }
  const results = buildings.filter(({ id }, index) => index < MAX_RESULTS || id === selected);
  const hidden = buildings.length - results.length;
  return element(
    "ul",
    {},
    results.map((building) => element("li", {}, button(building, building.id === selected, onSelect))),
    hidden > 0 && element("li", { class: "more muted" }, `${hidden.toLocaleString("en")} more are shown on the map.`),
  );
}

function button(building, isSelected, onSelect) {
  const { id, distance } = building;
  const about = [formatWalk(distance), buildingAddress(building)];
  return element(
    "button",
    { type: "button", "data-id": id, "aria-pressed": String(isSelected), onclick: () => onSelect(id) },
    element("strong", {}, shownName(building)),
    element("span", {}, about.filter(Boolean).join(" · ")),
  );
}

/** The search field: reports its text after a pause in typing, or at once on Enter. */
class SearchField {
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
}

function byName(a, b) {
  // Unnamed buildings come last.
  return Number(a.name === null) - Number(b.name === null) || names.compare(shownName(a), shownName(b)) || a.id - b.id;
}

function searchText({ name, address, city }) {
  return fold([name, address, city].filter(Boolean).join("\n"));
}

/** Link the buildings that match a search, in all formats, or all buildings if the API has no query for the search. */
function showDownloads(container, matches, text) {
  const query = queryFor(matches, text);
  const label = query ? buildingCount(matches.length, matches.length) : "All buildings";
  container.replaceChildren(element("span", { class: "label" }, label), ...links(LISTS, query));
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
  const hasText = (value) => fold(value ?? "").includes(fold(text));
  const field = ["name", "address"].find((name) => matches.every((building) => hasText(building[name])));
  return field ? `?${new URLSearchParams({ [field]: text })}` : "";
}

/** The card with the details of the selected building. */
class BuildingCard {
  #container;
  #search;
  #onClose;
  #onGrow;
  #id = null;

  /** The card may not cover `search`, the element above the map; `onGrow` is called when it gets larger after a while. */
  constructor(container, search, { onClose, onGrow }) {
    this.#container = container;
    this.#search = search;
    this.#onClose = onClose;
    this.#onGrow = onGrow;
    document.addEventListener("keydown", (event) => this.#closeOnEscape(event));
    addEventListener("resize", () => this.#float());
    // Its text may become larger.
    new ResizeObserver(() => this.#container.hidden || this.#float()).observe(search);
  }

  /** Show the building with this ID; `building` is undefined if there is none, and may be a sample. */
  show(id, building, { isSample }) {
    this.#container.hidden = false;
    if (id !== this.#id) {
      this.#id = id;
      this.#container.replaceChildren(...this.#content(id, building, isSample));
    }
    this.#float();
  }

  hide() {
    this.#container.hidden = true;
  }

  focus() {
    this.#container.querySelector("h2").focus({ preventScroll: this.#container.classList.contains("floating") });
  }

  /** Let a phone show the card over the page, unless that covers the search or the map, or cuts off a part of the card. */
  #float() {
    const photo = this.#container.querySelector("figure:has(img)");
    photo?.removeAttribute("hidden");
    const { classList } = this.#container;
    classList.add("floating");
    const searchBottom = this.#search.getBoundingClientRect().bottom + scrollY;
    const isComplete = this.#container.scrollHeight <= this.#container.clientHeight;
    const { top } = this.#container.getBoundingClientRect();
    classList.toggle("floating", isComplete && top >= searchBottom + MIN_MAP_HEIGHT);
    photo?.toggleAttribute("hidden", photo.clientHeight < MIN_PHOTO_HEIGHT);
  }

  #closeOnEscape(event) {
    const isVisible = this.#container.getClientRects().length > 0;
    // In a search field with text, the key clears it.
    if (event.key === "Escape" && isVisible && !event.target.value) {
      this.#onClose(this.#id);
    }
  }

  #content(id, building, isSample) {
    const close = { type: "button", class: "close", "aria-label": "Close", onclick: () => this.#onClose(id) };
    return [
      element("h2", { tabindex: "-1" }, building ? shownName(building) : "Building not found"),
      element("button", close, "×"),
      ...(building ? this.#details(building, isSample) : this.#missing(id)),
    ];
  }

  #details(building, isSample) {
    const path = `map/buildings/${building.id}`;
    const directions = element("a", { class: "button", href: directionsUrl(building) }, "Directions");
    const share = shareButton(building.name ?? "", `?view=buildings&id=${building.id}`);
    const code = building.code && `Code ${building.code}`;
    const downloads = links({ GeoJSON: `${path}.geojson`, JSON: path });
    const secondary = [code, `ID ${building.id}`, positionLink(building), ...downloads];
    return [
      element("p", {}, buildingAddress(building)),
      ...(building.image ? [picture(building, isSample)] : []),
      element("p", { class: "actions" }, directions, share),
      this.#halls(building),
      element("p", { class: "secondary muted" }, secondary.map((part) => part && element("span", {}, part))),
    ];
  }

  /** Return the paragraph of the links to the menus of a building, which need a request. */
  #halls(building) {
    const halls = element("p", { class: "hall-links" });
    hallLinks(building).then((links) => {
      halls.replaceChildren(...links);
      this.#float();
      if (links.length && halls.isConnected) {
        this.#onGrow();
      }
    });
    return halls;
  }

  #missing(id) {
    const search = element("button", { type: "button", onclick: () => this.#onClose(id) }, "Search the buildings");
    return [element("p", {}, "No building has this ID. It may have been removed since the link was made."), search];
  }
}

/** Return the photo, of samples a drawing, or a note in its place if it does not load from the provider's server. */
function picture(building, isSample) {
  const figure = element("figure");
  const caption = (text) => element("figcaption", { class: "muted" }, text);
  const showMissing = () => figure.replaceChildren(caption("The photo is not available."));
  if (/^(https:|data:image\/)/i.test(building.image)) {
    const alt = isSample ? "Drawing" : `Photo of ${building.name ?? "the building"}`;
    const image = element("img", { alt, referrerpolicy: "no-referrer", onerror: showMissing });
    image.src = building.image;
    figure.append(image, ...(isSample ? [caption("A drawing, not this building.")] : []));
  } else {
    showMissing();
  }
  return figure;
}

/** Return the URL of the way to a building: in the app for maps of Android or iOS, else at OpenStreetMap. */
function directionsUrl({ name, geometry }) {
  const position = geometry.point.join(",");
  if (/Android/.test(navigator.userAgent)) {
    const label = name === null ? "" : `(${encodeURIComponent(name)})`;
    return `geo:${position}?q=${position}${label}`;
  }
  if (isIos()) {
    return `maps://?${new URLSearchParams({ daddr: position })}`;
  }
  return `https://www.openstreetmap.org/directions?${new URLSearchParams({ route: `;${position}` })}`;
}

function isIos() {
  const { userAgent, maxTouchPoints } = navigator;
  // Safari on an iPad calls itself a Macintosh, none of which has a touch screen.
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 0);
}

/** Return a link to a building on the map of OpenStreetMap. */
function positionLink({ geometry }) {
  const [latitude, longitude] = geometry.point;
  const marker = new URLSearchParams({ mlat: latitude, mlon: longitude });
  const href = `https://www.openstreetmap.org/?${marker}#map=19/${latitude}/${longitude}`;
  return element("a", { href }, `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`);
}

/** Return links to the menus of the halls in a building; none while it is unknown which halls these are. */
async function hallLinks({ id }) {
  const { data } = await unlessFailed(fetchJson("dining/locations.geojson"), { features: [] });
  return data.features.filter(({ properties }) => properties.building === id).map(menusLink);
}

function menusLink({ id, properties: { name } }) {
  const query = new URLSearchParams({ view: "menus", location: id });
  return element("a", { href: apiUrl(`explore?${query}`) }, `Menus at ${name ?? `hall ${id}`}`);
}
