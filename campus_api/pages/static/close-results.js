import { fetchJson, unlessFailed } from "./api.js";
import { element } from "./dom.js";
import { KINDS, pageOf, resultName } from "./result-pages.js";

// A longer pause than between two keys.
const DEBOUNCE_MS = 250;
const MAX_SHOWN = 5;

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
  const about = [KINDS[result.type], result.detail].filter(Boolean).join(" · ");
  const link = element("a", { href: pageOf(result) }, resultName(result));
  return element("li", {}, link, element("span", { class: "muted" }, about));
}
