const base = document.body.dataset.base;
const notice = document.getElementById("notice");
const remembered = new Map();

/** What the service, or the way to it, could not do. */
export class Problem extends Error {
  constructor(title, message) {
    super(message);
    this.title = title;
  }
}

/** Return the address of a path of this service, from the root of its host. */
export function address(path) {
  return base + path;
}

/** Ask this service: its answer as data, with its headers and its address. */
export async function ask(path, signal) {
  const answer = await fetched(address(path), signal);
  const data = await answer.json().catch(() => null);
  if (!answer.ok) {
    throw new Problem(
      answer.status === 503 ? "The database is away" : "The service did not answer this",
      data?.detail ?? `It answered with status ${answer.status}.`,
    );
  }
  showAge(answer.headers);
  return { data, headers: answer.headers, address: address(path) };
}

/** Ask this service what does not change while a page is open; only what failed is asked for again. */
export function askOnce(path) {
  if (!remembered.has(path)) {
    const asked = ask(path);
    asked.catch(() => remembered.delete(path));
    remembered.set(path, asked);
  }
  return remembered.get(path);
}

async function fetched(url, signal) {
  try {
    return await fetch(url, { headers: { Accept: "application/json" }, signal });
  } catch (error) {
    if (error.name === "AbortError") {
      throw error;
    }
    throw new Problem("The service cannot be reached", "Is the network there, and is the service running?");
  }
}

function showAge(headers) {
  const seconds = Number(headers.get("Age") ?? 0);
  const minutes = Math.round(seconds / 60);
  const age = minutes < 1 ? "a moment" : minutes === 1 ? "a minute" : `${minutes} minutes`;
  const text = headers.has("X-Campus-Stale") ? `The database is away: you see what it held ${age} ago.` : "";
  if (notice.textContent !== text) {
    notice.textContent = text;
  }
}
