import { ENGLISH } from "./text.js";

const TIME = /** @type {const} */ ({ weekday: "long", hour: "numeric", minute: "2-digit" });
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 20_000;
// A proxy responds with 502 or 504 while the service restarts.
const TEMPORARY = [429, 502, 503, 504];

/** A failed request, with a title and a message for the user; `status` is 0 without a response. */
export class ApiError extends Error {
  constructor(title, message, { path, status = 0, problem = null, retryAfter = 0 }) {
    super(message);
    Object.assign(this, { title, path, status, problem, retryAfter });
  }
}

/** Return the URL of an API path, without the host. */
export function apiUrl(path) {
  return document.body.dataset.base + path;
}

/**
 * GET an API path; return the parsed data and the headers, or throw an ApiError.
 * @type {FetchJson}
 */
export async function fetchJson(path, signal) {
  try {
    const response = await fetch(apiUrl(path), { headers: { Accept: "application/json" }, signal });
    if (!response.ok) {
      throw await errorFrom(path, response);
    }
    return { data: await response.json(), headers: response.headers };
  } catch (error) {
    if (error instanceof ApiError || error.name === "AbortError") {
      throw error;
    }
    // There is no response, its end is missing, or a network sends another page instead.
    throw new ApiError(
      "The service cannot be reached",
      "Check your network connection, and that the service is running.",
      { path },
    );
  }
}

/** Return what a request does, or this data without headers if it fails. */
export async function unlessFailed(request, data) {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ApiError) {
      return { data, headers: new Headers() };
    }
    throw error;
  }
}

async function errorFrom(path, response) {
  // The error page of a proxy is not JSON.
  const problem = await response.json().catch(() => null);
  const { status } = response;
  const title = status === 503 ? "The database is unavailable" : "The request failed";
  const retryAfter = Number(response.headers.get("Retry-After")) || 0;
  const message = problem?.detail ?? `The service responded with status ${status}.`;
  return new ApiError(title, message, { path, status, problem, retryAfter });
}

/** Say how old the data of a view are, if the headers of their response mark them as stale. */
export function showStaleness(headers) {
  const notice = document.getElementById("notice");
  const status = headers.get("Cache-Status");
  const time = new Date(Date.now() - Number(headers.get("Age")) * 1000).toLocaleString(ENGLISH, TIME);
  const since = status?.includes("superseded") ? `from before the update of ${time}` : `from ${time}`;
  const cause = status === "offline" ? "You are offline" : "The database is unavailable";
  const text = status ? `${cause}: this data is ${since}.` : "";
  // A live region announces every assignment.
  if (notice.textContent !== text) {
    notice.textContent = text;
  }
}

/** Tell whether the request of an ApiError may succeed later. */
export function isTemporary({ status }) {
  return TEMPORARY.includes(status);
}

/** Repeat the request of a temporary error while `isWanted()`, and call `listener` when it succeeds. */
export async function onRecovery(error, isWanted, listener) {
  let latest = error;
  for (let delay = FIRST_DELAY_MS; latest; delay = Math.min(2 * delay, MAX_DELAY_MS)) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(delay, latest.retryAfter * 1000)));
    if (!isWanted()) {
      return;
    }
    latest = await failure(latest.path);
  }
  listener();
}

/** Return the error of a request, or null if it succeeds or fails for another reason, which `listener` shows. */
async function failure(path) {
  try {
    await fetchJson(path);
    return null;
  } catch (error) {
    return isTemporary(error) || error.status === 0 ? error : null;
  }
}
