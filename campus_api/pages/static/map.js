import { buildingName } from "./building-list.js";

const MAX_FIT_ZOOM = 18;
const MIN_VISIBLE_PIXELS = 16;
const MAX_LABELS = 8;
const darkScheme = matchMedia("(prefers-color-scheme: dark)");
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** A Leaflet map of building footprints without a base layer: some highlighted, at most one selected. */
export class FootprintMap {
  #map;
  #entries;
  #highlighted = new Set();
  #selected = null;

  constructor(container, buildings, onSelect) {
    this.#map = L.map(container, {
      attributionControl: false,
      preferCanvas: true,
      maxZoom: 20,
      minZoom: 9,
      zoomSnap: 0.25,
      renderer: L.canvas({ padding: 0.5, tolerance: 4 }),
    }).setView([0, 0], 2);
    L.control.scale({ imperial: true }).addTo(this.#map);
    this.#entries = new Map(buildings.map((building) => [building.id, { building, layer: createLayer(building) }]));
    for (const [id, { layer }] of this.#entries) {
      layer.on("click", () => onSelect(id)).addTo(this.#map);
    }
    darkScheme.addEventListener("change", () => this.#applyStyles());
  }

  /** Highlight the buildings with these IDs and dim the others, which cannot be clicked then. */
  highlight(ids) {
    this.#highlighted = new Set(ids);
    this.#applyStyles();
  }

  /** Select one building, or none with null, and bring it into view. */
  select(id) {
    if (id !== this.#selected) {
      this.#selected = id;
      this.#applyStyles();
      this.#reveal(id);
    }
  }

  /** Zoom to the buildings with these IDs, or to all if none of them is on the map. */
  fit(ids) {
    this.#map.invalidateSize();
    const known = ids.filter((id) => this.#entries.has(id));
    const fitted = known.length ? known : [...this.#entries.keys()];
    const bounds = L.latLngBounds(fitted.map((id) => this.#bounds(id)));
    if (bounds.isValid()) {
      this.#map.fitBounds(bounds, { padding: [36, 36], maxZoom: MAX_FIT_ZOOM, animate: !reducedMotion.matches });
    }
  }

  #reveal(id) {
    if (this.#entries.has(id)) {
      const bounds = this.#bounds(id);
      if (this.#isTooSmall(id, bounds) || !this.#map.getBounds().contains(bounds)) {
        this.fit([id]);
      }
    }
  }

  #isTooSmall(id, bounds) {
    const { polygons } = this.#entries.get(id).building.geometry;
    const corner = this.#map.latLngToLayerPoint(bounds.getSouthWest());
    const opposite = this.#map.latLngToLayerPoint(bounds.getNorthEast());
    return polygons.length > 0 && corner.distanceTo(opposite) < MIN_VISIBLE_PIXELS;
  }

  #bounds(id) {
    const { layer } = this.#entries.get(id);
    return layer.getBounds?.() ?? L.latLngBounds([layer.getLatLng()]);
  }

  #applyStyles() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const styles = {
      selected: { weight: 2.5, color: colour("selected"), fillColor: colour("selected"), fillOpacity: 0.75 },
      highlighted: { weight: 1, color: colour("accent"), fillColor: colour("footprint"), fillOpacity: 0.75 },
      dimmed: { weight: 1, color: colour("footprint-dimmed"), fillColor: colour("footprint-dimmed"), fillOpacity: 0.6 },
    };
    for (const [id, entry] of this.#entries) {
      const state = id === this.#selected ? "selected" : this.#highlighted.has(id) ? "highlighted" : "dimmed";
      entry.layer.options.interactive = state !== "dimmed";
      entry.layer.setStyle(styles[state]);
      if (state !== "dimmed") {
        entry.layer.bringToFront();
      }
      this.#updateLabel(entry, state);
    }
  }

  #updateLabel(entry, state) {
    const isFiltered = this.#highlighted.size <= MAX_LABELS && this.#highlighted.size < this.#entries.size;
    const permanent = state === "selected" || (state === "highlighted" && isFiltered);
    if (permanent !== entry.permanent) {
      entry.permanent = permanent;
      const options = permanent ? { permanent, direction: "center", className: "label" } : { sticky: true };
      entry.layer.unbindTooltip().bindTooltip(label(entry.building), options);
    }
  }
}

function createLayer({ geometry: { point, polygons } }) {
  return polygons.length ? L.polygon(polygons.map((ring) => [ring])) : L.circleMarker(point, { radius: 7 });
}

/** Return a label as an element, because Leaflet inserts strings as HTML. */
function label(building) {
  const span = document.createElement("span");
  span.textContent = buildingName(building);
  return span;
}
