import { addDays, daysBetween, ENGLISH, formatDate, isDate } from "./dates.js";
import { element } from "./dom.js";
import { navigate, onLinkClick, urlWith } from "./router.js";

/** The date field, a strip of seven days, and buttons for the previous day, the next day and today. */
export class DatePicker {
  #field = new DateField((date, options) => navigate(this.#changes(date), options));
  #week = document.getElementById("week");
  #range = document.getElementById("range");
  #previous = document.getElementById("previous");
  #next = document.getElementById("next");
  #today = document.getElementById("today");
  #changes;

  constructor() {
    for (const button of [this.#previous, this.#next]) {
      button.addEventListener("click", () => button.dataset.date && navigate(this.#changes(button.dataset.date)));
    }
    this.#today.addEventListener("click", () => this.#today.dataset.date && navigate({ date: null, meal: null }));
  }

  /** Show `date`; there are menus from `first` to `last` if that is known; `prev` and `next` are the adjacent dates. */
  show({ date, meal, today, now, isKnown, first, last, prev, next }) {
    // While the date is that of now, links do not name it.
    this.#changes = (day) => ({ date: day === now.date ? null : day, meal });
    setTarget(this.#previous, prev);
    setTarget(this.#next, next);
    setTarget(this.#today, date === now.date ? null : now.date);
    this.#field.show({ date: isDate(date) ? date : "", first, last });
    this.#range.textContent = isKnown ? range(first, last) : "";
    const isLoaded = (day) => !isKnown || (Boolean(first) && day >= first && day <= last);
    const focused = this.#week.contains(document.activeElement) ? document.activeElement.dataset.date : null;
    this.#week.replaceChildren(
      ...daysAround(isDate(date) ? date : today, today).map((day) =>
        this.#day(day, { isCurrent: day === date, isToday: day === today, isLoaded: isLoaded(day) }),
      ),
    );
    this.#week.querySelector(`[data-date="${focused}"]`)?.focus();
  }

  #day(date, { isCurrent, isToday, isLoaded }) {
    const month = formatDate(date, { month: "long", year: "numeric" });
    const more = ` ${month}${isToday ? ", today" : ""}${isLoaded ? "" : ", no menu"}`;
    const link = element(
      "a",
      {
        href: urlWith(this.#changes(date)),
        class: `${isLoaded ? "loaded" : "not-loaded"}${isToday ? " today" : ""}`,
        "aria-current": isCurrent && "date",
        "data-date": date,
      },
      element("span", {}, formatDate(date, { weekday: "short" })),
      " ",
      element("strong", {}, String(Number(date.slice(8)))),
      element("span", { class: "visually-hidden" }, more),
    );
    onLinkClick(link, () => navigate(this.#changes(date)));
    return element("li", {}, link);
  }
}

/** The date field: reports what is chosen; while a date is typed, the history keeps one entry. */
class DateField {
  #input = document.getElementById("date");
  #date = "";
  #isRefined = false;

  constructor(onChange) {
    this.#input.addEventListener("change", () => this.#report(onChange));
    // A click opens the calendar, for another choice.
    this.#input.addEventListener("click", () => (this.#isRefined = false));
    this.#input.addEventListener("blur", () => {
      this.#isRefined = false;
      this.#input.value = this.#date;
    });
  }

  /** Show a date other than the last one; any assignment would reset the part of a date that is half typed. */
  show({ date, first, last }) {
    for (const [name, value] of Object.entries({ min: first ?? "", max: last ?? "" })) {
      if (this.#input[name] !== value) {
        this.#input[name] = value;
      }
    }
    if (date !== this.#date) {
      this.#date = date;
      this.#input.value = date;
    }
  }

  #report(onChange) {
    const { value } = this.#input;
    // A year of which some digits are typed begins with zeros.
    if (value && !value.startsWith("0")) {
      this.#date = value;
      onChange(value, { replace: this.#isRefined });
      this.#isRefined = true;
    }
  }
}

/** Return seven dates with `date`: today and the days ahead, or the weeks before and after these. */
function daysAround(date, today) {
  const start = addDays(today, 7 * Math.floor(daysBetween(today, date) / 7));
  return [0, 1, 2, 3, 4, 5, 6].map((days) => addDays(start, days));
}

function setTarget(button, date) {
  button.dataset.date = date ?? "";
  // The disabled attribute would take the focus away from a button that is pressed repeatedly.
  button.setAttribute("aria-disabled", String(!date));
}

function range(first, last) {
  const format = new Intl.DateTimeFormat(ENGLISH, { timeZone: "UTC", dateStyle: "medium" });
  return first ? `Menus of ${format.formatRange(new Date(first), new Date(last))}` : "No menus yet";
}
