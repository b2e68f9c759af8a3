import { buildingName } from "./building-list.js";
import { element } from "./dom.js";

const CELL = 4;
// At least a cell, so that no shape covers the place of its own label.
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

/** The names of buildings on a map, as far as they fit at its zoom: in their shapes, next to them, or over smaller ones. */
export class BuildingLabels {
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
    const size = L.point(this.#widthOf(buildingName(building)), HEIGHT * this.#rem);
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
    const html = element("span", {}, buildingName(building));
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
