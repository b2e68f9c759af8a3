import { fetchJson, showStaleness } from "./api.js";
import { BuildingCard } from "./building-card.js";
import { buildingCount, BuildingIndex, buildingList, buildingName, SearchField, showDownloads } from "./building-list.js";
import { element, errorMessage, Loading, showTitle } from "./dom.js";
import { BuildingMap } from "./map.js";
import { byArea, createShape, loadLeaflet } from "./map-base.js";
import { currentParams, navigate } from "./router.js";
import { byDistance } from "./text.js";

const SHAPES_PER_TASK = 1000;

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
  #loading = new Loading(this.#list, () => this.#reload());
  #loaded = null;
  #index = null;
  #shapes = null;
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
    const loaded = (this.#loaded ??= this.#loading.run((signal) => this.#load(signal)));
    try {
      const { buildings, headers, index } = await loaded;
      if (!this.#section.hidden) {
        showStaleness(headers);
        this.#samples.hidden = !index.datasets.buildings.samples;
        this.#showBuildings(buildings, q.trim(), id === undefined ? null : Number(id));
      }
    } catch (error) {
      if (loaded !== this.#loaded) {
        return;
      }
      this.#loaded = null;
      if (!this.#section.hidden) {
        this.#showError(error);
      }
    }
    this.#list.removeAttribute("aria-busy");
  }

  /** Zoom to all buildings that are shown. */
  showAll() {
    this.#map?.showAll();
  }

  /** Fetch the buildings, once while the page is open unless that fails. */
  async #load(signal) {
    const leaflet = window.L ? true : loadLeaflet(this.#mapContainer);
    const { data: buildings, headers } = await fetchJson("map/buildings", signal);
    // Fetched after the buildings, so that it has the state of the data even if the database was unavailable before.
    const { data: index } = await fetchJson("", signal);
    await this.#prepare(buildings, await leaflet);
    return { buildings, headers, index };
  }

  /** Fetch the buildings anew, instead of waiting for a response. */
  #reload() {
    this.#loaded = null;
    this.show(currentParams());
  }

  /** Make the index and the shapes in several tasks: with thousands of buildings, each takes long. */
  async #prepare(buildings, hasLeaflet) {
    await nextTask();
    this.#index = new BuildingIndex(buildings);
    await nextTask();
    if (!hasLeaflet) {
      this.#mapContainer.replaceChildren(element("p", { class: "message" }, "The map did not load. ", element("a", { href: "" }, "Reload")));
      return;
    }
    const sorted = byArea(buildings);
    const shapes = [];
    for (let start = 0; start < sorted.length; start += SHAPES_PER_TASK) {
      await nextTask();
      shapes.push(...sorted.slice(start, start + SHAPES_PER_TASK).map(createShape));
    }
    this.#shapes = shapes;
    await nextTask();
  }

  #showBuildings(buildings, text, selected) {
    this.#buildings = buildings;
    const isNewSearch = text !== this.#text;
    const isNewSelection = selected !== this.#selected;
    if (isNewSearch) {
      this.#showResults(text);
    }
    if (isNewSearch || this.#isUnlisted(selected)) {
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
    const matches = this.#index.search(text);
    const count = buildingCount(matches.length, this.#buildings.length, text);
    this.#matches = this.#position ? byDistance(matches, this.#position) : matches;
    this.#count.textContent = this.#position ? `${count}, nearest first` : count;
    showDownloads(this.#downloads, this.#matches, text);
    this.#mapContainer.setAttribute("aria-label", `Map: ${count}`);
    // Leaflet measures its container, which must be visible by now.
    this.#map ??= this.#shapes && new BuildingMap(this.#mapContainer, this.#cardContainer, this.#shapes, {
      onSelect: (id) => this.#select(id),
      onLocate: (position) => this.#locate(position),
    });
    this.#map?.highlight(this.#matches.map(({ id }) => id));
  }

  /** Tell whether a building is missing in the list only because it is one of many. */
  #isUnlisted(id) {
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
    showTitle(building ? buildingName(building) : "Buildings");
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
    this.#list.replaceChildren(errorMessage(error, () => this.show(currentParams())));
  }

  #select(id) {
    this.#focusesCard = true;
    navigate({ view: "buildings", id: String(id) });
  }

  #deselect(id) {
    navigate({ id: null });
    (this.#buttonOf(id) ?? this.#field).focus();
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

/** Wait for a new task, before which the browser can respond to the visitor. */
function nextTask() {
  return new Promise((resolve) => setTimeout(resolve));
}
