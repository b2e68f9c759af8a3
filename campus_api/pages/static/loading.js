import { element } from "./dom.js";

const SLOW_MS = 3000;
const SILENT_MS = 10_000;

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
