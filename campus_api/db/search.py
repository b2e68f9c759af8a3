"""The search over the buildings, locations and dishes of a snapshot, indexed once per revision and date."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain
from operator import itemgetter
from typing import Any
from zoneinfo import ZoneInfo

from campus_api.db.connection import BUILDINGS, CATEGORIES, LOCATIONS, MENUS, RECIPES
from campus_api.db.hours import HoursStore
from campus_api.db.rows import EncodedFacts
from campus_api.db.snapshot import Snapshot
from campus_api.domain.allergens.vocabulary import DietVocabulary
from campus_api.domain.hours import format_period, format_time, span
from campus_api.domain.models import MEALS, HoursRow, details_from_document, meal_name
from campus_api.domain.search.index import MAX_RESULTS, Entry, NextServing, SearchIndex
from campus_api.domain.search.words import stems

# When a location opens and closes, by date, location and meal.
_Spans = Mapping[tuple[str, int, int], Sequence[tuple[str, str]]]
DietsOf = Callable[[], DietVocabulary]
FactsOf = Callable[[Collection[int]], Mapping[int, EncodedFacts]]

# After today.
_DAYS_AHEAD = 14
# Whose dishes are found by their labels and categories: today and tomorrow.
_DAYS_SOON = 2
_LOCATION_FIELDS = ("name", "building", "aliases")
_BUILDING_FIELDS = ("name", "address", "code", "aliases", "tags")
# `building=yes` of OpenStreetMap is a building of any kind.
_NO_TAGS = ("yes", "no")
# "no dairy", "without nuts or soy", "gluten free": what must not be in a dish.
_DENIAL = re.compile(
    r"\b(?:no|without|ohne|sans|sin|senza)\s+((?:tree )?\w+(?:(?:,| and| or) \w+)*)|\b((?:tree )?\w+)[\s-]free\b",
    re.IGNORECASE,
)
# "Starch And Potatoes": a category of several kinds, which tells none of a dish.
_SEVERAL = re.compile(r"[&/,+]|\band\b", re.IGNORECASE)
# Sort after every time.
_UNKNOWN, _CLOSED = "~", "~~"


@dataclass(frozen=True, slots=True)
class SearchRow:
    """A building, a location or a dish that a search finds, with a line about it and the next serving of a dish."""

    type: str
    id: int
    name: str | None
    detail: str
    date: str | None = None
    meal: int | None = None
    url: str = ""


class SearchStore:
    """Search over the buildings, locations and dishes of a snapshot; `facts` returns those of recipes."""

    def __init__(self, snapshot: Snapshot, hours: HoursStore, facts: FactsOf, diets: DietsOf) -> None:
        self._snapshot = snapshot
        self._hours = hours
        self._facts = facts
        self._diets = diets

    def find(self, text: str, types: Collection[str], now: str, zone: ZoneInfo) -> list[SearchRow]:
        """Return what matches a text of up to 256 characters, the best first; nothing matches an empty one.

        Of a text that is only a meal, these are the locations that serve it, by the times at which they open. `now` is
        YYYY-MM-DDTHH:MM in `zone`, that of the campus.
        """
        today = now[:10]
        yesterday = (date.fromisoformat(today) - timedelta(days=1)).isoformat()
        hours = self._snapshot.memoize("search hours", lambda: self._hours.find(zone, [yesterday, today]), today)
        index = self._index(today, now, hours)
        text, allergens = self._denied(text)
        meals = [meal for meal, name in self._snapshot.meals.items() if stems(name) == stems(text)]
        if allergens:
            dishes = index.search("recipe" if meals else f"{text} recipe", {"dish"} & {*types}, count=None)
            note = f" (filter: without {', '.join(sorted(allergens))})"
            return [self._row(dish, {}, note) for dish in self._without(allergens, dishes, meals)]
        served: dict[int, list[HoursRow]] = {}
        for row in hours:
            if row.date == today and row.meal in (meals or [row.meal]):
                served.setdefault(row.location, []).append(row)
        if not meals:
            return [self._row(entry, served) for entry in index.search(text, types)]
        opens = {id_: next((row.opens for row in each if now < span(row)[1]), _CLOSED) for id_, each in served.items()}
        locations = index.search(text, {"location"} & {*types})
        locations.sort(key=lambda entry: opens.get(entry.id, _UNKNOWN))
        entries = [*locations, *index.search(text, {*types} - {"location"})]
        return [self._row(entry, served) for entry in entries[:MAX_RESULTS]]

    def _denied(self, text: str) -> tuple[str, set[str]]:
        """Return a text without what denies allergens, and these."""
        allergens: set[str] = set()
        for match in _DENIAL.finditer(text):
            if named := set().union(*map(self._diets().without.get, re.findall(r"\w+", match[1] or match[2]))):
                allergens |= named
                text = text.replace(match[0], " ")
        return text, allergens

    def _without(self, allergens: set[str], dishes: Sequence[Entry], meals: Collection[int]) -> list[Entry]:
        """Return the dishes known to be without allergens, of these meals if there are any."""
        facts = self._facts({dish.id for dish in dishes})
        known = [dish for dish in dishes if dish.id in facts and facts[dish.id].without >= allergens]
        return [dish for dish in known if not meals or dish.serving and dish.serving.meal in meals][:MAX_RESULTS]

    def _row(self, entry: Entry, hours: Mapping[int, list[HoursRow]], note: str = "") -> SearchRow:
        next_served = (entry.serving.date, entry.serving.meal) if entry.serving else ()
        return SearchRow(entry.type, entry.id, entry.name, self._detail(entry, hours) + note, *next_served)

    def _detail(self, entry: Entry, hours: Mapping[int, list[HoursRow]]) -> str:
        if entry.type == "building":
            return entry.address
        if entry.type == "location":
            now = f"Now, until {format_time(entry.until[11:])}. " if entry.until else ""
            periods = ", ".join(dict.fromkeys(map(format_period, hours.get(entry.id, ()))))
            return now + (f"Today {periods}" if periods else "No known hours today")
        return self._serving_detail(entry.serving) if entry.serving else "Not on the menus of the next two weeks"

    def _serving_detail(self, serving: NextServing) -> str:
        """Return when and where a dish is served next: "Nov 24, dinner: Annenberg Hall, Quincy House"."""
        day, locations = date.fromisoformat(serving.date), self._snapshot.names(LOCATIONS)
        served = [locations[id_] for id_ in serving.locations if id_ in locations]
        if serving.until:
            more = f" and {len(served) - 1} more" if len(served) > 1 else ""
            return f"now, until {format_time(serving.until[11:])}: {served[0]}{more}"
        return f"{day:%b} {day.day}, {meal_name(serving.meal, self._snapshot.meals)}: {', '.join(served)}"

    def _index(self, today: str, now: str, hours: Sequence[HoursRow]) -> SearchIndex:
        """Return the index of the revisions for a time, which is built once until a location opens or closes."""
        spans: dict[tuple[str, int, int], list[tuple[str, str]]] = defaultdict(list)
        for row in hours:
            spans[row.date, row.location, row.meal].append(span(row))
        times = (time for each in spans.values() for pair in each for time in pair)
        changed = max([today, *(time for time in times if time <= now)])
        return self._snapshot.memoize("search index", lambda: SearchIndex(self._entries(today, now, spans)), changed)

    def _places(self, meals: Mapping[int, set[int]], closing: Mapping[int, str]) -> Iterator[Entry]:
        """Yield each location with its meals of today, and each building with its locations."""
        names: dict[int | None, list[str]] = defaultdict(list)
        for id_, name, building, aliases in self._snapshot.find(LOCATIONS, {}, _LOCATION_FIELDS, _location_texts):
            names[building] += [name, *aliases]
            served = [meal_name(meal, self._snapshot.meals) for meal in meals[id_]]
            yield Entry("location", id_, name, aliases, tags=" ".join(served), until=closing.get(id_, ""))
        for id_, text, address, others, tags in self._snapshot.find(BUILDINGS, {}, _BUILDING_FIELDS, _building_texts):
            yield Entry("building", id_, text, (*names[id_], *others), address, tags=tags)

    def _dishes(self, servings: Mapping[tuple[int, str], NextServing], soon: Mapping[int, set[int]]) -> Iterator[Entry]:
        """Yield each recipe, by its name and by those under which it is served soon; `soon` are their categories."""
        categories = self._snapshot.names(CATEGORIES)
        facts = self._facts(soon)
        for id_, name in {*self._snapshot.names(RECIPES).items(), *servings}:
            labels = facts[id_].labels or () if id_ in facts else ()
            valid = (text for label in labels if label.code in facts[id_].codes for text in (label.code, label.name))
            served = (categories.get(each, "") for each in sorted(soon.get(id_, ())))
            words = " ".join(name for name in served if not _SEVERAL.search(name)).split()
            # "breakfast" means locations.
            tags = [*(word for word in words if word.casefold() not in MEALS.values()), *filter(None, valid)]
            yield Entry("dish", id_, name, serving=servings.get((id_, name)), tags=" ".join(tags))

    def _entries(self, today: str, now: str, spans: _Spans) -> Iterator[Entry]:
        """Yield all entries, with the serving of each recipe and name that is now or next."""
        # That of yesterday may end after midnight.
        dates = [(date.fromisoformat(today) + timedelta(days)).isoformat() for days in range(-1, _DAYS_AHEAD + 1)]
        states = {key: _until(each, now) for key, each in spans.items()}
        query, fields = {"_id": {"$in": dates}}, itemgetter("_id", "items")
        menus = self._snapshot.find(MENUS, query, ["items"], fields, sort=[("_id", 1)])
        servings: dict[tuple[int, str], NextServing] = {}
        meals: dict[int, set[int]] = defaultdict(set)
        soon: dict[int, set[int]] = defaultdict(set)
        for day, items in menus:
            unknown = "" if day >= today else None
            each_until = [(states.get((day, item["location"], item["meal"]), unknown), item) for item in items]
            for until, item in sorted(each_until, key=lambda each: (not each[0], each[1]["meal"])):
                if day == today:
                    meals[item["location"]].add(item["meal"])
                if until is None or (day < today and not until):
                    continue
                serving = NextServing(day, item["meal"], [], until)
                serving = servings.setdefault((item["recipe"], item["name"]), serving)
                is_next = (serving.date, serving.meal, bool(serving.until)) == (day, item["meal"], bool(until))
                if is_next and item["location"] not in serving.locations:
                    serving.locations.append(item["location"])
                if day < dates[1 + _DAYS_SOON]:
                    soon[item["recipe"]].add(item["category"])
        closing = {location: until for (_, location, _), until in states.items() if until}
        return chain(self._places(meals, closing), self._dishes(servings, soon))


def _location_texts(document: Mapping[str, Any]) -> tuple[int, str, int | None, tuple[str, ...]]:
    details = details_from_document(document)
    return document["_id"], document["name"], details.building, details.aliases


def _building_texts(document: Mapping[str, Any]) -> tuple[int, str | None, str, list[str], str]:
    aliases, tags = (document.get(name, "").split(";") for name in ("aliases", "tags"))
    kinds = " ".join(tag for tag in tags if tag not in _NO_TAGS)
    name, code = document.get("name"), document.get("code") or ""
    return document["_id"], name, document.get("address", ""), [code, *aliases], kinds


def _until(spans: Sequence[tuple[str, str]], now: str) -> str | None:
    """Return when what is open now closes, "" if it opens later, and None after it closed."""
    later = [(opens, closes) for opens, closes in spans if now < closes]
    return next((closes for opens, closes in later if opens <= now), "") if later else None
