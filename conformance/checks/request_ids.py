"""Request IDs."""

from conformance import expect
from conformance.target import BUILDINGS, MENUS, Target

_HEADER = "X-Request-Id"
_PATHS = ((BUILDINGS, 200), (MENUS, 200), (f"{MENUS}?meal=lunch", 400), ("/nowhere", 404))


def responses_have_a_request_id(target: Target) -> None:
    """Every response has an X-Request-Id."""
    for path, status in _PATHS:
        expect.header(expect.status(target.request(path), status), _HEADER)


def request_ids_are_unique(target: Target) -> None:
    """Requests without an X-Request-Id get different ones."""
    first, second = target.request(BUILDINGS), target.request(BUILDINGS)
    actual = expect.header(second, _HEADER)
    expect.check(actual != expect.header(first, _HEADER), second, "a different ID", actual)


def client_request_ids_are_echoed(target: Target) -> None:
    """A valid X-Request-Id is echoed: 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen."""
    for sent in ("a", "Conformance_check-1.0", "x" * 64):
        for path, status in _PATHS:
            response = expect.status(target.request(path, headers={_HEADER: sent}), status)
            actual = expect.header(response, _HEADER)
            expect.check(actual == sent, response, f"{_HEADER}: {sent}", actual)


def invalid_request_ids_are_replaced(target: Target) -> None:
    """An invalid X-Request-Id is replaced by a new one."""
    for sent in ("x" * 65, "two words", "a/b", "a,b"):
        response = expect.status(target.request(BUILDINGS, headers={_HEADER: sent}), 200)
        actual = expect.header(response, _HEADER)
        expect.check(actual and actual != sent, response, "a new ID", actual)


def not_modified_has_a_request_id(target: Target) -> None:
    """A 304 has an X-Request-Id."""
    tag = expect.header(target.request(BUILDINGS), "ETag")
    response = expect.status(target.request(BUILDINGS, headers={"If-None-Match": tag, _HEADER: "conditional"}), 304)
    actual = expect.header(response, _HEADER)
    expect.check(actual == "conditional", response, f"{_HEADER}: conditional", actual)
