import { address, ask, askOnce } from "./api.js";
import { element, nothing, showSources, trouble } from "./dom.js";
import { FootprintMap } from "./map.js";
import { go, here } from "./place.js";

const PAUSE_MILLISECONDS = 200;
const MOST_LISTED = 200;

const field = document.getElementById("search");
const found = document.getElementById("found");
const results = document.getElementById("results");
const sources = document.getElementById("building-sources");
const card = document.getElementById("building");

let map = null;
let typing = null;
let asked = { text: null };
let listed = null;
let takesFocus = false;

field.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(search, PAUSE_MILLISECONDS);
});
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(typing);
  search();
});

function search() {
  go({ view: "buildings", q: field.value, id: null }, { replace: Boolean(here().q) });
}

/** Show the buildings that the place names by a text, and the one that it names by its id. */
export async function showBuildings({ q = "", id }) {
  clearTimeout(typing);
  if (field.value !== q) {
    field.value = q;
  }
  const answers = matching(q.trim());
  results.setAttribute("aria-busy", "true");
  try {
    const [all, given] = await Promise.all([askOnce("map/buildings"), answers]);
    if (answers === asked.answers) {
      show(all.data, given, q.trim(), id === undefined ? null : Number(id));
    }
  } catch (error) {
    if (answers === asked.answers) {
      asked = { text: null };
      showTrouble(error);
    }
  }
}

/** Ask for name and for address, because together they would both have to match; once for each text. */
function matching(text) {
  if (asked.text !== text) {
    asked.stop?.abort();
    const stop = new AbortController();
    const searched = (name) => ask(`map/buildings?${new URLSearchParams({ [name]: text })}`, stop.signal);
    const answers = text ? ["name", "address"].map(searched) : [askOnce("map/buildings")];
    asked = { text, stop, answers: Promise.all(answers) };
  }
  return asked.answers;
}

function showTrouble(error) {
  found.textContent = "";
  card.hidden = true;
  listed = null;
  showSources(sources, []);
  results.removeAttribute("aria-busy");
  results.replaceChildren(trouble(error, () => showBuildings(here())));
}

function show(all, answers, text, id) {
  const rows = [...new Map(answers.flatMap(({ data }) => data).map((row) => [row.id, row])).values()];
  results.removeAttribute("aria-busy");
  if (listed !== asked.answers) {
    listed = asked.answers;
    found.textContent = counted(rows.length, all.length, text);
    results.replaceChildren(list(rows.sort(byName), all.length, text));
    showSources(sources, answers.map((answer) => answer.address));
    showOnMap(all, rows.map((row) => row.id), text, id);
  }
  for (const button of results.querySelectorAll("[data-id]")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.id) === id));
  }
  map.choose(id);
  showCard(id === null ? null : (all.find((row) => row.id === id) ?? { id }));
}

function byName(one, other) {
  return (one.name ?? "\uffff").localeCompare(other.name ?? "\uffff", "en", { numeric: true }) || one.id - other.id;
}

function counted(number, of, text) {
  const buildings = `${number.toLocaleString("en")} ${number === 1 ? "building" : "buildings"}`;
  return text ? `${buildings} of ${of.toLocaleString("en")}` : buildings;
}

function list(rows, of, text) {
  if (!of) {
    return nothing("No buildings yet", "No buildings were loaded into this service.");
  }
  if (!rows.length) {
    return nothing("No match", `No name and no address contains “${text}”.`);
  }
  const items = rows.slice(0, MOST_LISTED).map((row) => element("li", {}, button(row)));
  const more = rows.length - items.length;
  const rest = more > 0 && element("li", { class: "more quiet" }, `${more.toLocaleString("en")} more are on the map.`);
  return element("ul", {}, items, rest);
}

function button(row) {
  return element(
    "button",
    { type: "button", "data-id": row.id, onclick: () => choose(row.id) },
    element("strong", {}, row.name ?? "Unnamed building"),
    element("span", {}, whereabouts(row)),
  );
}

function whereabouts(row) {
  return [row.address, row.city].filter(Boolean).join(", ");
}

function showOnMap(all, ids, text, id) {
  if (!map) {
    map = new FootprintMap("map", choose);
    map.place(all);
  }
  map.show(ids);
  map.fit(text ? ids : id === null ? [] : [id]);
  document.getElementById("map").setAttribute("aria-label", `Map: ${found.textContent}`);
}

function choose(id) {
  takesFocus = true;
  go({ view: "buildings", id: String(id) });
}

function leave(id) {
  go({ id: null });
  (results.querySelector(`[data-id="${id}"]`) ?? field).focus();
}

function showCard(row) {
  card.hidden = row === null;
  if (row !== null && card.dataset.id !== String(row.id)) {
    fillCard(row);
  }
  if (row !== null && takesFocus) {
    card.querySelector("h2").focus();
  }
  takesFocus = false;
}

function fillCard(row) {
  card.dataset.id = row.id;
  const close = { type: "button", class: "close", "aria-label": "Close", onclick: () => leave(row.id) };
  const title = row.geometry ? (row.name ?? "Unnamed building") : "No such building";
  const said = row.geometry ? facts(row) : [element("p", {}, "No building has this id.")];
  const source = element("p", { class: "sources" });
  showSources(source, [address(`map/buildings/${row.id}`)]);
  const heading = element("h2", { tabindex: "-1" }, title);
  card.replaceChildren(heading, element("button", close, "×"), ...said, source);
}

function facts(row) {
  const [latitude, longitude] = row.geometry.point;
  return [
    element("p", {}, whereabouts(row)),
    element("p", { class: "quiet" }, `Number ${row.id} · ${latitude.toFixed(5)}, ${longitude.toFixed(5)}`),
    row.image && photo(row),
  ].filter(Boolean);
}

/** Return the photo of a building, which comes from where its provider has it and may not be there. */
function photo(row) {
  const figure = element("figure");
  const tellIsMissing = () => {
    figure.replaceChildren(element("figcaption", { class: "quiet" }, "The photo cannot be shown."));
  };
  if (/^https:/i.test(row.image)) {
    const image = element("img", { alt: `Photo of ${row.name ?? "the building"}`, referrerpolicy: "no-referrer" });
    image.addEventListener("error", tellIsMissing);
    image.src = row.image;
    figure.append(image);
  } else {
    tellIsMissing();
  }
  return figure;
}
