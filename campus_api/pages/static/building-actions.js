import { apiUrl, fetchJson, unlessFailed } from "./api.js";
import { element } from "./dom.js";

/** Return a link to the way to a building: in the app for maps of Android or iOS, else at OpenStreetMap. */
export function directionsLink({ name, geometry }) {
  const position = geometry.point.join(",");
  return element("a", { class: "button", href: directionsUrl(position, name) }, "Directions");
}

function directionsUrl(position, name) {
  if (/Android/.test(navigator.userAgent)) {
    const label = name === null ? "" : `(${encodeURIComponent(name)})`;
    return `geo:${position}?q=${position}${label}`;
  }
  if (isIos()) {
    return `https://maps.apple.com/?${new URLSearchParams({ daddr: position })}`;
  }
  return `https://www.openstreetmap.org/directions?${new URLSearchParams({ route: `;${position}` })}`;
}

function isIos() {
  const { userAgent, maxTouchPoints } = navigator;
  // Safari on an iPad calls itself a Macintosh, none of which has a touch screen.
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 0);
}

/** Return a link to a building on the map of OpenStreetMap. */
export function positionLink({ geometry }) {
  const [latitude, longitude] = geometry.point;
  const marker = new URLSearchParams({ mlat: latitude, mlon: longitude });
  const href = `https://www.openstreetmap.org/?${marker}#map=19/${latitude}/${longitude}`;
  return element("a", { href }, `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`);
}

/** Return links to the menus of the halls in a building; none while it is unknown which halls these are. */
export async function hallLinks({ id }) {
  const { data } = await unlessFailed(fetchJson("dining/locations.geojson"), { features: [] });
  return data.features.filter(({ properties }) => properties.building === id).map(menusLink);
}

function menusLink({ id, properties: { name } }) {
  const query = new URLSearchParams({ view: "menus", location: id });
  return element("a", { href: apiUrl(`explore?${query}`) }, `Menus at ${name ?? `hall ${id}`}`);
}
