import { addDays, capitalize, countDishes, daysBetween, ENGLISH, fold, formatDate, isDate, mealName, MEALS, names, relativeDay } from "./text.js";
import { choose, chooseFilter, favouritesOf, navigate, onLinkClick, rememberUnfolded, removeFilters, urlWith } from "./router.js";
import { labelName, validLabels } from "./dish-facts.js";
import { element, replaceContent } from "./dom.js";
import { inOrderOfDay } from "./menu-selection.js";

// Those of the United States are the first ones of the vocabulary, and the first that are offered.
const MAJOR = 9;
const QUICK_ALLERGENS = [
  ["No milk", ["milk"]],
  ["No nuts", ["tree nuts", "peanuts"]],
];
const MOST_LABELS = 4;

/** What visitors choose a menu with; phones fold the fields into a line that describes the choice. */
export class MenuControls {
  #line = document.getElementById("selection");
  #fields = document.getElementById("field-panel");
  #datePicker = new DatePicker();
  #hall = document.getElementById("hall");
  #nearest = document.getElementById("nearest");
  #dish = document.getElementById("dish");
  #filters = new FilterPanel();
  #tabs;

  /** `menu` is the element that shows the dishes; `onLocate` is called with the position of the visitor. */
  constructor(menu, onLocate) {
    this.#tabs = new MealTabs(menu);
    closeOnEscape(this.#fields);
    this.#fields.addEventListener("toggle", () => this.#line.checkVisibility() && rememberUnfolded(this.#fields.open));
    this.#hall.addEventListener("change", () => choose({ location: this.#hall.value }));
    this.#dish.addEventListener("input", () => navigate({ view: "menus", q: this.#dish.value }, { replace: true }));
    this.#nearest.hidden = !isSecureContext;
    this.#nearest.addEventListener("click", () => this.#locate(onLocate));
    takeOver(document.getElementById("menu-form"));
  }

  /** Show the filters that are chosen, of which the menu may still be loading. */
  showChosen(params) {
    this.#filters.showChosen(params);
  }

  /** Show a date and a meal, which may still be loading. */
  showDate({ date, meal, today, now }, { datasets }, { prev = null, next = null } = {}) {
    const { state, first_date: first, last_date: last } = datasets.dining;
    const ifLoaded = (day) => (first && day >= first && day <= last ? day : null);
    const adjacent = isDate(date) ? { prev: ifLoaded(addDays(date, -1)), next: ifLoaded(addDays(date, 1)) } : {};
    const isKnown = state !== "unknown";
    const neighbors = { prev: prev ?? adjacent.prev, next: next ?? adjacent.next };
    this.#datePicker.show({ date, meal: meal ?? null, today, now, isKnown, first, last, ...neighbors });
    if (meal) {
      this.#tabs.select(meal);
    }
  }

  /** Show what is selected of a day, and what can be. */
  show(params, selection, { hall, ofDay, ofMeal }, { index, halls, rows, adjacent, hours }) {
    const { q = "" } = params;
    this.#tabs.show(rows, hours);
    this.showDate(selection, index, adjacent);
    this.#tabs.select(selection.meal, q.trim() ? ofDay.shown : null);
    this.#filters.show(params, rows, hours, selection, index.datasets.dining.allergens);
    this.#showHalls(halls, params.location);
    if (this.#dish.value !== q) {
      this.#dish.value = q;
    }
    this.#line.textContent = describe(params, selection, hall, ofMeal.shown);
  }

  #showHalls(halls, selected = "") {
    const options = halls.map(({ id, name }) => element("option", { value: id }, name));
    this.#hall.replaceChildren(element("option", { value: "" }, "All halls"), ...options);
    this.#hall.value = selected;
  }

  /** Request the position, on a click only; it never leaves the page. */
  #locate(onLocate) {
    const show = ({ coords }) => {
      this.#nearest.setAttribute("aria-pressed", "true");
      onLocate(coords);
    };
    const fail = () => (document.getElementById("notice").textContent = "Your position is unknown.");
    navigator.geolocation.getCurrentPosition(show, fail, { timeout: 10_000 });
  }
}

/** Close a panel with the Escape key; its button takes the focus over. */
function closeOnEscape(panel) {
  panel.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") {
      panel.querySelector("summary").focus();
      panel.open = false;
    }
  });
}

/** Take the place of a form, which loads another page without a script, with what has been chosen in it before. */
function takeOver(form) {
  const isChanged = ({ checked, defaultChecked, value, defaultValue = value, selectedOptions = [] }) =>
    checked !== defaultChecked || value !== defaultValue || [...selectedOptions].some((each) => !each.defaultSelected);
  form.hidden = true;
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const field of [...form.elements].filter(isChanged)) {
    ["input", "change"].forEach((name) => field.dispatchEvent(new Event(name, { bubbles: true })));
  }
}

