import assert from "node:assert/strict";
import { test } from "node:test";
import * as servingHours from "../../campus_api/pages/static/serving-hours.js";

const { describeTimes, isOpen, mealServed, openingRank, servingTime } = servingHours;
const LUNCH = { meal: 1, location: 30, date: "2026-11-20", opens: "11:30", closes: "14:00" };
const DINNER = { ...LUNCH, meal: 2, opens: "13:45", closes: "19:30" };
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

test("halls that are open precede those that open later, those of unknown hours and those that are closed", () => {
  const ranks = [[DINNER], [LUNCH, NIGHT], [], [LUNCH]].map((times) => openingRank(times, "18:00"));

  assert.deepEqual(ranks, [0, 1, 2, 3]);
});

test("the day before lasts as long as it is served, in the hall if its hours are known", () => {
  const hours = [DINNER, NIGHT, { ...NIGHT, date: "2026-11-21", closes: "05:00" }];
  const [evening, morning] = [["2026-11-20", "24:45"], ["2026-11-21", "00:45"]];
  for (const [time, location, expected] of [
    ["00:45", undefined, evening], ["00:45", "99", evening], ["00:45", "30", morning],
    ["02:00", undefined, ["2026-11-21", "02:00"]],
  ]) {
    const now = Object.values(servingTime({ date: "2026-11-21", time }, hours, location));
    assert.deepEqual(now, expected, `${time} in ${location}`);
  }
});

test("the meal of now is the one that is served, or the next one, or the last one, or else the usual one", () => {
  for (const [hours, location, meals] of [
    [[NIGHT, DINNER, LUNCH], undefined, { "09:00": "1", "12:00": "1", "13:50": "2", "20:00": "3", "27:00": "3" }],
    [[NIGHT, DINNER, LUNCH], "30", { "20:00": "2" }],
    [[], undefined, { "09:59": "0", "10:00": "1", "14:59": "1", "15:00": "2" }],
  ]) {
    const served = Object.keys(meals).map((now) => mealServed(hours, now, location));
    assert.deepEqual(served, Object.values(meals), location);
  }
});
