import { apiUrl } from "./api.js";
import { element } from "./dom.js";
import { dishesPath, menuQuery } from "./menu-day.js";

/** Link what is shown as a calendar, a spreadsheet and JSON; `recipes` are those of a search. */
export function showMenuLinks(container, params, recipes) {
  const { meal, location: hall, label, without } = params;
  const dishes = { ...params, recipes };
  // A calendar goes on after today, and has no filters but the meal and the hall.
  const isWhole = !recipes.length && !label.length && !without.length;
  const calendar = apiUrl(`dining/menus.ics?${menuQuery({ meal, location: hall })}`);
  container.replaceChildren(
    element("span", { class: "label" }, "Take it with you"),
    element("a", { href: `webcal://${location.host}${calendar}` }, isWhole ? "Calendar" : "Calendar of all dishes"),
    element("a", { href: apiUrl(dishesPath(dishes, ".csv")) }, "Spreadsheet"),
    element("a", { href: apiUrl(dishesPath(dishes)) }, "JSON"),
  );
}
