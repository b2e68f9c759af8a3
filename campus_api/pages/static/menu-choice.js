import { navigate } from "./router.js";

const KEY = "campus:menus";
const FILTERS = ["label", "without"];
const CHOICES = ["location", ...FILTERS];

/** Navigate to a hall or to filters that the visitor chooses, and remember them on this device. */
export function choose(changes, options) {
  const chosen = Object.entries(changes).filter(([name]) => CHOICES.includes(name));
  write({ ...read(), ...Object.fromEntries(chosen) });
  navigate(changes, options);
}

/** Return the remembered choices that a link leaves open: the filters, and the hall unless it names a menu. */
export function rememberedChoices(params) {
  const { location = null, label = [], without = [] } = read();
  const hasFilters = FILTERS.some((name) => params[name].length);
  const namesMenu = ["date", "meal", "location", "q"].some((name) => params[name]);
  return { ...(!hasFilters && { label, without }), ...(!namesMenu && { location }) };
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    // The storage is blocked, or somebody has edited it.
    return {};
  }
}

function write(choices) {
  try {
    localStorage.setItem(KEY, JSON.stringify(choices));
  } catch {
    // The storage is blocked or full: the link has the choice, too.
  }
}
