import { isTemporary, onRecovery } from "./api.js";

const SLOW_MS = 3000;
const SILENT_MS = 10_000;

/** Create an element, or fill one that exists; string children become text, null, undefined and false are skipped. */
export function element(name, attributes = {}, ...children) {
  const node = typeof name === "string" ? document.createElement(name) : name;
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) {
      node.addEventListener(key.slice(2), value);
    } else if (isPresent(value)) {
      node.setAttribute(key, value === true ? "" : value);
    }
  }
  node.replaceChildren(...children.flat().filter(isPresent));
  return node;
}

const isPresent = (value) => (value ?? false) !== false;

/** Replace the content of an element, which takes the keyboard focus over from what it contained. */
export function replaceContent(container, ...children) {
  const hadFocus = container.contains(document.activeElement);
  container.replaceChildren(...children);
  if (hadFocus) {
    container.focus({ preventScroll: true });
  }
}

/** Wait for a new task, before which the browser can respond to the visitor. */
export function nextTask() {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Set the title of the document to what the page shows. */
export function showTitle(text) {
  document.title = `${text} · Campus data API`;
}

/** Return an error message with a button to try again. */
export function errorMessage(error, retry) {
  const message = element(
    "div",
    { class: "message", role: "alert" },
    element("h2", {}, error.title ?? "Something went wrong"),
    element("p", {}, isTemporary(error) ? "This page keeps trying, and recovers by itself." : error.message),
    element("button", { type: "button", onclick: retry }, "Try again"),
  );
  if (isTemporary(error)) {
    // A hidden view is shown anew anyway.
    onRecovery(error, () => message.isConnected && !message.closest("[hidden]"), retry);
  }
  return message;
}

/** Return a message for an empty result; a sentence is text, or a list of texts and elements. */
export function emptyMessage(title, ...sentences) {
  return element(
    "div",
    { class: "message" },
    element("h2", {}, title),
    sentences.map((sentence) => element("p", {}, sentence)),
  );
}

/** Use a part of the page, which modules load when it is needed; if it does not load, its container says so. */
export async function usePart(container, name, part, use) {
  container.setAttribute("aria-busy", "true");
  const loaded = await part.catch(() => null);
  container.removeAttribute("aria-busy");
  if (loaded) {
    await use(loaded);
  } else {
    const reload = element("a", { href: "" }, "Reload");
    container.replaceChildren(element("p", { class: "message", role: "alert" }, `${name} did not load. `, reload));
  }
}

/** Return a place for what the search of the campus has for a text. */
export function closeResults(text) {
  const place = element("div");
  usePart(place, "The search", import("./site-search.js"), ({ showCloseResults }) => showCloseResults(place, text));
  return place;
}

/** The loads for a section, of which each aborts the one before. */
export class Loading {
  #section;
  #showProgress;
  #controller = new AbortController();

  /** `showProgress` is called when a load begins, and returns a function that is called at its end. */
  constructor(section, showProgress) {
    this.#section = section;
    this.#showProgress = showProgress;
  }

  /** Tell whether a load is no longer about what the page shows. */
  isLeft(signal) {
    return signal.aborted || this.#section.hidden;
  }

  /** Return what `load` returns for the signal that the next load aborts; if it fails, show why unless it is left. */
  async run(load, showError) {
    this.#controller.abort();
    const { signal } = (this.#controller = new AbortController());
    const end = this.#showProgress();
    signal.addEventListener("abort", end);
    try {
      return await load(signal);
    } catch (error) {
      if (!this.isLeft(signal)) {
        showError(error);
      }
      return null;
    } finally {
      end();
    }
  }
}

/**
 * Show a skeleton in an empty container, after a while that it is still loading, and at last a button to try again.
 *
 * Return a function that ends this; the container takes the focus of the button over.
 */
export function showLoading(container, retry) {
  const note = element("div", { class: "message loading", role: "status" });
  const skeleton = container.hasChildNodes() ? null : /** @type {Element} */ (document.querySelector(".skeleton").cloneNode(true));
  container.prepend(note, ...[skeleton].filter(Boolean));
  const slow = setTimeout(() => note.replaceChildren(element("p", {}, "Still loading")), SLOW_MS);
  const button = element("button", { type: "button", onclick: retry }, "Try again");
  const silence = [element("h2", {}, "The service does not respond"), element("p", {}, "The page goes on waiting."), button];
  const silent = setTimeout(() => note.replaceChildren(...silence), SILENT_MS);
  return () => {
    clearTimeout(slow);
    clearTimeout(silent);
    if (note.contains(document.activeElement)) {
      container.focus({ preventScroll: true });
    }
    note.remove();
    skeleton?.remove();
  };
}
