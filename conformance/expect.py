"""What checks expect of answers; whatever is otherwise is Failed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from conformance.answer import Answer, Failed, Skipped

TEXT, TEXT_OR_NULL, INTEGER, LIST = (str,), (str, type(None)), (int,), (list,)
PROBLEM = "application/problem+json"
_WORDS = {str: "text", int: "an integer", list: "a list", dict: "an object", type(None): "null"}


def that(condition: object, answer: Answer, expected: str, got: object) -> None:
    """Expect a condition to be true."""
    if not condition:
        raise Failed(answer, expected, got)


def given(condition: object, reason: str) -> None:
    """Skip the check for a reason, unless there is what it needs."""
    if not condition:
        raise Skipped(reason)


def status(answer: Answer, expected: int) -> Answer:
    """Expect a status, and return the answer."""
    that(answer.status == expected, answer, f"status {expected}", f"{answer.status} {_start(answer)}")
    return answer


def items(answer: Answer) -> list[Any]:
    """Expect a 200 with a list, and return it."""
    status(answer, 200)
    that(type(answer.json) is list, answer, "a JSON list", _start(answer))
    return answer.json


def nothing(answer: Answer) -> None:
    """Expect a 200 with an empty list."""
    that(items(answer) == [], answer, "[]", _start(answer))


def same(answer: Answer, expected: Sequence[Any], what: str) -> None:
    """Expect a list with exactly these items, in this order."""
    got = items(answer)
    where = next((place for place, pair in enumerate(zip(got, expected, strict=False)) if pair[0] != pair[1]), None)
    if where is not None:
        raise Failed(answer, f"{what}: at {where} {expected[where]}", got[where])
    that(len(got) == len(expected), answer, f"{what}: {len(expected)} of them", f"{len(got)} of them")


def same_body(answer: Answer, other: Answer) -> None:
    """Expect the same status and the same bytes as another answer has."""
    expected = f"the same as {other.url}: {other.status} {_start(other)}"
    that(
        (answer.status, answer.body) == (other.status, other.body),
        answer,
        expected,
        f"{answer.status} {_start(answer)}",
    )


def ordered(answer: Answer, found: Sequence[Any], key: Callable[[Any], Any], what: str) -> None:
    """Expect items to come in an order."""
    keys = [key(item) for item in found]
    wrong = next((pair for pair in zip(keys, keys[1:], strict=False) if pair[0] > pair[1]), None)
    that(wrong is None, answer, what, wrong and f"{wrong[0]} before {wrong[1]}")


def different(answer: Answer, values: Sequence[Any], what: str) -> None:
    """Expect that no value is there twice."""
    seen: set[Any] = set()
    twice = next((value for value in values if value in seen or seen.add(value)), None)
    that(twice is None, answer, what, f"{twice} twice")


def shape(answer: Answer, item: Any, members: Mapping[str, tuple[type, ...]]) -> None:
    """Expect an object with these members, each of one of its types."""
    that(type(item) is dict, answer, "an object", item)
    for name, types in members.items():
        words = " or ".join(_WORDS[each] for each in types)
        that(name in item, answer, f"a member {name}", item)
        that(type(item[name]) in types, answer, f"{name} to be {words}", item)


def header(answer: Answer, name: str, *parts: str) -> str:
    """Expect a header with these parts in it, and return it."""
    value = answer.headers.get(name.lower())
    that(value is not None, answer, f"the header {name}", f"{answer.status} with {', '.join(sorted(answer.headers))}")
    for part in parts:
        that(part.lower() in value.lower(), answer, f"{name} with {part}", value)
    return value


def problem(answer: Answer, code: int) -> dict[str, Any]:
    """Expect an error with a body of our shape, and return it."""
    status(answer, code)
    header(answer, "Content-Type", PROBLEM)
    that(type(answer.json) is dict, answer, "an object", _start(answer))
    return answer.json


def refused(answer: Answer, *wrong: tuple[str, str]) -> list[dict[str, Any]]:
    """Expect a 400 that names exactly these parameters with their values, and return its errors."""
    errors = problem(answer, 400).get("errors")
    named = [(error["parameter"], error["value"]) for error in errors or []]
    that(sorted(named) == sorted(wrong), answer, f"errors about {list(wrong)}", named)
    for error in errors:
        that(error.get("reason"), answer, "a reason", error)
    return errors


def _start(answer: Answer) -> str:
    return answer.body[:200].decode("utf-8", errors="replace")
