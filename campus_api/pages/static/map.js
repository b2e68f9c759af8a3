import { buildingName } from "./building-list.js";
import { element } from "./dom.js";
import { addButton, boundsOf, boundsOfAll, createMap, idOf, stripsOf, VisitorPosition } from "./map-base.js";
import { BuildingLabels } from "./map-labels.js";

const MAX_FIT_ZOOM = 18;
const FIT_PADDING = [36, 36];
const MIN_POINT_RADIUS = 1.5;
const MAX_POINT_RADIUS = 8;
const darkScheme = matchMedia("(prefers-color-scheme: dark)");
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** A map of building footprints: some highlighted, at most one selected. */
export class BuildingMap {
  #map;
  #overlay;
  #shapes;
  #region;
  #layer;
  #isAdding = false;
  #labels;
  #highlighted = new Set();
  #selected = null;
  #states = new Map();
  #frame = null;
  #isBusy = true;
  #pendingFit = null;
  #view = null;

  /** `overlay` is an element that may cover a part of the map; `onLocate` is called with the visitor's position. */
  constructor(container, overlay, shapes, { onSelect, onLocate }) {
    // Without buildings, it would show the sea.
    container.hidden = !shapes.length;
    this.#map = createMap(container, () => this.showAll());
    this.#overlay = overlay;
    this.#shapes = new Map(shapes.map((shape) => [idOf(shape), shape]));
    this.#labels = new BuildingLabels(this.#map);
    this.#region = boundsOfAll([...this.#shapes.values()]);
    this.#layer = L.featureGroup([...this.#shapes.values()])
      .bindTooltip(({ options }) => element("span", {}, buildingName(options.building)), { sticky: true })
      .on("click", ({ propagatedFrom }) => onSelect(idOf(propagatedFrom)));
    this.#map
      .on("zoomstart", () => (this.#isBusy = true))
      .on("zoomend", () => this.#finishZoom())
      .on("moveend attribution", () => this.#scheduleLabels());
    // The first fit and what it draws have tasks of their own: shapes of thousands of buildings take long.
    requestAnimationFrame(() => this.#fitPending());
    this.#addPosition(onLocate);
    darkScheme.addEventListener("change", () => {
      this.#states.clear();
      this.#applyStyles();
    });
  }

  /** Highlight the buildings with these IDs and dim the others, which cannot be clicked then. */
  highlight(ids) {
    this.#highlighted = new Set(ids);
    this.#applyStyles();
  }

  /** Select one building, or none with null. */
  select(id) {
    if (id !== this.#selected) {
      this.#selected = id;
      this.#applyStyles();
    }
  }

  /** Zoom to the highlighted buildings, or to all if there are none. */
  showAll() {
    const highlighted = this.#highlightedShapes();
    this.#fit(highlighted.length ? boundsOfAll(highlighted) : this.#region);
  }

  /** Zoom to the selected building, unless the map is closer already, or to all if it does not exist. */
  showSelected() {
    const shape = this.#shapes.get(this.#selected);
    if (shape) {
      this.#fit(boundsOf(shape), Math.max(MAX_FIT_ZOOM, this.#map.getZoom()));
    } else {
      this.showAll();
    }
  }

  /** Zoom again to what was shown last: the overlay covers another part of the map. */
  showAgain() {
    if (this.#view) {
      this.#fit(...this.#view);
    }
  }

  /** Add the button for the visitor's position, which browsers tell only to pages that came by HTTPS or from localhost. */
  #addPosition(onLocate) {
    if (isSecureContext && this.#region.isValid()) {
      const position = new VisitorPosition(this.#map, this.#region, (latlng, bounds) => {
        onLocate(latlng);
        this.#showPosition(bounds);
      });
      addButton(this.#map, "topright", "My position", () => position.request());
    }
  }

  /** Zoom to the visitor, together with the selected building, or with the first of those that are highlighted. */
  #showPosition(bounds) {
    const [first] = this.#highlighted;
    const shape = this.#shapes.get(this.#selected ?? first);
    this.#fit(shape ? bounds.extend(boundsOf(shape)) : bounds);
  }

  #highlightedShapes() {
    return [...this.#shapes.values()].filter((shape) => this.#highlighted.has(idOf(shape)));
  }

  /** Fit the map to bounds, now, or as soon as it exists or an animated zoom ends, whose last frame would undo it. */
  #fit(bounds, maxZoom = MAX_FIT_ZOOM) {
    this.#view = [bounds, maxZoom];
    const fit = () => this.#fitNow(bounds, maxZoom);
    if (this.#isBusy) {
      this.#pendingFit = fit;
    } else {
      fit();
    }
  }

  #fitNow(bounds, maxZoom) {
    this.#map.invalidateSize();
    if (bounds.isValid()) {
      this.#map.fitBounds(bounds, {
        paddingTopLeft: FIT_PADDING,
        paddingBottomRight: L.point(this.#coveredPart()).add(FIT_PADDING),
        maxZoom,
        animate: this.#map.hasLayer(this.#layer) && !reducedMotion.matches,
      });
      this.#addShapes();
    }
  }

