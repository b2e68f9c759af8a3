"""The least that a load can be: a file or documents in memory, and one insert_many for each collection.

The documents of a load also get the index without which the API could not search them.

python -m bench.baseline file DATASET FILE | documents DATABASE, with the database in CAMPUS_MONGO_URI.
"""

import csv
import json
import os
import sys
import time

from pymongo import MongoClient
from pymongo.database import Database

_ABOUT_LOADS = ("datasets", "imports", "locks")


def insert_file(database: Database, dataset: str, file: str) -> None:
    """Insert what stands in a file, without checks, without geometry."""
    with open(file, encoding="utf-8") as export:
        documents = _buildings(export) if dataset == "buildings" else _menus(export)
    database[dataset].insert_many(documents)


def insert_documents(database: Database, source: str) -> None:
    """Insert the very documents of another database, with their index, and print how long that took."""
    source_database = database.client[source]
    names = sorted(set(source_database.list_collection_names()) - set(_ABOUT_LOADS))
    documents = {name: list(source_database[name].find()) for name in names}
    start = time.perf_counter()
    for name in names:
        database[name].insert_many(documents[name])
        if name.startswith("buildings"):
            database[name].create_index("search.trigrams")
    print(json.dumps({"first": time.perf_counter() - start}))


def _buildings(export) -> list:
    features = json.load(export)["features"]
    return [
        {"_id": feature["properties"]["id"], **feature["properties"], "geometry": feature["geometry"]}
        for feature in features
    ]


def _menus(export) -> list:
    days = {}
    for row in csv.DictReader(export):
        item = {
            "meal": int(row["Meal_Number"]),
            "location": int(row["Location_Number"]),
            "category": int(row["Menu_Category_Number"]),
            "recipe": int(row["Recipe_Number"]),
            "name": row["Recipe_Print_As_Name"],
        }
        days.setdefault(row["Serve_Date"], []).append(item)
    return [{"_id": date, "items": items} for date, items in days.items()]


def main(what: str, *arguments: str) -> None:
    """Do one of the two."""
    with MongoClient(os.environ["CAMPUS_MONGO_URI"], w="majority") as client:
        {"file": insert_file, "documents": insert_documents}[what](client.get_default_database(), *arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
