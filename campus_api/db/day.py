"""The menus of one day by hall, as people read them."""

from collections.abc import Mapping
from typing import TypedDict
from zoneinfo import ZoneInfo

from campus_api.db.errors import DatabaseUnavailable
from campus_api.db.rows import EncodedFacts
from campus_api.db.stores import Stores
from campus_api.domain.hours import format_period
from campus_api.domain.models import DishRow, HoursRow, meal_name


class Dish(TypedDict):
    """A dish; `allergens` are None if unknown, `labels` those that they do not contradict and no other implies."""

    name: str
    labels: list[str]
    allergens: list[str] | None


class Meal(TypedDict):
    """A meal of a hall."""

    name: str
    hours: list[str]
    dishes: list[Dish]


class Hall(TypedDict):
    """A hall with the meals of a day."""

    name: str
    meals: list[Meal]


def halls(stores: Stores, date: str, zone: ZoneInfo) -> list[Hall] | None:
    """Return the halls that serve something on a date, by name; None while the database is unavailable.

    Those of the last date are in memory.
    """
    memo: dict[str, list[Hall]] = stores.snapshot.memoize("halls", dict)
    halls = memo.get(date)
    if halls is None:
        try:
            halls = _read(stores, date, zone)
        except DatabaseUnavailable:
            return None
        memo.clear()
        memo[date] = halls
    return halls


def _read(stores: Stores, date: str, zone: ZoneInfo) -> list[Hall]:
    names, hours = stores.locations.names(), stores.hours.find(zone, [date])
    served: dict[int, dict[int, list[Dish]]] = {}
    for row in stores.dishes.find([date], encode=lambda facts: facts):
        for hall in row["locations"]:
            served.setdefault(hall, {}).setdefault(row["meal"], []).append(_dish(row))
    halls = [Hall(name=_name(id_, names), meals=_meals(id_, meals, hours)) for id_, meals in served.items()]
    return sorted(halls, key=lambda hall: hall["name"])


def _name(id_: int, names: Mapping[int, str]) -> str:
    return names.get(id_) or f"Hall {id_}"


def _meals(hall: int, meals: Mapping[int, list[Dish]], hours: list[HoursRow]) -> list[Meal]:
    return [
        Meal(
            name=meal_name(meal).capitalize(),
            hours=[format_period(row) for row in hours if (row["location"], row["meal"]) == (hall, meal)],
            dishes=dishes,
        )
        for meal, dishes in sorted(meals.items())
    ]


def _dish(row: DishRow) -> Dish:
    facts: EncodedFacts | None = row["facts"]
    name = row["name"] or f"Recipe {row['recipe']}"
    if facts is None:
        return Dish(name=name, labels=[], allergens=None)
    labels = [label for label in facts.labels or () if label.code in facts.codes]
    implied = {each.code for label in labels for each in label.implies}
    shown = [label.name or label.code for label in labels if label.code not in implied]
    return Dish(name=name, labels=shown, allergens=None if facts.contains is None else list(facts.contains))
