"""The parameters of requests, from the schemas that read them."""

from typing import Any

import colander

from campus_api import schemas
from campus_api.openapi.endpoint import Endpoint

Parameter = dict[str, Any]

_TEXT = {"type": "string"}
_QUERIES = {"buildings": schemas.BUILDINGS, "menus": schemas.MENUS}
_DESCRIPTIONS = {
    "buildings": {
        "name": "A part of the name; letter case and accents do not matter.",
        "address": "A part of the address; letter case and accents do not matter.",
    },
    "menus": {
        "date": "A date, YYYY-MM-DD. Without one the menus are those of today on the campus.",
        "meal": "A meal: 0 is breakfast, 1 lunch, 2 dinner.",
        "location": "The id of a location.",
        "category": "The id of a category.",
        "recipe": "The id of a recipe.",
    },
}
# What the samples have.
_EXAMPLES = {
    "name": "cafe",
    "address": "harvard yard",
    "meal": 2,
    "location": 30,
    "category": 18,
    "recipe": 83023,
}
# A viewer fills these in; with the others too, it would find nothing elsewhere.
_FILLED_IN = ("name", "date", "meal", "location")

_ID = {
    "name": "id",
    "in": "path",
    "required": True,
    "description": "The id, in decimal digits. Anything else is a 404.",
    "schema": {"type": "integer", "format": "int64", "minimum": 0},
}
_CACHE_BUSTER = {
    "name": "_",
    "in": "query",
    "description": "Ignored, as is every parameter whose name begins with an underscore: for caches to be passed by.",
    "schema": _TEXT,
}
_IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The ETag of an answer that the client has: while it is still right, the answer is a 304.",
    "schema": _TEXT,
}
_REQUEST_ID = {
    "name": "X-Request-Id",
    "in": "header",
    "description": "An id for this request, 1 to 64 of A-Z a-z 0-9 . _ - ; any other is replaced by a new one.",
    "schema": _TEXT,
}


def of_endpoint(endpoint: Endpoint, today: str) -> list[Parameter]:
    """Return the parameters of an endpoint; the example of a date is `today`."""
    found = [{**_ID, "example": int(endpoint.example.rpartition("/")[2])}] if "{id}" in endpoint.path else []
    if endpoint.query:
        found += _of_query(endpoint.query, {**_EXAMPLES, "date": today})
    if endpoint.query == "menus":
        found.append(_CACHE_BUSTER)
    if endpoint.is_known_again:
        found.append(_IF_NONE_MATCH)
    return [*found, _REQUEST_ID]


def _of_query(name: str, examples: dict[str, Any]) -> list[Parameter]:
    return [_repeated(node, _DESCRIPTIONS[name][node.name], examples[node.name]) for node in _QUERIES[name]]


def _repeated(node: colander.SchemaNode, description: str, example: Any) -> Parameter:
    items, shown = {**_value(node.children[0].typ), "examples": [example]}, {"example": [example]}
    return {
        "name": node.name,
        "in": "query",
        "description": description,
        "style": "form",
        "explode": True,
        "schema": {"type": "array", "items": items},
        **(shown if node.name in _FILLED_IN else {}),
    }


def _value(type_: colander.SchemaType) -> dict[str, str]:
    return _TEXT if isinstance(type_, colander.String) else type_.described
