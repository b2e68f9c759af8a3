/** Return what this device remembers under a key, or `fallback`. */
export function remembered(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? fallback;
  } catch {
    // The storage is blocked, or somebody has edited it.
    return fallback;
  }
}

/** Remember a value on this device only, as far as its storage allows. */
export function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The storage is blocked or full: the value holds until the page is left.
  }
}
