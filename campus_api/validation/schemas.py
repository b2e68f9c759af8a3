"""Query string schemas: from raw text to filters, or a 400 that lists every problem."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import colander
from pyramid.httpexceptions import HTTPBadRequest
from webob.multidict import MultiDict

from campus_api.db.connection import COLLECTIONS
from campus_api.domain import ids
from campus_api.domain.allergens.vocabulary import Diet, DietVocabulary
from campus_api.domain.building_fields import SEARCHABLE_FIELDS, TEXT_FIELDS
from campus_api.domain.geography import parse_box, parse_position
from campus_api.domain.search.index import TYPES
from campus_api.domain.text import MAX_QUERY_LENGTH, normalize_query, truncate
from campus_api.validation import suggestions
from campus_api.validation.date_ranges import Pairs, expand_range, range_problems
from campus_api.validation.suggestions import KnownTexts, Parameters

# Limits, because every correction repeats the whole query.
_MAX_CORRECTED_LENGTH = 2000
_MAX_CORRECTIONS = 10
# Characters of a parameter or a value in the detail.
_MAX_QUOTED_LENGTH = 100
_MAX_NAMES_LENGTH = 800
# Of one response.
_CHANGES = 100
_MAX_CHANGES = 1000
_NUMBER = re.compile(r"[0-9]{1,18}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class InvalidParameter(NamedTuple):
    """An invalid parameter; `corrected` is the query with only this corrected, or None if that is unknown."""

    parameter: str
    value: str
    reason: str
    corrected: str | None = None


class BadQuery(HTTPBadRequest):
    """An invalid query; `corrected` is the query with all problems corrected, or None if it is unknown or too long."""

    def __init__(self, problems: list[InvalidParameter], corrected: str | None) -> None:
        first, others = problems[:3], problems[3:]
        more = f"; and {len(others)} more" if others else ""
        super().__init__(f"{'; '.join(map(_sentence, first))}{more}.")
        self.problems = problems
        self.corrected = corrected


def _sentence(problem: InvalidParameter) -> str:
    name, value = (truncate(each, _MAX_QUOTED_LENGTH) for each in (problem.parameter, problem.value))
    return f"{name}={value} {problem.reason}"


class _Values(colander.SchemaType):
    """Values that `parse` converts from text, or rejects by a ValueError whose message is the reason.

    None matches nothing, and is dropped. `known_texts` are all texts that it takes, None if that is no list.

    The message of Invalid has the reason of each rejected text: an error for each of them would be a cycle of objects.
    """

    def __init__(self, parse: Callable[[str], Any], known_texts: KnownTexts | None = None) -> None:
        self._parse = parse
        self.known_texts = known_texts

    def deserialize(self, node: colander.SchemaNode, cstruct: Any) -> Any:
        if cstruct is colander.null:
            return cstruct
        values = []
        reasons = {}
        for text in cstruct:
            try:
                values.append(self._parse(_require_text(text)))
            except ValueError as error:
                reasons[text] = str(error)
        if reasons:
            raise colander.Invalid(node, reasons)
        return [value for value in values if value is not None]


class _Texts(colander.List):
    """Any texts: one that folds to an empty one is ignored."""

    known_texts = None

    def deserialize(self, node: colander.SchemaNode, cstruct: Any) -> Any:
        return cstruct and [text for text in cstruct if normalize_query(text) != ""]


class _JoinedText(_Texts):
    """The texts as one text, in which their order makes no difference."""

    def deserialize(self, node: colander.SchemaNode, cstruct: Any) -> Any:
        text = " ".join(sorted(filter(None, cstruct or ())))
        try:
            return text and _parse_text(_require_text(text))
        except ValueError as error:
            raise colander.Invalid(node, dict.fromkeys(cstruct, str(error))) from None


def _require_text(value: str) -> str:
    if not value:
        raise ValueError("is empty")
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise ValueError("is not UTF-8")
    return value


def _parse_date(text: str) -> str:
    if not _DATE.fullmatch(text):
        raise ValueError("is not a date written YYYY-MM-DD")
    try:
        date.fromisoformat(text)
    except ValueError:
        raise ValueError("is not a day of the calendar") from None
    return text


def _parse_meal(text: str) -> int | None:
    try:
        return ids.from_query(text)
    except ValueError:
        raise ValueError("is not an integer: 0 is breakfast, 1 lunch, 2 dinner") from None


def _term(parameter: str, reason: str) -> colander.deferred:
    """Return the type of a label or an allergen: the stored values that a text stands for."""

    def bind(node: colander.SchemaNode, bindings: dict[str, Any]) -> _Values:
        vocabulary = getattr(bindings["vocabulary"], parameter)

        def look_up(text: str) -> set[str]:
            values = vocabulary.get(text)
            if not values:
                raise ValueError(f"{reason} {truncate(vocabulary.all_names or 'none', _MAX_NAMES_LENGTH)}")
            return values

        return _Values(look_up, vocabulary.known_texts)

    return colander.deferred(bind)


def _parse_text(text: str) -> str:
    if normalize_query(text) is None:
        raise ValueError(f"has over {MAX_QUERY_LENGTH} characters")
    return text


def _one_of(texts: Iterable[str], kind: str) -> _Values:
    known_texts = {text: text for text in texts}

    def parse(text: str) -> str:
        if text not in known_texts:
            raise ValueError(f"is not a {kind}: these are {', '.join(known_texts)}")
        return text

    return _Values(parse, known_texts)


def _parse_since(text: str) -> int | datetime:
    if _NUMBER.fullmatch(text):
        return int(text)
    with suppress(ValueError):
        # In a query string, a plus sign that is not escaped is a space.
        moment = datetime.fromisoformat(text.replace(" ", "+"))
        if moment.tzinfo:
            return moment
    raise ValueError("is neither a revision nor a time with its offset, such as 2026-11-20T06:00:00Z")


def _parse_number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError("is not a number of zero or more")
    return int(text)


def _schema(title: str, types: Mapping[str, colander.SchemaType | colander.deferred]) -> colander.MappingSchema:
    """Return the schema of parameters with these types, each of which may be repeated or absent."""
    nodes = [colander.SchemaNode(type_, name=name, missing=None) for name, type_ in types.items()]
    return colander.MappingSchema(title=title, children=nodes)


_DAY = {"date": _Values(_parse_date)}
_RANGE = {"from": _Values(_parse_date), "to": _Values(_parse_date)}
_SERVING = {"meal": _Values(_parse_meal), "location": _Values(ids.from_query)}
_RECIPE = {"recipe": _Values(ids.from_query)}
_ITEM = {**_SERVING, "category": _Values(ids.from_query), **_RECIPE}
_DIET = {
    "label": _term("label", "is not one of the labels of the provider, which are"),
    "without": _term("without", "is not one of the allergens, which are"),
}
_DATASET = {"dataset": _one_of(COLLECTIONS, "data set")}
# The specification has name and address, of which any text is valid.
_BUILDING_TEXTS = {name: _Values(_parse_text) if TEXT_FIELDS[name].is_exact else _Texts() for name in SEARCHABLE_FIELDS}
_PLACE = {"bbox": _Values(parse_box), "near": _Values(parse_position)}
_COUNT = {"limit": _Values(_parse_number)}
_PAGE = {"since": _Values(_parse_since), "start": _Values(_parse_number), **_COUNT}


def _dish_filters(values: dict[str, Any]) -> dict[str, Any]:
    terms = {name: values.pop(name) for name in DietVocabulary._fields}
    diet = Diet(**{name: None if sets is None else set().union(*sets) for name, sets in terms.items()})
    return {**values, "diet": diet}


def _building_filters(values: dict[str, Any]) -> dict[str, Any]:
    return {**values, "limit": max(values["limit"] or [None])}


def _change_filters(values: dict[str, Any]) -> dict[str, Any]:
    """Return the data sets, the first of the revisions or else of the times, and the part of the list.

    Alternatives have the same result in any order: the one that leaves out the least counts.
    """
    since = min(values["since"] or [None], key=lambda each: (isinstance(each, datetime), each))
    start = min(values["start"] or [0])
    count = min(max(values["limit"] or [_CHANGES]), _MAX_CHANGES)
    return {"datasets": values["dataset"], "since": since, "start": start, "count": count}


def _search_filters(values: dict[str, Any]) -> dict[str, Any]:
    return {"text": values["q"] or "", "types": values["type"] or TYPES}


# To copy a schema takes longer than to parse a query; dishes, calendars and the page have one each.
_bind = lru_cache(3)(colander.MappingSchema.bind)


class Query(NamedTuple):
    """The schema of a query, and what makes filters of the values of its parameters."""

    schema: colander.MappingSchema
    filters: Callable[[dict[str, Any]], dict[str, Any]] = dict

    def parse(
        self, pairs: Pairs, defaults: Pairs, today: str, vocabulary: Callable[[], DietVocabulary]
    ) -> dict[str, Any]:
        """Return the filters, of which that of an absent parameter is None; a range is its dates.

        Raise BadQuery for an invalid query; `defaults` complete it, corrections know `today`.
        """
        schema = _bind(self.schema, vocabulary=vocabulary()) if "label" in self.schema else self.schema
        parameters = {node.name: node.typ.known_texts for node in schema}
        unknown = f"is not a parameter of {schema.title}: these are {', '.join(parameters)}"
        of_dishes = dict.fromkeys((*_RANGE, *_DIET), f"is not a parameter of {schema.title}, but of /dining/dishes")
        reasons = {pair: of_dishes.get(pair[0], unknown) for pair in pairs if pair[0] not in parameters}
        grouped = MultiDict(pair for pair in (*pairs, *defaults) if pair not in reasons).dict_of_lists()
        try:
            values = schema.deserialize(grouped)
            reasons |= range_problems(grouped)
        except colander.Invalid as error:
            for invalid in error.children:
                reasons |= {(invalid.node.name, text): reason for text, reason in invalid.msg.items()}
        if reasons:
            raise _bad_query(pairs, reasons, parameters, today)
        return self.filters(expand_range(values))


MENUS = Query(_schema("menus", {**_DAY, **_ITEM}))
HOURS = Query(_schema("hours", {**_DAY, **_RANGE, **_SERVING}))
CALENDAR = Query(_schema("calendars", {**_ITEM, **_DIET}), _dish_filters)
DISHES = Query(_schema("dishes", {**_DAY, **_RANGE, **_ITEM, **_DIET}), _dish_filters)
PAGE = Query(_schema("the page", {**_DAY, **_SERVING, **_DIET, "q": _JoinedText()}), _dish_filters)
FACTS = Query(_schema("facts", _RECIPE))
CHANGES = Query(_schema("changes", {**_DATASET, **_PAGE}), _change_filters)
FEED = Query(_schema("feeds", _DATASET))
BUILDINGS = Query(_schema("buildings", {**_BUILDING_TEXTS, **_PLACE, **_COUNT}), _building_filters)
SEARCH = Query(_schema("search", {"q": _JoinedText(), "type": _one_of(TYPES, "type of results")}), _search_filters)


def parse_query_string(query_string: str) -> Pairs:
    """Return the distinct pairs in order; bytes that are not UTF-8 are decoded to surrogates."""
    raw = query_string.encode("latin-1").decode("utf-8", errors="surrogateescape")
    return tuple(dict.fromkeys(parse_qsl(raw, keep_blank_values=True, errors="surrogateescape")))


def _bad_query(pairs: Pairs, reasons: dict[tuple[str, str], str], parameters: Parameters, today: str) -> BadQuery:
    invalid = [pair for pair in pairs if pair in reasons]
    is_short = len(urlencode(pairs, errors="surrogateescape")) <= _MAX_CORRECTED_LENGTH
    is_cheap = is_short and suggestions.count_terms(invalid, parameters) <= _MAX_CORRECTIONS
    suggested = {pair: suggestions.suggest(*pair, parameters, today) if is_cheap else None for pair in invalid}
    # A pair that is its own suggestion is invalid because of others, as in a range.
    corrected = {pair: None if new == [pair] else new for pair, new in suggested.items()}
    alone = corrected if len(invalid) <= _MAX_CORRECTIONS else dict.fromkeys(invalid)
    problems = [InvalidParameter(*pair, reasons[pair], _query(pairs, {pair: alone[pair]})) for pair in invalid]
    return BadQuery(problems, _query(pairs, corrected))


def _query(pairs: Pairs, corrected: Mapping[tuple[str, str], Sequence[tuple[str, str]] | None]) -> str | None:
    """Return the query with some pairs replaced, or None if a replacement is unknown or no range of dates."""
    if None in corrected.values():
        return None
    replaced = [new for pair in pairs for new in corrected.get(pair, [pair]) or ()]
    if range_problems(MultiDict(replaced).dict_of_lists()):
        return None
    return urlencode(list(dict.fromkeys(replaced)), errors="surrogateescape")
