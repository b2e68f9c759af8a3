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


def _live_buildings() -> str:
    with MongoClient(_URI) as client:
        return client.get_default_database().datasets.find_one({"_id": "buildings"})["collection"]


def _resource(source: str, *fields: str, id_: str = "integer", item_url: str = "int") -> dict[str, Any]:
    schema = {"_id": {"type": id_}, **{field: {} for field in fields}}
    return {"datasource": {"source": source, "default_sort": [("_id", 1)]}, "schema": schema, "item_url": item_url}


app = Eve(
    settings={
        "DOMAIN": {
            "buildings": _resource(_live_buildings(), "name", "address", "city", "image", "point", "polygons"),
            "recipes": _resource("recipes", "name"),
            "menus": _resource("menus", "items", id_="string", item_url='regex("[0-9-]+")'),
            "matching": {"datasource": {"source": "menus", "aggregation": {"pipeline": _FILTER_PIPELINE}}},
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
