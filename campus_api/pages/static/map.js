import { element } from "./dom.js";
import { shownName } from "./text.js";

const MAX_FIT_ZOOM = 18;
const FIT_PADDING = [36, 36];
const MIN_POINT_RADIUS = 1.5;
const MAX_POINT_RADIUS = 8;
const darkScheme = matchMedia("(prefers-color-scheme: dark)");
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const paper = matchMedia("print");
const MAX_ZOOM = 20;
// That of most servers; Leaflet enlarges these tiles beyond.
const MAX_TILE_ZOOM = 19;
// Of the narrowest common format, A4 in pixels of CSS, without the margins.
const PAPER_WIDTH = 680;
const TIMEOUT_MS = 10_000;
// Relative to the region of all buildings.
const NEAR = 0.5;
const STRIP_SIZE = 250;
const CELL = 4;
// At least a cell, so that no shape covers the place of its label.
const GAP = CELL;
// Between labels, and around the names inside of shapes.
const MARGIN = 6;
// As in explore.css, relative to the font size of the page.
const HEIGHT = 1;
const MAX_WIDTH = 13;
const FONT_SIZE = 0.8125;
const FONT_WEIGHT = 600;
// What a cell has instead of a shape.
const FREE = 2 ** 31 - 1;
const TAKEN = -1;

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
      .bindTooltip(({ options }) => element("span", {}, shownName(options.building)), { sticky: true })
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
      const unselected = this.#highlighted.has(id) ? "highlighted" : "dimmed";
      const state = id === this.#selected ? "selected" : unselected;
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

/** Return a Leaflet map in Web Mercator, with the configured tiles, and a button that shows all buildings. */
function createMap(container, onShowAll) {
  const { tilesUrl, attribution } = container.dataset;
  const map = L.map(container, {
    attributionControl: false,
    maxZoom: MAX_ZOOM,
    minZoom: 2,
    // Tiles are blurred at fractions.
    zoomSnap: tilesUrl ? 1 : 0.25,
    renderer: L.canvas({ padding: 0.5, tolerance: 4 }),
  }).setView([0, 0], 9);
  if (tilesUrl) {
    addTiles(map, tilesUrl, attribution);
  }
  // In the units of the list, and as long as its text, which the visitor may have enlarged.
  const fontSize = parseFloat(getComputedStyle(document.documentElement).fontSize);
  L.control.scale({ imperial: false, maxWidth: 6 * fontSize }).addTo(map);
  addButton(map, "topleft", "Show all", onShowAll);
  new ResizeObserver(() => fitContainer(map, container)).observe(container);
  return map;
}

/** Fit a map to its container, and tell explore.css the size, which the map keeps on paper: it cannot be drawn anew. */
function fitContainer(map, container) {
  if (paper.matches) {
    return;
  }
  map.invalidateSize();
  const { x: width, y: height } = map.getSize();
  container.style.setProperty("--width", `${width}px`);
  container.style.setProperty("--height", `${height}px`);
  container.style.setProperty("--scale", Math.min(1, PAPER_WIDTH / width));
}

/** Add tiles; the map fires "attribution" when it shows theirs. */
function addTiles(map, url, attribution) {
  const showAttribution = () => {
    L.control.attribution({ position: "topright", prefix: false }).addTo(map);
    map.fire("attribution");
  };
  L.tileLayer(url, { attribution, maxZoom: MAX_ZOOM, maxNativeZoom: MAX_TILE_ZOOM })
    .once("tileload", showAttribution)
    .addTo(map);
}

/** Add a button in a corner of a map, such as "topleft". */
function addButton(map, position, text, onClick) {
  const control = L.control({ position });
  control.onAdd = () => {
    const button = element("button", { type: "button", class: "map-button", onclick: onClick }, text);
    L.DomEvent.disableClickPropagation(button);
    return button;
  };
  control.addTo(map);
}

/** The position of the visitor on a map; it is requested on a click, and never leaves the page. */
class VisitorPosition {
  #map;
  #region;
  #onShow;
  #layer;
  #status = element("p", { class: "map-status", role: "status" });

