import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays, campusClock, isDate, relativeDay } from "../../campus_api/pages/static/text.js";

const HEADERS = new Headers({ Date: "Sat, 21 Nov 2026 04:59:30 GMT" });
// No rule depends on the zone of the device.
process.env.TZ = "Pacific/Honolulu";

test("a date is a day of the calendar, written YYYY-MM-DD", () => {
  assert.ok(isDate("2028-02-29"));
  for (const text of ["2026-02-29", "2026-02-30", "2026-13-01", "2026-1-01", "11/20/2026", "2026-11-20T00:00", ""]) {
    assert.equal(isDate(text), false, text);
  }
});

test("days are counted over months and the change of the clocks, and those next to today have a name", () => {
  assert.equal(addDays("2026-10-31", 2), "2026-11-02");
  const days = [-2, -1, 0, 1, 2].map((count) => relativeDay(addDays("2026-11-30", count), "2026-11-30"));
  assert.deepEqual(days, [null, "yesterday", "today", "tomorrow", null]);
});

test("the clock is that of the service, in the zone of the campus", ({ mock }) => {
  mock.timers.enable({ apis: ["Date"], now: 0 });
  const clock = campusClock(HEADERS, { timeZone: "America/New_York" });
  assert.deepEqual(clock(), { date: "2026-11-20", time: "23:59" });

  mock.timers.tick(60_000);

  assert.deepEqual(clock(), { date: "2026-11-21", time: "00:00" });
});

test("a frozen clock stands still, whatever the service sends", ({ mock }) => {
  mock.timers.enable({ apis: ["Date"], now: 0 });
  const clock = campusClock(HEADERS, { timeZone: "Asia/Tokyo", frozenAt: "2026-11-20T12:00:00-05:00" });

  mock.timers.tick(60_000);

  assert.deepEqual(clock(), { date: "2026-11-21", time: "02:00" });
});
