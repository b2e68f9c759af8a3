import { element } from "./dom.js";

const SLOW_MS = 3000;
const SILENT_MS = 10_000;

/** The load of a view, which aborts the one before, and shows in a container how long it takes. */
export class Loading {
  #container;
  #retry;
  #controller = new AbortController();
  #end = () => {};

  /** `retry` is called when the visitor does not want to wait any longer. */
  constructor(container, retry) {
    this.#container = container;
    this.#retry = retry;
  }

  /** Return what `load` returns for the signal that the next load aborts. */
  async run(load) {
    this.#controller.abort();
    this.#end();
    this.#controller = new AbortController();
    const end = (this.#end = showLoading(this.#container, this.#retry));
    try {
      return await load(this.#controller.signal);
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
function showLoading(container, retry) {
  const note = element("div", { class: "message loading", role: "status" });
  const skeleton = container.hasChildNodes() ? null : /** @type {Element} */ (document.querySelector(".skeleton").cloneNode(true));
  container.prepend(note, ...[skeleton].filter(Boolean));
  const slow = setTimeout(() => note.replaceChildren(element("p", {}, "Still loading")), SLOW_MS);
  const button = element("button", { type: "button", onclick: retry }, "Try again");
  const silence = [element("h2", {}, "The service does not answer"), element("p", {}, "The page goes on waiting."), button];
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
