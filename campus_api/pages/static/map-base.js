import { element } from "./dom.js";

const MAX_ZOOM = 20;
// That of most servers; Leaflet enlarges these tiles beyond.
const MAX_TILE_ZOOM = 19;
// Of the narrowest common format, A4 in pixels of CSS, without the margins.
const PAPER_WIDTH = 680;
const LEAFLET_MS = 10_000;
const paper = matchMedia("print");

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
