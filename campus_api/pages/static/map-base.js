import { element } from "./dom.js";
import { formatDistance } from "./text.js";

const MAX_ZOOM = 20;
// That of most servers; Leaflet enlarges these tiles beyond.
const MAX_TILE_ZOOM = 19;
// Of the narrowest common format, A4 in pixels of CSS, without the margins.
const PAPER_WIDTH = 680;
const LEAFLET_MS = 10_000;
const paper = matchMedia("print");
const TIMEOUT_MS = 10_000;
// Relative to the region of all buildings.
const NEAR = 0.5;
const STRIP_SIZE = 250;

/** Load Leaflet, once; without it, false: the list of buildings needs no map. */
export async function loadLeaflet({ dataset }) {
  const { leaflet } = dataset;
  const link = element("link", { rel: "stylesheet", href: `${leaflet}.css` });
  const script = element("script", { src: `${leaflet}.js` });
  const loaded = [link, script].map((node) => new Promise((resolve) => {
    node.addEventListener("load", () => resolve(true));
    node.addEventListener("error", () => resolve(false));
    setTimeout(() => resolve(false), LEAFLET_MS);
  }));
  // The own styles come after it.
  document.head.prepend(link, script);
  return (await Promise.all(loaded)).every(Boolean);
}

/** Return a Leaflet map in Web Mercator, with the configured tiles, and a button that shows all buildings. */
export function createMap(container, onShowAll) {
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
  L.control.scale({ metric: false, maxWidth: 6 * fontSize }).addTo(map);
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
export function addButton(map, position, text, onClick) {
  const control = L.control({ position });
  control.onAdd = () => {
    const button = element("button", { type: "button", class: "map-button", onclick: onClick }, text);
    L.DomEvent.disableClickPropagation(button);
    return button;
  };
  control.addTo(map);
}

/** The position of the visitor on a map; it is requested on a click, and never leaves the page. */
export class VisitorPosition {
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
    const distance = formatDistance(latlng.distanceTo(this.#region.getCenter()));
    this.#status.textContent = isNear ? "" : `You are ${distance} away from the campus.`;
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
export function stripsOf(shapes) {
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

export function boundsOf(shape) {
  return shape.getBounds?.() ?? L.latLngBounds([shape.getLatLng()]);
}

export function boundsOfAll(shapes) {
  return L.latLngBounds(shapes.map(boundsOf));
}
