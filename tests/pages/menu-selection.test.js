import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrderOfDay, selectDishes, selectMenu } from "../../campus_api/pages/static/menu-selection.js";

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
