const NAVIGATE = "campus:navigate";
const LISTS = ["label", "without"];

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
  const params = new URLSearchParams(query);
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
  addEventListener("popstate", listener);
  addEventListener(NAVIGATE, listener);
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
