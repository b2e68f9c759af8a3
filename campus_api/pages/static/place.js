/** What the address of the page says is seen: view, q, id, date, meal, location. */
export function here() {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/** Return the address of what is seen after `changes`; null takes something out. */
export function addressAfter(changes) {
  const wanted = Object.entries({ ...here(), ...changes }).filter(([, value]) => value !== null && value !== "");
  return `${location.pathname}?${new URLSearchParams(wanted)}`;
}

/** Go to what is seen after `changes`, as a step that the back button takes back unless it replaces the last one. */
export function go(changes, { replace = false } = {}) {
  const next = addressAfter(changes);
  if (next === location.pathname + location.search) {
    replace = true;
  }
  history[replace ? "replaceState" : "pushState"](null, "", next);
  dispatchEvent(new Event("campus-place"));
}

/** Call `show` now and whenever the place changes. */
export function follow(show) {
  addEventListener("popstate", show);
  addEventListener("campus-place", show);
  show();
}
