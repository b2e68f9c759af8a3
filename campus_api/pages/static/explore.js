import { apiUrl } from "./api.js";
import { currentParams, navigate, onLinkClick, onNavigate, rememberedChoices } from "./router.js";
import { usePart } from "./dom.js";
import { MenusView } from "./menus.js";

// Of the page that waited for this module.
document.getElementById("notice").replaceChildren();

const { worker } = document.getElementById("menus").dataset;
if (worker) {
  addEventListener("load", () => navigator.serviceWorker?.register(worker, { scope: apiUrl("explore") }));
} else {
  navigator.serviceWorker?.getRegistration(apiUrl("explore")).then((registration) => registration?.unregister());
}

const menus = new MenusView();
const links = document.querySelectorAll("[data-view]");
const VIEWS = ["buildings", "menus"];
let buildings = null;

/** Use the view of the buildings, which is loaded then. */
function useBuildings(use) {
  buildings ??= import("./buildings.js").then(({ BuildingsView }) => new BuildingsView());
  usePart(document.getElementById("results"), "The list of buildings", buildings, use);
}

for (const link of links) {
  onLinkClick(link, () => {
    const cleared = Object.fromEntries(Object.keys(currentParams()).map((name) => [name, null]));
    const { view } = link.dataset;
    navigate({ ...cleared, ...(view === "menus" && rememberedChoices({ label: [], without: [] })), view });
    if (view === "buildings") {
      useBuildings((shown) => shown.showAll());
    }
  });
}

onNavigate(() => {
  const params = currentParams();
  const current = params.view === "buildings" ? "buildings" : "menus";
  const { activeElement } = document;
  // The focus is in a view that is about to be hidden.
  const takesFocus = VIEWS.some((name) => name !== current && document.getElementById(name).contains(activeElement));
  for (const name of VIEWS) {
    document.getElementById(name).hidden = name !== current;
  }
  for (const link of links) {
    link.toggleAttribute("aria-current", false);
    if (link.dataset.view === current) {
      link.setAttribute("aria-current", "page");
    }
  }
  document.body.dataset.currentView = current;
  if (current === "menus") {
    menus.show(params);
  } else {
    useBuildings((shown) => shown.show(params, { takesFocus }));
  }
});
