import assert from "node:assert/strict";
import { test } from "node:test";
import { Loading } from "../../campus_api/pages/static/dom.js";

const hang = (signal) => new Promise((resolve, reject) => signal.addEventListener("abort", reject));
const fail = () => Promise.reject(new Error("failed"));

test("the end of a load that another one has aborted leaves the progress of that", async () => {
  const shown = [];
  const loading = new Loading({ hidden: false }, () => {
    const load = shown.push(true) - 1;
    return () => (shown[load] = false);
  });

  const aborted = loading.run(hang, () => assert.fail("an aborted load is no error"));
  loading.run(hang, () => {});
  await aborted;

  assert.deepEqual(shown, [false, true]);
});

test("an error is shown unless its section has been left", async () => {
  for (const hidden of [false, true]) {
    const errors = [];

    await new Loading({ hidden }, () => () => {}).run(fail, (error) => errors.push(error.message));

    assert.deepEqual(errors, hidden ? [] : ["failed"], hidden ? "hidden" : "shown");
  }
});
