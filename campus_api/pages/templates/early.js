// Before the modules are there: the menu in the page is visible only if the link and this device select it.
{
  const SILENT_MS = 10_000;
  let own = {};
  try {
    own = JSON.parse(localStorage.getItem("campus:menus")) ?? own;
  } catch {
    // The storage is blocked, or somebody has edited it.
  }
  const { dataset } = document.currentScript;
  const [link, page] = [location.search, dataset.query].map((query) => new URLSearchParams(query));
  const [label, without] = ["label", "without"].map((name) => [...new Set([own[name] ?? [], link.getAll(name)].flat())]);
  const { location: hall, recent = [] } = own;
  const isUnfiltered = (chosen) =>
    chosen.without.some((word) => !page.getAll("without").includes(word)) || (chosen.label.length > 0 && String(chosen.label) !== String(page.getAll("label")));
  const isOfHall = !hall || ["date", "meal", "location"].some((name) => link.get(name));
  const isOfMenus = !location.hash && !["q", "id", "open"].some((name) => link.get(name)) && (link.get("view") ?? "menus") === "menus";
  const preload = () => {
    const { static: folder, modules } = dataset;
    const links = modules.split(" ").map((name) => Object.assign(document.createElement("link"), { rel: "modulepreload", href: folder + name }));
    document.head.append(...links);
  };
  const [menus, menu, summary, caution] = ["menus", "menu", "menu-summary", "menu-caution"].map((id) => document.getElementById(id));
  document.getElementById("field-panel").open = Boolean(own.unfolded);
  const openHall = (id) => menu.querySelectorAll(`[data-location="${CSS.escape(id)}"].open`);
  [recent].flat().reverse().forEach((id) => menu.prepend(...openHall(id)));
  const rendered = [menu, summary].map((part) => [part, [...part.childNodes]]);
  // Without a network, the page may be of another day, or of another link.
  const isCurrent = navigator.onLine && `?${page}` === `?${link}`;
  if (isOfMenus && isOfHall && !isUnfiltered({ label, without }) && isCurrent) {
    menus.hidden = false;
    // The dishes come first.
    requestAnimationFrame(() => setTimeout(preload));
  } else {
    rendered.forEach(([part]) => part.replaceChildren());
    caution.hidden = true;
    preload();
  }

  /** Mark what the filters exclude, as far as the line of a dish says it. */
  const mark = (line, words) => {
    line.querySelector("mark")?.remove();
    const excluded = line.textContent.trim().split(", ").filter((word) => words.includes(word));
    const text = Object.assign(document.createElement("mark"), { textContent: `excluded: ${excluded.join(", ")}` });
    line.prepend(...(excluded.length ? [text, " "] : []));
  };
  const showRendered = (chosen) => {
    rendered.forEach(([part, nodes]) => part.replaceChildren(...nodes));
    if (isUnfiltered(chosen)) {
      const text = "Not filtered: allergens may be in these dishes.";
      const others = [...page].filter(([name]) => !["view", "label", "without"].includes(name));
      const query = new URLSearchParams([["view", "menus"], ...others, ...["label", "without"].flatMap((name) => chosen[name].map((word) => [name, word]))]);
      const filter = Object.assign(document.createElement("a"), { href: `?${query}`, textContent: "Filter them" });
      summary.append(". ", Object.assign(document.createElement("strong"), { textContent: text }), " ", filter);
      menu.querySelectorAll(".dish-allergens").forEach((line) => mark(line, chosen.without));
    }
    menus.hidden = caution.hidden = false;
    dispatchEvent(new Event("campus:rendered"));
  };
  // Without the API, the menu in the page is better than none.
  addEventListener("campus:unavailable", ({ detail }) => isCurrent && showRendered(detail));
  const warn = () => {
    if (!document.body.dataset.currentView) {
      const reload = Object.assign(document.createElement("a"), { href: "", textContent: "Reload" });
      document.getElementById("notice").replaceChildren("The map and remembered filters need a part of this page that did not load. ", reload);
      // What the script would do, links and a form do.
      document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${dataset.static}plain.css` }));
      if (isCurrent && menus.hidden) {
        showRendered({ label, without });
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
