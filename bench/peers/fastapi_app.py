"""FastAPI on pymongo's asyncio client: `app` is plain, `kept` keeps its finished answers in memory.

Both answer what the measured requests need and no more: no error bodies, no validators, no headers for browsers.
"""

import asyncio
import os
from contextlib import asynccontextmanager
from datetime import date
from typing import Annotated, Any

import orjson
from fastapi import FastAPI, HTTPException, Query, Response
from pymongo import AsyncMongoClient

from bench.peers.response_cache import Kept
from campus_api import folding

_Texts = Annotated[list[str], Query()]
_Numbers = Annotated[list[int] | None, Query()]

_BUILDING = ["name", "address", "city", "image", "point", "polygons"]
_LIVE_SECONDS = 1

database = AsyncMongoClient(os.environ["CAMPUS_MONGO_URI"]).get_default_database()


class Json(Response):
    """What an endpoint returns as it is: no model validates or copies it."""

    media_type = "application/json"
    render = staticmethod(orjson.dumps)


@asynccontextmanager
async def follow(app: FastAPI):
    """Keep what is live at hand, at most a second old."""

    async def again():
        while True:
            await asyncio.sleep(_LIVE_SECONDS)
            app.state.live = await _live()

    app.state.live = await _live()
    task = asyncio.create_task(again())
    yield
    task.cancel()
    await database.client.close()


app = FastAPI(lifespan=follow)
app.state.live = {}
kept = Kept(app, lambda: [record["revision"] for record in app.state.live.values()])


@app.get("/map/buildings")
async def buildings(name: _Texts = (), address: _Texts = ()):
    """Answer the buildings with these texts in name and address."""
    asked = {"search.name": name, "search.address": address}
    query = {field: {"$regex": "|".join(map(_pattern, texts))} for field, texts in asked.items() if texts}
    found = await _live_buildings().find(query, _BUILDING).sort("_id").to_list()
    return Json([_building(document) for document in found])


@app.get("/map/buildings/{id_}")
async def building(id_: int):
    """Answer one building."""
    document = await _live_buildings().find_one({"_id": id_}, _BUILDING)
    if document is None:
        raise HTTPException(404)
    return Json(_building(document))


@app.get("/dining/recipes")
async def recipes():
    """Answer id and name of all recipes."""
    found = await database.recipes.find({}, ["name"]).sort("_id").to_list()
    return Json([{"id": document["_id"], "name": document["name"]} for document in found])


@app.get("/dining/menus")
async def menus(
    date: Annotated[list[date], Query()],
    meal: _Numbers = None,
    location: _Numbers = None,
    category: _Numbers = None,
    recipe: _Numbers = None,
):
    """Answer the menu rows of the dates that meet the query."""
    asked = {"meal": meal, "location": location, "category": category, "recipe": recipe}
    conditions = [{"$in": [f"$$item.{field}", values]} for field, values in asked.items() if values]
    pipeline: list[Any] = [{"$match": {"_id": {"$in": [day.isoformat() for day in date]}}}, {"$sort": {"_id": 1}}]
    if conditions:
        items = {"$filter": {"input": "$items", "as": "item", "cond": {"$and": conditions}}}
        pipeline.append({"$project": {"items": items}})
    days = await (await database.menus.aggregate(pipeline)).to_list()
    return Json([_row(day["_id"], item) for day in days for item in day["items"]])


async def _live() -> dict[str, Any]:
    return {document["_id"]: document async for document in database.datasets.find().sort("_id")}


def _pattern(text):
    return folding.pattern(folding.searched(text))


def _live_buildings():
    return database[app.state.live["buildings"]["collection"]]


def _building(document):
    return {
        "id": document["_id"],
        "name": document["name"],
        "address": document["address"],
        "city": document["city"],
        "image": document["image"],
        "geometry": {"point": document["point"], "polygons": document["polygons"]},
    }


def _row(day, item):
    return {
        "date": day,
        "meal": item["meal"],
        "location": item["location"],
        "category": item["category"],
        "recipe": item["recipe"],
        "id": item["recipe"],
        "name": item["name"],
    }
