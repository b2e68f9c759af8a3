"""What a query string may say: from its raw text to filters, or a 400 that names every problem."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any
from urllib.parse import parse_qsl, urlencode

import colander
from pyramid.httpexceptions import HTTPBadRequest

from campus_api.domain import ids, text
from campus_api.validation import suggestions

Pairs = list[tuple[str, str]]
Problem = dict[str, str | None]

# Longer queries get no corrections, and more problems none of their own: each one would repeat the whole query.
_LONGEST_CORRECTED = 2000
_MOST_CORRECTED = 10
# Characters of a parameter or a value in the sentence that names the first few.
_LONGEST_NAMED = 100
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DAY, _INTEGER = {"type": "string", "format": "date"}, {"type": "integer"}


class BadQuery(HTTPBadRequest):
    """A query that was not understood; `problems` has parameter, value, reason and the corrected query of each.

    `corrected` is the query with all of them corrected; None where that cannot be told, or would be too long.
    """

    def __init__(self, problems: list[Problem], corrected: str | None) -> None:
        """Take what is wrong; the detail is a sentence that names the first few."""
        named = [_sentence(problem) for problem in problems[:3]]
        more = f"; and {len(problems) - len(named)} more" if len(problems) > len(named) else ""
        super().__init__(f"{'; '.join(named)}{more}.")
        self.problems = problems
        self.corrected = corrected


def _sentence(problem: Problem) -> str:
    parameter, value = (_shortened(problem[key]) for key in ("parameter", "value"))
    return f"{parameter}={value} {problem['reason']}"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_NAMED else f"{text[:_LONGEST_NAMED]}…"


class _Checked(colander.SchemaType):
    """A value that `check` turns from text into what the store wants; its ValueError says why not.

    `described` is its JSON Schema.
    """

    def __init__(self, check: Callable[[str], Any], described: dict[str, str]) -> None:
        self._check = check
        self.described = described

    def deserialize(self, node: colander.SchemaNode, cstruct: str) -> Any:
        try:
            return self._check(_text(cstruct))
        except ValueError as error:
            raise colander.Invalid(node, str(error)) from None


def _text(value: str) -> str:
    if not value:
        raise ValueError("is empty")
    if not _decoded(value):
        raise ValueError("is not UTF-8")
    return value


def _date(text: str) -> str:
    if not _DATE.fullmatch(text):
        raise ValueError("is not a date written YYYY-MM-DD")
    try:
        date.fromisoformat(text)
    except ValueError:
        raise ValueError("is not a day of the calendar") from None
    return text


def _meal(text: str) -> int | None:
    try:
        return ids.from_query(text)
    except ValueError:
        raise ValueError("is not an integer: 0 is breakfast, 1 lunch, 2 dinner") from None


def _alternatives(of: colander.SchemaType, missing: Any) -> colander.SchemaNode:
    return colander.SchemaNode(colander.Sequence(), colander.SchemaNode(of), missing=missing)


class _MenuQuery(colander.MappingSchema):
    date = _alternatives(_Checked(_date, _DAY), missing=None)
    meal = _alternatives(_Checked(_meal, _INTEGER), missing=None)
    location = _alternatives(_Checked(ids.from_query, _INTEGER), missing=None)
    category = _alternatives(_Checked(ids.from_query, _INTEGER), missing=None)
    recipe = _alternatives(_Checked(ids.from_query, _INTEGER), missing=None)


class _BuildingQuery(colander.MappingSchema):
    name = _alternatives(colander.String(), missing=())
    address = _alternatives(colander.String(), missing=())


MENUS, BUILDINGS = _MenuQuery(), _BuildingQuery()
_PARAMETERS = [node.name for node in MENUS]
_UNKNOWN = f"is not a parameter of menus: these are {', '.join(_PARAMETERS)}"


def menus(query_string: str) -> dict[str, Any]:
    """Return the alternatives for date, meal, location, category and recipe, None for what is not given.

    BadQuery for an improper query. Integers beyond 64 bits match nothing and are left out.
    """
    pairs = menu_pairs(query_string)
    reasons = {pair: _UNKNOWN for pair in pairs if pair[0] not in _PARAMETERS}
    grouped = _grouped(pairs)
    try:
        values = MENUS.deserialize(grouped)
    except colander.Invalid as error:
        for parameter in error.children:
            name = parameter.node.name
            reasons |= {(name, grouped[name][value.pos]): value.msg for value in parameter.children}
    if reasons:
        raise _bad_query(pairs, reasons)
    return {name: given and [value for value in given if value is not None] for name, given in values.items()}


def building_search(query_string: str) -> dict[str, Any]:
    """Return the alternative texts for name and address; a text that folds to nothing counts as not given."""
    given = pairs_of(query_string)
    pairs = [(name, value) for name, value in given if len(value) > text.MAX_QUERY_LENGTH or text.fold(value)]
    return BUILDINGS.deserialize(_grouped(pairs))


def menu_pairs(query_string: str) -> Pairs:
    """Return the different pairs that count for menus: names that begin with an underscore are for caches."""
    return [pair for pair in pairs_of(query_string) if not pair[0].startswith("_")]


def pairs_of(query_string: str) -> Pairs:
    """Return the different pairs in their order; bytes that are not UTF-8 stay visible as surrogates."""
    raw = query_string.encode("latin-1").decode("utf-8", errors="surrogateescape")
    return list(dict.fromkeys(parse_qsl(raw, keep_blank_values=True, errors="surrogateescape")))


def _grouped(pairs: Pairs) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for name, value in pairs:
        grouped.setdefault(name, []).append(value)
    return grouped


def _decoded(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


def _bad_query(pairs: Pairs, reasons: dict[tuple[str, str], str]) -> BadQuery:
    short = len(urlencode(pairs, errors="surrogateescape")) <= _LONGEST_CORRECTED
    wrong = [pair for pair in pairs if pair in reasons]
    mended = {pair: suggestions.correct(*pair, _PARAMETERS) if short else None for pair in wrong}
    alone = mended if len(wrong) <= _MOST_CORRECTED else dict.fromkeys(wrong)
    problems = [
        {
            "parameter": name,
            "value": value,
            "reason": reasons[name, value],
            "corrected": _query(pairs, {(name, value): alone[name, value]}),
        }
        for name, value in wrong
    ]
    return BadQuery(problems, _query(pairs, mended))


def _query(pairs: Pairs, mended: dict[tuple[str, str], Pairs | None]) -> str | None:
    """Return the query with some pairs replaced; None when a replacement is not known."""
    if None in mended.values():
        return None
    replaced = [new for pair in pairs for new in mended.get(pair) or ([] if pair in mended else [pair])]
    return urlencode(list(dict.fromkeys(replaced)), errors="surrogateescape")
