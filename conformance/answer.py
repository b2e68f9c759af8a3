"""What was asked and what came, and the two ways in which a check does not pass."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

_LONGEST = 300


class Skipped(Exception):
    """There is no data for a check."""


class Failed(Exception):
    """A server does not do what a check expects."""

    def __init__(self, answer: "Answer | None", expected: str, got: object) -> None:
        """Take the answer that is wrong, None when none came."""
        super().__init__(expected)
        self.answer = answer
        self.expected = expected
        self.got = str(got)

    def lines(self) -> list[tuple[str, str]]:
        """Return what was asked, what was expected, what came, and how to ask again."""
        found = [("expected", short(self.expected)), ("got", short(self.got))]
        if self.answer is None:
            return found
        asked = f"{self.answer.method} {self.answer.url}"
        return [("asked", short(asked)), *found, ("again", self.answer.curl())]


@dataclass(frozen=True)
class Answer:
    """An answer and its request; the names of `headers` are in lower case, `asked` are the headers that were sent."""

    method: str
    url: str
    asked: Mapping[str, str]
    status: int
    headers: Mapping[str, str]
    body: bytes

    @cached_property
    def json(self) -> Any:
        """Return the body as JSON says it."""
        try:
            return json.loads(self.body.decode("utf-8"))
        except ValueError:
            raise Failed(self, "a body of JSON in UTF-8", f"{self.status} {self.body[:_LONGEST]!r}") from None

    def curl(self) -> str:
        """Return the command line that asks the same."""
        method = {"GET": [], "HEAD": ["--head"]}.get(self.method, ["--request", self.method])
        headers = [part for name, value in self.asked.items() for part in ("--header", f"{name}: {value}")]
        typed = self.url.encode("latin-1").decode("utf-8", errors="replace")
        return shlex.join(["curl", "--include", "--globoff", *method, *headers, typed])


def short(text: str) -> str:
    """Return a text that fits into a report."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... ({len(text)} characters)"