/** Describe a selection on one line: "Today · Lunch · All halls · vegan · no milk · ★ 1 favourite". */
function describe({ q = "", label, without }, { date, meal, today }, hall, dishes) {
  const stars = countDishes(favouritesOf("dish", dishes, ({ recipe }) => recipe));
  const parts = [
    capitalize(relativeDay(date, today) ?? formatDate(date)),
    mealName(meal),
    hall?.name ?? "All halls",
    ...label,
    ...without.map((word) => `no ${word}`),
    q.trim() && `“${q.trim()}”`,
    stars && `★ ${stars} ${stars === 1 ? "favourite" : "favourites"}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

/** The tabs of the meals: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
class MealTabs {
  #list = document.querySelector("[role=tablist]");
  #panel;

  constructor(panel) {
    this.#panel = panel;
    this.#list.addEventListener("click", ({ target }) => target.dataset.meal && this.#choose(target.dataset.meal));
    this.#list.addEventListener("keydown", (event) => this.#onKeydown(event));
  }

  get #tabs() {
    return [...this.#list.children];
  }

  /** Show a tab for breakfast, lunch, dinner and each meal of rows; if they are those shown, the focus stays. */
  show(rows, hours) {
    const all = inOrderOfDay([...MEALS.keys(), ...rows.map(({ meal }) => String(meal))], hours);
    if (all.join() !== this.#tabs.map(({ dataset }) => dataset.meal).join()) {
      this.#list.replaceChildren(...all.map(newTab));
    }
  }

  /** Select a meal; in a search, show how many dishes of each meal match. */
  select(meal, matching = null) {
    const selected = this.#tabs.find(({ dataset }) => dataset.meal === meal);
    for (const tab of this.#tabs) {
      const dishes = matching?.filter((row) => String(row.meal) === tab.dataset.meal);
      tab.textContent = mealName(tab.dataset.meal) + (dishes ? ` (${countDishes(dishes)})` : "");
      tab.setAttribute("aria-selected", String(tab === selected));
      tab.tabIndex = tab === (selected ?? this.#list.firstElementChild) ? 0 : -1;
    }
    if (selected) {
      this.#panel.setAttribute("aria-labelledby", selected.id);
    }
  }

  #choose(meal) {
    // Before the layout changes.
    const { top } = this.#panel.getBoundingClientRect();
    navigate({ meal });
    if (top < 0) {
      this.#panel.scrollIntoView();
    }
  }

  #onKeydown(event) {
    const index = this.#tabs.indexOf(event.target);
    const { length } = this.#tabs;
    const targets = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: length - 1 };
    if (event.key in targets) {
      event.preventDefault();
      const tab = this.#tabs[(targets[event.key] + length) % length];
      tab.focus();
      tab.click();
    }
  }
}

function newTab(meal) {
  const attributes = { type: "button", role: "tab", id: `meal-${meal}`, "data-meal": meal, "aria-controls": "menu" };
  return element("button", attributes, mealName(meal));
}

/** The panel with a box for each label of a day, for each allergen of the vocabulary, and for those of the provider. */
class FilterPanel {
  #button = document.getElementById("filter-button");
  #labels = document.getElementById("labels");
  #allergens = document.getElementById("allergens");
  #more = document.getElementById("more-allergens");
  #note = document.getElementById("filter-note");
  #remove = document.getElementById("no-filters");
  #open = document.getElementById("open-now");
  #quick = new QuickFilters();

  constructor() {
    closeOnEscape(document.getElementById("filter-panel"));
    this.#labels.addEventListener("change", ({ target }) => chooseFilter("label", [target.value], target.checked));
    this.#allergens.addEventListener("change", ({ target }) => chooseFilter("without", [target.value], target.checked));
    this.#open.addEventListener("click", () => {
      const isPressed = this.#open.getAttribute("aria-pressed") === "true";
      navigate(isPressed ? { open: null } : { open: "now", meal: null });
    });
    this.#remove.addEventListener("click", () => {
      // The button is about to disappear with the focus.
      this.#button.focus();
      removeFilters();
    });
  }

  /** Show the filters of a day's dishes and hours and those in force; `vocabulary` are the allergens of the index. */
  show(params, day, hours, { date, meal, today, open }, vocabulary) {
    this.#open.hidden = date !== today || !hours.length;
    this.#open.setAttribute("aria-pressed", String(Boolean(open)));
    const labels = Map.groupBy(day.flatMap(({ facts }) => [...new Set(validLabels(facts).map(labelName))]), String);
    this.#showLabels([...new Set([...params.label, ...labels.keys()])]);
    this.#showAllergens(vocabulary, params.without);
    this.#quick.show(params, day, labels);
    this.showChosen(params);
    const unknown = countDishes(day.filter((dish) => String(dish.meal) === meal && !dish.facts?.contains));
    this.#note.textContent = unknown
      ? `Dishes of unknown allergens, ${unknown} in this meal, are at the end of each hall.`
      : "";
  }

  /** Show what is chosen of the filters that are offered. */
  showChosen({ q = "", label, without }) {
    check(this.#labels, label.map(fold), fold);
    check(this.#allergens, without);
    this.#more.open ||= Boolean(this.#more.querySelector(":checked"));
    const count = label.length + without.length + Number(q.trim() !== "");
    this.#button.textContent = count ? `Filters (${count})` : "Filters";
    this.#button.classList.toggle("in-force", count > 0);
    this.#remove.hidden = !count;
  }

  #showLabels(texts) {
    const options = [...new Map(texts.map((text) => [fold(text), text])).values()].sort(names.compare);
    this.#labels.hidden = !options.length;
    showBoxes(this.#labels, options.map((text) => [text]));
  }

  #showAllergens({ words, others, stated }, chosen) {
    const offered = [...words, ...others, ...chosen.filter((word) => ![...words, ...others].includes(word))];
    const options = offered.map((word) => [word, stated && !stated.includes(word) && "not stated"]);
    showBoxes(this.#allergens, options.slice(0, MAJOR));
    showBoxes(this.#more, options.slice(MAJOR));
  }
}

/** Show a box for each text, with its remark; the focus stays if they are those shown. */
function showBoxes(group, options) {
  const boxes = group.querySelector(".boxes");
  if (boxes.dataset.options !== JSON.stringify(options)) {
    boxes.dataset.options = JSON.stringify(options);
    boxes.replaceChildren(...options.map(([text, remark]) => box(text, remark)));
  }
}

function box(text, remark) {
  const input = element("input", { type: "checkbox", value: text });
  return element("label", { class: "chip" }, input, text, remark && element("small", {}, ` ${remark}`));
}

function check(group, chosen, normalize = (text) => text) {
  for (const input of group.querySelectorAll("input")) {
    input.checked = chosen.includes(normalize(input.value));
  }
}

/** Buttons for the filters that many people need, as far as dishes of a day match them. */
class QuickFilters {
  #group = document.getElementById("quick-filters");

  /** Show the filters of a day's dishes, and which of them are in force; `labels` has the dishes of each label. */
  show(params, day, labels) {
    const options = [...allergenOptions(day), ...labelOptions(labels)];
    if (this.#group.dataset.options !== JSON.stringify(options)) {
      this.#group.dataset.options = JSON.stringify(options);
      replaceContent(this.#group, ...options.map(quickButton));
    }
    this.#group.hidden = !options.length;
    for (const [index, [, parameter, texts]] of options.entries()) {
      const chosen = params[parameter].map(fold);
      const isPressed = texts.every((text) => chosen.includes(fold(text)));
      this.#group.children[index].setAttribute("aria-pressed", String(isPressed));
    }
  }
}

function allergenOptions(day) {
  const isMatch = (words) => day.some(({ facts }) => words.every((word) => facts?.without?.includes(word)));
  return QUICK_ALLERGENS.filter(([, words]) => isMatch(words)).map(([title, words]) => [title, "without", words]);
}

/** Return the labels that most dishes have, the most frequent one first; letter case does not distinguish them. */
function labelOptions(labels) {
  const spellings = [...Map.groupBy(labels, ([text]) => fold(text)).values()];
  const count = (all) => all.flatMap(([, texts]) => texts).length;
  const sorted = spellings.sort((a, b) => count(b) - count(a)).slice(0, MOST_LABELS);
  return sorted.map((all) => all.at(-1)[0]).map((text) => [text, "label", [text]]);
}

function quickButton([title, parameter, texts]) {
  const onclick = ({ currentTarget }) => {
    chooseFilter(parameter, texts, currentTarget.getAttribute("aria-pressed") === "false");
  };
  return element("button", { type: "button", class: "filter-button", "aria-pressed": "false", onclick }, title);
}

/** The date field, a strip of seven days, and buttons for the previous day, the next day and today. */
class DatePicker {
  #field = new DateField((date, options) => navigate(this.#changes(date), options));
  #week = document.getElementById("week");
  #range = document.getElementById("range");
  #previous = document.getElementById("previous");
  #next = document.getElementById("next");
  #today = document.getElementById("today");
  #changes = (date) => ({ date });

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
