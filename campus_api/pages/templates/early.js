// Before the modules are there: the menus of now, which are in the page, wait if the link or this device asks for others.
{
  const SILENT_MS = 10_000;
  let own = {};
  try {
    own = JSON.parse(localStorage.getItem("campus:menus")) ?? own;
  } catch {
    // The storage is blocked, or somebody has edited it.
  }
  const params = new URLSearchParams(location.search);
  const [label, without] = ["label", "without"].map((name) => [own[name] ?? [], params.getAll(name)].flat());
  const { location: hall, recent = [] } = own;
  const isFiltered = label.length + without.length > 0;
  const isOfNow = !location.hash && ["", "?view=menus"].includes(location.search) && !hall && !isFiltered;
  const { dataset } = document.currentScript;
  const preload = () => {
    const { static: folder, modules } = dataset;
    const links = modules.split(" ").map((name) => Object.assign(document.createElement("link"), { rel: "modulepreload", href: folder + name }));
    document.head.append(...links);
  };
  const [menus, menu, summary, caution] = ["menus", "menu", "menu-summary", "menu-caution"].map((id) => document.getElementById(id));
  const openHall = (id) => menu.querySelectorAll(`[data-location="${CSS.escape(id)}"].open`);
  [recent].flat().reverse().forEach((id) => menu.prepend(...openHall(id)));
  const rendered = [menu, summary].map((part) => [part, [...part.childNodes]]);
  // Without a network, the page may be of another day.
  if (isOfNow && navigator.onLine) {
    menus.hidden = false;
    // The dishes come first.
    requestAnimationFrame(() => setTimeout(preload));
  } else {
    rendered.forEach(([part]) => part.replaceChildren());
    caution.hidden = true;
    preload();
  }

  /** Mark what the filters exclude, as far as the line of a dish says it. */
  const mark = (line) => {
    const excluded = line.textContent.split(", ").filter((word) => without.includes(word));
    const text = Object.assign(document.createElement("mark"), { textContent: `excluded: ${excluded.join(", ")}` });
    line.prepend(...(excluded.length ? [text, " "] : []));
  };
  const showRendered = () => {
    rendered.forEach(([part, nodes]) => part.replaceChildren(...nodes));
    if (isFiltered) {
      const text = "Not filtered: allergens may be in these dishes.";
      summary.append(". ", Object.assign(document.createElement("strong"), { textContent: text }));
      menu.querySelectorAll(".dish-allergens").forEach(mark);
    }
    menus.hidden = caution.hidden = false;
  };
  const warn = () => {
    if (!document.body.dataset.currentView) {
      const reload = Object.assign(document.createElement("a"), { href: "", textContent: "Reload" });
      document.getElementById("notice").replaceChildren("Filters and the map need a part of this page that did not load. ", reload);
      if (navigator.onLine && menus.hidden) {
        showRendered();
      }
    }
  };
  const timer = setTimeout(warn, SILENT_MS);
  addEventListener("error", ({ target, filename }) => {
    if (target.src?.endsWith("/explore.js") || filename?.startsWith(location.origin + dataset.static)) {
      clearTimeout(timer);
      warn();
    }
  }, true);
}
