const base = document.body.dataset.base;
const notice = document.getElementById("notice");
// From there on, an age is in hours.
const MINUTES_SHOWN = 120;

/** A failed request, with a title and a message for the user; `status` is 0 without a response. */
export class ApiError extends Error {
  constructor(title, message, { path, status = 0, problem = null, retryAfter = 0 }) {
    super(message);
    Object.assign(this, { title, path, status, problem, retryAfter });
  }
}

/** Return the URL of an API path, without the host. */
export function apiUrl(path) {
  return base + path;
}

/** GET an API path; return the parsed data, the headers and the URL, or throw an ApiError. */
export async function fetchJson(path, signal) {
  const url = apiUrl(path);
  const response = await send(path, signal);
  if (!response.ok) {
    throw await errorFrom(path, response);
  }
  return { data: await response.json(), headers: response.headers, url };
}

async function send(path, signal) {
  try {
    return await fetch(apiUrl(path), { headers: { Accept: "application/json" }, signal });
  } catch (error) {
    if (error.name === "AbortError") {
      throw error;
    }
    throw new ApiError(
      "The service cannot be reached",
      "Check your network connection, and that the service is running.",
      { path },
    );
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
  const status = headers.get("Cache-Status");
  const age = formatAge(headers);
  const reason = status?.includes("superseded")
    ? `This data is from before the last update, ${age} ago.`
    : `This data was current ${age} ago.`;
  const text = status ? `The database is unavailable. ${reason}` : "";
  // A live region announces every assignment.
  if (notice.textContent !== text) {
    notice.textContent = text;
  }
}

function formatAge(headers) {
  const minutes = Math.round(Number(headers.get("Age") ?? 0) / 60);
  if (minutes < 1) {
    return "a moment";
  }
  if (minutes >= MINUTES_SHOWN) {
    return `${Math.round(minutes / 60)} hours`;
  }
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}
