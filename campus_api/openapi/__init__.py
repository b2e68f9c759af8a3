"""The description of the service as an OpenAPI document, made of what the service itself is made of."""

from functools import cache, lru_cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import orjson

from campus_api import assets
from campus_api.assets import File
from campus_api.openapi import headers, responses, service_shapes, shapes
from campus_api.openapi.data_endpoints import DATA
from campus_api.openapi.operations import operation
from campus_api.openapi.own_endpoints import OWN

# The day of the answers in examples.json; the samples have the same menus for every today.
_EXAMPLE_DAY = "2026-11-20"

_TAGS = {
    "map": "Buildings and where they stand.",
    "dining": "What is served when and where.",
    "documents": "What the service says to newcomers and to programs.",
    "service": "For operators: not open to the world behind the nginx of docs/operations.md.",
}

_ABOUT = """\
A read-only API, with no key, over the buildings of a campus and its dining menus.

- **Parameters** may be repeated: `meal=1&meal=2`. The same parameter again is an alternative; different parameters
  must all hold.
- **Methods.** Every path answers HEAD like GET, without the body, and OPTIONS with a 204 that allows a page of any
  origin what it asked for: `Allow`, `Access-Control-Allow-Origin`, `Access-Control-Allow-Methods`,
  `Access-Control-Allow-Headers` and, for a day, `Access-Control-Max-Age`. A slash at the end of a path changes nothing.
- **Caches.** Answers about data have an `ETag` and may be kept as long as `Cache-Control` says; gzip comes to whom
  `Accept-Encoding` allows it.
- **Outages.** While the database is away, what was answered before still comes, with `X-Campus-Stale: 1`.
- **Growth.** Fields may be added to every object; none is removed, and none changes its type.
"""


def document(base: str, today: str) -> dict[str, Any]:
    """Return the description of the service at the path `base` of its host; its examples are those of `today`."""
    examples = orjson.loads(_examples().replace(_EXAMPLE_DAY, today))
    return {
        "openapi": "3.1.0",
        "info": {"title": "Campus data API", "version": version("campus-api"), "description": _ABOUT},
        "servers": [{"url": base}],
        "tags": [{"name": name, "description": description} for name, description in _TAGS.items()],
        "paths": {
            endpoint.path: {"get": operation(endpoint, examples["answers"], today)} for endpoint in (*DATA, *OWN)
        },
        "components": {
            "schemas": shapes.data() | service_shapes.service(),
            "headers": headers.all_headers(),
            "responses": responses.all_errors(examples["errors"]),
        },
    }


@lru_cache(maxsize=4)
def file(base: str, today: str) -> File:
    """Return the document as it is answered."""
    return assets.file(orjson.dumps(document(base, today)), "application/json")


@cache
def _examples() -> str:
    return (files(__name__) / "examples.json").read_text(encoding="utf-8")
