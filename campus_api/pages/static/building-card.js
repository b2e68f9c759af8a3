import { apiUrl, fetchJson, unlessFailed } from "./api.js";
import { buildingAddress, buildingDownloads, buildingName } from "./building-list.js";
import { element } from "./dom.js";
import { shareButton } from "./links.js";

// Less is left for it on small screens, if anything.
const MIN_PHOTO_HEIGHT = 80;
const MIN_MAP_HEIGHT = 100;

/** The card with the details of the selected building. */
export class BuildingCard {
  #container;
  #search;
  #onClose;
  #onGrow;
  #id = null;

  /** The card may not cover `search`, the element above the map; `onGrow` is called when it gets larger after a while. */
  constructor(container, search, { onClose, onGrow }) {
    this.#container = container;
    this.#search = search;
    this.#onClose = onClose;
    this.#onGrow = onGrow;
    document.addEventListener("keydown", (event) => this.#closeOnEscape(event));
    addEventListener("resize", () => this.#float());
  }

  /** Show the building with this ID; `building` is undefined if there is none, and may be a sample. */
  show(id, building, { isSample }) {
    this.#container.hidden = false;
    if (id !== this.#id) {
      this.#id = id;
      this.#container.replaceChildren(...this.#content(id, building, isSample));
    }
    this.#float();
  }

  hide() {
    this.#container.hidden = true;
  }

  focus() {
    this.#container.querySelector("h2").focus({ preventScroll: this.#container.classList.contains("floating") });
  }

  /** Let a phone show the card over the page, unless that covers the search or the map, or cuts off a part of the card. */
  #float() {
    const photo = this.#container.querySelector("figure:has(img)");
    photo?.removeAttribute("hidden");
    const { classList } = this.#container;
    classList.add("floating");
    const searchBottom = this.#search.getBoundingClientRect().bottom + scrollY;
    const isComplete = this.#container.scrollHeight <= this.#container.clientHeight;
    const { top } = this.#container.getBoundingClientRect();
    classList.toggle("floating", isComplete && top >= searchBottom + MIN_MAP_HEIGHT);
    photo?.toggleAttribute("hidden", photo.clientHeight < MIN_PHOTO_HEIGHT);
  }

  #closeOnEscape(event) {
    const isVisible = this.#container.getClientRects().length > 0;
    // In a search field with text, the key clears it.
    if (event.key === "Escape" && isVisible && !event.target.value) {
      this.#onClose(this.#id);
    }
  }

  #content(id, building, isSample) {
    const close = { type: "button", class: "close", "aria-label": "Close", onclick: () => this.#onClose(id) };
    return [
      element("h2", { tabindex: "-1" }, building ? buildingName(building) : "Building not found"),
      element("button", close, "×"),
      ...(building ? this.#details(building, isSample) : this.#missing(id)),
    ];
  }

  #details(building, isSample) {
    const secondary = [...(building.code ? [`Code ${building.code}`] : []), `ID ${building.id}`, positionLink(building), ...buildingDownloads(building.id)];
    return [
      element("p", {}, buildingAddress(building)),
      ...(building.image ? [picture(building, isSample)] : []),
      element("p", { class: "actions" }, directionsLink(building), shareButton(building.name ?? "", `?view=buildings&id=${building.id}`)),
      this.#halls(building),
      element("p", { class: "secondary muted" }, secondary.map((part) => element("span", {}, part))),
    ];
  }

  /** Return the paragraph of the links to the menus of a building, which need a request. */
  #halls(building) {
    const halls = element("p", { class: "hall-links" });
    hallLinks(building).then((links) => {
      halls.replaceChildren(...links);
      this.#float();
      if (links.length && halls.isConnected) {
        this.#onGrow();
      }
    });
    return halls;
  }

  #missing(id) {
    const search = element("button", { type: "button", onclick: () => this.#onClose(id) }, "Search the buildings");
    return [element("p", {}, "No building has this ID. It may have been removed since the link was made."), search];
  }
}

/** Return the photo, of samples a drawing, or a note in its place if it does not load from the provider's server. */
function picture(building, isSample) {
  const figure = element("figure");
  const caption = (text) => element("figcaption", { class: "muted" }, text);
  const showMissing = () => figure.replaceChildren(caption("The photo is not available."));
  if (/^(https:|data:image\/)/i.test(building.image)) {
    const alt = isSample ? "Drawing" : `Photo of ${building.name ?? "the building"}`;
    const image = element("img", { alt, referrerpolicy: "no-referrer", onerror: showMissing });
    image.src = building.image;
    figure.append(image, ...(isSample ? [caption("A drawing, not this building.")] : []));
  } else {
    showMissing();
  }
  return figure;
}

/** Return a link to the way to a building: in the app for maps of Android or iOS, else at OpenStreetMap. */
function directionsLink({ name, geometry }) {
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
function positionLink({ geometry }) {
  const [latitude, longitude] = geometry.point;
  const marker = new URLSearchParams({ mlat: latitude, mlon: longitude });
  const href = `https://www.openstreetmap.org/?${marker}#map=19/${latitude}/${longitude}`;
  return element("a", { href }, `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`);
}

/** Return links to the menus of the halls in a building; none while it is unknown which halls these are. */
async function hallLinks({ id }) {
  const { data } = await unlessFailed(fetchJson("dining/locations.geojson"), { features: [] });
  return data.features.filter(({ properties }) => properties.building === id).map(menusLink);
}

function menusLink({ id, properties: { name } }) {
  const query = new URLSearchParams({ view: "menus", location: id });
  return element("a", { href: apiUrl(`explore?${query}`) }, `Menus at ${name ?? `hall ${id}`}`);
}
