import assert from "node:assert/strict";
import { test } from "node:test";
import * as router from "../../campus_api/pages/static/router.js";
import { openPage } from "./browser.js";

const { choose, chooseFilter, currentParams, loosensFilters, recentHalls, rememberedChoices } = router;
const OWN = { location: "30", label: ["Vegan"], without: ["milk"] };

test("a link never loosens the filters of this device", () => {
  openPage("", OWN);
  const choices = rememberedChoices({ label: ["Halal"], without: ["soy", "milk"] });

  assert.deepEqual([choices.label, choices.without], [["Vegan"], ["milk", "soy"]]);
});

test("the hall of this device is in force unless a link names a menu", () => {
  openPage("", OWN);
  for (const name of ["view", "date", "meal", "location", "q"]) {
    const { location } = rememberedChoices({ label: [], without: [], [name]: "1" });

    assert.equal(location, name === "view" ? "30" : undefined, name);
  }
});

test("a link to a menu with fewer filters than this device has is recognised", () => {
  openPage("", OWN);
  for (const [params, expected] of [
    [{ meal: "1", label: ["Vegan"], without: [] }, true],
    [{ meal: "1", label: [], without: ["milk"] }, true],
    [{ meal: "1", label: ["Vegan"], without: ["milk"] }, false],
    [{ label: [], without: [] }, false],
  ]) {
    assert.equal(loosensFilters(params), expected, JSON.stringify(params));
  }
});

test("a filter changes the link and this device by itself: none that the other has is dropped", () => {
  const stored = openPage("?view=menus&without=soy", OWN);

  chooseFilter("without", ["tree nuts", "peanuts"], true);
  chooseFilter("without", ["Peanuts"], false);

  assert.deepEqual(currentParams().without, ["soy", "tree nuts"]);
  assert.deepEqual([stored().without, stored().label], [["milk", "tree nuts"], ["Vegan"]]);
});

test("the three halls chosen last are remembered, each once", () => {
  openPage("?view=menus");

  ["1", "2", "3", "4", "3", ""].forEach((location) => choose({ location }));

  assert.deepEqual(recentHalls(), ["3", "4", "2"]);
  assert.equal(rememberedChoices({ label: [], without: [] }).location, "");
});

test("a link without a view is about the menus, but for the old ones of the buildings", () => {
  for (const [view, links] of Object.entries({
    menus: ["", "?date=2026-11-21", "?meal=2", "?view=menus&q=rice"],
    buildings: ["?id=350", "?q=library", "?view=buildings", "#buildings", "?meal=2#buildings"],
  })) {
    for (const link of links) {
      openPage(link);

      assert.equal(currentParams().view, view, link);
    }
  }
});
