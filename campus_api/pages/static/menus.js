import { address, ask, askOnce } from "./api.js";
import { isDate, plusDays, spoken } from "./dates.js";
import { element, nothing, showSources, trouble } from "./dom.js";
import { menuOf } from "./dishes.js";
import { go, here } from "./place.js";
import { showDays } from "./days.js";

const MEALS = new Map([["0", "Breakfast"], ["1", "Lunch"], ["2", "Dinner"]]);

const hall = document.getElementById("hall");
const menu = document.getElementById("menu");
const served = document.getElementById("served");
const sources = document.getElementById("menu-sources");
const tabs = [...document.querySelectorAll("[data-meal]")];

let turn = new AbortController();

hall.addEventListener("change", () => go({ location: hall.value }));

for (const [number, tab] of tabs.entries()) {
  tab.addEventListener("click", () => go({ meal: tab.dataset.meal }));
  tab.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -number, End: tabs.length - 1 - number };
    if (event.key in steps) {
      event.preventDefault();
      const next = tabs[(number + steps[event.key] + tabs.length) % tabs.length];
      next.focus();
      next.click();
    }
  });
}

/** Show the menu of the date, meal and hall that the place names, else that of now. */
export async function showMenus(place) {
  turn.abort();
  turn = new AbortController();
  const { signal } = turn;
  menu.setAttribute("aria-busy", "true");
  try {
    const { data: index } = await askOnce("");
    const range = index.datasets.dining;
    if (!signal.aborted && place.date && place.meal) {
      showChoices(place, index.today, range, {});
      await showMenu(place, range, index.today, signal);
    } else if (!signal.aborted) {
      const date = place.date ?? index.today;
      go({ view: "menus", date, meal: place.meal ?? usualMeal(date === index.today) }, { replace: true });
    }
  } catch (error) {
    if (!signal.aborted) {
      menu.removeAttribute("aria-busy");
      served.textContent = "";
      showSources(sources, []);
      menu.replaceChildren(trouble(error, () => showMenus(here())));
    }
  }
}

function usualMeal(isToday) {
  const hour = new Date().getHours();
  return !isToday || (hour >= 10 && hour < 15) ? "1" : hour < 10 ? "0" : "2";
}

async function showMenu(place, range, today, signal) {
  const { date, meal, location } = place;
  // The whole day: it is there even while the database is away, if it is that of today.
  const [halls, categories, answer] = await Promise.all([
    askOnce("dining/locations"),
    askOnce("dining/categories"),
    ask(`dining/menus?${new URLSearchParams({ date })}`, signal),
  ]);
  if (signal.aborted) {
    return;
  }
  const rows = answer.data.filter(
    (row) => String(row.meal) === meal && (!location || String(row.location) === location),
  );
  const query = new URLSearchParams({ date, meal, ...(location && { location }) });
  showChoices(place, today, range, neighbours(answer.headers));
  showHalls(halls.data, location);
  showSources(sources, [address(`dining/menus?${query}`)]);
  served.textContent = summary(rows, date, meal);
  menu.removeAttribute("aria-busy");
  const why = answer.headers.get("X-Campus-Empty");
  menu.replaceChildren(...(rows.length ? menuOf(rows, halls.data, categories.data) : [empty(why, place, range)]));
}

/** Return the dates before and after that have menus, where the answer says so. */
function neighbours(headers) {
  const links = (headers.get("Link") ?? "").matchAll(/<([^>]*)>\s*;\s*rel="?(prev|next)"?/g);
  return Object.fromEntries([...links].map(([, to, rel]) => [rel, new URL(to, location.href).searchParams.get("date")]));
}

function showChoices({ date, meal }, today, range, { prev, next }) {
  const first = range.first_date;
  const last = range.last_date;
  const within = (day) => (first && day >= first && day <= last ? day : null);
  const around = isDate(date) ? { prev: within(plusDays(date, -1)), next: within(plusDays(date, 1)) } : {};
  showDays({ date, today, first, last, prev: prev ?? around.prev, next: next ?? around.next });
  for (const tab of tabs) {
    const isChosen = tab.dataset.meal === meal;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    if (isChosen) {
      menu.setAttribute("aria-labelledby", tab.id);
    }
  }
}

function showHalls(halls, chosen = "") {
  const sorted = [...halls].sort((one, other) => (one.name ?? "").localeCompare(other.name ?? "", "en"));
  const options = sorted.map(({ id, name }) => element("option", { value: id }, name ?? `Hall ${id}`));
  hall.replaceChildren(element("option", { value: "" }, "All halls"), ...options);
  hall.value = chosen;
}

function summary(rows, date, meal) {
  const dishes = `${rows.length} ${rows.length === 1 ? "dish" : "dishes"}`;
  const halls = new Set(rows.map((row) => row.location)).size;
  const where = `${halls} ${halls === 1 ? "hall" : "halls"}`;
  const what = `${MEALS.get(meal) ?? `Meal ${meal}`}, ${spoken(date)}`;
  return rows.length ? `${what}: ${dishes} in ${where}` : what;
}

function empty(why, { date, meal }, { first_date: first, last_date: last }) {
  const name = (MEALS.get(meal) ?? "this meal").toLowerCase();
  if (!first) {
    return nothing("No menus yet", "No menus were loaded into this service.");
  }
  const range = `Menus are loaded from ${spoken(first, { dateStyle: "long" })} to ${spoken(last, { dateStyle: "long" })}.`;
  if (why === "closed") {
    return nothing("Closed", "Nothing is served on this day.");
  }
  if (why === "not-loaded" || date < first || date > last) {
    return nothing("Not loaded", "There is no menu for this day.", range);
  }
  return nothing("Nothing served", `No ${name} is on the menu for this choice. Try another meal, hall or day.`);
}
