"""What the menus of a date have: items, halls, meals and dishes; what is usual, and what vanishes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import chain
from statistics import median_low

from campus_api.domain.models import meal_name
from loaders.documents.encode import Document

_PARTS = {"halls": "location", "categories": "category", "recipes": "recipe", "dishes": "name"}


def vanished_parts(before: list[Document], after: list[Document], names: Mapping[int, str]) -> set[str]:
    """Return the halls and meals that a date loses, by name, and of what it has less than half as much."""
    counts, new_counts = count_menu(before), count_menu(after)
    few = {f"most {name}" for name in _PARTS if new_counts[name] < counts[name] / 2}
    if len(_served(before) & _served(after)) < len(_served(before)) / 2:
        few.add("most items")
    return few | _halls_and_meals(before, names) - _halls_and_meals(after, names)


def _served(items: Iterable[Document]) -> set[tuple[int, ...]]:
    return {(item["meal"], item["location"], item["recipe"]) for item in items}


def _halls_and_meals(items: Iterable[Document], names: Mapping[int, str]) -> set[str]:
    """Return the names of the halls and of the meals."""
    halls = {names.get(item["location"], f"location {item['location']}") for item in items}
    return halls | {meal_name(item["meal"]) for item in items}


def count_menu(items: list[Document]) -> Counter[str]:
    """Return the number of items of a date, of each meal too, and of different parts."""
    counts = Counter(f"{meal_name(item['meal'])} items" for item in items)
    counts["items"] = len(items)
    counts.update({name: len({item[field] for item in items}) for name, field in _PARTS.items()})
    return counts


def usual_counts(menus: Iterable[Document], days: Iterable[str]) -> Counter[str]:
    """Return what menus of these days usually have together: the medians of menus on the same weekdays, or of all."""
    by_weekday: dict[int, list[Counter[str]]] = {}
    for document in menus:
        by_weekday.setdefault(_weekday(document["_id"]), []).append(count_menu(document["items"]))
    every_day = list(chain.from_iterable(by_weekday.values()))
    return sum((_medians(by_weekday.get(_weekday(day), every_day)) for day in days), Counter())


def _weekday(day: str) -> int:
    return date.fromisoformat(day).weekday()


def _medians(counts: Sequence[Counter[str]]) -> Counter[str]:
    names = set(chain.from_iterable(counts))
    return Counter({name: median_low(each[name] for each in counts) for name in names})
