"""The peer of bench.throughput: the same responses from the same MongoDB, in FastAPI, with a dictionary as cache."""

import os
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from pymongo import AsyncMongoClient, MongoClient

from campus_api.db.connection import BUILDINGS, MENUS, RECIPES, read_datasets
from campus_api.db.rows import building_row, menu_rows, named_row
from campus_api.domain.text import normalize_query, pattern

app = FastAPI()

_URI = os.environ["CAMPUS_MONGO_URI"]
_IS_CACHED = os.environ.get("CAMPUS_CACHE_MEMORY_MB") != "0"
_cache: dict[tuple[str, bytes], bytes] = {}
_database = AsyncMongoClient(_URI).get_default_database()
with MongoClient(_URI, tz_aware=True) as _client:
    _records = read_datasets(_client.get_default_database()).values()
_live = {name: _database[live] for record in _records for name, live in record["collections"].items()}


@app.get("/")
async def index() -> None:
    """Respond that the server has started."""


@app.get("/map/buildings/{id_}")
async def building(request: Request, id_: int) -> Response:
    """Return a building."""

    async def read() -> Any:
        return building_row(await _live[BUILDINGS].find_one({"_id": id_}))

    return await _respond(request, read)


@app.get("/map/buildings")
async def buildings(request: Request, name: str = "") -> Response:
    """Return the buildings with this text in their names."""

    async def read() -> Any:
        query = {"search.name": {"$regex": pattern(normalize_query(name) or "")}} if name else {}
        rows = map(building_row, await _live[BUILDINGS].find(query).to_list())
        return sorted(rows, key=lambda row: row["id"])

    return await _respond(request, read)


@app.get("/dining/menus")
async def menus(request: Request, date: str) -> Response:
    """Return the menu items of a date."""

    async def read() -> Any:
        return menu_rows(await _live[MENUS].find_one({"_id": date}))

    return await _respond(request, read)


@app.get("/dining/recipes")
async def recipes(request: Request) -> Response:
    """Return all recipes."""

    async def read() -> Any:
        return list(map(named_row, await _live[RECIPES].find({}, ["name"], sort=[("_id", 1)]).to_list()))

    return await _respond(request, read)


async def _respond(request: Request, read: Callable[[], Awaitable[Any]]) -> Response:
    key = request.scope["path"], request.scope["query_string"]
    body = _cache.get(key)
    if body is None:
        body = orjson.dumps(await read())
        if _IS_CACHED:
            _cache[key] = body
    return Response(body, media_type="application/json")