  /** `region` contains all buildings; `onShow` is called with the position and the bounds to show. */
  constructor(map, region, onShow) {
    this.#map = map;
    this.#region = region;
    this.#onShow = onShow;
    this.#layer = L.layerGroup().addTo(map);
    map.getContainer().append(this.#status);
    map.on("locationfound", (event) => this.#show(event)).on("locationerror", ({ code }) => this.#showError(code));
  }

  request() {
    this.#status.textContent = "Looking for your position…";
    this.#map.locate({ enableHighAccuracy: true, timeout: TIMEOUT_MS });
  }

  #show({ latlng, accuracy, bounds }) {
    const isNear = this.#region.pad(NEAR).contains(latlng);
    const kilometres = Math.round(latlng.distanceTo(this.#region.getCenter()) / 1000).toLocaleString("en");
    this.#status.textContent = isNear ? "" : `You are ${kilometres} km away from the campus.`;
    this.#layer.clearLayers();
    this.#layer.addLayer(accuracyCircle(latlng, accuracy)).addLayer(dot(latlng));
    this.#onShow(latlng, isNear ? bounds : L.latLngBounds(bounds).extend(this.#region));
  }

  #showError(code) {
    this.#layer.clearLayers();
    this.#status.textContent =
      code === GeolocationPositionError.PERMISSION_DENIED
        ? "Your browser does not allow this page to know your position."
        : "Your position could not be determined.";
  }
}

function accuracyCircle(position, radius) {
  const color = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
  return L.circle(position, { radius, color, weight: 1, fillOpacity: 0.1, interactive: false });
}

function dot(position) {
  const icon = L.divIcon({ className: "map-position", html: element("span"), iconSize: null });
  return L.marker(position, { icon, interactive: false, keyboard: false });
}

/** Return buildings, the largest first: their names come first where only one of two fits. */
export function byArea(buildings) {
  const areas = new Map(buildings.map((building) => [building, areaOf(building)]));
  return [...buildings].sort((one, other) => areas.get(other) - areas.get(one));
}

/** Return the area of the footprint of a building, in units of which only the ratio matters. */
function areaOf({ geometry: { polygons } }) {
  return polygons.reduce((sum, ring) => sum + Math.abs(signedArea(ring)), 0);
}

function signedArea(ring) {
  const products = ring.map(([x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length];
    return x * nextY - nextX * y;
  });
  return products.reduce((sum, product) => sum + product, 0);
}

/** Return the shape of a building for a map. */
export function createShape(building) {
  const { point, polygons } = building.geometry;
  const options = { building, parts: (polygons.length ? polygons : [[point]]).map((ring) => L.latLngBounds(ring)) };
  return polygons.length ? L.polygon(polygons.map((ring) => [ring]), options) : L.circleMarker(point, options);
}

/** Return shapes in groups from south to north, of which each is drawn without the others; their order is that of shapes. */
function stripsOf(shapes) {
  const ranks = new Map(shapes.map((shape, index) => [shape, index]));
  const sorted = [...shapes].sort((one, other) => latitudeOf(one) - latitudeOf(other));
  const starts = [...sorted.keys()].filter((index) => index % STRIP_SIZE === 0);
  return starts.map((start) =>
    sorted.slice(start, start + STRIP_SIZE).sort((one, other) => ranks.get(one) - ranks.get(other)),
  );
}

function latitudeOf({ options }) {
  return options.building.geometry.point[0];
}

export function idOf(shape) {
  return shape.options.building.id;
}

function boundsOf(shape) {
  return shape.getBounds?.() ?? L.latLngBounds([shape.getLatLng()]);
}

function boundsOfAll(shapes) {
  return L.latLngBounds(shapes.map(boundsOf));
}

/** The names of buildings on a map, as far as they fit at its zoom: in their shapes, next to them, or over smaller ones. */
class BuildingLabels {
  #map;
  #layer;
  #canvas = document.createElement("canvas").getContext("2d");
  #rem = null;
  #widths = new Map();

  constructor(map) {
    this.#map = map;
    this.#layer = L.layerGroup().addTo(map);
    // The list of results has the same names.
    map.createPane("labels").setAttribute("aria-hidden", "true");
  }

  /** Label those of the shapes whose names fit, the first ones first; `obstacles` are the boxes of what covers the map. */
  show(shapes, obstacles) {
    this.#readFont();
    const view = L.bounds([0, 0], this.#map.getSize());
    const visible = shapes.map((shape) => [shape, this.#visibleParts(shape, view)]).filter(([, parts]) => parts.length);
    const cells = new Cells(view);
    // The first ones last, so that theirs is what others would cover.
    for (const [index, [, parts]] of [...visible.entries()].reverse()) {
      parts.forEach((box) => cells.fill(box, index));
    }
    obstacles.forEach((box) => cells.fill(box, TAKEN));
    this.#layer.clearLayers();
    visible.forEach(([{ options }, parts], index) => {
      const label = this.#place(options.building, largest(parts), index, cells);
      if (label) {
        cells.fill(padded(label), TAKEN);
        this.#layer.addLayer(this.#marker(options.building, label.getCenter()));
      }
    });
  }

  /** Return the box of the label of a shape: inside it, in a free place next to it, over smaller ones, or null. */
  #place(building, box, index, cells) {
    const size = L.point(this.#widthOf(shownName(building)), HEIGHT * this.#rem);
    const over = boxAround(this.#centreOf(building, box), size, cells.view);
    const mayCover = cells.areAtLeast(index, over);
    if (mayCover && box.contains(padded(over))) {
      return over;
    }
    const places = placesAround(box, size).map((centre) => boxAround(centre, size, cells.view));
    return places.find((place) => cells.areAtLeast(FREE, place)) ?? (mayCover ? over : null);
  }

  /** Return where the name of a building stands in the visible part of its shape. */
  #centreOf({ geometry }, box) {
    const point = this.#pointOf(geometry.point);
    return box.contains(point) ? point : box.getCenter();
  }

  /** Return the bounding boxes of what is visible of a shape, in pixels from the top left corner of the map. */
  #visibleParts(shape, view) {
    const radius = shape.getRadius?.() ?? 0;
    const boxes = shape.options.parts.map((bounds) => {
      const [min, max] = [bounds.getNorthWest(), bounds.getSouthEast()].map((corner) => this.#pointOf(corner));
      return L.bounds(min.subtract([radius, radius]), max.add([radius, radius]));
    });
    return boxes.filter((box) => view.overlaps(box)).map((box) => visiblePart(box, view));
  }

  #pointOf(position) {
    return this.#map.latLngToContainerPoint(position);
  }

  /** Read the font of the page, which the visitor may have enlarged. */
  #readFont() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    if (rem !== this.#rem) {
      this.#rem = rem;
      this.#widths.clear();
      const { fontFamily } = getComputedStyle(this.#map.getContainer());
      this.#canvas.font = `${FONT_WEIGHT} ${FONT_SIZE * rem}px ${fontFamily}`;
    }
  }

  /** Return the width of a text, letter by letter: to measure thousands of names takes long. */
  #widthOf(text) {
    const width = [...text].reduce((sum, letter) => sum + this.#widthOfLetter(letter), 0);
    return Math.min(MAX_WIDTH * this.#rem, Math.ceil(width));
  }

  #widthOfLetter(letter) {
    if (!this.#widths.has(letter)) {
      this.#widths.set(letter, this.#canvas.measureText(letter).width);
    }
    return this.#widths.get(letter);
  }

  #marker(building, centre) {
    // As an element, because Leaflet inserts strings as HTML.
    const html = element("span", {}, shownName(building));
    const icon = L.divIcon({ className: "map-label", html, iconSize: null });
    const options = { icon, interactive: false, keyboard: false, pane: "labels" };
    return L.marker(this.#map.containerPointToLatLng(centre), options);
  }
}

/** A grid over the map: for each cell, the index of the first shape whose box covers it, FREE or TAKEN. */
class Cells {
  view;
  #columns;
  #cells;

  constructor(view) {
    this.view = view;
    this.#columns = Math.floor(view.max.x / CELL) + 1;
    this.#cells = new Int32Array(this.#columns * (Math.floor(view.max.y / CELL) + 1)).fill(FREE);
  }

  fill(box, value) {
    const { left, right, top, bottom } = this.#range(box);
    for (let row = top; row <= bottom; row += 1) {
      this.#cells.fill(value, row * this.#columns + left, row * this.#columns + right + 1);
    }
  }

  /** Tell whether no cell under a box has less than this value. */
  areAtLeast(value, box) {
    const { left, right, top, bottom } = this.#range(box);
    for (let row = top; row <= bottom; row += 1) {
      for (let column = left; column <= right; column += 1) {
        if (this.#cells[row * this.#columns + column] < value) {
          return false;
        }
      }
    }
    return true;
  }

  #range({ min, max }) {
    const { x, y } = this.view.max;
    return { left: cell(min.x, x), right: cell(max.x, x), top: cell(min.y, y), bottom: cell(max.y, y) };
  }
}

function cell(coordinate, max) {
  return Math.floor(Math.min(max, Math.max(0, coordinate)) / CELL);
}

function largest(boxes) {
  const areaOf = (box) => box.getSize().x * box.getSize().y;
  return boxes.reduce((one, other) => (areaOf(other) > areaOf(one) ? other : one));
}

function visiblePart({ min, max }, view) {
  const limit = (point) => L.point(clamp(point.x, 0, view.max.x), clamp(point.y, 0, view.max.y));
  return L.bounds(limit(min), limit(max));
}

/** Return the centres of boxes of this size above, below, at the right and at the left of a box. */
function placesAround(box, size) {
  const { x, y } = box.getCenter();
  const distance = box.getSize().add(size).divideBy(2).add([GAP, GAP]);
  return [[x, y - distance.y], [x, y + distance.y], [x + distance.x, y], [x - distance.x, y]].map((place) => L.point(place));
}

/** Return a box of this size around a point, moved as far as necessary to be inside of the view. */
function boxAround(centre, size, view) {
  const half = size.divideBy(2);
  const x = clamp(centre.x, half.x + MARGIN, view.max.x - half.x - MARGIN);
  const y = clamp(centre.y, half.y + MARGIN, view.max.y - half.y - MARGIN);
  return L.bounds(L.point(x - half.x, y - half.y), L.point(x + half.x, y + half.y));
}

function padded({ min, max }) {
  return L.bounds(min.subtract([MARGIN, MARGIN]), max.add([MARGIN, MARGIN]));
}

function clamp(value, min, max) {
  return Math.max(min, Math.min(max, value));
}
