"""Methods."""

from conformance import expect
from conformance.target import BUILDINGS, MENUS

# Of two answers these may differ, or were made for one connection.
_PASSING = ("date", "x-request-id", "connection", "keep-alive", "age", "cache-control")


def post_is_not_allowed(campus):
    """POST is a 405 that says in Allow what is."""
    _is_not_allowed(campus, "POST")


def put_is_not_allowed(campus):
    """PUT is a 405 that says in Allow what is."""
    _is_not_allowed(campus, "PUT")


def delete_is_not_allowed(campus):
    """DELETE is a 405 that says in Allow what is."""
    _is_not_allowed(campus, "DELETE")


def patch_is_not_allowed(campus):
    """PATCH is a 405 that says in Allow what is."""
    _is_not_allowed(campus, "PATCH")


def other_methods_are_not_allowed_anywhere(campus):
    """Other methods are a 405 whatever the path, and whatever else is wrong."""
    for path in (f"{MENUS}?meal=lunch", "/nowhere", f"{BUILDINGS}/x"):
        expect.problem(campus.ask(path, method="POST"), 405)


def head_has_no_body(campus):
    """HEAD has no body."""
    for path in campus.resources:
        answer = expect.status(campus.ask(path, method="HEAD"), 200)
        expect.that(answer.body == b"", answer, "no body", answer.body[:100])


def head_has_the_headers_of_get(campus):
    """HEAD has the headers of GET, the length of its body among them."""
    for path in campus.resources:
        get, head = campus.ask(path), campus.ask(path, method="HEAD")
        expected, got = ({k: v for k, v in each.headers.items() if k not in _PASSING} for each in (get, head))
        differ = sorted(name for name in {*expected, *got} if expected.get(name) != got.get(name))
        expect.that(not differ, head, f"{[expected.get(name) for name in differ]} in {differ}", _named(got, differ))


def head_has_the_status_of_get(campus):
    """HEAD of what is an error has its status."""
    for path, status in ((f"{MENUS}?meal=lunch", 400), ("/nowhere", 404), (f"{BUILDINGS}/x", 404)):
        answer = expect.status(campus.ask(path, method="HEAD"), status)
        expect.that(answer.body == b"", answer, "no body", answer.body[:100])


def options_is_a_204(campus):
    """OPTIONS is a 204 without a body that says in Allow what is allowed."""
    for path in (BUILDINGS, MENUS):
        answer = expect.status(campus.ask(path, method="OPTIONS"), 204)
        expect.header(answer, "Allow", "GET", "HEAD", "OPTIONS")
        expect.that(answer.body == b"", answer, "no body", answer.body[:100])


def _is_not_allowed(campus, method):
    for path in campus.resources:
        answer = campus.ask(path, method=method)
        expect.problem(answer, 405)
        expect.header(answer, "Allow", "GET", "HEAD", "OPTIONS")


def _named(headers, names):
    return [headers.get(name) for name in names]