  /** Add the shapes once, a strip in each frame, after the first fit: before it, they would be projected twice. */
  #addShapes() {
    if (!this.#isAdding) {
      this.#isAdding = true;
      requestAnimationFrame(() => this.#addStrips(stripsOf([...this.#shapes.values()])));
    }
  }

  #addStrips([strip = [], ...others]) {
    strip.forEach((shape) => this.#map.addLayer(shape));
    if (others.length) {
      requestAnimationFrame(() => this.#addStrips(others));
      return;
    }
    this.#layer.addTo(this.#map);
    this.#shapes.get(this.#selected)?.bringToFront();
    // Leaflet draws the shapes in the next frame.
    requestAnimationFrame(() => this.#scheduleLabels());
  }

  #finishZoom() {
    this.#scalePoints();
    this.#fitPending();
  }

  #fitPending() {
    this.#isBusy = false;
    const fit = this.#pendingFit;
    this.#pendingFit = null;
    fit?.();
  }

  /** Return the width or the height of the part of the map that its overlay covers, at the right or at the bottom. */
  #coveredPart() {
    const map = this.#map.getContainer().getBoundingClientRect();
    const overlay = this.#overlay.getBoundingClientRect();
    if (!overlay.width || overlay.top > map.bottom) {
      return [0, 0];
    }
    const isAtRight = overlay.left - map.left > overlay.top - map.top;
    return isAtRight ? [map.right - overlay.left, 0] : [0, map.bottom - overlay.top];
  }

  #applyStyles() {
    const styles = currentStyles();
    for (const [id, shape] of this.#shapes) {
      const state = id === this.#selected ? "selected" : this.#highlighted.has(id) ? "highlighted" : "dimmed";
      if (state !== this.#states.get(id)) {
        this.#states.set(id, state);
        shape.options.interactive = state !== "dimmed";
        shape.setStyle(styles[state]);
        shape[state === "dimmed" ? "bringToBack" : "bringToFront"]();
      }
    }
    this.#scalePoints();
    this.#scheduleLabels();
  }

  /** Draw points in the size of a building of about 14 metres, but never too small or too large. */
  #scalePoints() {
    const radius = Math.min(MAX_POINT_RADIUS, Math.max(MIN_POINT_RADIUS, 2 ** (this.#map.getZoom() - 14)));
    for (const [id, shape] of this.#shapes) {
      shape.setRadius?.(id === this.#selected ? MAX_POINT_RADIUS : radius);
    }
  }

  /** Show the labels once before the next frame, after all changes of shapes and zoom; not in the task that adds them. */
  #scheduleLabels() {
    cancelAnimationFrame(this.#frame);
    if (this.#map.hasLayer(this.#layer)) {
      this.#frame = requestAnimationFrame(() => this.#showLabels());
    }
  }

  /** Return the boxes of the buttons and of the overlay, in pixels from the top left corner of the map. */
  #obstacles() {
    const container = this.#map.getContainer();
    const { left, top } = container.getBoundingClientRect();
    return [...container.querySelectorAll(".leaflet-control"), this.#overlay].map((each) => {
      const box = each.getBoundingClientRect();
      return L.bounds([box.left - left, box.top - top], [box.right - left, box.bottom - top]);
    });
  }

  #showLabels() {
    const selected = this.#shapes.get(this.#selected);
    const others = this.#highlightedShapes().filter((shape) => shape !== selected && shape.options.building.name !== null);
    this.#labels.show(selected ? [selected, ...others] : others, this.#obstacles());
  }
}

function currentStyles() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    selected: { weight: 2.5, color: colour("selected"), fillColor: colour("selected"), fillOpacity: 0.9 },
    highlighted: { weight: 1, color: colour("accent"), fillColor: colour("footprint"), fillOpacity: 0.9 },
    dimmed: { weight: 1, color: colour("footprint-dimmed"), fillColor: colour("footprint-dimmed"), fillOpacity: 0.6 },
  };
}
