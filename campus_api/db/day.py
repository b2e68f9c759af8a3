"""The menus of one day by hall, as people read them."""

from bisect import bisect
from collections.abc import Mapping
from operator import itemgetter
from typing import NamedTuple, TypedDict
from zoneinfo import ZoneInfo

from campus_api.db.errors import DatabaseUnavailable
from campus_api.db.rows import EncodedFacts
from campus_api.db.stores import Stores
from campus_api.domain.hours import format_period
from campus_api.domain.models import DishRow, HoursRow, Names, meal_name
from campus_api.domain.text import capitalize

# Of breakfast and lunch, where no hours are known.
_USUAL_ENDS = ("10:00", "15:00")


class Dish(TypedDict):
    """A dish; `allergens` are None if unknown, `labels` those that they do not contradict and no other implies."""

    recipe: int
    name: str
    category: str
    labels: list[str]
    allergens: list[str] | None


class Meal(TypedDict):
    """A meal of a hall; `opens` has the times from which and until which it is served."""

    meal: int
    name: str
    hours: list[str]
    opens: list[tuple[str, str]]
    dishes: list[Dish]


class Hall(TypedDict):
    """A hall with the meals of a day."""

    id: int
    name: str
    meals: list[Meal]


class Now(NamedTuple):
    """A meal, and what each hall serves then, by its rank: 0 for those that are open, then those that open later."""

    meal: str
    halls: list[tuple[int, Hall, Meal]]

    @property
    def extent(self) -> str:
        """Return for example ": 45 dishes in 9 halls", "" without any."""
        dishes = len({dish["recipe"] for _, _, meal in self.halls for dish in meal["dishes"]})
        halls = len(self.halls)
        noun = "dish" if dishes == 1 else "dishes"
        return f": {dishes} {noun} in {halls} {'hall' if halls == 1 else 'halls'}" if halls else ""


def halls(stores: Stores, date: str, zone: ZoneInfo) -> list[Hall] | None:
    """Return the halls that serve something on a date, by name; None while the database is unavailable."""
    try:
        return stores.snapshot.memoize("halls", lambda: _read(stores, date, zone), date)
    except DatabaseUnavailable:
        return None


def now(halls: list[Hall], time: str, names: Mapping[int, str]) -> Now:
    """Return the meal that is served at a time (HH:MM), or else the next one, or the last one of the day."""
    meals = [each for hall in halls for each in hall["meals"]]
    spans = sorted((opens, closes, each["meal"]) for each in meals for opens, closes in each["opens"])
    current = [meal for opens, closes, meal in spans if _is_open(opens, closes, time)]
    later = [meal for opens, _, meal in spans if opens > time]
    usual = bisect(_USUAL_ENDS, time)
    meal = [*current[-1:], *later[:1], *(meal for _, _, meal in spans[-1:]), usual][0]
    served = [
        (_rank(each["opens"], time), hall, each) for hall in halls for each in hall["meals"] if each["meal"] == meal
    ]
    return Now(capitalize(meal_name(meal, names)), sorted(served, key=itemgetter(0)))


def _is_open(opens: str, closes: str, time: str) -> bool:
    """Return whether a time is between two others, of which the second may be on the next day."""
    return opens <= time and (time < closes or closes <= opens)


def _rank(spans: list[tuple[str, str]], time: str) -> int:
    """Return the place of a hall in the order at a time: open, opens later, of unknown hours, closed."""
    if not spans:
        return 2
    if any(_is_open(opens, closes, time) for opens, closes in spans):
        return 0
    return 1 if any(opens > time for opens, _ in spans) else 3


def _read(stores: Stores, date: str, zone: ZoneInfo) -> list[Hall]:
    names, hours = stores.names(), stores.hours.find(zone, [date])
    served: dict[int, dict[int, list[Dish]]] = {}
    for row in stores.dishes.find([date], encode=lambda facts: facts):
        for hall in row["locations"]:
            served.setdefault(hall, {}).setdefault(row["meal"], []).append(_dish(row, names.categories))
    halls = [
        Hall(id=id_, name=names.locations.get(id_) or f"Hall {id_}", meals=_meals((date, id_), meals, hours, names))
        for id_, meals in served.items()
    ]
    return sorted(halls, key=itemgetter("name"))


def _meals(place: tuple[str, int], meals: Mapping[int, list[Dish]], hours: list[HoursRow], names: Names) -> list[Meal]:
    """Return the meals of a date and a hall in the order of the day."""
    date, hall = place
    served = [
        Meal(
            meal=meal,
            name=capitalize(names.meals.find(date, meal, hall)),
            hours=[format_period(row) for row in rows],
            opens=[(row["opens"], row["closes"]) for row in rows],
            dishes=dishes,
        )
        for meal, dishes in sorted(meals.items())
        for rows in [[row for row in hours if (row["location"], row["meal"]) == (hall, meal)]]
    ]
    return sorted(served, key=_start)


def _start(meal: Meal) -> str:
    """Return the time at which a meal begins, by the usual times where no hours are known."""
    usual = ["", *_USUAL_ENDS, "24:00"]
    return min((opens for opens, _ in meal["opens"]), default=usual[min(meal["meal"], len(usual) - 1)])


def _dish(row: DishRow, categories: Mapping[int, str]) -> Dish:
    facts: EncodedFacts | None = row["facts"]
    labels = [label for label in facts.labels or () if label.code in facts.codes] if facts else []
    implied = {each.code for label in labels for each in label.implies}
    return Dish(
        recipe=row["recipe"],
        name=row["name"] or f"Recipe {row['recipe']}",
        category=categories.get(row["category"]) or f"Category {row['category']}",
        labels=[label.name or label.code for label in labels if label.code not in implied],
        allergens=None if facts is None or facts.contains is None else list(facts.contains),
    )
