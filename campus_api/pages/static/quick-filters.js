import { chooseFilter } from "./device.js";
import { labelName, validLabels } from "./dish-facts.js";
import { element, replaceContent } from "./dom.js";
import { fold } from "./text.js";

const ALLERGENS = [
  ["No milk", ["milk"]],
  ["No nuts", ["tree nuts", "peanuts"]],
];
const MOST_LABELS = 4;

/** Buttons for the filters that many people need, as far as dishes of a day match them. */
export class QuickFilters {
  #group = document.getElementById("quick-filters");

  /** Show the filters of a day's dishes, and which of them are in force. */
  show(params, day) {
    const options = [...allergenOptions(day), ...labelOptions(day)];
    if (this.#group.dataset.options !== JSON.stringify(options)) {
      this.#group.dataset.options = JSON.stringify(options);
      replaceContent(this.#group, ...options.map(button));
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
  return ALLERGENS.filter(([, words]) => isMatch(words)).map(([title, words]) => [title, "without", words]);
}

/** Return the labels that most dishes have, the most frequent one first; letter case does not distinguish them. */
function labelOptions(day) {
  const labels = new Map();
  for (const { facts } of day) {
    for (const [key, text] of new Map(validLabels(facts).map(labelName).map((name) => [fold(name), name]))) {
      const { count } = labels.get(key) ?? { count: 0 };
      labels.set(key, { text, count: count + 1 });
    }
  }
  const sorted = [...labels.values()].sort((a, b) => b.count - a.count);
  return sorted.slice(0, MOST_LABELS).map(({ text }) => [text, "label", [text]]);
}

function button([title, parameter, texts]) {
  const onclick = ({ currentTarget }) => {
    chooseFilter(parameter, texts, currentTarget.getAttribute("aria-pressed") === "false");
  };
  return element("button", { type: "button", class: "filter-button", "aria-pressed": "false", onclick }, title);
}
