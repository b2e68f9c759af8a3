"""Pages of other origins."""

from conformance import expect
from conformance.target import BUILDINGS, MENUS

_ORIGIN = {"Origin": "https://app.example"}
_PREFLIGHT = {
    **_ORIGIN,
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "if-none-match, x-request-id",
}


def data_is_open_to_every_origin(campus):
    """Pages of every origin may read data."""
    for path in campus.resources:
        _is_open(expect.status(campus.ask(path, headers=_ORIGIN), 200))


def an_answer_is_open_though_no_origin_is_told(campus):
    """The header for pages of other origins is there, whether a request tells its origin or not."""
    for path in campus.resources:
        _is_open(expect.status(campus.ask(path), 200))


def head_is_open_to_every_origin(campus):
    """Pages of every origin may read the answer to HEAD."""
    _is_open(expect.status(campus.ask(BUILDINGS, method="HEAD", headers=_ORIGIN), 200))


def not_modified_is_open_to_every_origin(campus):
    """Pages of every origin may read a 304."""
    tag = expect.header(campus.ask(BUILDINGS), "ETag")
    _is_open(expect.status(campus.ask(BUILDINGS, headers={**_ORIGIN, "If-None-Match": tag}), 304))


def a_refusal_is_open_to_every_origin(campus):
    """Pages of every origin may read a 400."""
    _is_open(expect.status(campus.ask(f"{MENUS}?meal=lunch", headers=_ORIGIN), 400))


def a_404_is_open_to_every_origin(campus):
    """Pages of every origin may read a 404."""
    for path in ("/nowhere", f"{BUILDINGS}/x"):
        _is_open(expect.status(campus.ask(path, headers=_ORIGIN), 404))


def a_405_is_open_to_every_origin(campus):
    """Pages of every origin may read a 405."""
    _is_open(expect.status(campus.ask(BUILDINGS, method="DELETE", headers=_ORIGIN), 405))


def a_preflight_is_a_204(campus):
    """A preflight is a 204 without a body, open to every origin, whatever the path."""
    for path in (*campus.resources, "/nowhere"):
        answer = expect.status(campus.ask(path, method="OPTIONS", headers=_PREFLIGHT), 204)
        _is_open(answer)
        expect.that(answer.body == b"", answer, "no body", answer.body[:100])


def a_preflight_allows_get(campus):
    """A preflight allows GET and HEAD."""
    answer = campus.ask(MENUS, method="OPTIONS", headers=_PREFLIGHT)
    expect.header(answer, "Access-Control-Allow-Methods", "GET", "HEAD")


def a_preflight_allows_the_headers_asked_for(campus):
    """A preflight allows the headers that the page asks for."""
    answer = campus.ask(MENUS, method="OPTIONS", headers=_PREFLIGHT)
    expect.header(answer, "Access-Control-Allow-Headers", "if-none-match", "x-request-id")


def a_preflight_may_be_kept(campus):
    """A preflight says for how many seconds it counts."""
    answer = campus.ask(MENUS, method="OPTIONS", headers=_PREFLIGHT)
    seconds = expect.header(answer, "Access-Control-Max-Age")
    expect.that(seconds.isdigit() and int(seconds) > 0, answer, "a number of seconds", seconds)


def scripts_may_read_the_headers(campus):
    """Scripts may read ETag, Content-Location and X-Request-Id of data and of errors."""
    for path in (MENUS, BUILDINGS, "/nowhere"):
        answer = campus.ask(path, headers=_ORIGIN)
        expect.header(answer, "Access-Control-Expose-Headers", "ETag", "Content-Location", "X-Request-Id")


def _is_open(answer):
    got = expect.header(answer, "Access-Control-Allow-Origin")
    expect.that(got == "*", answer, "Access-Control-Allow-Origin: *", got)
