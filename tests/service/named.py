"""Data sets whose every record carries the name of its load: a mixture of two loads shows."""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

from pymongo.errors import OperationFailure

from loaders.publishing.plan import plan_buildings, plan_dining
from loaders.publishing.publish import publish
from tests.factories import building, feature, foodpro_row, serving

FIRST_DAY = "2026-01-01"


@dataclass(frozen=True)
class Buildings:
    """So many buildings, published as one part."""

    number: int
    dataset = "buildings"
    path = "/map/buildings"

    @property
    def documents(self):
        return self.number

    def export(self, name):
        features = [feature(id_, name=name, city=name) for id_ in range(1, self.number + 1)]
        return {"type": "FeatureCollection", "features": features}

    def publish(self, database, name):
        records = [building(id_, name=name, city=name) for id_ in range(1, self.number + 1)]
        publish(database, plan_buildings(database, records), [])

    def live(self, database):
        """Count the parts that are live by what they consist of."""
        live = database.datasets.find_one({"_id": "buildings"})
        return Counter([_mixture(document["name"] for document in database[live["collection"]].find({}, ["name"]))])

    def whole(self, name):
        """Return what `live` is when all is of one load."""
        return {((name, self.number),): 1}

    def written(self, database):
        """Count the documents of a load that is not live yet, or of the second revision."""
        names = [name for name in database.list_collection_names() if name.startswith("buildings_of_import_")]
        # A collection may get its name while it is counted.
        with suppress(OperationFailure):
            return max(database[name].count_documents({}) for name in [*names, "buildings_2"])
        return 0


@dataclass(frozen=True)
class Menus:
    """So many dates with so many rows; each date is published as one part."""

    dates: int
    rows: int
    dataset = "dining"
    path = f"/dining/menus?date={FIRST_DAY}"

    @property
    def documents(self):
        return self.dates

    def export(self, name):
        return [
            foodpro_row(Serve_Date=day, Recipe_Number=recipe, Recipe_Print_As_Name=name)
            for day, recipe in self._servings()
        ]

    def publish(self, database, name):
        records = [serving(recipe, name, date=day) for day, recipe in self._servings()]
        publish(database, plan_dining(database, records), [])

    def live(self, database):
        """Count the parts that are live by what they consist of."""
        return Counter(_mixture(item["name"] for item in day["items"]) for day in database.menus.find())

    def whole(self, name):
        """Return what `live` is when all is of one load."""
        return {((name, self.rows),): self.dates}

    def written(self, database):
        """Count the dates that are of a load named "new"."""
        return database.menus.count_documents({"items.0.name": "new"})

    def _servings(self):
        days = [date.fromisoformat(FIRST_DAY) + timedelta(number) for number in range(self.dates)]
        return [(str(day), recipe) for day in days for recipe in range(1, self.rows + 1)]


def _mixture(names):
    return tuple(sorted(Counter(names).items()))


def revision(database, dataset):
    return database.datasets.find_one({"_id": dataset})["revision"]


def states(database, dataset):
    """Return the states of all imports of a data set, in their order."""
    return [record["state"] for record in database.imports.find({"dataset": dataset}, sort=[("started_at", 1)])]
