const CLOSEST = 18;
const LEAST_PIXELS = 16;
const MOST_LABELS = 8;
const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** A map of footprints without anything beneath: those that are shown, the others faintly, one of them chosen. */
export class FootprintMap {
  constructor(container, whenChosen) {
    this.whenChosen = whenChosen;
    this.layers = new Map();
    this.shown = new Set();
    this.chosen = null;
    this.map = L.map(container, {
      attributionControl: false,
      preferCanvas: true,
      maxZoom: 20,
      minZoom: 9,
      zoomSnap: 0.25,
      renderer: L.canvas({ padding: 0.5, tolerance: 4 }),
    }).setView([0, 0], 2);
    L.control.scale({ imperial: true }).addTo(this.map);
    dark.addEventListener("change", () => this.#paint());
  }

  /** Put these buildings on the map, instead of those before. */
  place(buildings) {
    for (const { layer } of this.layers.values()) {
      layer.remove();
    }
    this.layers = new Map(buildings.map((building) => [building.id, { building, layer: this.#layer(building) }]));
    this.#paint();
  }

  /** Show the buildings with these ids, the others faintly. */
  show(ids) {
    this.shown = new Set(ids);
    this.#paint();
  }

  /** Choose one building, or none with null, and move so that it is seen, large enough. */
  choose(id) {
    if (id !== this.chosen) {
      this.chosen = id;
      this.#paint();
      this.#reveal(id);
    }
  }

  /** Move so that the buildings with these ids are seen; all when there are none. */
  fit(ids) {
    this.map.invalidateSize();
    const known = ids.filter((id) => this.layers.has(id));
    const wanted = known.length ? known : [...this.layers.keys()];
    const bounds = L.latLngBounds(wanted.map((id) => this.#bounds(id)));
    if (bounds.isValid()) {
      this.map.fitBounds(bounds, { padding: [36, 36], maxZoom: CLOSEST, animate: !still.matches });
    }
  }

  #reveal(id) {
    if (this.layers.has(id)) {
      const bounds = this.#bounds(id);
      const [one, other] = [bounds.getSouthWest(), bounds.getNorthEast()].map((at) => this.map.latLngToLayerPoint(at));
      const isTiny = one.distanceTo(other) < LEAST_PIXELS && this.layers.get(id).building.geometry.polygons.length > 0;
      if (isTiny || !this.map.getBounds().contains(bounds)) {
        this.fit([id]);
      }
    }
  }

  #bounds(id) {
    const { layer } = this.layers.get(id);
    return layer.getBounds?.() ?? L.latLngBounds([layer.getLatLng()]);
  }

  #layer(building) {
    const { point, polygons } = building.geometry;
    const layer = polygons.length ? L.polygon(polygons.map((ring) => [ring])) : L.circleMarker(point, { radius: 7 });
    layer.on("click", () => this.whenChosen(building.id));
    return layer.addTo(this.map);
  }

  #paint() {
    const style = getComputedStyle(document.documentElement);
    const colour = Object.fromEntries(
      ["shape", "shape-faint", "accent", "chosen"].map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
    );
    for (const [id, entry] of this.layers) {
      const { layer } = entry;
      const isChosen = id === this.chosen;
      const isSeen = isChosen || this.shown.has(id);
      layer.options.interactive = isSeen;
      layer.setStyle({
        weight: isChosen ? 2.5 : 1,
        color: isChosen ? colour.chosen : isSeen ? colour.accent : colour["shape-faint"],
        fillColor: isChosen ? colour.chosen : isSeen ? colour.shape : colour["shape-faint"],
        fillOpacity: isSeen ? 0.75 : 0.6,
      });
      if (isSeen) {
        layer.bringToFront();
      }
      this.#label(entry, isSeen);
    }
  }

  #label(entry, isSeen) {
    const few = this.shown.size <= MOST_LABELS && this.shown.size < this.layers.size;
    const permanent = isSeen && (few || entry.building.id === this.chosen);
    if (permanent === entry.permanent) {
      return;
    }
    entry.permanent = permanent;
    // An element, because Leaflet would take a text for HTML.
    const label = document.createElement("span");
    label.textContent = entry.building.name ?? "Unnamed building";
    const look = permanent ? { permanent, direction: "center", className: "label" } : { sticky: true };
    entry.layer.unbindTooltip().bindTooltip(label, look);
  }
}
