"""The serving hours of a snapshot."""

from collections.abc import Collection, Iterator
from operator import attrgetter, itemgetter
from zoneinfo import ZoneInfo

from campus_api.db.connection import LOCATIONS, MENUS
from campus_api.db.snapshot import Snapshot
from campus_api.domain.hours import period, times
from campus_api.domain.models import MEALS, HoursRow, MealHours, MealNames

Ids = Collection[int] | None


def meal_names(snapshot: Snapshot) -> MealNames:
    """Return the names of all meals."""

    def read() -> dict[tuple[str, int, int], str]:
        names = {}
        query = {"meals.meal": {"$in": [*MEALS]}}
        for day, meals in snapshot.find(MENUS, query, ["meals"], itemgetter("_id", "meals")):
            for each in meals:
                # Other meals have the name of the data set.
                if each["meal"] in MEALS:
                    names[day, each["meal"], each["location"]] = each["name"]
        return names

    return MealNames(snapshot.meals, snapshot.memoize("brunches", read))


class HoursStore:
    """The serving hours of a snapshot, in the time zone of the campus."""

    def __init__(self, snapshot: Snapshot, zone: ZoneInfo) -> None:
        self._snapshot = snapshot
        self._zone = zone

    def find(self, date: Collection[str], meal: Ids = None, location: Ids = None) -> list[HoursRow]:
        """Return a row for each time at which a meal is served, sorted by date, meal, location and time.

        Each parameter is a collection of distinct alternatives, or None for no filter.
        """
        meals = self._snapshot.memoize("hours", lambda: list(self._meals()))
        if not meals:
            return []
        loaded = self._snapshot.datasets["dining"]["loaded_at"].astimezone(self._zone).date().isoformat()
        names = meal_names(self._snapshot)
        rows = []
        for id_, each in meals:
            if meal is not None and each.meal not in meal:
                continue
            if location is not None and id_ not in location:
                continue
            first, last = period(each, loaded)
            for day in date:
                if first <= day <= last:
                    name = names.find(day, each.meal, id_)
                    for opens, closes in times(each, day):
                        rows.append(HoursRow(day, id_, each.meal, name, opens, closes))
        return sorted(rows, key=attrgetter("date", "meal", "location", "opens"))

    def _meals(self) -> Iterator[tuple[int, MealHours]]:
        query = {"hours": {"$exists": True}}
        locations = self._snapshot.find(LOCATIONS, query, ["hours"], itemgetter("_id", "hours"))
        return ((id_, MealHours(**each)) for id_, hours in locations for each in hours)
