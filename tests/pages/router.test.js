import assert from "node:assert/strict";
import { test } from "node:test";
import { currentParams } from "../../campus_api/pages/static/router.js";
import { openPage } from "./browser.js";

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
