import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutHidden, aboutUnknown, codesOf, filterDishes } from "../../campus_api/pages/static/menu-selection.js";

const VEGETARIAN = { code: "VGT", name: "Vegetarian", implies: [] };
const VEGAN = { code: "VGN", name: "Vegan", implies: [VEGETARIAN] };
const dish = (recipe, facts) => ({ recipe, facts: facts && { labels: [], contains: [], without: [], ...facts } });
const groupOf = (each, without, codes) => {
  const groups = filterDishes([each], without, codes);
  return Object.keys(groups).find((name) => groups[name].length);
};

test("a dish is shown only if it is known not to contain any excluded word", () => {
  for (const [facts, expected] of [
    [{ without: ["milk", "soy", "eggs"] }, "shown"],
    [{ without: ["milk"] }, "unknown"],
    [{ contains: ["soy"], without: ["milk"] }, "listing"],
    [{ contains: ["soy"] }, "listing"],
    [{ contains: null, without: ["milk"] }, "unknown"],
    [null, "unknown"],
  ]) {
    assert.equal(groupOf(dish(1, facts), ["milk", "soy"], null), expected, JSON.stringify(facts));
  }
});

test("a label is also that of others for the same diet, of which the service knows the codes", () => {
  assert.deepEqual([...codesOf(["Vegetarisch"], [dish(1, null)], { vegetarisch: ["V", "VGN"] })], ["V", "VGN"]);
});

test("a label is chosen by its code or its name, in any case of letters", () => {
  const dishes = [dish(1, { labels: [VEGAN, { code: "HAL", name: null, implies: [] }] }), dish(2, null)];
  for (const [text, code] of [["vgn", "VGN"], ["VEGAN", "VGN"], ["vegetarian", "VGT"], ["hal", "HAL"], ["halal"]]) {
    assert.deepEqual([...codesOf([text], dishes)], code ? [code] : [], text);
  }
});

test("several labels are alternatives, and a label includes those that imply it", () => {
  const dishes = [dish(1, { labels: [VEGAN] }), dish(2, { labels: [VEGETARIAN] }), dish(3, null)];
  for (const [texts, expected] of [
    [["vegetarian", "halal"], ["shown", "shown", "unlabelled"]],
    [["halal"], ["unlabelled", "unlabelled", "unlabelled"]],
    [[], ["shown", "shown", "shown"]],
  ]) {
    const groups = dishes.map((each) => groupOf(each, [], codesOf(texts, dishes)));
    assert.deepEqual(groups, expected, texts.join());
  }
});

test("hidden and unknown dishes are counted once each, with the reason", () => {
  const groups = { unlabelled: [dish(1), dish(1), dish(2)], listing: [dish(3)], unknown: [dish(4), dish(4)] };
  const chosen = { label: ["vegan", "halal"], without: ["milk"] };

  const hidden = "Hidden: 2 dishes not labelled vegan or halal and 1 dish that lists milk.";
  assert.deepEqual(aboutHidden(groups, chosen), [hidden]);
  assert.deepEqual(aboutUnknown(groups), ["Of unknown allergens: 1 dish, at the end of each hall."]);
  assert.deepEqual(aboutHidden({ unlabelled: [], listing: [] }, chosen), []);
});
