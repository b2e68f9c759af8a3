import assert from "node:assert/strict";
import { test } from "node:test";
import { currentMeal, describeTimes, isOpen } from "../../campus_api/pages/static/menu-selection.js";

const LUNCH = { meal: 1, location: 30, date: "2026-11-20", opens: "11:30", closes: "14:00" };
const NIGHT = { ...LUNCH, meal: 3, location: 7, opens: "21:00", closes: "02:00" };

test("serving times include their start, exclude their end, and may end on the next day", () => {
  for (const [row, time, expected] of [
    [LUNCH, "11:29", false], [LUNCH, "11:30", true], [LUNCH, "14:00", false],
    [NIGHT, "00:30", false], [NIGHT, "23:59", true], [NIGHT, "25:59", true], [NIGHT, "26:00", false],
  ]) {
    assert.equal(isOpen(row, time), expected, `${row.opens} at ${time}`);
  }
});

test("the times of a meal are described from the time of day", () => {
  for (const [now, expected] of [
    ["11:00", "Opens at 11:30 AM, until 2:00 PM"],
    ["12:00", "Open now, until 2:00 PM, and 9:00 PM–2:00 AM"],
    ["26:00", "Closed since 2:00 AM"],
    [null, "11:30 AM–2:00 PM, 9:00 PM–2:00 AM"],
  ]) {
    assert.equal(describeTimes([LUNCH, NIGHT], now).replaceAll("\u00a0", " "), expected, now);
  }
});

test("the meal of now is that of the index until it is over, and its day is today after midnight, too", () => {
  const locations = [{ location: 7, date: "2026-11-20", meal: 2 }, { location: 30, date: "2026-11-21", meal: 0 }];
  const now = { meal: 2, date: "2026-11-20", until: "2026-11-21T02:00-05:00", opens: "17:00", locations };
  for (const [date, time, hall, ...expected] of [
    ["2026-11-20", "23:00", undefined, "2026-11-20", "2", "17:00", "2026-11-20", "23:00", false],
    ["2026-11-21", "01:59", undefined, "2026-11-20", "2", "17:00", "2026-11-20", "25:59", false],
    ["2026-11-21", "02:00", undefined, "2026-11-21", "2", null, "2026-11-21", "02:00", true],
    ["2026-11-20", "22:00", "30", "2026-11-21", "0", null, "2026-11-20", "22:00", false],
    ["2026-11-21", "01:59", "30", "2026-11-21", "0", null, "2026-11-21", "01:59", false],
    ["2026-11-20", "22:00", "99", "2026-11-20", "2", "17:00", "2026-11-20", "22:00", false],
  ]) {
    const { locations: _, ...current } = currentMeal({ serving: now }, { date, time }, hall);
    assert.deepEqual(Object.values(current), expected, `${time} in ${hall}`);
  }
});
