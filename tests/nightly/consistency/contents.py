"""Exports whose every text has the number of its load, so that any response tells the loads that it is made of."""

from datetime import date, timedelta
from functools import cache

from tests.factories import TODAY, facts_row, row

DATES = [str(date.fromisoformat(TODAY) + timedelta(days)) for days in range(3)]
MEALS = {0: "breakfast", 1: "lunch", 2: "dinner"}
BUILDINGS = range(1, 61)
CATEGORIES, LOCATIONS, RECIPES = range(1, 4), range(10, 12), range(100, 112)
KINDS = {"categories": CATEGORIES, "locations": LOCATIONS, "recipes": RECIPES}


def mark(text, load):
    return f"{text} of load {load}"


def building(id_, load):
    # The loads move buildings by a meter each; half of them have a footprint.
    south, west = 42 + id_ / 1000, load / 100_000 - 71
    ring = [[south, west], [south, west + 0.001], [south + 0.001, west + 0.001], [south, west]]
    return {
        "id": id_,
        "name": mark(f"Hall {id_}", load),
        "address": mark(f"{id_} Oak Street", load),
        "city": mark("Cambridge", load),
        "image": None,
        "geometry": {"point": [south, west], "polygons": [ring] if id_ % 2 else []},
    }


def buildings(load):
    return [building(id_, load) for id_ in BUILDINGS]


def name(kind, id_, load):
    return mark(f"{kind.capitalize()} {id_}", load)


def entity(kind, id_, load):
    return {"id": id_, "name": name(kind, id_, load)}


def entities(kind, load):
    return [entity(kind, id_, load) for id_ in KINDS[kind]]


def facts(recipe, load):
    return facts_row(**entity("recipes", recipe, load), ingredients=mark(f"Rice {recipe}", load), as_of=TODAY)


@cache
def menu_rows(load):
    """Return all menu rows in the order of the service."""
    return [
        row(recipe, name("recipes", recipe, load), date=day, meal=meal, location=location, category=1 + recipe % 3)
        for day in DATES
        for meal in MEALS
        for location in LOCATIONS
        for recipe in RECIPES
    ]


def menus(load, **filters):
    """Return the menu rows that have one of the values of each filter."""
    return [each for each in menu_rows(load) if all(each[field] in values for field, values in filters.items())]


def dishes(load, **filters):
    """Return the menu rows as dishes."""
    grouped = {}
    for each in menus(load, **filters):
        dish = {name: each[name] for name in ("date", "meal", "category", "recipe", "name")}
        served = {**dish, "locations": [], "facts": facts(each["recipe"], load)}
        grouped.setdefault(tuple(dish.values()), served)["locations"].append(each["location"])
    return list(grouped.values())


def opens(load):
    return f"{6 + load // 60:02}:{load % 60:02}"


def hall(load):
    """Return when the first location serves lunch: each load a minute later."""
    hours = {"meal": 1, "expression": f"{opens(load)}-23:00", "until": "2026-12-31", "country": None}
    return {"location": LOCATIONS[0], "building": None, "hours": [hours]}


def hours(load, date):
    serving = {"location": LOCATIONS[0], "meal": 1, "opens": opens(load), "closes": "23:00"}
    return [{"date": day, **serving} for day in sorted(date)]


def dining(load):
    lists = {kind: entities(kind, load) for kind in KINDS}
    known = {"facts": [facts(recipe, load) for recipe in RECIPES], "halls": [hall(load)]}
    return {**lists, **known, "menus": menus(load), "closed_days": []}


EXPORTS = {"buildings": buildings, "dining": dining}


def incomplete(dataset, load):
    """Return an export that lacks too much to be published."""
    if dataset == "buildings":
        return buildings(load)[: len(BUILDINGS) // 2]
    return {**dining(load), "menus": menus(load, recipe=RECIPES[:2])}
