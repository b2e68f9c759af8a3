import { chooseFilter, removeFilters } from "./device.js";
import { labelName, validLabels } from "./dish-facts.js";
import { element } from "./dom.js";
import { QuickFilters } from "./quick-filters.js";
import { navigate } from "./router.js";
import { countDishes, fold, names, plural } from "./text.js";

// Those of the United States are the first ones of the vocabulary, and the first that are offered.
const MAJOR = 9;

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
  #show = document.getElementById("show-dishes");
  #quick = new QuickFilters();
  #results;

  /** `results` is the element that shows the dishes. */
  constructor(results) {
    this.#results = results;
    this.#button.addEventListener("click", () => this.#expand(this.#panel.hidden));
    this.#panel.addEventListener("keydown", (event) => event.key === "Escape" && this.#close(event));
    this.#labels.addEventListener("change", ({ target }) => chooseFilter("label", [target.value], target.checked));
    this.#allergens.addEventListener("change", ({ target }) => chooseFilter("without", [target.value], target.checked));
    this.#open.addEventListener("click", () => {
      const isPressed = this.#open.getAttribute("aria-pressed") === "true";
      navigate(isPressed ? { open: null } : { open: "now", meal: null });
    });
    this.#show.addEventListener("click", () => this.#leave());
    this.#remove.addEventListener("click", () => {
      // The button is about to disappear with the focus.
      this.#button.focus();
      removeFilters();
    });
  }

  /** Show the filters of a day's dishes and those in force; `vocabulary` are the allergens of the index. */
  show({ label, without }, day, { meal, open }, vocabulary) {
    this.#open.setAttribute("aria-pressed", String(Boolean(open)));
    this.#showLabels(day, label);
    this.#showAllergens(vocabulary, without);
    this.#quick.show({ label, without }, day);
    const count = label.length + without.length;
    this.#button.textContent = count ? `Filters (${count})` : "Filters";
    this.#button.classList.toggle("in-force", count > 0);
    this.#remove.hidden = !count;
    const unknown = countDishes(day.filter((dish) => String(dish.meal) === meal && !dish.facts?.contains));
    this.#note.textContent = unknown
      ? `Dishes of unknown allergens, ${unknown} in this meal, are at the end of each hall.`
      : "";
  }

  /** Show how many dishes there are below the panel, and whether halls can be limited to those that are open. */
  showResults(dishes, hasHours) {
    this.#show.textContent = `Show ${plural(countDishes(dishes))}`;
    this.#open.hidden = !hasHours;
  }

  /** Close the panel, and lead to the dishes. */
  #leave() {
    this.#expand(false);
    document.getElementById("menu-summary").scrollIntoView();
    this.#results.focus({ preventScroll: true });
  }

  #close(event) {
    event.stopPropagation();
    this.#button.focus();
    this.#expand(false);
  }

  #showLabels(day, chosen) {
    const texts = [...chosen, ...day.flatMap(({ facts }) => validLabels(facts).map(labelName))];
    const options = [...new Map(texts.map((text) => [fold(text), text])).values()].sort(names.compare);
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
