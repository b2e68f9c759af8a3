import { chooseFilter, removeFilters } from "./device.js";
import { labelName, validLabels } from "./dish-facts.js";
import { element, replaceContent } from "./dom.js";
import { navigate } from "./router.js";
import { countDishes, fold, names } from "./text.js";

// Those of the United States are the first ones of the vocabulary, and the first that are offered.
const MAJOR = 9;
const QUICK_ALLERGENS = [
  ["No milk", ["milk"]],
  ["No nuts", ["tree nuts", "peanuts"]],
];
const MOST_LABELS = 4;

/** The panel with a box for each label of a day, for each allergen of the vocabulary, and for those of the provider. */
export class FilterPanel {
  #button = document.getElementById("filter-button");
  #panel = document.getElementById("filters");
  #labels = document.getElementById("labels");
  #allergens = document.getElementById("allergens");
  #more = document.getElementById("more-allergens");
  #note = document.getElementById("filter-note");
  #remove = document.getElementById("no-filters");
  #open = document.getElementById("open-now");
  #quick = new QuickFilters();
  #onOpen;

  constructor(onOpen) {
    this.#onOpen = onOpen;
    this.#button.addEventListener("click", () => this.#expand(this.#panel.hidden));
    this.#panel.addEventListener("keydown", ({ key }) => key === "Escape" && this.close());
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

  /** Show the filters of a day's dishes and those in force; `vocabulary` are the allergens of the index. */
  show({ q = "", label, without }, day, { meal, open }, vocabulary) {
    this.#open.setAttribute("aria-pressed", String(Boolean(open)));
    this.#showLabels(day, label);
    this.#showAllergens(vocabulary, without);
    this.#quick.show({ label, without }, day);
    const count = label.length + without.length + Number(q.trim() !== "");
    this.#button.textContent = count ? `Filters (${count})` : "Filters";
    this.#button.classList.toggle("in-force", count > 0);
    this.#remove.hidden = !count;
    const unknown = countDishes(day.filter((dish) => String(dish.meal) === meal && !dish.facts?.contains));
    this.#note.textContent = unknown
      ? `Dishes of unknown allergens, ${unknown} in this meal, are at the end of each hall.`
      : "";
  }

  /** Show whether halls can be limited to those that are open. */
  showOpenNow(hasHours) {
    this.#open.hidden = !hasHours;
  }

  /** Close the panel; the focus in it goes to its button. */
  close() {
    if (this.#panel.contains(document.activeElement)) {
      this.#button.focus();
    }
    this.#expand(false);
  }

  #showLabels(day, chosen) {
    const texts = new Set([...chosen, ...day.flatMap(({ facts }) => validLabels(facts).map(labelName))]);
    const options = [...new Map([...texts].map((text) => [fold(text), text])).values()].sort(names.compare);
    this.#labels.hidden = !options.length;
    showBoxes(this.#labels, options.map((text) => [text]));
    check(this.#labels, chosen.map(fold), fold);
  }

  #showAllergens({ words, others, stated }, chosen) {
    const offered = [...words, ...others, ...chosen.filter((word) => ![...words, ...others].includes(word))];
    const options = offered.map((word) => [word, stated && !stated.includes(word) && "not stated"]);
    showBoxes(this.#allergens, options.slice(0, MAJOR));
    showBoxes(this.#more, options.slice(MAJOR));
    check(this.#allergens, chosen);
    this.#more.open ||= Boolean(this.#more.querySelector(":checked"));
  }

  #expand(isExpanded) {
    if (isExpanded) {
      this.#onOpen();
    }
    this.#panel.hidden = !isExpanded;
    this.#button.setAttribute("aria-expanded", String(isExpanded));
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

  /** Show the filters of a day's dishes, and which of them are in force. */
  show(params, day) {
    const options = [...allergenOptions(day), ...labelOptions(day)];
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
function labelOptions(day) {
  const labels = new Map();
  const texts = day.flatMap(({ facts }) => [...new Set(validLabels(facts).map(labelName))]);
  for (const [text, all] of Map.groupBy(texts, String)) {
    const { count } = labels.get(fold(text)) ?? { count: 0 };
    labels.set(fold(text), { text, count: count + all.length });
  }
  const sorted = [...labels.values()].sort((a, b) => b.count - a.count);
  return sorted.slice(0, MOST_LABELS).map(({ text }) => [text, "label", [text]]);
}

function quickButton([title, parameter, texts]) {
  const onclick = ({ currentTarget }) => {
    chooseFilter(parameter, texts, currentTarget.getAttribute("aria-pressed") === "false");
  };
  return element("button", { type: "button", class: "filter-button", "aria-pressed": "false", onclick }, title);
}
