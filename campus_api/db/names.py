"""The names that a snapshot holds, read once per revision: of locations, categories and recipes, and for search."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import date, timedelta
from itertools import chain
from operator import itemgetter
from typing import TypedDict
from zoneinfo import ZoneInfo

from campus_api.db.connection import BUILDINGS, CATEGORIES, LOCATIONS, MENUS, RECIPES
from campus_api.db.hours import HoursStore
from campus_api.db.rows import EncodedFacts
from campus_api.db.snapshot import Snapshot
from campus_api.domain.hours import format_period
from campus_api.domain.models import MEALS, HoursRow, details_from_document, meal_name
from campus_api.domain.search.index import MAX_RESULTS, Entry, SearchIndex, Serving
from campus_api.domain.search.words import stems

FactsOf = Callable[[Collection[int]], Mapping[int, EncodedFacts]]

# After today.
_DAYS_AHEAD = 14
# Whose dishes are found by their labels and categories: today and tomorrow.
_DAYS_SOON = 2
# `building=yes` of OpenStreetMap is a building of any kind.
_NO_TAGS = ("yes", "no")
# Sorts after every time.
_LAST = "~"


class SearchRow(TypedDict):
    """A building, a location or a dish that a search finds, with a line about it and the next serving of a dish."""

    type: str
    id: int
    name: str | None
    detail: str
    date: str | None
    meal: int | None


def names(snapshot: Snapshot, collection: str) -> Mapping[int, str]:
    """Return the names of all locations, categories or recipes by id, sorted by id."""

    def read() -> dict[int, str]:
        return dict(snapshot.find(collection, {}, ["name"], itemgetter("_id", "name"), sort=[("_id", 1)]))

    return snapshot.memoize(f"names of {collection}", read)


class SearchStore:
    """Search over the buildings, locations and dishes of a snapshot; `facts` returns those of recipes."""

    def __init__(self, snapshot: Snapshot, hours: HoursStore, facts: FactsOf) -> None:
        self._snapshot = snapshot
        self._hours = hours
        self._facts = facts

    def find(self, text: str, types: Collection[str], today: str, zone: ZoneInfo) -> list[SearchRow]:
        """Return what matches a text of up to 256 characters, the best first; nothing matches an empty one.

        Of a text that is only a meal, these are the halls that serve it, by the times at which they open. `today` is
        YYYY-MM-DD in `zone`, that of the campus.
        """
        meals = [meal for meal, name in self._snapshot.meals.items() if stems(name) == stems(text)]
        entries = self._halls_first(today, text, types) if meals else self._index(today).search(text, types)
        locations = {entry.id for entry in entries if entry.type == "location"}
        hours = self._hours.find(zone, [today], meals or None, locations)
        by_location: dict[int, list[HoursRow]] = {}
        for row in hours:
            by_location.setdefault(row["location"], []).append(row)
        rows = [self._row(entry, by_location) for entry in entries]
        if not meals:
            return rows
        opens = {("location", id_): hall[0]["opens"] for id_, hall in by_location.items()}
        return sorted(rows, key=lambda row: opens.get((row["type"], row["id"]), _LAST))

    def _halls_first(self, today: str, text: str, types: Collection[str]) -> list[Entry]:
        index, halls = self._index(today), {"location"}
        return [*index.search(text, halls & {*types}), *index.search(text, {*types} - halls)][:MAX_RESULTS]

    def _row(self, entry: Entry, hours: Mapping[int, list[HoursRow]]) -> SearchRow:
        return {
            "type": entry.type,
            "id": entry.id,
            "name": entry.name,
            "detail": self._detail(entry, hours),
            "date": entry.serving.date if entry.serving else None,
            "meal": entry.serving.meal if entry.serving else None,
        }

    def _detail(self, entry: Entry, hours: Mapping[int, list[HoursRow]]) -> str:
        if entry.type == "building":
            return entry.address
        if entry.type == "location":
            periods = dict.fromkeys(map(format_period, hours.get(entry.id, ())))
            return f"Today {', '.join(periods)}" if periods else "No known hours today"
        return self._serving_detail(entry.serving) if entry.serving else "Not on the menus of the next two weeks"

    def _serving_detail(self, serving: Serving) -> str:
        """Return when and where a dish is served next: "Nov 24, dinner: Annenberg Hall, Quincy House"."""
        day, locations = date.fromisoformat(serving.date), names(self._snapshot, LOCATIONS)
        halls = ", ".join(locations[id_] for id_ in serving.locations if id_ in locations)
        return f"{day:%b} {day.day}, {meal_name(serving.meal, self._snapshot.meals)}: {halls}"

    def _index(self, today: str) -> SearchIndex:
        """Return the index of the revisions for a date, which is built once."""
        return self._snapshot.memoize("search index", lambda: SearchIndex(self._entries(today)), today)

    def _places(self, meals: Mapping[int, set[int]]) -> Iterator[Entry]:
        """Yield each hall with its meals of today, and each building with its halls."""
        halls: dict[int | None, list[str]] = defaultdict(list)
        for id_, name, hall in self._snapshot.find(
            LOCATIONS,
            {},
            ["name", "building", "aliases"],
            lambda each: (each["_id"], each["name"], details_from_document(each)),
        ):
            halls[hall.building] += [name, *hall.aliases]
            served = [meal_name(meal, self._snapshot.meals) for meal in meals[id_]]
            yield Entry("location", id_, name, hall.aliases, tags=" ".join(served))
        yield from self._snapshot.find(
            BUILDINGS,
            {},
            ["name", "address", "code", "aliases", "tags"],
            lambda each: Entry(
                "building",
                each["_id"],
                each.get("name"),
                (*halls[each["_id"]], each.get("code") or "", *each.get("aliases", "").split(";")),
                each.get("address", ""),
                tags=" ".join(tag for tag in each.get("tags", "").split(";") if tag not in _NO_TAGS),
            ),
        )

    def _dishes(self, servings: Mapping[tuple[int, str], Serving], soon: Mapping[int, set[int]]) -> Iterator[Entry]:
        """Yield each recipe, by its name and by those under which it is served soon; `soon` are their categories."""
        categories = names(self._snapshot, CATEGORIES)
        facts = self._facts(soon)
        for id_, name in {*names(self._snapshot, RECIPES).items(), *servings}:
            labels = facts[id_].labels or () if id_ in facts else ()
            valid = (text for label in labels if label.code in facts[id_].codes for text in (label.code, label.name))
            words = " ".join(categories.get(each, "") for each in sorted(soon.get(id_, ()))).split()
            # "breakfast" means halls.
            tags = [*(word for word in words if word.casefold() not in MEALS.values()), *filter(None, valid)]
            yield Entry("dish", id_, name, serving=servings.get((id_, name)), tags=" ".join(tags))

    def _entries(self, today: str) -> Iterator[Entry]:
        """Yield all entries, with the next serving of each recipe and name."""
        dates = [(date.fromisoformat(today) + timedelta(days)).isoformat() for days in range(_DAYS_AHEAD + 1)]
        menus = self._snapshot.find(
            MENUS, {"_id": {"$in": dates}}, ["items"], itemgetter("_id", "items"), sort=[("_id", 1)]
        )
        servings: dict[tuple[int, str], Serving] = {}
        meals: dict[int, set[int]] = defaultdict(set)
        soon: dict[int, set[int]] = defaultdict(set)
        for day, items in menus:
            for item in sorted(items, key=itemgetter("meal")):
                serving = servings.setdefault((item["recipe"], item["name"]), Serving(day, item["meal"], []))
                is_next = (serving.date, serving.meal) == (day, item["meal"])
                if is_next and item["location"] not in serving.locations:
                    serving.locations.append(item["location"])
                if day == today:
                    meals[item["location"]].add(item["meal"])
                if day in dates[:_DAYS_SOON]:
                    soon[item["recipe"]].add(item["category"])
        return chain(self._places(meals), self._dishes(servings, soon))
