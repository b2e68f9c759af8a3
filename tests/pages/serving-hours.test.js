import assert from "node:assert/strict";
import { test } from "node:test";
import * as hours from "../../campus_api/pages/static/serving-hours.js";

const { describeTimes, isOpen, mealServed, openingRank, servingTime } = hours;
const LUNCH = { meal: 1, location: 30, date: "2026-11-20", opens: "11:30", closes: "14:00" };
const DINNER = { ...LUNCH, meal: 2, opens: "13:45", closes: "19:30" };
const NIGHT = { ...LUNCH, meal: 3, location: 7, opens: "21:00", closes: "02:00" };

test("serving times include their start, exclude their end, and may end on the next day", () => {
  for (const [row, time, expected] of [
    [LUNCH, "11:29", false],
    [LUNCH, "11:30", true],
    [LUNCH, "14:00", false],
    [NIGHT, "00:30", false],
    [NIGHT, "23:59", true],
    [NIGHT, "25:59", true],
    [NIGHT, "26:00", false],
  ]) {
    assert.equal(isOpen(row, time), expected, `${row.opens} at ${time}`);
  }
});

test("the times of a meal are described from the time of day", () => {
  const again = { opens: "14:30", closes: "15:00" };
  for (const [now, expected] of [
    ["11:00", "Opens at 11:30 AM, until 2:00 PM"],
    ["12:00", "Open now, until 2:00 PM, and 2:30 PM–3:00 PM"],
    ["14:00", "Opens at 2:30 PM, until 3:00 PM"],
    ["15:00", "Closed since 3:00 PM"],
    [null, "11:30 AM–2:00 PM, 2:30 PM–3:00 PM"],
  ]) {
    assert.equal(describeTimes([LUNCH, again], now).replaceAll("\u00a0", " "), expected, now);
  }
});

test("halls that are open precede those that open later, those of unknown hours and those that are closed", () => {
  const halls = [[DINNER], [LUNCH, NIGHT], [], [LUNCH]];

  const ranks = halls.map((times) => openingRank(times, "18:00"));

  assert.deepEqual(ranks, [0, 1, 2, 3]);
});

test("the day before lasts as long as it is served, in the hall if its hours are known", () => {
  const hours = [DINNER, NIGHT, { ...NIGHT, date: "2026-11-21", closes: "05:00" }];
  for (const [time, location, expected] of [
    ["00:45", undefined, { date: "2026-11-20", time: "24:45" }],
    ["02:00", undefined, { date: "2026-11-21", time: "02:00" }],
    ["00:45", "30", { date: "2026-11-21", time: "00:45" }],
    ["00:45", "99", { date: "2026-11-20", time: "24:45" }],
  ]) {
    assert.deepEqual(servingTime({ date: "2026-11-21", time }, hours, location), expected, `${time} in ${location}`);
  }
});

test("the meal of now is the one that is served, or the next one, or the last one", () => {
  for (const [now, location, expected] of [
    ["09:00", undefined, "1"],
    ["12:00", undefined, "1"],
    ["13:50", undefined, "2"],
    ["20:00", undefined, "3"],
    ["27:00", undefined, "3"],
    ["20:00", "30", "2"],
  ]) {
    assert.equal(mealServed([NIGHT, DINNER, LUNCH], now, location), expected, `${now} in ${location}`);
  }
});

test("without hours, the meal of now is the usual one", () => {
  const meals = ["09:59", "10:00", "14:59", "15:00"].map((now) => mealServed([], now));

  assert.deepEqual(meals, ["0", "1", "1", "2"]);
});
