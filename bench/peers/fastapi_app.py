"""The service in FastAPI with the asyncio client of pymongo: `app`, and `cached_app` with a response cache.

It has only what the measured requests need: no error bodies, ETags or CORS headers.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from typing import Annotated, Any

import orjson
from fastapi import FastAPI, HTTPException, Query, Response
from pymongo import AsyncMongoClient
from pymongo.asynchronous.collection import AsyncCollection

from bench.peers.response_cache import ResponseCache
from campus_api.domain.text import normalize_query, pattern

Texts = Annotated[list[str], Query()]
Numbers = Annotated[list[int] | None, Query()]

_BUILDING = ["name", "address", "city", "image", "point", "polygons"]
_POLL_SECONDS = 1

database = AsyncMongoClient(os.environ["CAMPUS_MONGO_URI"]).get_default_database()


class OrjsonResponse(Response):
    """A JSON response without validation by a model."""

    media_type = "application/json"
    render = staticmethod(orjson.dumps)


@asynccontextmanager
async def poll_revisions(app: FastAPI) -> AsyncIterator[None]:
    """Poll the live revisions every second."""

    async def poll() -> None:
        while True:
            await asyncio.sleep(_POLL_SECONDS)
            app.state.live = await _live()

    app.state.live = await _live()
    task = asyncio.create_task(poll())
    yield
    task.cancel()
    await database.client.close()


app = FastAPI(lifespan=poll_revisions)
app.state.live = {}
cached_app = ResponseCache(app, lambda: [record["revision"] for record in app.state.live.values()])


@app.get("/map/buildings")
async def buildings(name: Texts = (), address: Texts = ()) -> Response:
    """Search buildings by name and address."""
    parameters = {"search.name": name, "search.address": address}
    query = {field: {"$regex": "|".join(map(_pattern, texts))} for field, texts in parameters.items() if texts}
    documents = await _live_collection("buildings", "buildings").find(query, _BUILDING).sort("_id").to_list()
    return OrjsonResponse([_building(document) for document in documents])


@app.get("/map/buildings/{id_}")
async def building(id_: int) -> Response:
    """Return one building."""
    document = await _live_collection("buildings", "buildings").find_one({"_id": id_}, _BUILDING)
    if document is None:
        raise HTTPException(404)
    return OrjsonResponse(_building(document))


@app.get("/dining/recipes")
async def recipes() -> Response:
    """Return all recipes."""
    documents = await _live_collection("dining", "recipes").find({}, ["name"]).sort("_id").to_list()
    return OrjsonResponse([{"id": document["_id"], "name": document["name"]} for document in documents])


@app.get("/dining/menus")
async def menus(
    date: Annotated[list[date], Query()],
    meal: Numbers = None,
    location: Numbers = None,
    category: Numbers = None,
    recipe: Numbers = None,
) -> Response:
    """Return the menu rows that match the query."""
    return OrjsonResponse(await _menu_rows(date, meal=meal, location=location, category=category, recipe=recipe))


@app.get("/dining/dishes")
async def dishes(
    date: Annotated[list[date], Query()],
    meal: Numbers = None,
    location: Numbers = None,
    category: Numbers = None,
    recipe: Numbers = None,
) -> Response:
    """Return the menu rows that match the query by date, meal, category and recipe, with the facts of the recipe."""
    rows = await _menu_rows(date, meal=meal, location=location, category=category, recipe=recipe)
    query = {"_id": {"$in": list({row["recipe"] for row in rows})}, "facts": {"$exists": True}}
    facts = {
        document["_id"]: {"id": document["_id"], "name": document["name"], **document["facts"]}
        async for document in _live_collection("dining", "recipes").find(query, ["name", "facts"])
    }
    grouped: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        key = {field: row[field] for field in ("date", "meal", "category", "recipe")}
        new = {**key, "name": row["name"], "locations": [], "facts": facts.get(row["recipe"])}
        grouped.setdefault(tuple(key.values()), new)["locations"].append(row["location"])
    return OrjsonResponse(list(grouped.values()))


async def _menu_rows(days: list[date], **filters: list[int] | None) -> list[dict[str, Any]]:
    conditions = [{"$in": [f"$$item.{field}", values]} for field, values in filters.items() if values]
    pipeline: list[Any] = [{"$match": {"_id": {"$in": [day.isoformat() for day in days]}}}, {"$sort": {"_id": 1}}]
    if conditions:
        items = {"$filter": {"input": "$items", "as": "item", "cond": {"$and": conditions}}}
        pipeline.append({"$project": {"items": items}})
    menus = await (await _live_collection("dining", "menus").aggregate(pipeline)).to_list()
    return [_row(menu["_id"], item) for menu in menus for item in menu["items"]]


async def _live() -> dict[str, Any]:
    return {document["_id"]: document async for document in database.datasets.find({}, {"previous": False}).sort("_id")}


def _pattern(text: str) -> str:
    return pattern(normalize_query(text))


def _live_collection(dataset: str, name: str) -> AsyncCollection[Any]:
    return database[app.state.live[dataset]["collections"][name]]


def _building(document: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": document["_id"],
        "name": document["name"],
        "address": document["address"],
        "city": document["city"],
        "image": document["image"],
        "geometry": {"point": document["point"], "polygons": document["polygons"]},
    }


def _row(day: str, item: dict[str, Any]) -> dict[str, Any]:
    return {
        "date": day,
        "meal": item["meal"],
        "location": item["location"],
        "category": item["category"],
        "recipe": item["recipe"],
        "id": item["recipe"],
        "name": item["name"],
    }
