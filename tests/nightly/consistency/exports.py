"""Exports whose every text has the number of its load, so that any response shows the loads that it is made of."""

from datetime import date, timedelta

from tests.factories import TODAY, facts_row, row

DATES = [str(date.fromisoformat(TODAY) + timedelta(days)) for days in range(3)]
MEALS = range(3)
BUILDINGS = range(1, 61)
CATEGORIES, LOCATIONS, RECIPES = range(1, 4), range(10, 12), range(100, 112)
KINDS = {"categories": CATEGORIES, "locations": LOCATIONS, "recipes": RECIPES}
RING = [[42.0, -71.0], [42.0, -70.9], [42.1, -70.9], [42.0, -71.0]]


def _name(kind, id_, load):
    return f"{kind.capitalize()} {id_} of load {load}"


def _building(id_, load):
    texts = {name: _name(name, id_, load) for name in ("name", "address", "city")}
    # Half of the buildings have a footprint.
    geometry = {"point": [42 + id_ / 1000, -71.0], "polygons": [RING] if id_ % 2 else []}
    return {"id": id_, **texts, "image": None, "geometry": geometry}


def _buildings(load):
    return [_building(id_, load) for id_ in BUILDINGS]


def _facts(recipe, load):
    fields = {"name": _name("recipes", recipe, load), "ingredients": f"Rice of load {load}", "as_of": TODAY}
    return facts_row(id=recipe, **fields)


def _dining(load):
    hours = {"meal": 1, "expression": "11:00-14:00", "until": "2026-12-31", "country": None}
    return {
        **{kind: [{"id": id_, "name": _name(kind, id_, load)} for id_ in ids] for kind, ids in KINDS.items()},
        "facts": [_facts(recipe, load) for recipe in RECIPES],
        "halls": [{"location": LOCATIONS[0], "building": None, "hours": [hours]}],
        "menus": [
            row(recipe, _name("recipes", recipe, load), date=day, meal=meal, location=location, category=1 + recipe % 3)
            for day in DATES
            for meal in MEALS
            for location in LOCATIONS
            for recipe in RECIPES
        ],
        "closed_days": [],
    }


EXPORTS = {"buildings": _buildings, "dining": _dining}


def incomplete(dataset, load):
    """Return an export that lacks too much to be published."""
    if dataset == "buildings":
        return _buildings(load)[: len(BUILDINGS) // 2]
    complete = _dining(load)
    return {**complete, "menus": [each for each in complete["menus"] if each["recipe"] in RECIPES[:2]]}
