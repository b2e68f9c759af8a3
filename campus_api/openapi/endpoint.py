"""What is said of an endpoint."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from campus_api.openapi.shapes import Schema

JSON = "application/json"
ERRORS = ("405", "500")


class Endpoint(NamedTuple):
    """What GET answers at a path; `example` is a URL that the samples have an answer for."""

    path: str
    name: str
    tag: str
    summary: str
    description: str
    content: dict[str, Schema]
    example: str
    query: str = ""
    headers: tuple[str, ...] = ()
    errors: tuple[str, ...] = ERRORS
    also: Mapping[str, Any] = MappingProxyType({})

    @property
    def is_known_again(self) -> bool:
        """Tell whether it answers that the client has the answer already."""
        return "ETag" in self.headers
