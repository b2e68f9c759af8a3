import { remember, remembered } from "./device.js";
import { element } from "./dom.js";

const KEY = "campus:favourites";
const read = () => [remembered(KEY, [])].flat();

/** Tell whether a "dish" or "hall" is a favourite on this device. */
export function isFavourite(kind, id) {
  return read().includes(`${kind} ${id}`);
}

/** Return a button that makes a dish or a hall a favourite, on this device only, or ends that. */
export function star(kind, id, name) {
  const button = element("button", {
    type: "button",
    class: "star",
    "aria-label": `Favourite: ${name}`,
    "aria-pressed": String(isFavourite(kind, id)),
    onclick: () => {
      const isChosen = !isFavourite(kind, id);
      const others = read().filter((each) => each !== `${kind} ${id}`);
      remember(KEY, isChosen ? [...others, `${kind} ${id}`] : others);
      button.setAttribute("aria-pressed", String(isChosen));
    },
  });
  return button;
}

/** Return dishes or halls with the favourites first, otherwise in their order. */
export function favouritesFirst(kind, items, idOf) {
  const rank = (item) => Number(!isFavourite(kind, idOf(item)));
  return [...items].sort((a, b) => rank(a) - rank(b));
}
