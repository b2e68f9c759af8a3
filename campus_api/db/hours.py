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
        menus = snapshot.find(MENUS, {"meals.meal": {"$in": [*MEALS]}}, ["meals"], itemgetter("_id", "meals"))
        # Other meals have the name of the data set.
        brunches = ((day, each) for day, meals in menus for each in meals if each["meal"] in MEALS)
        return {(day, each["meal"], each["location"]): each["name"] for day, each in brunches}

    return MealNames(snapshot.meals, snapshot.memoize("brunches", read))


class HoursStore:
    """The serving hours of a snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def find(self, zone: ZoneInfo, date: Collection[str], meal: Ids = None, location: Ids = None) -> list[HoursRow]:
        """Return a row for each time at which a meal is served, sorted by date, meal, location and time.

        `zone` is that of the campus. Each other parameter is a collection of alternatives, or None for no filter.
        """
        names = meal_names(self._snapshot)
        meals = [
            (id_, each)
            for id_, each in self._snapshot.memoize("hours", lambda: list(self._meals()))
            if (meal is None or each.meal in meal) and (location is None or id_ in location)
        ]
        if not meals:
            return []
        loaded = self._snapshot.datasets["dining"]["loaded_at"].astimezone(zone).date().isoformat()
        rows = [
            HoursRow(day, id_, each.meal, names.find(day, each.meal, id_), opens, closes)
            for id_, each in meals
            for first, last in [period(each, loaded)]
            for day in set(date)
            if first <= day <= last
            for opens, closes in times(each, day)
        ]
        return sorted(rows, key=attrgetter("date", "meal", "location", "opens"))

    def _meals(self) -> Iterator[tuple[int, MealHours]]:
        locations = self._snapshot.find(LOCATIONS, {"hours": {"$exists": True}}, ["hours"], itemgetter("_id", "hours"))
        return ((id_, MealHours(**each)) for id_, hours in locations for each in hours)
