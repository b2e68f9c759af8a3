import { apiUrl } from "./api.js";
import { BuildingsView } from "./buildings.js";
import { rememberedChoices } from "./device.js";
import { MenusView } from "./menus.js";
import { currentParams, navigate, onLinkClick, onNavigate } from "./router.js";

// Of the page that waited for this module.
document.getElementById("notice").replaceChildren();

const { worker } = document.getElementById("menus").dataset;
if (worker) {
  addEventListener("load", () => navigator.serviceWorker?.register(worker, { scope: apiUrl("explore") }));
} else {
  navigator.serviceWorker?.getRegistration(apiUrl("explore")).then((registration) => registration?.unregister());
}

const views = new Map(/** @type {[string, any][]} */ ([["buildings", new BuildingsView()], ["menus", new MenusView()]]));
const links = document.querySelectorAll("[data-view]");

for (const link of links) {
  onLinkClick(link, () => {
    const cleared = Object.fromEntries(Object.keys(currentParams()).map((name) => [name, null]));
    const { view } = link.dataset;
    navigate({ ...cleared, ...(view === "menus" && rememberedChoices({ label: [], without: [] })), view });
    views.get(view).showAll?.();
  });
}

onNavigate(() => {
  const params = currentParams();
  const current = views.has(params.view) ? params.view : "menus";
  const takesFocus = isFocusedOutside(current);
  for (const name of views.keys()) {
    document.getElementById(name).hidden = name !== current;
  }
  for (const link of links) {
    link.toggleAttribute("aria-current", false);
    if (link.dataset.view === current) {
      link.setAttribute("aria-current", "page");
    }
  }
  document.body.dataset.currentView = current;
  views.get(current).show(params, { takesFocus });
});

/** Tell whether the focus is in a view that is about to be hidden. */
function isFocusedOutside(current) {
  const { activeElement } = document;
  return [...views.keys()].some((name) => name !== current && document.getElementById(name).contains(activeElement));
}
