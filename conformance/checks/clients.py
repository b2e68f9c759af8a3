"""What clients rely on."""

from conformance import expect
from conformance.target import LISTS, MENUS, Parameter, Target

_ORIGIN = "https://app.example"


def data_allows_any_origin(target: Target) -> None:
    """Web pages of any origin may read data (CORS)."""
    for path in LISTS:
        response = expect.status(target.request(path, headers={"Origin": _ORIGIN}), 200)
        actual = response.headers.get("access-control-allow-origin")
        expect.check(actual in ("*", _ORIGIN), response, "Access-Control-Allow-Origin: *", actual)


def repeated_requests_have_the_same_body(target: Target) -> None:
    """The same request has the same bytes each time: clients hash them."""
    for path in LISTS:
        _expect_same_body(target, path)
    _expect_same_body(target, MENUS, *target.sample_dates)


def _expect_same_body(target: Target, path: str, *parameters: Parameter) -> None:
    first, second = (target.request(path, *parameters) for _ in range(2))
    expect.check(second.body == first.body, second, "the same body as before", second.body[:100])
