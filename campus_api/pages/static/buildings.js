import { fetchJsonOnce } from "./api.js";
import { BuildingCard } from "./building-card.js";
import { buildingCount, buildingList } from "./building-list.js";
import { BuildingIndex, SearchField } from "./building-search.js";
import { errorMessage, showSources } from "./dom.js";
import { FootprintMap } from "./map.js";
import { currentParams, navigate } from "./router.js";

/** The buildings on a map and in a list, filtered by a search, with a card for the selected one. */
export class BuildingsView {
  #section = document.getElementById("buildings");
  #count = document.getElementById("result-count");
  #list = document.getElementById("results");
  #sources = document.getElementById("building-sources");
  #mapContainer = document.getElementById("map");
  #field = new SearchField(document.getElementById("search"), searchFor);
  #card = new BuildingCard(document.getElementById("building-card"), (id) => this.#deselect(id));
  #index = null;
  #map = null;
  #text = null;
  #focusesCard = false;

  /** Show the buildings that contain all words of `q`, and the card of the one with this `id`. */
  async show({ q = "", id }) {
    this.#field.setText(q);
    this.#list.setAttribute("aria-busy", "true");
    try {
      const { data: buildings, url } = await fetchJsonOnce("map/buildings");
      if (!this.#section.hidden) {
        this.#showBuildings(buildings, url, q.trim(), id === undefined ? null : Number(id));
      }
    } catch (error) {
      this.#showError(error);
    }
    this.#list.removeAttribute("aria-busy");
  }

  #showBuildings(buildings, url, text, selected) {
    if (text !== this.#text) {
      this.#showResults(buildings, url, text, selected);
      this.#text = text;
    }
    this.#showSelected(buildings.find(({ id }) => id === selected), selected);
  }

  #showResults(buildings, url, text, selected) {
    this.#index ??= new BuildingIndex(buildings);
    const matches = this.#index.search(text);
    const ids = matches.map(({ id }) => id);
    const total = buildings.length;
    this.#count.textContent = buildingCount(matches.length, total, text);
    this.#list.replaceChildren(buildingList(matches, { total, text, onSelect: (id) => this.#select(id) }));
    showSources(this.#sources, [url]);
    this.#mapContainer.setAttribute("aria-label", `Map: ${this.#count.textContent}`);
    // Leaflet measures its container, which must be visible by now.
    this.#map ??= new FootprintMap(this.#mapContainer, buildings, (id) => this.#select(id));
    this.#map.highlight(ids);
    this.#map.fit(text ? ids : selected === null ? [] : [selected]);
  }

  #showSelected(building, id) {
    for (const button of this.#buttons()) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.id) === id));
    }
    this.#map.select(id);
    if (id === null) {
      this.#card.hide();
    } else {
      this.#card.show(id, building);
      if (this.#focusesCard) {
        this.#card.focus();
      }
    }
    this.#focusesCard = false;
  }

  #showError(error) {
    this.#count.textContent = "";
    this.#card.hide();
    this.#text = null;
    showSources(this.#sources, []);
    this.#list.replaceChildren(errorMessage(error, () => this.show(currentParams())));
  }

  #select(id) {
    this.#focusesCard = true;
    navigate({ view: "buildings", id: String(id) });
  }

  #deselect(id) {
    navigate({ id: null });
    (this.#buttons().find(({ dataset }) => Number(dataset.id) === id) ?? this.#field).focus();
  }

  #buttons() {
    return [...this.#list.querySelectorAll("[data-id]")];
  }
}

/** Search for `text`; while a search is being refined, the history keeps one entry. */
function searchFor(text) {
  navigate({ view: "buildings", q: text, id: null }, { replace: Boolean(currentParams().q) });
}
