"""The loaders' part between records in memory and MongoDB; nothing else here knows their functions.

python -m bench.ours DATASET FILE, with the database in CAMPUS_MONGO_URI, prints the seconds of a load and of the next.
"""

import json
import os
import sys
import time
from pathlib import Path

from pymongo import MongoClient

from bench.server import state
from loaders import buildings, dining, profiles
from loaders.exports import Reading
from loaders.limits import Limits
from loaders.load import Wish, load


def read(dataset: str, file: Path) -> Reading:
    """Return all records of an export."""
    if dataset == "buildings":
        return buildings.read([file], profiles.buildings("geojson"))
    return dining.read([file], profiles.dining("foodpro"))


def main(dataset: str, file: str) -> None:
    """Load the same records twice and print how long each load took."""
    reading = read(dataset, Path(file))
    with MongoClient(os.environ["CAMPUS_MONGO_URI"], w="majority") as client:
        database = client.get_default_database()
        client.admin.command("ping")
        start = time.perf_counter()
        load(database, dataset, reading, Limits(), Wish())
        loaded = time.perf_counter()
        before = state(database)
        again = time.perf_counter()
        load(database, dataset, reading, Limits(), Wish())
        end = time.perf_counter()
        if state(database) != before:
            sys.exit("the load of an unchanged export wrote something")
    print(json.dumps({"first": loaded - start, "reload": end - again}))


if __name__ == "__main__":
    main(*sys.argv[1:])
