"""The menus of one day by hall, as people read them, and what is served now."""

from collections.abc import Mapping, Sequence
from datetime import date as calendar_date
from datetime import datetime, time, timedelta
from operator import itemgetter
from typing import Any, TypedDict, cast
from zoneinfo import ZoneInfo

from campus_api.db.errors import DatabaseUnavailable
from campus_api.db.rows import EncodedFacts
from campus_api.db.stores import Stores
from campus_api.domain import servings
from campus_api.domain.hours import format_period
from campus_api.domain.models import DishRow, HoursRow, Names, meal_name
from campus_api.domain.servings import USUAL, Serving
from campus_api.domain.text import capitalize


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


def now(stores: Stores, moment: datetime) -> dict[str, Any]:
    """Return the meal that is served at a moment on the campus, or else the next one, and until when it is.

    `locations` have the state of each hall for this meal, None if it serves none, and its own meal of now.
    """
    minute, zone = f"{moment:%Y-%m-%dT%H:%M}", cast(ZoneInfo, moment.tzinfo)
    try:
        served = stores.snapshot.memoize("servings", lambda: _servings(stores, moment.date(), zone), minute[:10])
    except DatabaseUnavailable:
        served = []
    current = servings.now(served, minute)
    states = {hall: state for state, hall in current.halls}
    own = {hall: servings.now([each for each in served if each.hall == hall], minute) for _, _, _, _, hall, _ in served}
    hours, minutes = map(int, current.until[11:].split(":"))
    until = datetime.combine(moment.date(), time(), zone) + timedelta(hours=hours, minutes=minutes)
    name = meal_name(current.meal, stores.snapshot.meals)
    return {
        "time": moment.isoformat(timespec="minutes"),
        "date": current.date,
        "meal": current.meal,
        "name": name,
        "opens": current.opens,
        "until": until.isoformat(timespec="minutes"),
        "text": servings.describe(current.date, name, current.opens, minute[:10]),
        "locations": [
            {"location": hall, "state": states.get(hall), "date": own[hall].date, "meal": own[hall].meal}
            for hall in dict.fromkeys([*states, *own])
        ],
    }


def _servings(stores: Stores, today: calendar_date, zone: ZoneInfo) -> list[Serving]:
    """Return the servings of yesterday, of today and of the next date, by the names of the halls."""
    yesterday, following = (today - timedelta(days=1)).isoformat(), stores.menus.next_served(today.isoformat())
    dates, names = [each for each in (yesterday, today.isoformat(), following) if each], stores.locations.names()
    served = {(row["date"], row["meal"], row["location"]) for row in stores.menus.find(dates)}
    return servings.of_menus(
        sorted(served, key=lambda each: _hall_name(names, each[2])), stores.hours.find(zone, dates)
    )


def halls(stores: Stores, date: str, zone: ZoneInfo) -> list[Hall] | None:
    """Return the halls that serve something on a date, by name; None while the database is unavailable."""
    try:
        return stores.snapshot.memoize("halls", lambda: _read(stores, date, zone), date)
    except DatabaseUnavailable:
        return None


def served_now(halls: Sequence[Hall], now: dict[str, Any]) -> list[tuple[str, Hall, Meal]]:
    """Return the states of halls at the meal of now, the halls in their order then, and what they serve."""
    states = {row["location"]: row["state"] for row in now["locations"]}
    order = [*states]
    menus = [
        (states[hall["id"]], hall, meal) for hall in halls for meal in hall["meals"] if meal["meal"] == now["meal"]
    ]
    return sorted(menus, key=lambda each: order.index(each[1]["id"]))


def extent(menus: Sequence[tuple[str, Hall, Meal]]) -> str:
    """Return for example ": 45 dishes in 9 halls", "" without any."""
    dishes = len({dish["recipe"] for _, _, meal in menus for dish in meal["dishes"]})
    noun = "dish" if dishes == 1 else "dishes"
    return f": {dishes} {noun} in {len(menus)} {'hall' if len(menus) == 1 else 'halls'}" if menus else ""


def title(stores: Stores, query: Mapping[str, str], now: dict[str, Any]) -> str:
    """Return the title of a link: the meal, the date and the hall of its menus, by default those of now."""
    if query.get("view", "buildings" if {"id", "q"} & {*query} else "menus") == "buildings":
        return "Buildings"
    try:
        date = calendar_date.fromisoformat(query.get("date") or now["date"])
        halls = {str(id_): name for id_, name in stores.locations.names().items()}
    except (ValueError, DatabaseUnavailable):
        return "Menus"
    meals = {str(meal): name for meal, name in stores.snapshot.meals.items()}
    name = meals.get(query.get("meal", ""), now["name"])
    place = halls.get(query.get("location", ""))
    return " · ".join(filter(None, (f"{capitalize(name)}, {date:%A, %B} {date.day}, {date.year}", place)))


def _hall_name(names: Mapping[int, str], id_: int) -> str:
    return names.get(id_) or f"Hall {id_}"


def _read(stores: Stores, date: str, zone: ZoneInfo) -> list[Hall]:
    names, hours = stores.names(), stores.hours.find(zone, [date])
    served: dict[int, dict[int, list[Dish]]] = {}
    for row in stores.dishes.find([date], encode=lambda facts: facts):
        for hall in row.locations:
            served.setdefault(hall, {}).setdefault(row.meal, []).append(_dish(row, names.categories))
    halls = [
        Hall(id=id_, name=_hall_name(names.locations, id_), meals=_meals((date, id_), meals, hours, names))
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
            opens=[(row.opens, row.closes) for row in rows],
            dishes=dishes,
        )
        for meal, dishes in sorted(meals.items())
        for rows in [[row for row in hours if (row.location, row.meal) == (hall, meal)]]
    ]
    return sorted(served, key=_start)


def _start(meal: Meal) -> str:
    """Return the time at which a meal begins, by the usual times where no hours are known."""
    return min((opens for opens, _ in meal["opens"]), default=USUAL[min(meal["meal"], len(USUAL) - 1)])


def _dish(row: DishRow, categories: Mapping[int, str]) -> Dish:
    facts: EncodedFacts | None = row.facts
    labels = [label for label in facts.labels or () if label.code in facts.codes] if facts else []
    implied = {each.code for label in labels for each in label.implies}
    return Dish(
        recipe=row.recipe,
        name=row.name or f"Recipe {row.recipe}",
        category=categories.get(row.category) or f"Category {row.category}",
        labels=[label.name or label.code for label in labels if label.code not in implied],
        allergens=None if facts is None or facts.contains is None else list(facts.contains),
    )
