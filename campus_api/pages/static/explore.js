import { showBuildings } from "./buildings.js";
import { showMenus } from "./menus.js";
import { follow, go, here } from "./place.js";

const views = new Map([["buildings", showBuildings], ["menus", showMenus]]);
const links = document.querySelectorAll("[data-view]");

for (const link of links) {
  link.addEventListener("click", (event) => {
    if (event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
      event.preventDefault();
      const nothing = Object.fromEntries(Object.keys(here()).map((key) => [key, null]));
      go({ ...nothing, view: link.dataset.view });
    }
  });
}

follow(() => {
  const place = here();
  const view = views.has(place.view) ? place.view : "buildings";
  for (const name of views.keys()) {
    document.getElementById(name).hidden = name !== view;
  }
  for (const link of links) {
    link.toggleAttribute("aria-current", false);
    if (link.dataset.view === view) {
      link.setAttribute("aria-current", "page");
    }
  }
  document.body.dataset.shows = view;
  views.get(view)(place);
});
