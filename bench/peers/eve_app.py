"""The service in Eve, by its settings, in its own response format."""

import os
from typing import Any

from eve import Eve
from pymongo import MongoClient

_URI = os.environ["CAMPUS_MONGO_URI"]
_FILTER_PIPELINE = [
    {"$match": {"_id": {"$in": "$dates"}}},
    {"$sort": {"_id": 1}},
    {"$unwind": "$items"},
    {"$replaceRoot": {"newRoot": {"$mergeObjects": [{"date": "$_id"}, "$items"]}}},
    {
        "$match": {
            "meal": {"$in": "$meals"},
            "location": {"$in": "$locations"},
            "category": {"$in": "$categories"},
            "recipe": {"$in": "$recipes"},
        }
    },
]


def _live_collections() -> dict[str, str]:
    with MongoClient(_URI) as client:
        records = client.get_default_database().datasets.find()
        return {name: stored for record in records for name, stored in record["collections"].items()}


def _resource(source: str, *fields: str, id_: str = "integer", item_url: str = "int") -> dict[str, Any]:
    schema = {"_id": {"type": id_}, **{field: {} for field in fields}}
    return {"datasource": {"source": source, "default_sort": [("_id", 1)]}, "schema": schema, "item_url": item_url}


_LIVE = _live_collections()

app = Eve(
    settings={
        "DOMAIN": {
            "buildings": _resource(_LIVE["buildings"], "name", "address", "city", "image", "point", "polygons"),
            "recipes": _resource(_LIVE["recipes"], "name"),
            "menus": _resource(_LIVE["menus"], "items", id_="string", item_url='regex("[0-9-]+")'),
            "matching": {"datasource": {"source": _LIVE["menus"], "aggregation": {"pipeline": _FILTER_PIPELINE}}},
        },
        "MONGO_URI": _URI,
        "MONGO_QUERY_BLACKLIST": [],
        "RESOURCE_METHODS": ["GET"],
        "ITEM_METHODS": ["GET"],
        "PAGINATION": False,
        "HATEOAS": False,
        "IF_MATCH": False,
        "RENDERERS": ["eve.render.JSONRenderer"],
    }
)
