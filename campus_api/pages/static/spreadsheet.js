import { apiUrl } from "./api.js";
import { element } from "./dom.js";

// Excel reads UTF-8 only after it.
const BYTE_ORDER_MARK = "\ufeff";

/** Return a link to a CSV file of the API, which a click saves as a spreadsheet for Excel. */
export function spreadsheetLink(text, path) {
  return element("a", { href: apiUrl(path), onclick: save }, text);
}

async function save(event) {
  const { href, pathname } = event.currentTarget;
  event.preventDefault();
  const response = await fetch(href).catch(() => null);
  if (!response?.ok) {
    // The browser shows the error.
    location.assign(href);
    return;
  }
  const url = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, await response.blob()], { type: "text/csv" }));
  element("a", { href: url, download: pathname.split("/").pop() }).click();
  URL.revokeObjectURL(url);
}
