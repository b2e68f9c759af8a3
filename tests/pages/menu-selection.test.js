import assert from "node:assert/strict";
import { test } from "node:test";
import * as selection from "../../campus_api/pages/static/menu-selection.js";

const { aboutHidden, aboutUnknown, codesOf, filterDishes } = selection;
const { currentMeal, describeTimes, inOrderOfDay, isOpen, selectDishes, selectMenu } = selection;
const TODAY = "2026-11-20";
const HALLS = [{ id: 30, name: "Annenberg Hall" }, { id: 7, name: "Fly-By" }];
const dish = (recipe, meal, locations, name = `Dish ${recipe}`) => ({ recipe, meal, locations, name, facts: null });
const ROWS = [dish(1, 1, [30]), dish(2, 2, [30, 7]), dish(3, 2, [7], "Crème Brûlée"), dish(4, 1, [7], null)];
const hours = (meal, location, opens, closes) => ({ date: TODAY, meal, location, opens, closes });
const DINNERS = [hours(2, 30, "17:00", "19:30"), hours(2, 7, "18:00", "20:00")];
const HOURS = [hours(0, 30, "07:00", "10:00"), hours(1, 30, "11:30", "14:00"), ...DINNERS];
const dayAt = (time, date = TODAY) => ({
  date, hours: HOURS, rows: ROWS, halls: HALLS, now: () => ({ date: TODAY, today: TODAY, meal: "2", time }),
});
const recipes = ({ ofMeal }) => ofMeal.shown.map(({ recipe }) => recipe);
const choice = (params) => ({ label: [], without: [], ...params });

test("a link without a date and a meal is about now, and another day begins with lunch", () => {
  for (const [params, expected] of [
    [{}, [TODAY, "2"]], [{ meal: "0" }, [TODAY, "0"]], [{ date: "2026-11-21" }, ["2026-11-21", "1"]],
  ]) {
    const { date, meal } = selectMenu(choice(params), dayAt("18:00"));

    assert.deepEqual([date, meal], expected, JSON.stringify(params));
  }
});

test("the open halls are those of the meal at this time, and only today", () => {
  const open = (params, time) => selectMenu(choice({ open: "now", ...params }), dayAt(time)).open;

  assert.deepEqual(open({}, "17:30"), [30]);
  assert.deepEqual(open({}, "18:30"), [30, 7]);
  assert.deepEqual(open({ meal: "1" }, "18:30"), []);
  assert.equal(open({ date: "2026-11-21" }, "18:30"), null);
});

test("dishes are selected by meal, by hall and by the words of their names", () => {
  for (const [params, open, expected] of [
    [{}, null, [2, 3]], [{}, [30], [2]], [{}, [], []],
    [{ location: "30" }, null, [2]], [{ location: "99" }, null, []],
    [{ q: " brulee CREME " }, null, [3]], [{ label: ["Vegan"] }, null, []],
  ]) {
    const selected = selectDishes(choice(params), { meal: "2", open }, dayAt("18:00"));

    assert.deepEqual(recipes(selected), expected, JSON.stringify({ params, open }));
  }
});

test("a hall has its dishes of all meals, which a search divides, and no other hall of them", () => {
  const params = choice({ location: "7", q: "dish" });

  const { hall, ofDay, ofHall } = selectDishes(params, { meal: "2", open: null }, dayAt("18:00"));

  assert.equal(hall.name, "Fly-By");
  assert.deepEqual(ofDay.shown.map(({ recipe, locations }) => [recipe, locations]), [[2, [7]]]);
  assert.deepEqual(ofHall.shown.map(({ recipe }) => recipe), [2, 3, 4]);
});

test("meals are in the order of their hours, or of their numbers where these are unknown", () => {
  const night = hours(3, 7, "06:00", "07:00");

  assert.deepEqual(inOrderOfDay(["3", "2", "1", "0", "1"], []), ["0", "1", "2", "3"]);
  assert.deepEqual(inOrderOfDay(["0", "1", "2", "3", "4"], [...HOURS, night]), ["3", "0", "1", "2", "4"]);
  assert.deepEqual(inOrderOfDay(["1", "0", "3"], [night]), ["0", "3", "1"]);
});

const VEGETARIAN = { code: "VGT", name: "Vegetarian", implies: [] };
const VEGAN = { code: "VGN", name: "Vegan", implies: [VEGETARIAN] };
const stated = (recipe, facts) => ({ recipe, facts: facts && { labels: [], contains: [], without: [], ...facts } });
const groupOf = (each, without, codes) => {
  const groups = filterDishes([each], without, codes);
  return Object.keys(groups).find((name) => groups[name].length);
};

test("a dish is shown only if it is known not to contain any excluded word", () => {
  for (const [facts, expected] of [
    [{ without: ["milk", "soy", "eggs"] }, "shown"],
    [{ without: ["milk"] }, "unknown"],
    [{ contains: ["soy"], without: ["milk"] }, "containing"],
    [{ contains: ["soy"] }, "containing"],
    [{ contains: null, without: ["milk"] }, "unknown"],
    [null, "unknown"],
  ]) {
    assert.equal(groupOf(stated(1, facts), ["milk", "soy"], null), expected, JSON.stringify(facts));
  }
});

test("a label is also that of others for the same diet, of which the service knows the codes", () => {
  assert.deepEqual([...codesOf(["Vegetarisch"], [stated(1, null)], { vegetarisch: ["V", "VGN"] })], ["V", "VGN"]);
});

test("a label is chosen by its code or its name, in any case of letters", () => {
  const dishes = [stated(1, { labels: [VEGAN, { code: "HAL", name: null, implies: [] }] }), stated(2, null)];
  for (const [text, code] of [["vgn", "VGN"], ["VEGAN", "VGN"], ["vegetarian", "VGT"], ["hal", "HAL"], ["halal"]]) {
    assert.deepEqual([...codesOf([text], dishes)], code ? [code] : [], text);
  }
});

test("several labels are alternatives, and a label includes those that imply it", () => {
  const dishes = [stated(1, { labels: [VEGAN] }), stated(2, { labels: [VEGETARIAN] }), stated(3, null)];
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
  const groups = { unlabelled: [stated(1), stated(1), stated(2)], containing: [stated(3)], unknown: [stated(4), stated(4)] };
  const chosen = { label: ["vegan", "halal"], without: ["milk"] };

  const hidden = "Hidden: 2 dishes not labelled vegan or halal and 1 dish that lists milk.";
  assert.deepEqual(aboutHidden(groups, chosen), [hidden]);
  assert.deepEqual(aboutUnknown(groups), ["Of unknown allergens: 1 dish, at the end of each hall."]);
  assert.deepEqual(aboutHidden({ unlabelled: [], containing: [] }, chosen), []);
});

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
