const METRES_PER_FOOT = 0.3048;
const METRES_PER_MILE = 1609.344;
// Longer distances are in miles.
const MAX_FEET = 1000;

/** Return a distance as people of the United States write it, such as "350 ft" or "1.2 mi". */
export function formatDistance(metres) {
  const feet = Math.round(metres / METRES_PER_FOOT / 10) * 10;
  if (feet < MAX_FEET) {
    return `${feet} ft`;
  }
  const miles = metres / METRES_PER_MILE;
  return `${miles.toLocaleString("en", { maximumFractionDigits: miles < 10 ? 1 : 0 })} mi`;
}

/** Return halls with the nearest to a position first, those of an unknown place last. */
export function nearestFirst(halls, { latitude, longitude }) {
  const scale = Math.cos((latitude * Math.PI) / 180);
  const degrees = ({ point }) => (point ? Math.hypot(point[1] - latitude, scale * (point[0] - longitude)) : 360);
  return [...halls].sort((a, b) => degrees(a) - degrees(b));
}

/** Return the buildings with their distances to a position, a LatLng of Leaflet, the nearest first. */
export function byDistance(buildings, position) {
  return buildings
    .map((building) => ({ ...building, distance: position.distanceTo(building.geometry.point) }))
    .sort((a, b) => a.distance - b.distance);
}
