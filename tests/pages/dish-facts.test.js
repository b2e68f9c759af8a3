import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutAllergens, hasFacts, labelNames, validLabels } from "../../campus_api/pages/static/dish-facts.js";

const VEGETARIAN = { code: "VGT", name: "Vegetarian", implies: [] };
const VEGAN = { code: "VGN", name: "Vegan", implies: [VEGETARIAN] };

test("a dish of which nothing but its name is known has no facts", () => {
  for (const [facts, expected] of [
    [null, false],
    [{ id: 1, name: "Rice", without: ["milk"], ingredients: null, nutrients: { protein: null } }, false],
    [{ ingredients: null, nutrients: { protein: { amount: 0 } } }, true],
    [{ contains: [], nutrients: {} }, true],
  ]) {
    assert.equal(hasFacts(facts), expected, JSON.stringify(facts));
  }
});

test("a label that another one implies is valid, but not shown", () => {
  const labels = [VEGAN, VEGETARIAN, { code: "LOC", name: null, implies: [] }];

  assert.deepEqual(labelNames({ labels, contains: null }), ["Vegan", "LOC"]);
  assert.deepEqual(validLabels({ labels: [VEGAN], contains: [] }), [VEGAN, VEGETARIAN]);
});

test("a label that a dish contradicts is neither valid nor implies others", () => {
  const facts = { labels: [{ ...VEGAN, contradicted: true }, { code: "LOC", name: null, implies: [] }] };

  assert.deepEqual([validLabels(facts).length, labelNames(facts)], [1, ["LOC"]]);
});

test("a word that the provider does not state is not one that no dish lists", () => {
  const dishes = [{ facts: { contains: ["milk"] } }, { facts: null }];
  for (const [without, listed, stated, expected] of [
    [["milk"], dishes, ["milk"], []],
    [["soy"], dishes, ["milk"], ["The provider does not state whether dishes contain soy."]],
    [["milk", "soy"], dishes, ["soy"], ["Milk: named in ingredients; the provider never declares it.", "No dish of this day lists soy."]],
    [["eggs", "soy"], dishes, null, ["No dish of this day lists eggs or soy."]],
    [["soy"], [{ facts: null }], ["soy"], []],
  ]) {
    assert.deepEqual(aboutAllergens(without, listed, stated), expected, without.join());
  }
});
