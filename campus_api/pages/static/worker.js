// /explore without a network: its files, and the menus of today and tomorrow as last seen. Nothing else is cached.
const { href, searchParams: settings } = new URL(location.href);
const folder = new URL("./", href).href;
const base = new URL("../../", href).href;
const page = `${base}explore`;
const files = settings.get("files").split(" ").map((name) => folder + name);
const lists = ["", "dining/locations", "dining/categories", "dining/locations.geojson"].map((path) => base + path);
const DAY_MS = 86_400_000;
const PATIENCE_MS = 5000;
const PREFIX = "campus ";
// Each version of the service has its own, with all of its files.
const opened = caches.open(PREFIX + folder);

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(opened.then((cache) => cache.addAll([page, ...files])).then(refresh));
});

addEventListener("activate", (event) => event.waitUntil(replaceOthers()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = request.mode === "navigate" ? request.url.split(/[?#]/)[0] : request.url;
  if (files.includes(url)) {
    event.respondWith(caches.match(url).then((file) => file ?? fetch(request)));
  } else if (url === page || menus().includes(url)) {
    event.respondWith(respond(request, url).catch(() => Response.error()));
    event.waitUntil(url === page ? refresh() : null);
  }
});

async function replaceOthers() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== PREFIX + folder);
  await Promise.all(names.map((name) => caches.delete(name)));
  await clients.claim();
}

/** Return the URLs of the lists, and of the menus and the hours of today and tomorrow on the campus. */
function menus() {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: settings.get("zone") });
  const days = [Date.now(), Date.now() + DAY_MS].map((time) => format.format(time));
  return [...lists, ...days.flatMap((day) => ["dishes", "hours"].map((name) => `${base}dining/${name}?date=${day}`))];
}

/** Fetch what is missing of today and tomorrow, and drop other days. */
async function refresh() {
  const cache = await opened;
  const urls = (await cache.keys()).map(({ url }) => url);
  await Promise.all(urls.filter((url) => url.includes("?date=") && !menus().includes(url)).map((url) => cache.delete(url)));
  const requests = menus().filter((url) => !urls.includes(url)).map((url) => new Request(url, { headers: { Accept: "application/json" } }));
  await Promise.allSettled(requests.map((request) => fetchAndCache(request, request.url)));
}

/** Fetch, and cache the response if there is room: no error, no page of a query, none of another version. */
async function fetchAndCache(request, url) {
  const response = await fetch(request);
  if (response.ok && !request.url.includes("explore?") && (url !== page || (await response.clone().text()).includes(new URL(folder).pathname))) {
    await (await opened).put(url, response.clone()).catch(reportError);
  }
  return response;
}

/** Return the response of the network, or the last one if there is none in time. */
function respond(request, url) {
  const fetched = fetchAndCache(request, url);
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  return Promise.race([fetched.catch(() => lastSeen(url)), patience.then(() => lastSeen(url)).catch(() => fetched)]);
}

async function lastSeen(url) {
  const response = await (await opened).match(url, { ignoreVary: true });
  const headers = new Headers(response.headers);
  headers.set("Age", String(Math.round((Date.now() - Date.parse(headers.get("Date"))) / 1000)));
  headers.set("Date", new Date().toUTCString());
  headers.set("Cache-Status", "offline");
  return new Response(response.body, { headers });
}
