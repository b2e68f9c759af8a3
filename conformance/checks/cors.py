"""CORS."""

from conformance import expect
from conformance.expect import Response
from conformance.target import BUILDINGS, MENUS, Target

_ORIGIN = {"Origin": "https://app.example"}
_PREFLIGHT = {
    **_ORIGIN,
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "if-none-match, x-request-id",
}


def data_allows_any_origin(target: Target) -> None:
    """Data allows any origin."""
    for path in target.resources:
        _expect_any_origin(expect.status(target.request(path, headers=_ORIGIN), 200))


def allow_origin_is_unconditional(target: Target) -> None:
    """Access-Control-Allow-Origin is sent with or without an Origin header."""
    for path in target.resources:
        _expect_any_origin(expect.status(target.request(path), 200))


def head_allows_any_origin(target: Target) -> None:
    """HEAD allows any origin."""
    _expect_any_origin(expect.status(target.request(BUILDINGS, method="HEAD", headers=_ORIGIN), 200))


def not_modified_allows_any_origin(target: Target) -> None:
    """A 304 allows any origin."""
    tag = expect.header(target.request(BUILDINGS), "ETag")
    _expect_any_origin(expect.status(target.request(BUILDINGS, headers={**_ORIGIN, "If-None-Match": tag}), 304))


def bad_request_allows_any_origin(target: Target) -> None:
    """A 400 allows any origin."""
    _expect_any_origin(expect.status(target.request(f"{MENUS}?meal=lunch", headers=_ORIGIN), 400))


def not_found_allows_any_origin(target: Target) -> None:
    """A 404 allows any origin."""
    for path in ("/nowhere", f"{BUILDINGS}/x"):
        _expect_any_origin(expect.status(target.request(path, headers=_ORIGIN), 404))


def method_not_allowed_allows_any_origin(target: Target) -> None:
    """A 405 allows any origin."""
    _expect_any_origin(expect.status(target.request(BUILDINGS, method="DELETE", headers=_ORIGIN), 405))


def preflight_is_a_204(target: Target) -> None:
    """A preflight is a 204 without a body that allows any origin, whatever the path."""
    for path in (*target.resources, "/nowhere"):
        response = expect.status(target.request(path, method="OPTIONS", headers=_PREFLIGHT), 204)
        _expect_any_origin(response)
        expect.no_body(response)


def preflight_allows_get(target: Target) -> None:
    """A preflight allows GET and HEAD."""
    response = target.request(MENUS, method="OPTIONS", headers=_PREFLIGHT)
    expect.header(response, "Access-Control-Allow-Methods", "GET", "HEAD")


def preflight_allows_the_requested_headers(target: Target) -> None:
    """A preflight allows the requested headers."""
    response = target.request(MENUS, method="OPTIONS", headers=_PREFLIGHT)
    expect.header(response, "Access-Control-Allow-Headers", "if-none-match", "x-request-id")


def preflight_is_cacheable(target: Target) -> None:
    """A preflight has Access-Control-Max-Age in seconds."""
    response = target.request(MENUS, method="OPTIONS", headers=_PREFLIGHT)
    seconds = expect.header(response, "Access-Control-Max-Age")
    expect.check(seconds.isdigit() and int(seconds) > 0, response, "a number of seconds", seconds)


def headers_are_exposed(target: Target) -> None:
    """Access-Control-Expose-Headers includes ETag, Content-Location and X-Request-Id for data and errors."""
    for path in (MENUS, BUILDINGS, "/nowhere"):
        response = target.request(path, headers=_ORIGIN)
        expect.header(response, "Access-Control-Expose-Headers", "ETag", "Content-Location", "X-Request-Id")


def _expect_any_origin(response: Response) -> None:
    actual = expect.header(response, "Access-Control-Allow-Origin")
    expect.check(actual == "*", response, "Access-Control-Allow-Origin: *", actual)
