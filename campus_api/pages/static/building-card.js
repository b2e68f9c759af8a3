import { directionsLink, hallLinks, positionLink, shareButton } from "./building-actions.js";
import { buildingDownloads } from "./building-downloads.js";
import { buildingAddress, buildingName } from "./building-list.js";
import { element } from "./dom.js";

/** The card with the details of the selected building. */
export class BuildingCard {
  #container;
  #onClose;
  #id = null;

  constructor(container, onClose) {
    this.#container = container;
    this.#onClose = onClose;
    document.addEventListener("keydown", (event) => this.#closeOnEscape(event));
  }

  /** Show the building with this ID; `building` is undefined if there is none, and may be a sample. */
  show(id, building, { isSample }) {
    this.#container.hidden = false;
    if (id !== this.#id) {
      this.#id = id;
      this.#container.replaceChildren(...this.#content(id, building, isSample));
    }
  }

  hide() {
    this.#container.hidden = true;
  }

  focus() {
    this.#container.querySelector("h2").focus({ preventScroll: true });
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
      ...(building ? details(building, isSample) : this.#missing(id)),
    ];
  }

  #missing(id) {
    const search = element("button", { type: "button", onclick: () => this.#onClose(id) }, "Search the buildings");
    return [element("p", {}, "No building has this ID. It may have been removed since the link was made."), search];
  }
}

function details(building, isSample) {
  const halls = element("p", { class: "hall-links" });
  hallLinks(building).then((links) => halls.replaceChildren(...links));
  const secondary = [`ID ${building.id}`, positionLink(building), ...buildingDownloads(building.id)];
  return [
    element("p", {}, buildingAddress(building)),
    ...(building.image ? [picture(building, isSample)] : []),
    element("p", { class: "actions" }, directionsLink(building), shareButton(building)),
    halls,
    element("p", { class: "secondary muted" }, secondary.map((part) => element("span", {}, part))),
  ];
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
