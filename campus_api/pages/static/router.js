import { element } from "./dom.js";
import { fold } from "./text.js";

const NAVIGATE = "campus:navigate";
const LISTS = ["label", "without"];
const FAVOURITES = "campus:favourites";
const readFavourites = () => [remembered(FAVOURITES, [])].flat();
const CHOICES = "campus:menus";
const readChoices = () => remembered(CHOICES, {});
const writeChoices = (changes) => remember(CHOICES, { ...readChoices(), ...changes });
const MOST_RECENT = 3;
let isFirst = false;

/** Return the query parameters of the page: view, q, id, date, meal, location, open, and the lists label and without. */
export function currentParams() {
  const params = parseParams(location.search);
  return /** @type {Params} */ ({ ...params, view: currentView(params) });
}

/** Return the view of a link: menus, unless it names another, a building or, without a view, a search. */
function currentView(/** @type {Partial<Params>} */ { view, id, q }) {
  if (location.hash === "#buildings") {
    return "buildings";
  }
  return view ?? (id || q ? "buildings" : "menus");
}

/** Return the parameters of a query string, as for the page. */
export function parseParams(query) {
  const params = new URLSearchParams([...new URLSearchParams(query)].filter(([, value]) => value));
  return { ...Object.fromEntries(params), ...Object.fromEntries(LISTS.map((name) => [name, params.getAll(name)])) };
}

/** Return the URL of the page with `changes` to its query parameters; null removes one, and a list repeats it. */
export function urlWith(changes) {
  const params = Object.entries({ ...currentParams(), ...changes });
  const pairs = params.flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  const present = pairs.filter(([, value]) => value !== null && value !== "");
  return `${location.pathname}?${new URLSearchParams(present)}`;
}

/** Change query parameters, adding a history entry unless `replace` is set or nothing changes. */
export function navigate(changes, { replace = false } = {}) {
  const url = urlWith(changes);
  const isSame = url === location.pathname + location.search;
  history[replace || isSame ? "replaceState" : "pushState"](null, "", url);
  dispatchEvent(new Event(NAVIGATE));
}

/** Call `listener` now and after every navigation, back and forward included. */
export function onNavigate(listener) {
  ["popstate", NAVIGATE].forEach((name) => addEventListener(name, listener));
  listener();
}

/** Handle plain clicks on a link; the browser handles those that open a new tab or window. */
export function onLinkClick(link, listener) {
  link.addEventListener("click", (event) => {
    if (event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
      event.preventDefault();
      listener();
    }
  });
}

/** Return what this device remembers under a key, or `fallback`. */
function remembered(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? fallback;
  } catch {
    // The storage is blocked, or somebody has edited it.
    return fallback;
  }
}

/** Remember a value on this device only, as far as its storage allows. */
function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The storage is blocked or full: the value holds until the page is left.
  }
}

/** Tell whether a "dish" or "hall" is a favourite on this device. */
export function isFavourite(kind, id) {
  return readFavourites().includes(`${kind} ${id}`);
}

/** Return a button that makes a dish or a hall a favourite, on this device only, or ends that. */
export function star(kind, id, name) {
  return element("button", {
    type: "button",
    class: "star",
    "aria-label": `Favourite: ${name}`,
    "aria-pressed": String(isFavourite(kind, id)),
    onclick: ({ currentTarget }) => {
      const isChosen = !isFavourite(kind, id);
      const others = readFavourites().filter((each) => each !== `${kind} ${id}`);
      remember(FAVOURITES, isChosen ? [...others, `${kind} ${id}`] : others);
      currentTarget.setAttribute("aria-pressed", String(isChosen));
    },
  });
}

/** Return those of dishes or halls that are favourites on this device. */
export function favouritesOf(kind, items, idOf) {
  const favourites = new Set(readFavourites());
  return items.filter((item) => favourites.has(`${kind} ${idOf(item)}`));
}

/** Navigate to changed parameters, and remember on this device the hall that the visitor chooses. */
export function choose(changes) {
  if ("location" in changes) {
    const halls = new Set([changes.location, ...recentHalls()].filter(Boolean));
    writeChoices({ location: changes.location, recent: [...halls].slice(0, MOST_RECENT) });
  }
  navigate(changes);
}

/** Return the IDs of the halls that visitors of this device have chosen, the last one first. */
export function recentHalls() {
  return [readChoices().recent ?? []].flat();
}

/** Switch labels or allergens on or off, here and on this device: of what else is remembered, nothing is dropped. */
export function chooseFilter(parameter, texts, isChosen) {
  const chosen = texts.map(fold);
  const others = (all = []) => all.filter((each) => !chosen.includes(fold(each)));
  const changed = (all) => (isChosen ? [...others(all), ...texts] : others(all));
  isFirst = isChosen && !readChoices().cautioned;
  writeChoices({ cautioned: true, [parameter]: changed(readChoices()[parameter]) });
  navigate({ [parameter]: changed(currentParams()[parameter]) });
}

/** Tell whether the latest choice has been the first filter of this device. */
export function isFirstFilter() {
  return isFirst;
}

/** Remove all filters, here and on this device. */
export function removeFilters() {
  writeChoices({ label: [], without: [] });
  navigate({ q: null, label: [], without: [] });
}

/** Return the remembered choices that a link leaves open: the filters, and the hall unless the link names a menu. */
export function rememberedChoices(params) {
  // A link never loosens the filters of this device.
  const { location = null, label = [], without = [] } = readChoices();
  return {
    label: label.length ? label : params.label,
    without: [...new Set([without, params.without].flat())],
    ...(!namesMenu(params) && { location }),
  };
}

/** Tell whether a link has fewer filters than this device. */
export function loosensFilters(params) {
  const { label, without } = rememberedChoices(params);
  return namesMenu(params) && (without.length > params.without.length || label.length > params.label.length);
}

function namesMenu(params) {
  return ["date", "meal", "location", "q"].some((name) => params[name]);
}

/** Remember on this device whether the controls of the menu are open. */
export function rememberUnfolded(isOpen) {
  writeChoices({ unfolded: isOpen });
}
