"""The answers that are not the wanted one: 304 and the errors."""

from typing import Any

from campus_api.openapi import headers
from campus_api.openapi.shapes import reference

_PROBLEM = "application/problem+json"

# By status: the name in the document, what it means, and the headers beside those of every answer.
_ERRORS = {
    "400": ("BadQuery", "The query was not understood: all its problems, each with its reason.", ()),
    "404": ("NotFound", "There is nothing at this path.", ()),
    "405": ("MethodNotAllowed", "Another method than GET, HEAD and OPTIONS, whatever the path.", ("Allow",)),
    "500": ("Failure", "A defect of the service. What happened is in its log only, under the id of the request.", ()),
    "503": ("Unavailable", "The database is away, and this was not answered lately.", ("Retry-After",)),
}


def errors(*statuses: str) -> dict[str, Any]:
    """Return what stands for the errors with some statuses."""
    return {status: {"$ref": f"#/components/responses/{_ERRORS[status][0]}"} for status in statuses}


def not_modified(names: tuple[str, ...]) -> dict[str, Any]:
    """Return the answer to whom has it already; `names` are the headers of the answer that they have."""
    also = [name for name in names if name not in headers.NOT_OF_A_304]
    return {
        "description": "The client has the answer already. There is no body.",
        "headers": headers.references(*headers.ALWAYS, *also),
    }


def all_errors(examples: dict[str, Any]) -> dict[str, Any]:
    """Return the errors by name; `examples` has a body for each by its status."""
    return {
        name: {
            "description": description,
            "headers": headers.references(*headers.ALWAYS, *more),
            "content": {_PROBLEM: {"schema": reference("Problem"), "example": examples[status]}},
        }
        for status, (name, description, more) in _ERRORS.items()
    }
