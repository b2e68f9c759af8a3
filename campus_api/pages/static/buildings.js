import { fetchJsonOnce } from "./api.js";
import { BuildingCard } from "./building-card.js";
import { buildingCount, buildingList } from "./building-list.js";
import { BuildingSearch, SearchField } from "./building-search.js";
import { errorMessage, showSources } from "./dom.js";
import { FootprintMap } from "./map.js";
import { currentParams, navigate } from "./router.js";

/** The buildings on a map and in a list, filtered by a search, with a card for the selected one. */
export class BuildingsView {
  #count = document.getElementById("result-count");
  #list = document.getElementById("results");
  #sources = document.getElementById("building-sources");
  #mapContainer = document.getElementById("map");
  #field = new SearchField(document.getElementById("search"), searchFor);
  #card = new BuildingCard(document.getElementById("building-card"), (id) => this.#deselect(id));
  #search = new BuildingSearch();
  #map = null;
  #shownResults = null;
  #focusesCard = false;

  /** Show the buildings whose name or address contains `q`, and the card of the one with this `id`. */
  async show({ q = "", id }) {
    const text = q.trim();
    this.#field.setText(q);
    const results = this.#search.run(text);
    this.#list.setAttribute("aria-busy", "true");
    try {
      const [{ data: buildings }, responses] = await Promise.all([fetchJsonOnce("map/buildings"), results]);
      if (this.#search.isLatest(results)) {
        const selected = id === undefined ? null : Number(id);
        if (this.#shownResults !== results) {
          this.#showResults(buildings, responses, text, selected);
          this.#shownResults = results;
        }
        this.#list.removeAttribute("aria-busy");
        this.#showSelected(buildings, selected);
      }
    } catch (error) {
      if (this.#search.isLatest(results)) {
        this.#search.reset();
        this.#showError(error);
      }
    }
  }

  #showResults(buildings, responses, text, selected) {
    const total = buildings.length;
    const matches = unique(responses.flatMap(({ data }) => data));
    const ids = matches.map(({ id }) => id);
    this.#count.textContent = buildingCount(matches.length, total, text);
    this.#list.replaceChildren(buildingList(matches, { total, text, onSelect: (id) => this.#select(id) }));
    showSources(this.#sources, responses.map(({ url }) => url));
    this.#mapContainer.setAttribute("aria-label", `Map: ${this.#count.textContent}`);
    // Leaflet measures its container, which must be visible by now.
    this.#map ??= new FootprintMap(this.#mapContainer, buildings, (id) => this.#select(id));
    this.#map.highlight(ids);
    this.#map.fit(text ? ids : selected === null ? [] : [selected]);
  }

  #showSelected(buildings, selected) {
    for (const button of this.#list.querySelectorAll("[data-id]")) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.id) === selected));
    }
    this.#map.select(selected);
    if (selected === null) {
      this.#card.hide();
    } else {
      this.#card.show(selected, buildings.find(({ id }) => id === selected));
      if (this.#focusesCard) {
        this.#card.focus();
      }
    }
    this.#focusesCard = false;
  }

  #showError(error) {
    this.#count.textContent = "";
    this.#card.hide();
    this.#shownResults = null;
    showSources(this.#sources, []);
    this.#list.removeAttribute("aria-busy");
    this.#list.replaceChildren(errorMessage(error, () => this.show(currentParams())));
  }

  #select(id) {
    this.#focusesCard = true;
    navigate({ view: "buildings", id: String(id) });
  }

  #deselect(id) {
    navigate({ id: null });
    (this.#list.querySelector(`[data-id="${id}"]`) ?? this.#field).focus();
  }
}

/** Search for `text`; while a search is being refined, the history keeps one entry. */
function searchFor(text) {
  navigate({ view: "buildings", q: text, id: null }, { replace: Boolean(currentParams().q) });
}

function unique(buildings) {
  return [...new Map(buildings.map((building) => [building.id, building])).values()];
}
