/** Return a new element; children that are texts stay texts, and what is null or false is left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) {
      made.addEventListener(key.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? "" : value);
    }
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Return a message for what went wrong, with a button to try again. */
export function trouble(error, again) {
  return element(
    "div",
    { class: "message", role: "alert" },
    element("h2", {}, error.title ?? "Something went wrong"),
    element("p", {}, error.message),
    element("button", { type: "button", onclick: again }, "Try again"),
  );
}

/** Return a message for what is empty. */
export function nothing(title, ...sentences) {
  return element(
    "div",
    { class: "message" },
    element("h2", {}, title),
    sentences.map((sentence) => element("p", {}, sentence)),
  );
}

/** Show in `where` the addresses of the answers that a view is made of. */
export function showSources(where, addresses) {
  const links = addresses.map((address) => element("a", { href: address }, element("code", {}, address)));
  where.replaceChildren(...(links.length ? [element("span", { class: "label" }, "API"), ...links] : []));
}
