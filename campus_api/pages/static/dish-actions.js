import { apiUrl, fetchJson } from "./api.js";
import { addDays, formatDate } from "./dates.js";
import { star } from "./device.js";
import { element, errorMessage } from "./dom.js";
import { navigate, onLinkClick, urlWith } from "./router.js";
import { mealName } from "./text.js";

const DAYS_AHEAD = 45;
const MOST_SHOWN = 3;

/** Return what people can do with a dish: remember it, follow it in a calendar, see when it is served next. */
export function dishActions({ recipe, date, meal }, name) {
  const webcal = `webcal://${location.host}${apiUrl(`dining/menus.ics?recipe=${recipe}`)}`;
  const next = element("div");
  const details = element(
    "details",
    {},
    element("summary", {}, "When is it served?"),
    next,
    element("a", { href: webcal }, "Tell me when it is served: subscribe to its calendar"),
  );
  details.addEventListener("toggle", () => next.hasChildNodes() || showNext(next, recipe, date, meal));
  return [element("div", { class: "dish-actions" }, star("dish", recipe, name), details)];
}

async function showNext(container, recipe, date, meal) {
  let rows;
  try {
    ({ data: rows } = await fetchJson(`dining/dishes?recipe=${recipe}&to=${addDays(date, DAYS_AHEAD)}`));
  } catch (error) {
    container.replaceChildren(errorMessage(error, () => showNext(container, recipe, date, meal)));
    return;
  }
  const servings = new Map(rows.map((row) => [`${row.date} ${row.meal}`, row]));
  servings.delete(`${date} ${meal}`);
  const links = [...servings.values()].slice(0, MOST_SHOWN).map((row) => {
    const changes = { date: row.date, meal: String(row.meal), location: null };
    const link = element("a", { href: urlWith(changes) }, `${formatDate(row.date)}, ${mealName(changes.meal).toLowerCase()}`);
    onLinkClick(link, () => navigate(changes));
    return element("li", {}, link);
  });
  container.replaceChildren(links.length ? element("ul", {}, links) : "On no other day of the menus that are known.");
}
