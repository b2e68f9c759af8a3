import { element } from "./dom.js";

/** Return a button that shares a link to a path, or copies it; null if the browser can do neither. */
export function shareButton(title, path) {
  const { href: url } = new URL(path, location.href);
  if (navigator.share) {
    // The visitor may change their mind.
    const share = () => navigator.share({ title, url }).catch((error) => error.name === "AbortError" || reportError(error));
    return element("button", { type: "button", onclick: share }, "Share");
  }
  const copy = async ({ currentTarget: button }) => {
    await navigator.clipboard.writeText(url);
    button.textContent = "Link copied";
  };
  return navigator.clipboard ? element("button", { type: "button", "aria-live": "polite", onclick: copy }, "Copy link") : null;
}
