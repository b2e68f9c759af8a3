"""Expectations about responses: CheckFailed if one is not met, CheckSkipped if there is no data to test it on."""

import json
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

STRING = (str,)
STRING_OR_NULL = (str, type(None))
INTEGER = (int,)
ARRAY = (list,)
OBJECT = (dict,)

_TYPE_NAMES = {
    str: "a string",
    int: "an integer",
    list: "an array",
    dict: "an object",
    type(None): "null",
}
_MAX_LENGTH = 300


@dataclass(frozen=True)
class Response:
    """A response and its request; names in `headers` are lowercase, `request_headers` are as sent."""

    url: str
    request_headers: Mapping[str, str]
    status: int
    headers: Mapping[str, str]
    body: bytes

    @cached_property
    def json(self) -> Any:
        """Return the decoded body, or raise CheckFailed."""
        try:
            return json.loads(self.body.decode("utf-8"))
        except ValueError:
            raise CheckFailed(self, "a body of JSON in UTF-8", f"{self.status} {self.body[:_MAX_LENGTH]!r}") from None

    def curl(self) -> str:
        """Return a curl command line that repeats the request."""
        headers = [part for name, value in self.request_headers.items() for part in ("--header", f"{name}: {value}")]
        return shlex.join(["curl", "--include", "--globoff", *headers, self.url])


class CheckSkipped(Exception):
    """The server has no data to run a check on."""


class CheckFailed(Exception):
    """A response is not what a check expects; `response` is None if there was none."""

    def __init__(self, response: Response | None, expected: str, actual: object) -> None:
        super().__init__(expected)
        self.response = response
        self.expected = expected
        self.actual = str(actual)

    def details(self) -> list[tuple[str, str]]:
        """Return the lines of the report: request, expected, actual and a curl command line."""
        difference = [("expected", truncate(self.expected)), ("actual", truncate(self.actual))]
        if self.response is None:
            return difference
        return [("request", truncate(f"GET {self.response.url}")), *difference, ("curl", self.response.curl())]


def truncate(text: str) -> str:
    """Shorten a text for the report."""
    return text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}... ({len(text)} characters)"


def check(condition: object, response: Response, expected: str, actual: object) -> None:
    """Expect a condition to be true."""
    if not condition:
        raise CheckFailed(response, expected, actual)


def require(condition: object, reason: str) -> None:
    """Skip the check unless a condition is true."""
    if not condition:
        raise CheckSkipped(reason)


def status(response: Response, expected: int) -> Response:
    """Expect a status, and return the response."""
    check(response.status == expected, response, f"status {expected}", _summary(response))
    return response


def items(response: Response) -> list[Any]:
    """Expect a 200 with a JSON array, and return it."""
    status(response, 200)
    check(type(response.json) is list, response, "a JSON array", _excerpt(response))
    return response.json


def empty_list(response: Response) -> None:
    """Expect a 200 with an empty array."""
    check(items(response) == [], response, "[]", _excerpt(response))


def same_items(response: Response, expected: Sequence[Any], description: str) -> None:
    """Expect an array of exactly these items, in any order."""
    actual_items, expected_items = _counted(items(response)), _counted(expected)
    for missing in expected_items - actual_items:
        raise CheckFailed(response, f"{description}: {missing}", "none")
    for unexpected in actual_items - expected_items:
        raise CheckFailed(response, f"{description} only", unexpected)


def unique(response: Response, values: Sequence[Any], description: str) -> None:
    """Expect no value twice."""
    seen: set[Any] = set()
    for value in values:
        check(value not in seen, response, description, f"{value} twice")
        seen.add(value)


def has_fields(response: Response, item: Any, fields: Mapping[str, tuple[type, ...]]) -> None:
    """Expect a JSON object with these fields, each of one of its types."""
    check(type(item) is dict, response, "an object", item)
    for name, types in fields.items():
        type_names = " or ".join(_TYPE_NAMES[each] for each in types)
        check(name in item, response, f"a field {name}", item)
        check(type(item[name]) in types, response, f"{name} to be {type_names}", item)


def _counted(values: Sequence[Any]) -> Counter[str]:
    return Counter(json.dumps(value, sort_keys=True) for value in values)


def _summary(response: Response) -> str:
    return f"{response.status} {_excerpt(response)}"


def _excerpt(response: Response) -> str:
    return response.body[:200].decode("utf-8", errors="replace")
