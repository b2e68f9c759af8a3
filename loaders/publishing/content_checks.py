"""Safety checks of the content: numbers may be right in an export whose ids, columns or dates are not."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial

from campus_api.db.connection import BUILDINGS, CATEGORIES, LOCATIONS, MENUS, RECIPES
from campus_api.domain.models import BUILDING_TEXT_FIELDS
from campus_api.domain.text import fold
from loaders.publishing.diff import Change, CollectionDiff, Move
from loaders.publishing.plan import Plan
from loaders.publishing.safety_checks import (
    CONTRADICTING_MEALS,
    IMPLAUSIBLE_DATES,
    LOST_ALLERGENS,
    LOST_VALUES,
    MOVED_BUILDINGS,
    RENUMBERED_IDS,
    SAME_VALUES,
    SHRUNKEN_DATES,
    SWAPPED_DATES,
    SWAPPED_FIELDS,
    VANISHED_MEALS,
    SafetyViolation,
    shorten,
)
from loaders.readers.result import MEAL_NAME, ReadResult

# Fewer changes of a kind are never suspicious.
_MIN_COUNT = 3
_MAX_CHANGED_RATIO = 0.3
_MAX_LOST_RATIO = 0.5
_EXAMPLES = 3
_MAX_KILOMETERS = 1
# A file that ends within a date, unlike a corrected one.
_MAX_TRUNCATED_RATIO = 0.2
# A date with fewer items may lose any number of them.
_MIN_ITEMS = 10
_FIRST_YEAR, _YEARS_AHEAD = 2000, 2


def changed_content(plan: Plan) -> list[SafetyViolation]:
    """Return violations for changes that renumbered, swapped or truncated exports cause."""
    if plan.dataset == "buildings":
        return [*_changed_buildings(plan.differences[BUILDINGS]), *_moved_buildings(plan)]
    renamed = [each for name in (CATEGORIES, LOCATIONS, RECIPES) for each in _renamed(name, plan.differences[name])]
    dates = [*_shrunken_dates(plan), *_truncated_export(plan), *_vanished_meals(plan)]
    return [*renamed, *_swapped_numbers(plan), *_lost_allergens(plan), *dates]


def contradicting_meals(reading: ReadResult) -> Iterator[SafetyViolation]:
    """Yield a violation if the names of most meals are not those of their numbers."""
    warnings = [(warning, times) for warning, times in reading.warnings.values() if warning.field == MEAL_NAME]
    rows, contradicting = len(reading.records) + reading.duplicates, sum(times for _, times in warnings)
    if contradicting >= _MIN_COUNT and contradicting > _MAX_LOST_RATIO * rows:
        examples = "; ".join(warning.message for warning, _ in warnings[:_EXAMPLES])
        reason = f"{contradicting} of {rows} rows have another meal's name: {examples}"
        yield SafetyViolation(CONTRADICTING_MEALS, reason)


def implausible_dates(days: Sequence[str], today: date) -> list[SafetyViolation]:
    """Return violations for dates too far from today, and for dates whose day and month look swapped."""
    dates = list(map(date.fromisoformat, days))
    implausible = [day for day in dates if not _FIRST_YEAR <= day.year <= today.year + _YEARS_AHEAD]
    violations = [SafetyViolation(IMPLAUSIBLE_DATES, f"{day} is not a plausible date of a menu") for day in implausible]
    return [*shorten(violations, "implausible date", "implausible dates"), *_swapped_dates(dates)]


def _swapped_dates(dates: Sequence[date]) -> Iterator[SafetyViolation]:
    """Yield a violation if all dates are the same day of different months, as consecutive days in DD/MM are."""
    months = {(day.year, day.month) for day in dates}
    if len(dates) >= _MIN_COUNT and len({day.day for day in dates}) == 1 and len(months) == len(dates):
        reason = f"all dates are day {dates[0].day} of a month, from {dates[0]} to {dates[-1]}: is it DD/MM or MM/DD?"
        yield SafetyViolation(SWAPPED_DATES, reason)


def _changed_buildings(diff: CollectionDiff) -> Iterator[SafetyViolation]:
    changes = [change for change in diff.changes if change.action == "changed"]

    def check(
        guard: str, what: str, matches: Callable[[Change], bool], ratio: float = _MAX_CHANGED_RATIO
    ) -> Iterator[SafetyViolation]:
        return _too_many(guard, what, [change for change in changes if matches(change)], _live_buildings(diff), ratio)

    yield from check(RENUMBERED_IDS, "change name, address and place at once", _is_another)
    yield from check(SWAPPED_FIELDS, "have name and address swapped", _is_swapped)
    for field in BUILDING_TEXT_FIELDS:
        yield from check(LOST_VALUES, f"lose their {field}", partial(_is_lost, field), _MAX_LOST_RATIO)
    names = Counter(change.name for change in changes if "name" in change.fields and change.name)
    for name, _ in names.most_common(1):
        yield from check(SAME_VALUES, f"all be named {name!r}", partial(_is_renamed, name))


def _moved_buildings(plan: Plan) -> Iterator[SafetyViolation]:
    live = _live_buildings(plan.differences[BUILDINGS])
    far = [move for move in plan.moves if move.kilometers > _MAX_KILOMETERS]
    yield from _too_many(MOVED_BUILDINGS, f"move by over {_MAX_KILOMETERS} km", far, live)
    for point, _ in Counter(move.new for move in plan.moves).most_common(1):
        together = [move for move in plan.moves if move.new == point]
        yield from _too_many(SAME_VALUES, "be at the same point", together, live)


def _live_buildings(diff: CollectionDiff) -> int:
    return diff.changed + diff.removed + diff.unchanged


def _too_many(
    guard: str, what: str, matching: Sequence[Change | Move], live: int, ratio: float = _MAX_CHANGED_RATIO
) -> Iterator[SafetyViolation]:
    """Yield a violation with examples if changes that match are too large a part of the live buildings."""
    if len(matching) >= _MIN_COUNT and len(matching) > ratio * live:
        reason = f"{len(matching)} of {live} buildings would {what}: {_examples(matching)}"
        yield SafetyViolation(guard, reason)


def _is_another(change: Change) -> bool:
    return {"name", "address", "geometry"} <= change.fields.keys() and _unrelated(*change.fields["name"])


def _is_swapped(change: Change) -> bool:
    return "name" in change.fields and change.fields["name"] == change.fields.get("address", ())[::-1]


def _is_renamed(name: str, change: Change) -> bool:
    return "name" in change.fields and change.name == name


def _is_lost(field: str, change: Change) -> bool:
    old, new = change.fields.get(field, (None, None))
    return bool(old and not new)


def _unrelated(old: str | None, new: str | None) -> bool:
    """Return whether two names have no word in common."""
    return not set(fold(old or "").split()) & set(fold(new or "").split())


def _renamed(collection: str, diff: CollectionDiff) -> Iterator[SafetyViolation]:
    compared = diff.changed + diff.unchanged
    changes = [change for change in diff.changes if "name" in change.fields and _unrelated(*change.fields["name"])]
    if len(changes) >= _MIN_COUNT and len(changes) > _MAX_CHANGED_RATIO * compared:
        reason = f"{len(changes)} of {compared} {collection} would get an unrelated name: {_examples(changes)}"
        yield SafetyViolation(RENUMBERED_IDS, reason)


def _examples(changes: Sequence[Change | Move]) -> str:
    return "; ".join(map(str, changes[:_EXAMPLES]))


def _swapped_numbers(plan: Plan) -> Iterator[SafetyViolation]:
    for one, other, ids in plan.swapped_numbers:
        examples = ", ".join(map(str, ids[:_EXAMPLES]))
        if len(ids) >= _MIN_COUNT:
            reason = f"{len(ids)} {one} would have the numbers of live {other}, and the reverse: {examples}"
            yield SafetyViolation(SWAPPED_FIELDS, reason)


def _lost_allergens(plan: Plan) -> Iterator[SafetyViolation]:
    """Yield a violation if most recipes of the export that have allergens would have unknown ones, which look safe."""
    lost = [change for change in plan.differences[RECIPES].changes if _is_lost("allergens", change)]
    live = plan.recipes_with_allergens
    if len(lost) >= _MIN_COUNT and len(lost) > _MAX_LOST_RATIO * live:
        reason = f"{len(lost)} of {live} recipes in the export would lose their allergens: {_examples(lost)}"
        yield SafetyViolation(LOST_ALLERGENS, reason)


def _shrunken_dates(plan: Plan) -> list[SafetyViolation]:
    violations = [
        SafetyViolation(SHRUNKEN_DATES, f"{day} would lose {before - after} of its {before} items")
        for day, before, after in plan.smaller_dates
        if before >= _MIN_ITEMS and 0 < after < before * (1 - _MAX_LOST_RATIO)
    ]
    return shorten(violations, "date that loses most items", "dates that lose most items")


def _truncated_export(plan: Plan) -> Iterator[SafetyViolation]:
    """Yield a violation if the last date of the export loses 20 to 50 % of its items, and later dates are live."""
    last = plan.target[MENUS].open_dates[-1]
    for day, before, after in plan.smaller_dates:
        is_cut = before * (1 - _MAX_LOST_RATIO) <= after < before * (1 - _MAX_TRUNCATED_RATIO)
        if day == last < plan.last_live_date and before >= _MIN_ITEMS and is_cut:
            reason = f"{day}, the last date of the export, would lose {before - after} of its {before} items, but live"
            yield SafetyViolation(SHRUNKEN_DATES, f"{reason} menus end on {plan.last_live_date}: is it truncated?")


def _vanished_meals(plan: Plan) -> Iterator[SafetyViolation]:
    """Yield a violation for each hall, and each meal of all halls, that most dates had and would not have any more."""
    compared = plan.differences[MENUS].changed + plan.differences[MENUS].unchanged
    for name, lost in sorted(plan.vanished.items()):
        if lost >= _MIN_COUNT and lost > _MAX_LOST_RATIO * compared:
            yield SafetyViolation(VANISHED_MEALS, f"{name} would vanish from {lost} of {compared} dates")
