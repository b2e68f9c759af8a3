"""Ids of requests."""

from conformance import expect
from conformance.target import BUILDINGS, MENUS

_HEADER = "X-Request-Id"
_PATHS = ((BUILDINGS, 200), (MENUS, 200), (f"{MENUS}?meal=lunch", 400), ("/nowhere", 404))


def an_answer_has_a_request_id(campus):
    """Every answer names its request in X-Request-Id."""
    for path, status in _PATHS:
        expect.header(expect.status(campus.ask(path), status), _HEADER)


def request_ids_differ(campus):
    """Requests without an id of their own get different ones."""
    first, second = campus.ask(BUILDINGS), campus.ask(BUILDINGS)
    told = expect.header(second, _HEADER)
    expect.that(told != expect.header(first, _HEADER), second, "another id than before", told)


def the_id_of_a_client_comes_back(campus):
    """The id of a client comes back: 1 to 64 of A-Z, a-z, 0-9, dot, underscore, hyphen."""
    for sent in ("a", "Conformance_check-1.0", "x" * 64):
        for path, status in _PATHS:
            answer = expect.status(campus.ask(path, headers={_HEADER: sent}), status)
            got = expect.header(answer, _HEADER)
            expect.that(got == sent, answer, f"{_HEADER}: {sent}", got)


def an_odd_id_of_a_client_is_replaced(campus):
    """Another id of a client is replaced by a new one."""
    for sent in ("x" * 65, "two words", "a/b", "a,b"):
        answer = expect.status(campus.ask(BUILDINGS, headers={_HEADER: sent}), 200)
        got = expect.header(answer, _HEADER)
        expect.that(got and got != sent, answer, "an id of the server's own", got)


def a_304_has_a_request_id(campus):
    """A 304 names its request too."""
    tag = expect.header(campus.ask(BUILDINGS), "ETag")
    answer = expect.status(campus.ask(BUILDINGS, headers={"If-None-Match": tag, _HEADER: "again"}), 304)
    got = expect.header(answer, _HEADER)
    expect.that(got == "again", answer, f"{_HEADER}: again", got)
