import { fetchJson, unlessFailed } from "./api.js";
import { element } from "./dom.js";

// A longer pause than between two keys.
const DEBOUNCE_MS = 250;
const MAX_SHOWN = 5;

/** What the results of a search are, by their type. */
export const KINDS = { building: "Building", location: "Hall", dish: "Dish" };

/** Return the URL of the page that shows a result: a building, the menus of a hall, or the next serving of a dish. */
export function pageOf({ type, id, name, date, meal }) {
  const params = {
    building: { view: "buildings", id },
    location: { view: "menus", location: id },
    dish: { view: "menus", ...(date && { date, meal }), q: name },
  };
  return `${document.body.dataset.base}explore?${new URLSearchParams(params[type])}`;
}

/** Return the name to show for a result; only buildings have none. */
export function resultName({ name }) {
  return name ?? "Unnamed building";
}

/** Return a list of links to what the search of the campus has for a text; it is hidden until there are any. */
export function closeResults(text) {
  const list = element("ul");
  const section = element("section", { class: "close-results", hidden: true }, element("h3", {}, "Did you mean"), list);
  setTimeout(() => section.isConnected && fill(section, list, text), DEBOUNCE_MS);
  return section;
}

async function fill(section, list, text) {
  const { data: results } = await unlessFailed(fetchJson(`search?${new URLSearchParams({ q: text })}`), []);
  list.replaceChildren(...results.slice(0, MAX_SHOWN).map(item));
  section.hidden = !results.length;
}

function item(result) {
  const about = element("span", { class: "muted" }, [KINDS[result.type], result.detail].filter(Boolean).join(" · "));
  return element("li", {}, element("a", { href: pageOf(result) }, resultName(result)), about);
}
