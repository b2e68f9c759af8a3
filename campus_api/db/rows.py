"""Stored documents as the API returns them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from campus_api.domain.allergens.vocabulary import Diet, served_labels, valid_codes
from campus_api.domain.building_fields import SERVED_FIELDS, BuildingRow
from campus_api.domain.models import FACTS, FactsRow, LocationRow, MenuItemRow, NamedRow, ServedLabel, decode_facts
from campus_api.domain.tables import Row, fact_cells

Document = Mapping[str, Any]

_UNKNOWN_TEXTS = [(name, field.unknown) for name, field in SERVED_FIELDS.items()]


class EncodedFacts(NamedTuple):
    """The facts of a recipe as JSON and as cells, and those that searches and pages read.

    Dishes are filtered by the `codes` of the labels that they do not contradict, and by `without`.
    """

    json: orjson.Fragment
    cells: Row
    labels: Sequence[ServedLabel] | None
    contains: Sequence[str] | None
    without: frozenset[str]
    codes: frozenset[str]


_NO_FACTS = EncodedFacts(orjson.Fragment("null"), [], None, None, frozenset(), frozenset())


def building_row(document: Document) -> BuildingRow:
    """Return a stored building as the API returns it."""
    return {
        "id": document["_id"],
        **{name: document.get(name, unknown) for name, unknown in _UNKNOWN_TEXTS},
        "geometry": {"point": document["point"], "polygons": document["polygons"]},
    }


def named_row(document: Document) -> NamedRow:
    """Return a stored category, location or recipe as the API returns it."""
    return {"id": document["_id"], "name": document["name"]}


def location_row(document: Document) -> LocationRow:
    """Return a stored location with its building, of which nothing is known yet."""
    return {**named_row(document), "building": document.get("building"), "point": None, "address": None}


def facts_row(document: Document) -> FactsRow:
    """Return the facts of a stored recipe as the API returns them, all null if it has none."""
    facts = decode_facts(document.get("facts", {}))
    fields = {name: getattr(facts, name) for name in FACTS}
    return {**named_row(document), **fields, "labels": served_labels(facts)}


def encode_row(row: FactsRow) -> EncodedFacts:
    """Encode the facts of a recipe."""
    # orjson.dumps() over-allocates the bytes that it returns; decoding copies them to their size.
    json = orjson.Fragment(orjson.dumps(row).decode())
    labels, cells = row["labels"], [*fact_cells(row).values()]
    codes = frozenset(valid_codes(labels or ()))
    return EncodedFacts(json, cells, labels, row["contains"], frozenset(row["without"]), codes)


def mismatch(facts: EncodedFacts | None, diet: Diet) -> str:
    """Return why a recipe does not match: "unlabelled", "containing", "unknown"; "" if it does, or without a filter."""
    known = facts or _NO_FACTS
    if diet.label is not None and diet.label.isdisjoint(known.codes):
        return "unlabelled"
    if diet.without is None or diet.without <= known.without:
        return ""
    return "unknown" if diet.without.isdisjoint(known.contains or ()) else "containing"


def menu_rows(menu: Document) -> list[MenuItemRow]:
    """Return the items of a stored menu as the API returns them."""
    date = menu["_id"]
    return [
        {
            "date": date,
            "meal": item["meal"],
            "location": item["location"],
            "category": item["category"],
            "recipe": item["recipe"],
            "id": item["recipe"],
            "name": item["name"],
        }
        for item in menu["items"]
    ]
