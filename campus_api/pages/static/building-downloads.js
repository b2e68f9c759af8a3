import { apiUrl } from "./api.js";
import { buildingCount } from "./building-list.js";
import { element } from "./dom.js";
import { spreadsheetLink } from "./spreadsheet.js";
import { fold } from "./text.js";

const LISTS = { GeoJSON: "map/buildings.geojson", "Spreadsheet (CSV)": "map/buildings.csv", JSON: "map/buildings" };

/** Link the buildings that match a search, in all formats, or all buildings if the API has no query for the search. */
export function showDownloads(container, matches, text) {
  const query = queryFor(matches, text);
  const label = query ? buildingCount(matches.length, matches.length) : "All buildings";
  container.replaceChildren(element("span", { class: "label" }, label), ...links(LISTS, query));
}

/** Return links to one building in all formats. */
export function buildingDownloads(id) {
  return links({ GeoJSON: `map/buildings/${id}.geojson`, JSON: `map/buildings/${id}` });
}

function links(paths, query = "") {
  return Object.entries(paths).map(([format, path]) =>
    path.endsWith(".csv")
      ? spreadsheetLink(format, path + query)
      : element("a", { href: apiUrl(path) + query }, format),
  );
}

/**
 * Return the query string of the API for a search, or "" if there is none.
 *
 * The page looks for words in all fields together, the API for a text in one of them: these are never more buildings.
 */
function queryFor(matches, text) {
  if (!text || !matches.length) {
    return "";
  }
  const field = ["name", "address"].find((name) => matches.every((building) => fold(building[name] ?? "").includes(fold(text))));
  return field ? `?${new URLSearchParams({ [field]: text })}` : "";
}
