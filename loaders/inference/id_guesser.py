"""The field of a building's id: an integer, or a text to which the database assigns one."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from loaders.inference.field_names import Guess, Target, split_words
from loaders.inference.field_stats import ADDRESSES, INTEGERS, TEXT, FieldStats
from loaders.text import pluralize

_ROW_NUMBER = r"object ?id( \d)?|fid|oid|gid"
_NAMES = (
    r"id|ref|root",
    r"(.* )?(building|bldg|facility|structure|site) ?(id|ref|root|number|num|no|nr|code)",
    r"(.* )?(id|ref|root|number|num|no|nr|code)",
)
_ABBREVIATIONS = (r"(.* )?(abbr|abbrev|abbreviation|acronym|initials|short|short name|symbol|slug|uuid|guid|key)",)
_EXCLUDED_WORDS = (
    "year|date|area|length|width|height|elevation|floors?|stories|units|zip|postal|phone|lat|latitude|lon|lng|longitude"
    "|x|y|z|count|layer|lot|block|street|address|addr|house|housenumber|level|stroke|opacity|sqft|sqm|square|feet|gross"
    "|gsf|nsf|sf|asf|nasf|built|cost|value|capacity|population|occupancy|perimeter|size|acres|speed|maxspeed|parent|campus"
)
_INTEGER_ID = Target((*_NAMES, _ROW_NUMBER), f"{_EXCLUDED_WORDS}|global", (INTEGERS,))
_OTHER_INTEGER = Target((r".*",), _INTEGER_ID.excluded_words, (INTEGERS,))
_TEXT_ID = Target((*_NAMES, *_ABBREVIATIONS), _EXCLUDED_WORDS, (TEXT, INTEGERS, ADDRESSES))
_OTHER_TEXT = Target((r".*",), f"{_EXCLUDED_WORDS}|city|town|state|country|type|owner|architect|description", (TEXT,))
_MIN_ID_SHARE = 0.5
_GOOD_ID_SHARE = 0.9
# Of a text that is no id by its name.
_MAX_LENGTH = 60

_Score = tuple[float, ...]


def guess_id(
    fields: Sequence[FieldStats], aliases: Mapping[str, object], records: int, names: Sequence[FieldStats] = ()
) -> Guess | None:
    """Return the field that is most likely to be the same in the next export.

    That is an integer or a text that is named like an id or an abbreviation, a row number, one of `names`, best first,
    any other integer, which may be a measure, what only parts of buildings share, any short text that is different in
    all records, or at last an integer that is so in most.
    """

    def best(target: Target, min_share: float = _GOOD_ID_SHARE, *, is_row_number: bool = False) -> FieldStats | None:
        named = [each for each in fields if is_row_number == _is_row_number(each)]
        scores = [_score(each, target, aliases, records, min_share) for each in named]
        return named[scores.index(max(scores))] if any(scores) else None

    other = best(_OTHER_TEXT, 1)
    candidates = (
        (_integer_guess, best(_INTEGER_ID)),
        (_text_guess, best(_TEXT_ID)),
        (_integer_guess, best(_INTEGER_ID, is_row_number=True)),
        (_text_guess, _first_id_text(names, records, _GOOD_ID_SHARE)),
        (_integer_guess, best(_OTHER_INTEGER)),
        (_integer_guess, best(_INTEGER_ID, _MIN_ID_SHARE)),
        (_text_guess, best(_TEXT_ID, _MIN_ID_SHARE)),
        (_text_guess, _first_id_text(names, records, _MIN_ID_SHARE)),
        (_text_guess, _first_id_text([other] if other else [], records, 1)),
        (_integer_guess, best(_OTHER_INTEGER, _MIN_ID_SHARE)),
    )
    return next((guess(field, records) for guess, field in candidates if field), None)


def is_named_like_id(stats: FieldStats, aliases: Mapping[str, object]) -> bool:
    """Return whether the name of a field is that of a text id."""
    return bool(_TEXT_ID.best_score(stats.name, aliases.get(stats.name)))


def _is_row_number(stats: FieldStats) -> bool:
    return bool(re.fullmatch(_ROW_NUMBER, split_words(stats.name)))


def _score(stats: FieldStats, target: Target, aliases: Mapping[str, object], records: int, min_share: float) -> _Score:
    """Return how well a field fits, to be compared; empty if it does not."""
    name_score = target.best_score(stats.name, aliases.get(stats.name))
    share = _distinct_share(stats, records)
    if target.types == (INTEGERS,):
        share -= (stats.filled - stats.types[INTEGERS]) / records
    return (name_score, share) if name_score and share >= min_share and stats.is_mostly(*target.types) else ()


def _first_id_text(fields: Iterable[FieldStats], records: int, min_share: float) -> FieldStats | None:
    """Return the first field of short texts that are different in enough records."""
    short = (each for each in fields if each.max_length <= _MAX_LENGTH)
    return next((each for each in short if _distinct_share(each, records) >= min_share), None)


def _integer_guess(stats: FieldStats, records: int) -> Guess:
    return Guess(stats.name, (stats,), tuple(_integer_warnings(stats, records)))


def _text_guess(stats: FieldStats, records: int) -> Guess:
    return Guess(stats.name, (stats,), tuple(_text_warnings(stats, records)), is_assigned=True)


def _distinct_share(stats: FieldStats, records: int) -> float:
    """Return the number of distinct values in relation to all records."""
    return len(stats.distinct) / records


def _text_warnings(stats: FieldStats, records: int) -> Iterator[str]:
    yield "No integer is different in all features: the database assigns integers to this text."
    if stats.filled < records:
        missing = pluralize(records - stats.filled, "feature has", "features have")
        yield f'{missing} no "{stats.name}" and cannot be loaded.'
    yield from _uniqueness_warnings(stats)


def _uniqueness_warnings(stats: FieldStats) -> Iterator[str]:
    if not stats.is_unique:
        yield "Some features have the same id: with `merge`, footprints of one name and address are one building."


def _integer_warnings(stats: FieldStats, records: int) -> Iterator[str]:
    missing = records - stats.types[INTEGERS]
    if missing:
        yield f'{pluralize(missing, "feature has", "features have")} no integer in "{stats.name}" and cannot be loaded.'
    yield from _uniqueness_warnings(stats)
    if _is_row_number(stats) or _counts_records(stats, records):
        yield "The id looks like a row number: check that it is the same in the next export."


def _counts_records(stats: FieldStats, records: int) -> bool:
    return records > 2 and stats.integer_range in ((0, records - 1), (1, records)) and stats.is_unique
