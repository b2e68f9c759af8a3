"""The menu of a date and a meal as the page shows it, what is served now, and what is next."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date as calendar_date
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, TypedDict

from campus_api.db.errors import DatabaseUnavailable
from campus_api.db.rows import EncodedFacts, mismatch
from campus_api.db.stores import Stores
from campus_api.domain import servings
from campus_api.domain.hours import Serving, format_period
from campus_api.domain.models import MEALS, DishRow, meal_name
from campus_api.domain.text import capitalize, fold, natural_key

Values = Mapping[str, Any]

# Of another day than that of now.
_LUNCH = 1
# With menus, in which the next meal is searched.
_DAYS_AHEAD = 14


class Dish(TypedDict):
    """A dish; `allergens` are None if unknown, `labels` those that they do not contradict and no other implies."""

    recipe: int
    name: str
    labels: list[str]
    allergens: list[str] | None


class Hall(TypedDict):
    """A hall that serves a meal, which may have another name there, its times, and its dishes by category."""

    id: int
    name: str
    meal_name: str
    hours: list[str]
    dishes: dict[str, list[Dish]]


def now(stores: Stores, moment: datetime) -> dict[str, Any]:
    """Return the meal that is served at a moment on the campus, or else the next one, and until when it is.

    `locations` have the state of each one for this meal, None if it serves none, and its own meal of now.
    """
    minute = f"{moment:%Y-%m-%dT%H:%M}"

    def read() -> list[servings.Opening]:
        yesterday = f"{moment.date() - timedelta(days=1)}"
        return _openings(stores, [yesterday, *stores.menus.served_dates(minute[:10], 2)])

    try:
        openings = stores.snapshot.memoize("openings", read, minute[:10])
    except DatabaseUnavailable:
        openings = []
    current = servings.now(openings, minute)
    ids = dict.fromkeys([*current.locations, *(each.serving.location for each in openings)])
    locations = []
    for id_ in ids:
        own = servings.now([each for each in openings if each.serving.location == id_], minute)
        state = current.locations.get(id_)
        locations.append({"location": id_, "state": state, "date": own.date, "meal": own.meal})
    hours, minutes = map(int, current.until[11:].split(":"))
    until = moment.replace(hour=0, minute=0) + timedelta(hours=hours, minutes=minutes)
    name = meal_name(current.meal, stores.snapshot.meals)
    return {
        "date": current.date,
        "meal": current.meal,
        "name": name,
        "opens": current.opens,
        "until": until.isoformat(timespec="minutes"),
        "text": servings.describe(current.date, name, current.opens, min(current.date, minute[:10])),
        "locations": locations,
    }


def select(stores: Stores, moment: datetime, query: Values) -> dict[str, Any]:
    """Return the halls that serve what a query selects, of now unless it has a date or a meal, or else what is next.

    `halls` are None while the database is unavailable.
    """
    current = now(stores, moment)
    location, current_date, date, meal = _choose(current, query)
    is_now = (date, meal) == (current["date"], current["meal"])
    # Of a meal of yesterday that is still served, that is today.
    today = min(current_date, f"{moment:%Y-%m-%d}")
    name = meal_name(meal, stores.snapshot.meals)
    chosen = {
        "now": current,
        "date": calendar_date.fromisoformat(date),
        "week": servings.week(date, today),
        "meal": meal,
        "name": capitalize(name),
        "location": location,
        "today": today,
        "day": servings.relative_day(date, today),
        "text": current["text"] if is_now else servings.describe(date, name, None, today),
        "states": {row["location"]: row["state"] for row in current["locations"] if is_now},
    }
    try:
        return chosen | _served(stores, moment, chosen, query)
    except DatabaseUnavailable:
        meals = {id_: capitalize(each) for id_, each in MEALS.items()}
        nothing: dict[str, Any] = {"recipes": [], "hidden": Counter(), "names": {}, "next": None}
        return {**chosen, **nothing, "halls": None, "meals": meals}


def _choose(current: Values, query: Values) -> tuple[int | None, str, str, int]:
    """Return the location of a query, its date of now, and the date and the meal of the query, or else those of now."""
    location, date, meal = (max(query[name] or [None]) for name in ("location", "date", "meal"))
    own = next((row for row in current["locations"] if row["location"] == location), current)
    if meal is None:
        meal = own["meal"] if date in (None, own["date"]) else _LUNCH
    return location, own["date"], date or own["date"], meal


def _served(stores: Stores, moment: datetime, chosen: Values, query: Values) -> dict[str, Any]:
    """Return the halls that serve what is chosen, by their states, what filters hide, and what is next if none do."""
    date = chosen["date"].isoformat()
    served = stores.menus.dishes([date], encode=lambda facts: facts, location=query["location"])
    rows = [row for row in served if _has_words(row["name"], query["q"])]
    reasons = {(row["meal"], row["recipe"]): mismatch(row["facts"], query["diet"]) for row in rows}
    menus = _menus(stores, date, [row for row in rows if not reasons[row["meal"], row["recipe"]]])
    ranks = {location: rank for rank, location in enumerate(chosen["states"])}
    halls = sorted(menus.get(chosen["meal"], []), key=lambda hall: ranks.get(hall["id"], 0))
    categories = chain.from_iterable(hall["dishes"].values() for hall in halls)
    return {
        "halls": halls,
        "recipes": [dish["recipe"] for dish in chain.from_iterable(categories)],
        "hidden": Counter(reason for (each, _), reason in reasons.items() if each == chosen["meal"]),
        "meals": {each: capitalize(meal_name(each, stores.snapshot.meals)) for each in menus},
        "names": _location_names(stores),
        "reason": "" if halls else stores.menus.empty_reason(date),
        "next": None if halls else _next(stores, moment, chosen, query),
    }


def _next(stores: Stores, moment: datetime, chosen: Values, query: Values) -> dict[str, Any] | None:
    """Return the next meal that matches, from now and from the beginning of the date that is chosen on."""
    start = max(f"{moment:%Y-%m-%dT%H:%M}", f"{chosen['date']}T00:00")
    filters = {name: query[name] for name in ("q", "location", "diet")}
    openings = _openings(stores, stores.menus.served_dates(start[:10], _DAYS_AHEAD), **filters)
    following = servings.now(openings, start)
    name = meal_name(following.meal, stores.snapshot.meals)
    text = servings.describe(following.date, name, following.opens, chosen["today"])
    return {"date": following.date, "meal": following.meal, "text": text} if following.locations else None


def _has_words(name: str, words: str | None) -> bool:
    """Return whether the name of a dish has all words of a text, in any order, as in the script of the page."""
    return not words or all(word in fold(name) for word in re.split(r"[\s,]+", fold(words)))


def _openings(stores: Stores, dates: Sequence[str], q: str = "", **filters: Any) -> list[servings.Opening]:
    """Return when the dishes that match are served, by the names of the halls."""
    rows = [row for row in stores.menus.find(dates, **filters) if _has_words(row["name"], q)]
    served = {Serving(row["date"], row["meal"], row["location"]) for row in rows}
    order = [*_location_names(stores, {row["location"] for row in rows})]
    by_name = sorted(served, key=lambda each: (order.index(each.location), each))
    return servings.of_menus(by_name, stores.hours.find(dates))


def _menus(stores: Stores, date: str, rows: Sequence[DishRow]) -> dict[int, list[Hall]]:
    """Return the halls that serve each meal of the dishes of a date, by name; the meals are in the order of the day."""
    hours = stores.hours.find([date])
    names = stores.names()
    served: dict[tuple[int, int], dict[str, list[Dish]]] = {}
    for row in rows:
        dish = _dish(row)
        category = names.categories.get(row["category"]) or f"Category {row['category']}"
        for location in row["locations"]:
            dishes = served.setdefault((row["meal"], location), {})
            dishes.setdefault(category, []).append(dish)
    meals = {*MEALS, *(meal for meal, _ in served)}
    starts = {meal: servings.USUAL[min(meal, len(servings.USUAL) - 1)] for meal in meals}
    latest_first = sorted(hours, key=lambda row: row.opens, reverse=True)
    starts |= {row.meal: row.opens for row in latest_first}
    order = sorted(meals, key=lambda meal: (starts[meal], meal))
    menus: dict[int, list[Hall]] = {meal: [] for meal in order}
    for location, name in _location_names(stores, {location for _, location in served}).items():
        for meal in [each for each in menus if (each, location) in served]:
            periods = [row for row in hours if (row.meal, row.location) == (meal, location)]
            times = [format_period(row.opens, row.closes) for row in periods]
            served_as = capitalize(names.meals.find(date, meal, location))
            dishes = served[meal, location]
            menus[meal].append(Hall(id=location, name=name, meal_name=served_as, hours=times, dishes=dishes))
    return menus


def _location_names(stores: Stores, served: Iterable[int] = ()) -> dict[int, str]:
    """Return the names of all locations by id, also of served ones that have none, in the order of the page."""
    known = {**dict.fromkeys(served), **stores.locations.names()}
    names = {id_: name or f"Hall {id_}" for id_, name in known.items()}
    return dict(sorted(names.items(), key=lambda each: natural_key(each[1])))


def _dish(row: DishRow) -> Dish:
    facts: EncodedFacts | None = row["facts"]
    labels = [label for label in facts.labels or () if label.code in facts.codes] if facts else []
    implied = {each.code for label in labels for each in label.implies}
    return Dish(
        recipe=row["recipe"],
        name=row["name"],
        labels=[label.name or label.code for label in labels if label.code not in implied],
        allergens=None if facts is None or facts.contains is None else list(facts.contains),
    )
