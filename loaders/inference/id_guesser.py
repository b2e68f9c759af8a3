"""The field of a building's id: an integer, or a text to which the database assigns one."""

import re
from collections.abc import Iterator, Mapping, Sequence

from loaders.inference.field_names import Guess, Target, split_words
from loaders.inference.field_stats import ADDRESSES, INTEGERS, TEXT, FieldStats
from loaders.text import pluralize

_ROW_NUMBER = r"object ?id( \d)?|fid|oid|gid"
_NAMES = (
    r"id|ref|root",
    r"(.* )?(building|bldg|facility|structure|site) ?(id|ref|root|number|num|no|nr|code)",
    r"(.* )?(id|ref|root|number|num|no|nr|code)",
)
_EXCLUDED_WORDS = (
    "year|date|area|length|width|height|elevation|floors?|stories|units|zip|postal|phone|lat|latitude|lon|lng|longitude"
    "|x|y|z|count|layer|lot|block|street|address|addr|house|housenumber|level|stroke|opacity"
)
_INTEGER_ID = Target((*_NAMES, _ROW_NUMBER, r".*"), f"{_EXCLUDED_WORDS}|global", (INTEGERS,))
_TEXT_ID = Target(_NAMES, _EXCLUDED_WORDS, (TEXT, INTEGERS, ADDRESSES))
_MIN_ID_SHARE = 0.5
_GOOD_ID_SHARE = 0.9


def guess_id(fields: Sequence[FieldStats], aliases: Mapping[str, object], records: int) -> Guess | None:
    """Return the best integer field; a text field if integers are the same in many records and it is not."""
    integer = max(fields, key=lambda stats: _integer_score(stats, aliases, records), default=None)
    if integer is None:
        return None
    score = _integer_score(integer, aliases, records)
    if not (score and score[0]):
        text = max(fields, key=lambda stats: _text_score(stats, aliases, records))
        if _text_score(text, aliases, records):
            return Guess(text.name, (text,), tuple(_text_warnings(text, records)), is_assigned=True)
    return Guess(integer.name, (integer,), tuple(_integer_warnings(integer, records))) if score else None


def _integer_score(stats: FieldStats, aliases: Mapping[str, object], records: int) -> tuple[float, ...]:
    """Return how well a field fits, to be compared; empty if it does not."""
    name_score = _INTEGER_ID.best_score(stats.name, aliases.get(stats.name))
    share = _distinct_share(stats, records) - (stats.filled - stats.types[INTEGERS]) / records
    return (share >= _GOOD_ID_SHARE, name_score, share) if name_score and share >= _MIN_ID_SHARE else ()


def _text_score(stats: FieldStats, aliases: Mapping[str, object], records: int) -> tuple[float, ...]:
    name_score = _TEXT_ID.best_score(stats.name, aliases.get(stats.name))
    share = _distinct_share(stats, records)
    fits = name_score and share >= _GOOD_ID_SHARE and stats.is_mostly(*_TEXT_ID.types)
    return (name_score, share) if fits else ()


def _distinct_share(stats: FieldStats, records: int) -> float:
    """Return the number of distinct values in relation to all records."""
    return (stats.filled if stats.distinct.is_truncated else len(stats.distinct)) / records


def _text_warnings(stats: FieldStats, records: int) -> Iterator[str]:
    yield "No integer is different in all features: the database assigns integers to this text."
    if stats.filled < records:
        missing = pluralize(records - stats.filled, "feature has", "features have")
        yield f'{missing} no "{stats.name}" and cannot be loaded.'
    yield from _uniqueness_warnings(stats)


def _uniqueness_warnings(stats: FieldStats) -> Iterator[str]:
    if not stats.may_be_unique:
        yield "Some features have the same id: they cannot be loaded unless they are identical."


def _integer_warnings(stats: FieldStats, records: int) -> Iterator[str]:
    missing = records - stats.types[INTEGERS]
    if missing:
        yield f'{pluralize(missing, "feature has", "features have")} no integer in "{stats.name}" and cannot be loaded.'
    yield from _uniqueness_warnings(stats)
    if re.fullmatch(_ROW_NUMBER, split_words(stats.name)) or _counts_records(stats, records):
        yield "The id looks like a row number: check that it is the same in the next export."


def _counts_records(stats: FieldStats, records: int) -> bool:
    return records > 2 and stats.integer_range in ((0, records - 1), (1, records)) and stats.may_be_unique
