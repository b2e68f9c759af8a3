"""Errors."""

from http import HTTPStatus

from conformance import expect
from conformance.target import BUILDINGS, MENUS

_ERRORS = (("GET", f"{MENUS}?meal=lunch", 400), ("GET", "/nowhere", 404), ("POST", BUILDINGS, 405))
_MEMBERS = {
    "type": expect.TEXT,
    "title": expect.TEXT,
    "status": expect.INTEGER,
    "detail": expect.TEXT,
    "errors": expect.LIST,
    "corrected": expect.TEXT_OR_NULL,
}
_ODD = (
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
_LEAKS = (b"Traceback", b'File "', b"site-packages", b"Exception", b"pymongo", b"/home/", b"/usr/", b"Error:")


def a_path_that_leads_nowhere_is_a_404(campus):
    """A path that leads nowhere is a 404."""
    for path in ("/nowhere", "/map/nowhere", "/dining/nowhere", f"{MENUS}/1", f"{MENUS}/2026-11-20", "/Map/Buildings"):
        expect.problem(campus.ask(path), 404)


def a_path_of_bytes_that_do_not_decode_is_a_404(campus):
    """A path of bytes that are not UTF-8 is a 404."""
    for path in ("/%FF", "/map/%C3", "/dining/%E9"):
        expect.problem(campus.ask(path), 404)


def an_error_is_a_problem(campus):
    """An error is application/problem+json."""
    for answer in _errors(campus):
        expect.header(answer, "Content-Type", expect.PROBLEM)


def a_problem_has_every_member(campus):
    """An error has type, title, status, detail, errors and corrected."""
    for answer in _errors(campus):
        expect.shape(answer, answer.json, _MEMBERS)


def a_problem_has_the_status_of_its_answer(campus):
    """The status of an error's body is that of the answer, and its title the name of that status."""
    for answer in _errors(campus):
        got = (answer.json["status"], answer.json["title"])
        expected = (answer.status, HTTPStatus(answer.status).phrase)
        expect.that(got == expected, answer, str(expected), got)


def an_error_of_a_query_has_every_member(campus):
    """Each of the errors of a query has parameter, value, reason and corrected."""
    answer = campus.ask(MENUS, ("meal", "lunch"), ("recipe", "x"))
    members = dict.fromkeys(("parameter", "value", "reason"), expect.TEXT)
    for error in expect.refused(answer, ("meal", "lunch"), ("recipe", "x")):
        expect.shape(answer, error, {**members, "corrected": expect.TEXT_OR_NULL})


def an_error_is_not_kept(campus):
    """An error has Cache-Control: no-store, and no ETag."""
    for answer in _errors(campus):
        expect.header(answer, "Cache-Control", "no-store")
        expect.that("etag" not in answer.headers, answer, "no ETag", answer.headers.get("etag"))


def odd_requests_are_no_failure(campus):
    """No request, however odd, is a failure of the server."""
    for path in _ODD:
        answer = campus.ask(path)
        expect.that(answer.status in (200, 400, 404), answer, "200, 400 or 404", answer.status)


def an_answer_tells_nothing_of_the_server(campus):
    """An error never has the text of an exception, nor a path of the server."""
    for answer in (*_errors(campus), *map(campus.ask, _ODD)):
        # What was asked may come back.
        told = [leak for leak in _LEAKS if leak in answer.body and leak.decode() not in answer.url]
        expect.that(not told, answer, "nothing of what happened inside", told)


def _errors(campus):
    return [expect.status(campus.ask(path, method=method), status) for method, path, status in _ERRORS]
