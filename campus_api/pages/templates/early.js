// Before the modules are there: the menu in the page is visible only if the link and this device select it.
{
  const SILENT_MS = 10_000;
  const PARTS = "#menu, #menu-summary, #week, #selection, #filter-button, #filters .boxes";
  const { dataset } = document.currentScript;
  const { own, stars, chosen, isOfMenus, page: requested } = device;
  let page = new URLSearchParams(dataset.query);
  const copyOf = (id) => document.getElementById(id).content.cloneNode(true);
  const preload = () => document.head.append(copyOf("modules"));
  const IDS = ["menus", "menu", "menu-summary", "menu-caution", "filter-button"];
  const [menus, menu, summary, caution, button] = IDS.map((id) => document.getElementById(id));
  document.getElementById("field-panel").open = Boolean(own.unfolded);
  const recent = [own.recent ?? []].flat().reverse();
  // In the order of the script: of those that are open, or that open later, the favourites and those used last.
  const readRendered = () => {
    const halls = recent.length + stars.length ? [...menu.querySelectorAll("[data-location]")] : [];
    const rank = (card) => halls.findIndex((hall) => hall.dataset.state === card.dataset.state);
    const isStar = (card) => stars.includes(`hall ${card.dataset.location}`);
    const place = (card) => recent.indexOf(card.dataset.location);
    menu.append(...halls.toSorted((a, b) => rank(a) - rank(b) || isStar(b) - isStar(a) || place(b) - place(a)));
    return [menu, summary].map((part) => [part, [...part.childNodes]]);
  };
  let rendered = readRendered();
  // Without a network, the page may be of another day, or of another link.
  const isCurrent = navigator.onLine && `?${page}` === `?${new URLSearchParams(location.search)}`;
  if (isOfMenus && !requested && isCurrent) {
    menus.hidden = false;
    // The dishes come first.
    requestAnimationFrame(() => setTimeout(preload));
  } else {
    rendered.forEach(([part]) => part.replaceChildren());
    caution.hidden = true;
    preload();
  }
  requested?.then((text) => {
    const parts = new DOMParser().parseFromString(text, "text/html").querySelectorAll(PARTS);
    const isFollowed = document.body.dataset.currentView;
    // It also replaces a list that is only marked, because the API failed before.
    if (parts.length && (!isFollowed || menu.getAttribute("aria-busy") || summary.querySelector("a"))) {
      for (const [index, part] of document.querySelectorAll(PARTS).entries()) {
        part.className = parts[index].className;
        part.replaceChildren(...part.querySelectorAll(".loading, .message:has(button)"), ...parts[index].childNodes);
      }
      page = chosen;
      rendered = readRendered();
      showRendered(isFollowed ? new URLSearchParams(location.search) : chosen);
    }
  });

  /** Mark what the filters exclude, as far as the line of a dish says it. */
  const mark = (line, words) => {
    line.querySelector("mark")?.remove();
    const excluded = line.textContent.trim().split(", ").filter((word) => words.includes(word));
    const text = Object.assign(document.createElement("mark"), { textContent: `excluded: ${excluded.join(", ")}` });
    line.prepend(...(excluded.length ? [text, " "] : []));
  };
  const showRendered = (filters) => {
    const [label, without] = ["label", "without"].map((name) => filters.getAll(name));
    const isLabelled = !label.length || String(label) === String(page.getAll("label"));
    rendered.forEach(([part, nodes]) => part.replaceChildren(...nodes));
    if (!isLabelled || without.some((word) => !page.getAll("without").includes(word))) {
      const query = new URLSearchParams(filters);
      query.set("view", "menus");
      summary.append(copyOf("not-filtered"));
      summary.querySelector("a").href = `?${query}`;
      button.textContent = `Filters (${label.length + without.length + filters.getAll("q").length})`;
      button.classList.add("in-force");
      menu.querySelectorAll(".dish-allergens").forEach((line) => mark(line, without));
    }
    menus.hidden = caution.hidden = false;
    dispatchEvent(new Event("campus:rendered"));
  };
  // Without the API, the menu in the page is better than none.
  addEventListener("campus:unavailable", () => isCurrent && showRendered(new URLSearchParams(location.search)));
  const warn = () => {
    if (!document.body.dataset.currentView) {
      document.getElementById("notice").replaceChildren(copyOf("not-loaded"));
      if (isCurrent && menus.hidden) {
        showRendered(chosen);
      }
    }
  };
  setTimeout(warn, SILENT_MS);
  addEventListener("error", ({ target, filename }) => {
    if (target.src?.endsWith("/explore.js") || filename?.startsWith(location.origin + dataset.static)) {
      warn();
    }
  }, true);
}
