"""Synthetic data sets whose records all have the name of their load, which makes mixed states visible."""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

from pymongo.errors import OperationFailure

from tests.factories import building, feature, foodpro_row, serving
from tests.loaders.live import live_collection
from tests.publishing import publish_buildings, publish_dining

FIRST_DAY = date(2026, 1, 1)


@dataclass(frozen=True)
class Buildings:
    """A data set of buildings."""

    number: int
    dataset = "buildings"
    path = "/map/buildings"
    second_revision = "buildings_2"

    def export(self, name):
        features = [feature(id_, name=name, city=name) for id_ in range(1, self.number + 1)]
        return {"type": "FeatureCollection", "features": features}

    def publish(self, database, name):
        records = [building(id_, name=name, city=name) for id_ in range(1, self.number + 1)]
        publish_buildings(database, records)

    def live(self, database):
        """Count the records of the live data by name."""
        return Counter(each["name"] for each in live_collection(database, "buildings").find({}, ["name"]))

    def expected(self, name):
        """Return the value of `live` after a complete load."""
        return {name: self.number}


@dataclass(frozen=True)
class Menus:
    """A data set of menus, all of which readers request."""

    dates: int
    rows: int
    dataset = "dining"
    second_revision = "menus_2"

    @property
    def path(self):
        return "/dining/menus?" + "&".join(f"date={day}" for day in self._days())

    def export(self, name):
        return [
            foodpro_row(Serve_Date=day, Recipe_Number=id_, Recipe_Print_As_Name=name) for day, id_ in self._servings()
        ]

    def publish(self, database, name):
        records = [serving(recipe, name, date=day) for day, recipe in self._servings()]
        publish_dining(database, records)

    def live(self, database):
        """Count the records of the live data by name."""
        return Counter(item["name"] for day in live_collection(database, "menus").find() for item in day["items"])

    def expected(self, name):
        """Return the value of `live` after a complete load."""
        return {name: self.rows * self.dates}

    def _servings(self):
        return [(day, recipe) for day in self._days() for recipe in range(1, self.rows + 1)]

    def _days(self):
        return [str(FIRST_DAY + timedelta(number)) for number in range(self.dates)]


def _written(database, name):
    """Count the documents in a collection, live or not, or in its staging collection."""
    names = [each for each in database.list_collection_names() if each.startswith(f"{name}_")]
    # A collection may be renamed while it is counted.
    with suppress(OperationFailure):
        return max(database[each].count_documents({}) for each in [*names, name])
    return 0


def revision(database, dataset):
    return database.datasets.find_one({"_id": dataset})["revision"]


def states(database, dataset):
    """Return the states of all loads of a data set, oldest first."""
    return [record["state"] for record in database.loads.find({"dataset": dataset}, sort=[("started_at", 1)])]


# Stages of a second load that are visible in the database.
STAGES = {
    "the load is recorded": lambda data, database: len(states(database, data.dataset)) == 2,
    "the first document is written": lambda data, database: _written(database, data.second_revision) > 0,
    "the revision is live": lambda data, database: revision(database, data.dataset) == 2,
}
