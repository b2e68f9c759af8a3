"""The loaders' part between records in memory and MongoDB; nothing else here knows their functions.

python -m bench.ours DATASET FILE, with the database in CAMPUS_MONGO_URI, prints the seconds of a load and of the next.
"""

import json
import os
import sys
import time
from pathlib import Path

from pymongo import MongoClient
from pymongo.database import Database

from bench.server import state
from loaders import buildings, dining, profiles
from loaders.plan import plan_buildings, plan_dining
from loaders.publish import publish


def read(dataset: str, file: Path) -> list:
    """Return all records of an export."""
    if dataset == "buildings":
        return list(buildings.read([file], profiles.buildings("geojson")).records)
    return list(dining.read([file], profiles.dining("foodpro")).records)


def load(database: Database, dataset: str, records: list) -> None:
    """Compare the records with what is live and publish what is new, as campus-load does."""
    plan = {"buildings": plan_buildings, "dining": plan_dining}[dataset](database, records)
    if not plan.changes_nothing:
        publish(database, plan, [])


def main(dataset: str, file: str) -> None:
    """Load the same records twice and print how long each load took."""
    records = read(dataset, Path(file))
    with MongoClient(os.environ["CAMPUS_MONGO_URI"], w="majority") as client:
        database = client.get_default_database()
        client.admin.command("ping")
        start = time.perf_counter()
        load(database, dataset, records)
        loaded = time.perf_counter()
        before = state(database)
        again = time.perf_counter()
        load(database, dataset, records)
        end = time.perf_counter()
        if state(database) != before:
            sys.exit("the load of an unchanged export wrote something")
    print(json.dumps({"first": loaded - start, "reload": end - again}))


if __name__ == "__main__":
    main(*sys.argv[1:])
