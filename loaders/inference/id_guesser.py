"""The field of a building's id: an integer, or a text to which the database assigns one."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from loaders.inference.field_names import Guess, Target, split_words
from loaders.inference.field_stats import ADDRESSES, INTEGERS, TEXT, FieldStats
from loaders.text import pluralize

_ROW_NUMBER = r"object ?id( \d)?|fid|oid|gid"
_NAMES = (
    r"id|ref|root",
    r"(.* )?(building|bldg|facility|structure|site|gebäude|gebouw) ?(id|ref|root|number|num|no|nr|nummer|code)",
    r"(.* )?(id|ref|root|number|num|no|nr|nummer|numer|numero|número|numéro|code)",
)
_ABBREVIATIONS = (r"(.* )?(abbr|abbrev|abbreviation|acronym|initials|short|short name|symbol|slug|uuid|guid|key)",)
_EXCLUDED_WORDS = (
    rf"{_ROW_NUMBER}|year|date|area|length|width|height|elevation|floors?|stories|units|zip|postal|phone|lat|latitude|lon|lng|longitude"
    "|x|y|z|count|layer|lot|block|street|address|addr|house|housenumber|level|stroke|opacity|sqft|sqm|square|feet|gross"
    "|gsf|nsf|sf|asf|nasf|built|cost|value|capacity|population|occupancy|perimeter|size|acres|speed|maxspeed|parent|campus"
)
_INTEGER_ID = Target(_NAMES, f"{_EXCLUDED_WORDS}|global", (INTEGERS,))
_OTHER_INTEGER = Target((r".*",), _INTEGER_ID.excluded_words, (INTEGERS,))
_ROW_NUMBERS = Target((_ROW_NUMBER,), "global", (INTEGERS,))
TEXT_ID = Target((*_NAMES, *_ABBREVIATIONS), _EXCLUDED_WORDS, (TEXT, INTEGERS, ADDRESSES))
_SHARED_TEXT_ID = Target(TEXT_ID.names, _EXCLUDED_WORDS, (TEXT,))
_BUILDING_ID = Target(_NAMES[:2], _INTEGER_ID.excluded_words, (INTEGERS,))
_OTHER_TEXT = Target((r".*",), f"{_EXCLUDED_WORDS}|city|town|state|country|type|owner|architect|description", (TEXT,))
_MIN_ID_SHARE = 0.5
_GOOD_ID_SHARE = 0.9
# Of a text id, in characters.
MAX_LENGTH = 60
# The number of different values, the least and the greatest of them.
_Extent = tuple[int, int, int]


class _Rule(NamedTuple):
    """Fields that may be the id: those of a target, or of names, with this share of distinct values."""

    target: Target | None
    min_share: float = _GOOD_ID_SHARE

    @property
    def is_assigned(self) -> bool:
        """Return whether the database is to assign integers to the values, of which some are no integers."""
        return self.target is None or self.target.types != (INTEGERS,)

    def score(self, stats: FieldStats, records: int, rows: Collection[_Extent]) -> tuple[float, ...]:
        """Return how well a field fits, to be compared; empty if it does not. Numbers of rows fit the least."""
        others = 0 if self.is_assigned else stats.filled - stats.types[INTEGERS]
        share = (len(stats.distinct) - others) / records
        if share < self.min_share or (self.is_assigned and stats.max_length > MAX_LENGTH):
            return ()
        if self.target is None:
            return (1,)
        name_score = self.target.best_score(stats)
        if not name_score or not stats.is_mostly(*self.target.types):
            return ()
        return _extent(stats) not in rows, name_score, share


# The best first: what is the most likely to be the same in the next export.
_RULES = (
    _Rule(_INTEGER_ID),
    _Rule(TEXT_ID),
    _Rule(_ROW_NUMBERS),
    _Rule(None),
    # It may be a measure.
    _Rule(_OTHER_INTEGER, 1),
    # What only parts of buildings share.
    _Rule(_BUILDING_ID, _MIN_ID_SHARE),
    _Rule(_SHARED_TEXT_ID, _MIN_ID_SHARE),
    _Rule(_OTHER_TEXT, 1),
    _Rule(None, _MIN_ID_SHARE),
)


def guess_id(fields: Sequence[FieldStats], records: int, names: Sequence[FieldStats]) -> Guess | None:
    """Return the field that is the most likely id; `names` those of names and addresses, the best first."""
    rows = {_extent(each) for each in fields if _ROW_NUMBERS.name_score(split_words(each.name))}
    if records > 2:
        rows |= {(records, 0, records - 1), (records, 1, records)}
    for rule in _RULES:
        candidates = names if rule.target is None else fields
        scores = [rule.score(each, records, rows) for each in candidates]
        if any(scores):
            best = candidates[scores.index(max(scores))]
            warnings = tuple(_warnings(best, records, rows, is_assigned=rule.is_assigned))
            return Guess(best.name, (best,), warnings, is_assigned=rule.is_assigned)
    return None


def _extent(stats: FieldStats) -> _Extent:
    return len(stats.distinct), min(stats.distinct, default=0), max(stats.distinct, default=0)


def _warnings(stats: FieldStats, records: int, rows: Collection[_Extent], *, is_assigned: bool) -> Iterator[str]:
    if is_assigned:
        yield "No integer is known to be an ID: the database assigns integers to this text."
    missing = records - (stats.filled if is_assigned else stats.types[INTEGERS])
    if missing:
        kind = "" if is_assigned else "integer in "
        yield f'{pluralize(missing, "feature has", "features have")} no {kind}"{stats.name}" and cannot be loaded.'
    if not stats.is_unique:
        yield "Some features have the same id: with `merge`, footprints of one name and address are one building."
    if not is_assigned and _extent(stats) in rows:
        yield "The id looks like a row number: check that it is the same in the next export."
