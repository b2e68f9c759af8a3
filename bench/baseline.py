"""The baseline of loads: a single insert_many for each collection.

python -m bench.baseline file DATASET FILE | documents DATABASE, with the database in CAMPUS_MONGO_URI.
"""

import csv
import json
import os
import sys
import time
from collections import defaultdict
from typing import Any, TextIO

from pymongo import MongoClient
from pymongo.database import Database

_BOOKKEEPING = ("datasets", "loads", "load_changes")


def insert_file(database: Database, dataset: str, file: str) -> None:
    """Insert the records of a file without validation and without processing geometry."""
    with open(file, encoding="utf-8") as export:
        documents = _buildings(export) if dataset == "buildings" else _menus(export)
    database[dataset].insert_many(documents)


def insert_documents(database: Database, source: str) -> None:
    """Copy the documents of another database, create the search index, and print the seconds."""
    source_database = database.client[source]
    names = sorted(set(source_database.list_collection_names()) - set(_BOOKKEEPING))
    documents = {name: list(source_database[name].find()) for name in names}
    start = time.perf_counter()
    for name in names:
        database[name].insert_many(documents[name])
        if name.startswith("buildings"):
            database[name].create_index("search.trigrams")
    print(json.dumps({"first": time.perf_counter() - start}))


def _buildings(export: TextIO) -> list[dict[str, Any]]:
    features = json.load(export)["features"]
    return [
        {"_id": feature["properties"]["id"], **feature["properties"], "geometry": feature["geometry"]}
        for feature in features
    ]


def _menus(export: TextIO) -> list[dict[str, Any]]:
    days: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in csv.DictReader(export):
        item = {
            "meal": int(row["Meal_Number"]),
            "location": int(row["Location_Number"]),
            "category": int(row["Menu_Category_Number"]),
            "recipe": int(row["Recipe_Number"]),
            "name": row["Recipe_Print_As_Name"],
        }
        days[row["Serve_Date"]].append(item)
    return [{"_id": date, "items": items} for date, items in days.items()]


def main(source: str, *arguments: str) -> None:
    """Insert from a file or from another database."""
    insert = {"file": insert_file, "documents": insert_documents}[source]
    with MongoClient(os.environ["CAMPUS_MONGO_URI"], w="majority") as client:
        insert(client.get_default_database(), *arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
