import { buildingName } from "./building-list.js";
import { element } from "./dom.js";

const CELL = 4;
const HEIGHT = 16;
// At least a cell, so that no shape covers the place of its own label.
const GAP = CELL;
// As in explore.css.
const MAX_WIDTH = 208;
const FONT = "600 13px";

/** The names of buildings on a map, as far as they fit at its zoom: inside large shapes, above small ones. */
export class BuildingLabels {
  #map;
  #layer;
  #canvas = document.createElement("canvas").getContext("2d");
  #widths = new Map();

  constructor(map) {
    this.#map = map;
    this.#layer = L.layerGroup().addTo(map);
    // The list of results has the same names.
    map.createPane("labels").setAttribute("aria-hidden", "true");
    this.#canvas.font = `${FONT} ${getComputedStyle(map.getContainer()).fontFamily}`;
  }

  /** Label those of the shapes whose names fit, the first ones first, and the selected one in any case. */
  show(shapes, selected) {
    const view = L.bounds([0, 0], this.#map.getSize());
    const boxes = shapes.map((shape) => [shape, this.#boxOf(shape)]).filter(([, box]) => view.intersects(box));
    const covered = new Cells(view);
    const labelled = new Cells(view);
    boxes.forEach(([, box]) => covered.add(box));
    this.#layer.clearLayers();
    for (const [shape, box] of boxes) {
      const isRequired = shape === selected;
      const inside = this.#insideBox(shape, box);
      const label = inside ?? this.#aboveBox(shape, box, isRequired ? null : covered);
      if (isRequired || (label && labelled.areFree(label) && shape.options.building.name !== null)) {
        labelled.add(label);
        this.#layer.addLayer(inside ? markerInside(shape) : markerAbove(shape));
      }
    }
  }

  /** Return the box of a label inside of a shape, or null if it does not fit. */
  #insideBox({ options: { building } }, box) {
    if (box.getSize().y < HEIGHT) {
      return null;
    }
    const bottom = this.#pointOf(building.geometry.point).add([0, HEIGHT / 2]);
    // With some space, because the box is larger than the shape.
    const label = labelBox(bottom, this.#widthOf(building) + HEIGHT);
    return box.contains(label) ? label : null;
  }

  /** Return the box of a label above a shape, or null if it would be over a shape in `covered`. */
  #aboveBox({ options: { building } }, box, covered) {
    const bottom = L.point(box.getCenter().x, box.min.y - GAP);
    // Names are measured only where there is some place, because it takes long.
    if (covered && !covered.areFree(labelBox(bottom, HEIGHT))) {
      return null;
    }
    const label = labelBox(bottom, this.#widthOf(building));
    return !covered || covered.areFree(label) ? label : null;
  }

  /** Return the bounding box of a shape, in pixels from the top left corner of the map. */
  #boxOf(shape) {
    const [corner, opposite] = cornersOf(shape).map((position) => this.#pointOf(position));
    const radius = shape.getRadius?.() ?? 0;
    return L.bounds(corner.subtract([radius, radius]), opposite.add([radius, radius]));
  }

  #pointOf(position) {
    return this.#map.latLngToContainerPoint(position);
  }

  #widthOf(building) {
    const name = buildingName(building);
    if (!this.#widths.has(name)) {
      this.#widths.set(name, Math.min(MAX_WIDTH, this.#canvas.measureText(name).width));
    }
    return this.#widths.get(name);
  }
}

/** The cells of a grid over the map that boxes cover. */
class Cells {
  #max;
  #columns;
  #covered;

  constructor(view) {
    this.#max = view.max;
    this.#columns = Math.floor(view.max.x / CELL) + 1;
    this.#covered = new Uint8Array(this.#columns * (Math.floor(view.max.y / CELL) + 1));
  }

  add(box) {
    this.#rows(box).forEach(([start, end]) => this.#covered.fill(1, start, end));
  }

  areFree(box) {
    return this.#rows(box).every(([start, end]) => !this.#covered.subarray(start, end).includes(1));
  }

  /** Return the ranges of cells under a box, one for each row. */
  #rows({ min, max }) {
    const [left, right] = [min.x, max.x].map((x) => cell(x, this.#max.x));
    const [top, bottom] = [min.y, max.y].map((y) => cell(y, this.#max.y));
    const rows = Array.from({ length: bottom - top + 1 }, (_, row) => (top + row) * this.#columns);
    return rows.map((start) => [start + left, start + right + 1]);
  }
}

function cell(coordinate, max) {
  return Math.floor(Math.min(max, Math.max(0, coordinate)) / CELL);
}

function labelBox(bottom, width) {
  return L.bounds(bottom.subtract([width / 2, HEIGHT]), bottom.add([width / 2, 0]));
}

function cornersOf(shape) {
  const bounds = shape.getBounds?.();
  return bounds ? [bounds.getNorthWest(), bounds.getSouthEast()] : [shape.getLatLng(), shape.getLatLng()];
}

function markerInside(shape) {
  return marker(shape, shape.options.building.geometry.point, "inside", 0);
}

function markerAbove(shape) {
  const [{ lat, lng }, opposite] = cornersOf(shape);
  return marker(shape, [lat, (lng + opposite.lng) / 2], "above", GAP + (shape.getRadius?.() ?? 0));
}

function marker({ options: { building } }, position, place, offset) {
  // As an element, because Leaflet inserts strings as HTML.
  const html = element("span", { class: place }, buildingName(building));
  const icon = L.divIcon({ className: "map-label", html, iconSize: null, iconAnchor: [0, offset] });
  return L.marker(position, { icon, interactive: false, keyboard: false, pane: "labels" });
}
