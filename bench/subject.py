"""The part of campus-load between reading a file and the end of the load, without the rest of the process.

python -m bench.subject DATASET FILE, with the database in CAMPUS_MONGO_URI, prints the seconds of a load and a reload.
"""

import json
import os
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pymongo import MongoClient
from pymongo.database import Database

from bench.mongod import snapshot
from campus_api.domain.models import Building, NamedEntity
from loaders import profiles
from loaders.documents.encode import MenuDocuments
from loaders.documents.serving import MenuRow
from loaders.documents.spool import spool_buildings
from loaders.profiles.thresholds import Thresholds
from loaders.publishing.load import PublishOptions, load_buildings, load_dining
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from loaders.readers import buildings, dining
from loaders.result import BuildingRead, DiningRead
from loaders.sources.files import gc_disabled


def read(dataset: str, file: Path) -> BuildingRead | DiningRead:
    """Read an export."""
    if dataset == "buildings":
        return buildings.read([file], profiles.load_building_profile("geojson"))
    return dining.read([file], profiles.load_dining_profile("foodpro"))


def publish_buildings(database: Database, records: Iterable[Building]) -> None:
    """Load synthetic buildings."""
    publish(database, plan_buildings(database, records), [])


def menu_row(date: str, meal: int, location: int, category: int, recipe: int, name: str) -> MenuRow:
    """Return a synthetic row of a menu."""
    hall, kind = NamedEntity(location, f"Hall {location}"), NamedEntity(category, f"Category {category}")
    return MenuRow(date, meal, hall, kind, NamedEntity(recipe, name))


def day(rows: Sequence[MenuRow]) -> dict[str, Any]:
    """Return the menu document of a day."""
    return MenuDocuments(rows)[rows[0].date]


def main(dataset: str, file: str) -> None:
    """Load the same records twice and print the seconds of each load."""
    reading = read(dataset, Path(file))
    with MongoClient(os.environ["CAMPUS_MONGO_URI"], w="majority", tz_aware=True) as client:
        database = client.get_default_database()
        client.admin.command("ping")
        first = _seconds(database, reading)
        before = snapshot(database)
        reload = _seconds(database, reading)
        if snapshot(database) != before:
            sys.exit("loading an unchanged export changed the database")
    print(json.dumps({"first": first, "reload": reload}))


def _seconds(database: Database, reading: BuildingRead | DiningRead) -> float:
    """Return the seconds of a load, including the conversion to documents."""
    records = list(reading.records)
    with gc_disabled():
        start = time.perf_counter()
        if isinstance(reading, BuildingRead):
            reading.records = spool_buildings(records)
            load_buildings(database, reading, Thresholds(), PublishOptions())
        else:
            load_dining(database, reading, Thresholds(), PublishOptions())
        return time.perf_counter() - start


if __name__ == "__main__":
    main(*sys.argv[1:])
