import { fetchJson } from "./api.js";

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 20_000;
// A proxy responds with 502 or 504 while the service restarts.
const TEMPORARY = [429, 502, 503, 504];

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
