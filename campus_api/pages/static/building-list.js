import { formatDistance } from "./distances.js";
import { element, emptyMessage } from "./dom.js";
import { closeResults } from "./search-results.js";

const MAX_LISTED = 200;

/** Return the name to show for a building. */
export function buildingName(building) {
  return building.name ?? "Unnamed building";
}

/** Return the address and the city of a building, as far as they are known. */
export function buildingAddress({ address, city }) {
  return [address, city].filter(Boolean).join(", ");
}

/** Return "42 buildings", or "1 of 42 buildings" for a search. */
export function buildingCount(count, total, text = "") {
  const buildings = `${total.toLocaleString("en")} ${total === 1 ? "building" : "buildings"}`;
  return text ? `${count.toLocaleString("en")} of ${buildings}` : buildings;
}

/** Return the search results, the first ones and the selected one, as a list of buttons, or a message that there are none. */
export function buildingList(buildings, { total, text, selected, onSelect }) {
  if (!total) {
    return emptyMessage("No buildings yet", [
      "Next, an operator runs ",
      element("code", {}, "campus-load buildings"),
      " with an export, or ",
      element("code", {}, "campus-load samples"),
      " to try it out.",
    ]);
  }
  if (!buildings.length) {
    const message = emptyMessage("No matches", `No building has all words of “${text}” in its name, address and city.`);
    message.append(closeResults(text));
    return message;
  }
  const listed = buildings.filter(({ id }, index) => index < MAX_LISTED || id === selected);
  const hidden = buildings.length - listed.length;
  return element(
    "ul",
    {},
    listed.map((building) => element("li", {}, button(building, building.id === selected, onSelect))),
    hidden > 0 && element("li", { class: "more muted" }, `${hidden.toLocaleString("en")} more are shown on the map.`),
  );
}

function button(building, isSelected, onSelect) {
  const { id, distance } = building;
  const about = [distance === undefined ? "" : formatDistance(distance), buildingAddress(building)];
  return element(
    "button",
    { type: "button", "data-id": id, "aria-pressed": String(isSelected), onclick: () => onSelect(id) },
    element("strong", {}, buildingName(building)),
    element("span", {}, about.filter(Boolean).join(" · ")),
  );
}
