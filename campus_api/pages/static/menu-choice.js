import { remember, remembered } from "./device.js";
import { currentParams, navigate } from "./router.js";
import { fold } from "./text.js";

const KEY = "campus:menus";
const read = () => remembered(KEY, {});
const write = (changes) => remember(KEY, { ...read(), ...changes });
const MOST_RECENT = 3;
let isFirst = false;

/** Navigate to changed parameters, and remember on this device the hall that the visitor chooses. */
export function choose(changes) {
  if ("location" in changes) {
    const halls = new Set([changes.location, ...recentHalls()].filter(Boolean));
    write({ location: changes.location, recent: [...halls].slice(0, MOST_RECENT) });
  }
  navigate(changes);
}

/** Return the IDs of the halls that visitors of this device have chosen, the last one first. */
export function recentHalls() {
  return [read().recent ?? []].flat();
}

/** Switch labels or allergens on or off, here and on this device: of what else is remembered, nothing is dropped. */
export function chooseFilter(parameter, texts, isChosen) {
  const chosen = texts.map(fold);
  const others = (all = []) => all.filter((each) => !chosen.includes(fold(each)));
  const changed = (all) => (isChosen ? [...others(all), ...texts] : others(all));
  isFirst ||= isChosen && !read().cautioned;
  write({ cautioned: true, [parameter]: changed(read()[parameter]) });
  navigate({ [parameter]: changed(currentParams()[parameter]) });
}

/** Tell whether the first filter of this device has been set in this visit. */
export function isFirstFilter() {
  return isFirst;
}

/** Remove all filters, here and on this device. */
export function removeFilters() {
  write({ label: [], without: [] });
  navigate({ label: [], without: [] });
}

/** Return the remembered choices that a link leaves open: the filters, and the hall unless the link names a menu. */
export function rememberedChoices(params) {
  // A link never loosens the filters of this device.
  const { location = null, label = [], without = [] } = read();
  return {
    label: label.length ? label : params.label,
    without: [...new Set([...without, ...params.without])],
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

/** Tell whether the visitor has opened the controls of the menu. */
export function isUnfolded() {
  return Boolean(read().unfolded);
}

/** Remember on this device whether the controls of the menu are open. */
export function rememberUnfolded(isOpen) {
  write({ unfolded: isOpen });
}
