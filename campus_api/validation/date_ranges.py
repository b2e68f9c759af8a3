"""Dates of a query: each `date`, or all from `from` to `to`, both included; today by default."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from campus_api.domain.clock import dates

Pairs = tuple[tuple[str, str], ...]

MAX_DAYS = 60
PARAMETERS = ("date", "from", "to")


def default_dates(pairs: Iterable[tuple[str, str]], today: str) -> Pairs:
    """Return the pairs that complete the dates of a query: `date`, or the end of a range that it does not have."""
    texts = {name: text for name, text in pairs if name in PARAMETERS}
    if not texts:
        return (("date", today),)
    if texts.keys() == {"from"}:
        return (("to", max(texts["from"], today)),)
    return (("from", today),) if texts.keys() == {"to"} else ()


def range_problems(texts: Mapping[str, list[str]]) -> dict[tuple[str, str], str]:
    """Return the reason of each pair that is no part of a valid range; `texts` are the texts of each parameter."""
    ends = [(name, text) for name in ("from", "to") for text in texts.get(name, ())]
    if texts.get("date"):
        return dict.fromkeys(ends, "cannot be combined with date")
    repeated = [(name, text) for name, text in ends if len(texts[name]) > 1]
    if repeated or len(ends) < len(("from", "to")):
        return {(name, text): f"is not the only {name}" for name, text in repeated}
    first, last = (text for _, text in ends)
    try:
        days = _days(first, last)
    except ValueError:
        # The schema reports which is no date.
        return {}
    if days < 1:
        return {("from", first): f"is after to, {last}", ("to", last): f"is before from, {first}"}
    if days > MAX_DAYS:
        return dict.fromkeys(ends, f"is one end of {days:,} days: at most {MAX_DAYS} are possible")
    return {}


def expand_range(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values with the dates of the range in place of its ends."""
    first, last = values.pop("from", None), values.pop("to", None)
    if first and last:
        values["date"] = dates(first[0], _days(first[0], last[0]))
    return values


def _days(first: str, last: str) -> int:
    return (date.fromisoformat(last) - date.fromisoformat(first)).days + 1
