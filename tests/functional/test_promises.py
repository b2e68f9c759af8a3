"""What docs/stability.md and docs/operations.md promise of answers is there."""

import re

import pytest

from tests.documents import ROOT
from tests.factories import building, serving

STABILITY = (ROOT / "docs/stability.md").read_text(encoding="utf-8")
OPERATIONS = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
TYPES = {"integer": int, "text": str, "text or null": (str, type(None)), "array": list, "latitude, longitude": list}
ANSWERS = {
    "building": "/map/buildings/1",
    "category": "/dining/categories/23",
    "location": "/dining/locations/30",
    "recipe": "/dining/recipes/31001",
    "menu row": "/dining/menus",
    "error": "/dining/menus?meal=x",
}


def promised():
    """Return the promised fields of each answer with their types, without what is said behind a comma."""
    fields, names = {}, []
    for answer, field, type_ in re.findall(r"^\| (.*?) ?\| `([\w.]+)` \| (.*) \|$", STABILITY, re.MULTILINE):
        names = answer.split(", ") if answer else names
        known = next(known for known in sorted(TYPES, key=len, reverse=True) if type_.startswith(known))
        for name in names:
            fields.setdefault(name, {})[field] = TYPES[known]
    return fields


def flat(answer):
    """Return the fields of an answer, those of its geometry with its name before them."""
    geometry = answer.pop("geometry", {})
    return answer | {f"geometry.{name}": value for name, value in geometry.items()}


def test_an_answer_is_promised_wherever_one_is_asked_for():
    assert promised().keys() == ANSWERS.keys()


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_has_the_fields_that_are_promised(service, name):
    service.serve_buildings(building(1))
    service.serve_dining(serving())
    fields = promised()[name]

    answer = service.app.get(ANSWERS[name], status="*").json

    found = flat(answer[0] if isinstance(answer, list) else answer)
    assert fields.keys() == found.keys()
    assert [field for field, type_ in fields.items() if not isinstance(found[field], type_)] == []


def test_an_item_of_the_errors_has_the_promised_texts(service):
    [error] = service.app.get("/dining/menus?meal=x", status=400).json["errors"]

    assert {name: type(value) for name, value in error.items() if name != "corrected"} == dict.fromkeys(
        ("parameter", "value", "reason"), str
    )
    assert error["corrected"] is None


def test_the_metrics_that_operators_read_about_are_there(service):
    service.serve_buildings(building(1))
    service.serve_dining(serving())
    service.app.get("/map/buildings/1")
    named = set(re.findall(r"`(campus_\w+)", OPERATIONS)) - {"campus_api"}

    text = service.app.get("/__metrics__").text

    assert len(named) > 8
    assert [name for name in named if not re.search(rf"^{name}(_count)?[ {{]", text, re.MULTILINE)] == []
