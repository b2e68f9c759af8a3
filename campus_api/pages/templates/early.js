// Before the modules are there: the menus of now, which are in the page, stay unless the link or this device asks for others.
{
  const SILENT_MS = 10_000;
  let own = {};
  try {
    own = JSON.parse(localStorage.getItem("campus:menus")) ?? own;
  } catch {
    // The storage is blocked, or somebody has edited it.
  }
  const { location: hall, label = [], without = [], recent = [] } = own;
  const preload = ({ static: folder, modules }) => {
    const links = modules.split(" ").map((name) => Object.assign(document.createElement("link"), { rel: "modulepreload", href: folder + name }));
    document.head.append(...links);
  };
  const { dataset } = document.currentScript;
  // Without a network, the page may be of another day.
  const isOfNow = navigator.onLine && !location.hash && ["", "?view=menus"].includes(location.search);
  if (isOfNow && !hall && !label.length && !without.length) {
    const menu = document.getElementById("menu");
    const openHall = (id) => menu.querySelectorAll(`[data-location="${CSS.escape(id)}"].open`);
    [recent].flat().reverse().forEach((id) => menu.prepend(...openHall(id)));
    document.getElementById("menus").hidden = false;
    // The dishes come first.
    requestAnimationFrame(() => setTimeout(() => preload(dataset)));
  } else {
    for (const id of ["menu", "menu-summary"]) {
      document.getElementById(id).replaceChildren();
    }
    document.getElementById("menu-caution").hidden = true;
    preload(dataset);
  }
  const warn = () => {
    if (!document.body.dataset.currentView) {
      document.getElementById("notice").append("Filters and the map need a part of this page that did not load. ", reload);
    }
  };
  const reload = document.createElement("a");
  reload.href = "";
  reload.textContent = "Reload";
  const timer = setTimeout(warn, SILENT_MS);
  addEventListener("error", ({ target }) => {
    if (target.type === "module" && target.src.endsWith("/explore.js")) {
      clearTimeout(timer);
      warn();
    }
  }, true);
}
