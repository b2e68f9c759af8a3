import assert from "node:assert/strict";
import { test } from "node:test";
import * as dates from "../../campus_api/pages/static/dates.js";

const { addDays, campusClock, formatDate, formatTime, isDate, relativeDay } = dates;

test("a date is a day of the calendar, written YYYY-MM-DD", () => {
  assert.ok(isDate("2028-02-29"));
  for (const text of ["2026-02-29", "2026-02-30", "2026-13-01", "2026-1-01", "11/20/2026", "2026-11-20T00:00", ""]) {
    assert.equal(isDate(text), false, text);
  }
});

test("days are counted over months, leap days and the change of the clocks", () => {
  for (const [date, days, expected] of [
    ["2026-11-30", 1, "2026-12-01"],
    ["2026-01-01", -1, "2025-12-31"],
    ["2028-02-28", 1, "2028-02-29"],
    ["2026-10-31", 2, "2026-11-02"],
  ]) {
    assert.equal(addDays(date, days), expected, date);
  }
});

test("only the days next to today have a name", () => {
  const days = ["2026-11-28", "2026-11-29", "2026-11-30", "2026-12-01", "2026-12-02"];

  const names = days.map((date) => relativeDay(date, "2026-11-30"));

  assert.deepEqual(names, [null, "yesterday", "today", "tomorrow", null]);
});

test("the clock is that of the service, in the zone of the campus", ({ mock }) => {
  mock.timers.enable({ apis: ["Date"], now: 0 });
  const headers = new Headers({ Date: "Sat, 21 Nov 2026 04:59:30 GMT" });
  const clock = campusClock(headers, { timeZone: "America/New_York" });
  assert.deepEqual(clock(), { date: "2026-11-20", time: "23:59" });

  mock.timers.tick(60_000);

  assert.deepEqual(clock(), { date: "2026-11-21", time: "00:00" });
});

test("a frozen clock stands still, whatever the service sends", ({ mock }) => {
  mock.timers.enable({ apis: ["Date"], now: 0 });
  const headers = new Headers({ Date: "Sat, 21 Nov 2026 04:59:30 GMT" });
  const clock = campusClock(headers, { timeZone: "Asia/Tokyo", frozenAt: "2026-11-20T12:00:00-05:00" });

  mock.timers.tick(60_000);

  assert.deepEqual(clock(), { date: "2026-11-21", time: "02:00" });
});

test("dates and times are those of the United States, in any zone of the device", () => {
  assert.equal(formatDate("2026-11-20"), "Friday, November 20, 2026");
  assert.equal(formatTime("00:05"), "12:05\u00a0AM");
  assert.equal(formatTime("14:00"), "2:00\u00a0PM");
});
