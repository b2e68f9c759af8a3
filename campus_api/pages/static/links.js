import { apiUrl } from "./api.js";
import { element } from "./dom.js";
import { dishesPath, menuQuery } from "./menus.js";
import { urlWith } from "./router.js";

const GOOGLE = "https://calendar.google.com/calendar/r";
// Outlook.com, and Outlook on the web of Microsoft 365.
const OUTLOOK = { Outlook: "https://outlook.live.com", "Microsoft 365": "https://outlook.office.com" };
// Excel reads UTF-8 only after it.
const BYTE_ORDER_MARK = "\ufeff";

/** Link what is shown, as a calendar, a spreadsheet and JSON, too; `recipes` are those of a search. */
export function showMenuLinks(container, params, recipes) {
  const dishes = { ...params, recipes };
  element(
    container,
    {},
    element("span", { class: "label" }, "Take it with you"),
    shareMenu(params),
    calendars(dishes),
    spreadsheetLink("Spreadsheet", dishesPath(dishes, ".csv")),
    element("a", { href: apiUrl(dishesPath(dishes)) }, "JSON"),
  );
}

/** Return a button that shares a menu; a link takes no allergens along unless the visitor says so. */
function shareMenu(params) {
  const { without } = params;
  const button = (text = "", changes = {}) => shareButton(document.title, urlWith({ ...params, ...changes }), text);
  const plain = button();
  return without.length && plain
    ? element(
        "details",
        { class: "calendars" },
        element("summary", {}, plain.textContent),
        element("p", {}, `Do you want others to know your filters: ${without.map((word) => `no ${word}`).join(", ")}?`),
        button(" with filters"),
        " ",
        button(" without filters", { without: [] }),
      )
    : plain;
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
  const url = new URLSearchParams({ url: location.origin + path });
  const outlook = Object.entries(OUTLOOK).map(([name, site]) => [name, `${site}/calendar/0/addfromweb?${url}`]);
  const google = `${GOOGLE}?${new URLSearchParams({ cid: webcal })}`;
  const links = { Google: google, Apple: webcal, ...Object.fromEntries(outlook), Link: path };
  return Object.entries(links).map(([name, href]) =>
    element("a", { href, "aria-label": `${name}: ${title}` }, name),
  );
}

/** Return a button that shares a link to a path, or copies it; null if the browser can do neither. */
export function shareButton(title, path, addition = "") {
  const { href: url } = new URL(path, location.href);
  if (navigator.share) {
    // The visitor may change their mind.
    const share = () => navigator.share({ title, url }).catch((error) => error.name === "AbortError" || reportError(error));
    return element("button", { type: "button", onclick: share }, `Share${addition}`);
  }
  const copy = async ({ currentTarget: button }) => {
    await navigator.clipboard.writeText(url);
    button.textContent = "Link copied";
  };
  const attributes = { type: "button", "aria-live": "polite", onclick: copy };
  return navigator.clipboard ? element("button", attributes, `Copy link${addition}`) : null;
}

/** Return a link to a CSV file of the API, which a click saves as a spreadsheet for Excel. */
export function spreadsheetLink(text, path) {
  return element("a", { href: apiUrl(path), onclick: save }, text);
}

async function save(event) {
  const { href, pathname } = event.currentTarget;
  event.preventDefault();
  const response = await fetch(href).catch(() => null);
  if (!response?.ok) {
    // The browser shows the error.
    location.assign(href);
    return;
  }
  const url = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, await response.blob()], { type: "text/csv" }));
  element("a", { href: url, download: pathname.split("/").pop() }).click();
  URL.revokeObjectURL(url);
}
