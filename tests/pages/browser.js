/** Give modules a browser at a link to the page, with the choices of its device; return a function that reads these. */
export function openPage(link = "", choices = {}) {
  const stored = new Map([["campus:menus", JSON.stringify(choices)]]);
  const { pathname, search, hash } = new URL(`http://localhost/explore${link}`);
  globalThis.location = { pathname, search, hash };
  globalThis.history = { pushState: (state, title, url) => (location.search = url.slice(location.pathname.length)) };
  globalThis.dispatchEvent = () => true;
  const localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value) };
  Object.defineProperty(globalThis, "localStorage", { value: localStorage, configurable: true });
  return () => JSON.parse(stored.get("campus:menus"));
}
