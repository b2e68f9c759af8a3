/** Give modules a browser of their own: the query of the page, and what this device remembers under "campus:menus". */
export function openPage(query = "", choices = {}) {
  const stored = new Map([["campus:menus", JSON.stringify(choices)]]);
  globalThis.location = { pathname: "/explore", search: query, hash: "" };
  globalThis.history = { pushState: (state, title, url) => (location.search = url.slice(location.pathname.length)) };
  globalThis.dispatchEvent = () => true;
  const localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value) };
  Object.defineProperty(globalThis, "localStorage", { value: localStorage, configurable: true });
  return () => JSON.parse(stored.get("campus:menus"));
}
