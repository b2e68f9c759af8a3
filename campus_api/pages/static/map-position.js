import { formatDistance } from "./distances.js";
import { element } from "./dom.js";

const TIMEOUT_MS = 10_000;
// Relative to the region of all buildings.
const NEAR = 0.5;

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
