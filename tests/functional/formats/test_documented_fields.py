"""Responses have the fields of docs/stability.md, and the service the metrics of docs/operations.md."""

import re

from tests.documents import ROOT
from tests.factories import building, facts, hall, serving

STABILITY = (ROOT / "docs/stability.md").read_text(encoding="utf-8")
OPERATIONS = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
TYPES = {
    "integer": int,
    "text": str,
    "number": int | float,
    "nutrient": dict,
    "array": list,
    "latitude, longitude": list,
    "object": dict,
}
PATHS = {
    "building": "/map/buildings?near=42.37,-71.12",
    "category": "/dining/categories/23",
    "location": "/dining/locations/30",
    "recipe": "/dining/recipes/31001",
    "facts": "/dining/recipes/31001/facts",
    "menu row": "/dining/menus",
    "dish": "/dining/dishes",
    "hours": "/dining/hours",
    "search result": "/search?q=kashi",
    "change": "/changes?dataset=dining",
    "error": "/dining/menus?meal=x",
}


def documented_fields():
    """Return the documented fields of each response with their types, which end at a comma."""
    fields, names = {}, []
    for response, row, type_ in re.findall(r"^\| (.*?) ?\| (`[\w.`, ]+`) \| (.*) \|$", STABILITY, re.MULTILINE):
        names = response.split(", ") if response else names
        known = next(known for known in TYPES if type_.startswith(known))
        classes = TYPES[known] | None if type_.startswith(f"{known} or null") else TYPES[known]
        for name in names:
            fields.setdefault(name, {}).update(dict.fromkeys(re.findall(r"[\w.]+", row), classes))
    return fields


def flatten(item):
    """Return the fields of an item, those of its geometry as `geometry.*`, those of its nutrients as `nutrients.*`."""
    for group in {"geometry", "nutrients"} & item.keys():
        item |= {f"{group}.{name}": value for name, value in item.pop(group).items()}
    return item


def test_a_response_has_exactly_the_documented_fields(service):
    service.serve_buildings(building(1))
    service.serve_dining(serving(), facts={31001: facts()}, halls={30: hall()})

    documented = documented_fields()
    assert documented.keys() == PATHS.keys()
    for name, fields in documented.items():
        body = service.app.get(PATHS[name], status="*").json
        item = flatten(body[0] if isinstance(body, list) else body)
        assert fields.keys() == item.keys(), name
        assert [field for field, type_ in fields.items() if not isinstance(item[field], type_)] == [], name


def test_the_documented_metrics_are_those_that_exist(service):
    service.serve_buildings(building(1))
    service.serve_dining(serving())
    service.app.get("/map/buildings/1")
    documented = set(re.findall(r"`(campus_\w+)", OPERATIONS)) - {"campus_api"}

    text = service.app.get("/__metrics__").text

    assert documented == set(re.findall(r"^# HELP (campus_\w+)(?<!_created) ", text, re.MULTILINE))
