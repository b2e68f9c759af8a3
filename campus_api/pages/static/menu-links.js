import { apiUrl } from "./api.js";
import { element } from "./dom.js";
import { dishesPath, menuQuery } from "./menu-day.js";
import { urlWith } from "./router.js";
import { shareButton } from "./share.js";
import { spreadsheetLink } from "./spreadsheet.js";

const GOOGLE = "https://calendar.google.com/calendar/r";

/** Link what is shown, as a calendar, a spreadsheet and JSON, too; `recipes` are those of a search. */
export function showMenuLinks(container, params, recipes) {
  const dishes = { ...params, recipes };
  element(
    container,
    {},
    element("span", { class: "label" }, "Take it with you"),
    shareButton(document.title, urlWith(params)),
    calendars(dishes),
    spreadsheetLink("Spreadsheet", dishesPath(dishes, ".csv")),
    element("a", { href: apiUrl(dishesPath(dishes)) }, "JSON"),
  );
}

/** Return a disclosure of the calendars to subscribe to, of the days ahead. */
function calendars({ meal, location: hall, label, without, recipes }) {
  const filters = { label, without, recipes };
  const feeds = hall
    ? { "The whole hall": { location: hall, ...filters }, "This meal": { location: hall, meal, ...filters } }
    : { "This meal in all halls": { meal, ...filters } };
  return element(
    "details",
    { class: "calendars" },
    element("summary", {}, "Calendar"),
    element(
      "ul",
      {},
      Object.entries(feeds).map(([title, params]) => element("li", {}, title, subscriptions(title, params))),
    ),
  );
}

function subscriptions(title, params) {
  const path = apiUrl(`dining/menus.ics?${menuQuery(params)}`);
  const webcal = `webcal://${location.host}${path}`;
  const links = { Google: `${GOOGLE}?${new URLSearchParams({ cid: webcal })}`, Apple: webcal, Link: path };
  return Object.entries(links).map(([name, href]) =>
    element("a", { href, "aria-label": `${name}: ${title}` }, name),
  );
}
