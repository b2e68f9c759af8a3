"""Trailing slashes."""

from conformance import expect
from conformance.target import BUILDINGS, COLLECTIONS, LISTS, MENUS, Target


def lists_accept_a_trailing_slash(target: Target) -> None:
    """A list with a trailing slash has the same body, without a redirect."""
    for path in LISTS:
        expect.same_body(target.request(f"{path}/"), expect.status(target.request(path), 200))


def items_accept_a_trailing_slash(target: Target) -> None:
    """An item with a trailing slash has the same body, without a redirect."""
    items = target.resources[len(LISTS) :]
    expect.require(items, "every list is empty")
    for path in items:
        expect.same_body(target.request(f"{path}/"), expect.status(target.request(path), 200))


def queries_accept_a_trailing_slash(target: Target) -> None:
    """A query after a trailing slash has the same effect."""
    expect.bad_request(target.request(f"{MENUS}/?meal=lunch"), ("meal", "lunch"))
    query = "?name=a&address=a"
    expect.same_body(target.request(f"{BUILDINGS}/{query}"), expect.status(target.request(f"{BUILDINGS}{query}"), 200))


def invalid_ids_with_a_trailing_slash_are_404(target: Target) -> None:
    """An invalid ID with a trailing slash is a 404."""
    for path in COLLECTIONS:
        expect.problem(target.request(f"{path}/x/"), 404)
