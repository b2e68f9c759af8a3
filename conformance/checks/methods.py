"""Methods."""

from conformance import expect
from conformance.expect import Response
from conformance.target import BUILDINGS, MENUS, Target

# These may differ between two responses.
_IGNORED_HEADERS = ("date", "x-request-id", "connection", "keep-alive", "age", "cache-control")


def post_is_not_allowed(target: Target) -> None:
    """POST is a 405 with an Allow header."""
    _expect_method_not_allowed(target, "POST")


def put_is_not_allowed(target: Target) -> None:
    """PUT is a 405 with an Allow header."""
    _expect_method_not_allowed(target, "PUT")


def delete_is_not_allowed(target: Target) -> None:
    """DELETE is a 405 with an Allow header."""
    _expect_method_not_allowed(target, "DELETE")


def patch_is_not_allowed(target: Target) -> None:
    """PATCH is a 405 with an Allow header."""
    _expect_method_not_allowed(target, "PATCH")


def methods_are_checked_first(target: Target) -> None:
    """Other methods are a 405 even if the path is unknown or the query invalid."""
    for path in (f"{MENUS}?meal=lunch", "/nowhere", f"{BUILDINGS}/x"):
        expect.problem(target.request(path, method="POST"), 405)


def head_has_no_body(target: Target) -> None:
    """HEAD has no body."""
    for path in target.resources:
        response = expect.status(target.request(path, method="HEAD"), 200)
        expect.no_body(response)


def head_has_the_headers_of_get(target: Target) -> None:
    """HEAD has the headers of GET, including Content-Length."""
    for path in target.resources:
        get, head = target.request(path), target.request(path, method="HEAD")
        expected, actual = _comparable_headers(get), _comparable_headers(head)
        missing = dict(expected.items() - actual.items())
        unexpected = dict(actual.items() - expected.items())
        expect.check(actual == expected, head, f"the headers {missing}", unexpected)


def head_has_the_status_of_get(target: Target) -> None:
    """HEAD of an error has the status of GET."""
    for path, status in ((f"{MENUS}?meal=lunch", 400), ("/nowhere", 404), (f"{BUILDINGS}/x", 404)):
        response = expect.status(target.request(path, method="HEAD"), status)
        expect.no_body(response)


def options_is_a_204(target: Target) -> None:
    """OPTIONS is a 204 with an Allow header and without a body."""
    for path in (BUILDINGS, MENUS):
        response = expect.status(target.request(path, method="OPTIONS"), 204)
        expect.header(response, "Allow", "GET", "HEAD", "OPTIONS")
        expect.no_body(response)


def _expect_method_not_allowed(target: Target, method: str) -> None:
    for path in target.resources:
        response = target.request(path, method=method)
        expect.problem(response, 405)
        expect.header(response, "Allow", "GET", "HEAD", "OPTIONS")


def _comparable_headers(response: Response) -> dict[str, str]:
    return {name: value for name, value in response.headers.items() if name not in _IGNORED_HEADERS}
