"""Errors."""

from http import HTTPStatus

from conformance import expect
from conformance.expect import Response
from conformance.target import BUILDINGS, MENUS, Target

_ERRORS = (("GET", f"{MENUS}?meal=lunch", 400), ("GET", "/nowhere", 404), ("POST", BUILDINGS, 405))
_FIELDS = {
    "type": expect.STRING,
    "title": expect.STRING,
    "status": expect.INTEGER,
    "detail": expect.STRING,
    "errors": expect.ARRAY,
    "corrected": expect.STRING_OR_NULL,
}
_UNUSUAL = (
    "/map/buildings?name=%00",
    "/map/buildings?name[$regex]=.*&name=$where&address=%F0%9F%8D%95",
    f"/map/buildings?{'&' * 500}",
    f"/map/buildings?address={'%28' * 1000}",
    "/dining/menus?recipe=%00&date=%0D%0A",
    "/dining/menus?date=%7B%22%24gt%22%3A%22%22%7D&meal[$ne]=1",
    f"/dining/menus?location=1{'0' * 5000}",
    "/dining/recipes/%00",
    "/dining/recipes/%7B%22$gt%22:0%7D",
    "/map/buildings/..%2F..%2Fetc%2Fpasswd",
    "//map//buildings",
    f"/{'a/' * 500}",
)
_INTERNALS = (b"Traceback", b'File "', b"site-packages", b"Exception", b"pymongo", b"/home/", b"/usr/", b"Error:")


def unknown_paths_are_404(target: Target) -> None:
    """An unknown path is a 404."""
    for path in ("/nowhere", "/map/nowhere", "/dining/nowhere", f"{MENUS}/1", f"{MENUS}/2026-11-20", "/Map/Buildings"):
        expect.problem(target.request(path), 404)


def invalid_utf_8_paths_are_404(target: Target) -> None:
    """A path that is not valid UTF-8 is a 404."""
    for path in ("/%FF", "/map/%C3", "/dining/%E9"):
        expect.problem(target.request(path), 404)


def errors_are_problem_json(target: Target) -> None:
    """An error is application/problem+json (RFC 9457)."""
    for response in _errors(target):
        expect.header(response, "Content-Type", expect.PROBLEM_JSON)


def errors_have_all_fields(target: Target) -> None:
    """An error has type, title, status, detail, errors and corrected."""
    for response in _errors(target):
        expect.has_fields(response, response.json, _FIELDS)


def error_bodies_match_the_status(target: Target) -> None:
    """The status and title of an error body match the response status."""
    for response in _errors(target):
        actual = (response.json["status"], response.json["title"])
        expected = (response.status, HTTPStatus(response.status).phrase)
        expect.check(actual == expected, response, str(expected), actual)


def query_errors_have_all_fields(target: Target) -> None:
    """Each error of a query has parameter, value, reason and corrected."""
    response = target.request(MENUS, ("meal", "lunch"), ("recipe", "x"))
    fields = dict.fromkeys(("parameter", "value", "reason"), expect.STRING)
    for error in expect.bad_request(response, ("meal", "lunch"), ("recipe", "x")):
        expect.has_fields(response, error, {**fields, "corrected": expect.STRING_OR_NULL})


def errors_are_not_cacheable(target: Target) -> None:
    """An error has Cache-Control: no-store and no ETag."""
    for response in _errors(target):
        expect.header(response, "Cache-Control", "no-store")
        expect.no_header(response, "ETag")


def unusual_requests_are_not_server_errors(target: Target) -> None:
    """Unusual requests never cause a server error."""
    for path in _UNUSUAL:
        response = target.request(path)
        expect.check(response.status in (200, 400, 404), response, "200, 400 or 404", response.status)


def errors_reveal_no_internals(target: Target) -> None:
    """An error reveals neither exceptions nor server paths."""
    for response in (*_errors(target), *map(target.request, _UNUSUAL)):
        # A response may repeat its request.
        leaks = [text for text in _INTERNALS if text in response.body and text.decode() not in response.url]
        expect.check(not leaks, response, "no internals of the server", leaks)


def _errors(target: Target) -> list[Response]:
    return [expect.status(target.request(path, method=method), status) for method, path, status in _ERRORS]
