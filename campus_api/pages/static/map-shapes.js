const STRIP_SIZE = 250;

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
