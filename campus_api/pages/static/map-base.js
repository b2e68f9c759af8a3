import { element } from "./dom.js";

/** Return a Leaflet map in Web Mercator, with a button that shows all buildings. */
export function createMap(container, onShowAll) {
  const map = L.map(container, {
    attributionControl: false,
    maxZoom: 20,
    minZoom: 9,
    zoomSnap: 0.25,
    renderer: L.canvas({ padding: 0.5, tolerance: 4 }),
  }).setView([0, 0], 9);
  L.control.scale({ imperial: true }).addTo(map);
  addButton(map, "Show all", onShowAll);
  new ResizeObserver(() => map.invalidateSize()).observe(container);
  return map;
}

function addButton(map, text, onClick) {
  const control = L.control({ position: "topleft" });
  control.onAdd = () => {
    const button = element("button", { type: "button", class: "map-button", onclick: onClick }, text);
    L.DomEvent.disableClickPropagation(button);
    return button;
  };
  control.addTo(map);
}
