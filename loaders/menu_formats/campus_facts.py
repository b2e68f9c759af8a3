"""Facts of recipes as this API returns them."""

from collections.abc import Mapping
from typing import Any

from campus_api.domain.models import Facts, Label, Nutrient, Nutrients
from loaders.errors import InvalidValue
from loaders.menu_formats.values import parse_iso_date
from loaders.text import parse_text

# Exact as a number in JSON and in MongoDB.
_MAX_NUMBER = 2**53

Record = Mapping[str, Any]


def parse_facts(record: Record) -> Facts:
    """Return the facts of a response; InvalidValue names the member that is invalid."""
    nutrients = _object("nutrients", record.get("nutrients") or {})
    return Facts(
        serving_size=_text("serving_size", record),
        calories=_number("calories", record),
        calories_from_fat=_number("calories_from_fat", record),
        nutrients=Nutrients(**{name: _nutrient(name, nutrients.get(name)) for name in Nutrients._fields}),
        ingredients=_text("ingredients", record),
        allergens=_parse_allergens(record),
        labels=_parse_labels(record),
        as_of=parse_iso_date("as_of", record["as_of"]) if record.get("as_of") else None,
    )


def _parse_allergens(record: Record) -> tuple[str, ...] | None:
    names = _list("allergens", record)
    return names and tuple(sorted({_require("allergens", parse_text("allergens", name)) for name in names}))


def _parse_labels(record: Record) -> tuple[Label, ...] | None:
    labels = _list("labels", record)
    return labels and tuple(_label(_object("labels", label)) for label in labels)


def _label(record: Record) -> Label:
    return Label(_require("code", parse_text("code", record.get("code"))), _text("name", record))


def _nutrient(name: str, value: Any) -> Nutrient | None:
    if value is None:
        return None
    record = _object(name, value)
    amount, unit = _number("amount", record), _text("unit", record)
    return Nutrient(_require(name, amount, value), _require(name, unit, value), _number("daily_value", record))


def _object(field: str, value: Any) -> Record:
    if not isinstance(value, dict):
        raise InvalidValue(field, value, "is not a JSON object")
    return value


def _list(field: str, record: Record) -> tuple[Any, ...] | None:
    """Return the items of a list, None for null; InvalidValue for an empty one: what is unknown is null."""
    value = record.get(field)
    if value is not None and not (isinstance(value, list) and value):
        raise InvalidValue(field, value, "is neither null nor a list of one or more")
    return value and tuple(value)


def _text(field: str, record: Record) -> str | None:
    return parse_text(field, record.get(field)) or None


def _number(field: str, record: Record) -> float | None:
    value = record.get(field)
    if value is not None and not (type(value) in (int, float) and 0 <= value <= _MAX_NUMBER):
        raise InvalidValue(field, value, "is not a number of zero or more")
    return value


def _require(field: str, value: Any, shown: object = None) -> Any:
    if value is None or value == "":
        raise InvalidValue(field, shown, "is missing")
    return value
