import { isDate, spoken, weekOf } from "./dates.js";
import { element } from "./dom.js";
import { addressAfter, go } from "./place.js";

const field = document.getElementById("date");
const week = document.getElementById("week");
const range = document.getElementById("range");
const steps = { prev: document.getElementById("previous"), next: document.getElementById("next") };
const now = document.getElementById("today");

field.addEventListener("change", () => field.value && go({ date: field.value }));

for (const button of [...Object.values(steps), now]) {
  button.addEventListener("click", () => button.dataset.date && go({ date: button.dataset.date }));
}

/** Show which day is chosen, the week around it, what is loaded, and the ways to other days. */
export function showDays({ date, today, first, last, prev, next }) {
  lead(steps.prev, prev);
  lead(steps.next, next);
  lead(now, date === today ? null : today);
  field.min = first ?? "";
  field.max = last ?? "";
  field.value = isDate(date) ? date : "";
  const long = { dateStyle: "medium" };
  range.textContent = first ? `Loaded: ${spoken(first, long)} to ${spoken(last, long)}` : "No menus are loaded";
  const isLoaded = (day) => Boolean(first) && day >= first && day <= last;
  week.replaceChildren(...(isDate(date) ? weekOf(date) : []).map((day) => dayOf(day, date, today, isLoaded(day))));
}

function lead(button, date) {
  button.dataset.date = date ?? "";
  // Not disabled, which would take the focus away from who steps through the days.
  button.setAttribute("aria-disabled", String(!date));
}

function dayOf(day, chosen, today, isLoaded) {
  const name = `${spoken(day)}${day === today ? ", today" : ""}${isLoaded ? "" : ", not loaded"}`;
  const link = element(
    "a",
    {
      href: addressAfter({ date: day }),
      class: [isLoaded ? "loaded" : "not-loaded", day === today && "today"].filter(Boolean).join(" "),
      "aria-label": name,
      "aria-current": day === chosen && "date",
      "data-date": day,
    },
    element("span", {}, spoken(day, { weekday: "short" })),
    element("strong", {}, String(Number(day.slice(8)))),
  );
  link.addEventListener("click", (event) => {
    if (event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
      event.preventDefault();
      go({ date: day });
      week.querySelector(`[data-date="${day}"]`)?.focus();
    }
  });
  return element("li", {}, link);
}
