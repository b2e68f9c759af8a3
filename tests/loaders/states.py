"""What is in a database before and after a load, and loads that die half way."""

from itertools import count

import pytest

from loaders.publishing.plan import DINING, plan_buildings, plan_dining
from loaders.publishing.publish import publish
from tests.factories import serving

# What is not data but a record of loads.
_RECORDS = ("imports", "locks")


YESTERDAY, TOMORROW, IN_TWO_DAYS = "2026-11-19", "2026-11-21", "2026-11-22"

OLD = [serving(1, "Rice"), serving(2, "Soup", date=TOMORROW)]
# New names, a new name for an old number, a changed date, an added date and a closed one.
NEW = [serving(1, "Brown Rice"), serving(3, "Stew", location=7, category=5), serving(4, "Peas", date=IN_TWO_DAYS)]
OTHER = [serving(5, "Tofu", date=YESTERDAY)]

# The write that the load of NEW over OLD does not live to see: 1 to 4 put old documents aside, 5 to 11 add and change
# documents, 12 to 15 remove some, and before 16 all is written but not yet live.
every_moment = pytest.mark.parametrize("at_write", range(1, 17))


def load(database, servings):
    publish(database, plan_dining(database, servings), [])


class Died(Exception):
    """The end of a load that the test has killed."""


def die_at_write(number):
    """Return a `confirm` that kills the load just before its write of this number, counted from 1."""
    writes = count(1)

    def confirm():
        if next(writes) >= number:
            raise Died

    return confirm


def load_that_dies(database, dataset, records, at_write):
    """Write what a load writes before it dies."""
    plan = {"buildings": plan_buildings, "dining": plan_dining}[dataset](database, records)
    with pytest.raises(Died):
        publish(database, plan, [{"file": "dead.json", "sha256": "dead"}], confirm=die_at_write(at_write))


def dining_of(database):
    """Return every document that readers of dining may see."""
    return {name: list(database[name].find(sort=[("_id", 1)])) for name in DINING}


def buildings_of(database):
    """Return every document that readers of the buildings may see."""
    live = database.datasets.find_one({"_id": "buildings"})
    return list(database[live["collection"]].find(sort=[("_id", 1)]))


def all_but_records_of(database):
    """Return every document of every collection but those that record loads."""
    names = sorted(set(database.list_collection_names()) - set(_RECORDS))
    return {name: list(database[name].find(sort=[("_id", 1)])) for name in names}
