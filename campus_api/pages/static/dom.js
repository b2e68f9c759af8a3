import { isTemporary, onRecovery } from "./api.js";

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

function isPresent(value) {
  return value !== null && value !== undefined && value !== false;
}

/** Replace the content of an element, which takes the keyboard focus over from what it contained. */
export function replaceContent(container, ...children) {
  const hadFocus = container.contains(document.activeElement);
  container.replaceChildren(...children);
  if (hadFocus) {
    container.focus({ preventScroll: true });
  }
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
