"""Trailing slashes."""

from conformance import expect
from conformance.target import BUILDINGS, COLLECTIONS, LISTS, MENUS


def a_list_with_a_slash_is_the_same(campus):
    """A list with a trailing slash has the same bytes, without a redirect."""
    for path in LISTS:
        expect.same_body(campus.ask(f"{path}/"), expect.status(campus.ask(path), 200))


def an_item_with_a_slash_is_the_same(campus):
    """An item with a trailing slash has the same bytes, without a redirect."""
    items = campus.resources[len(LISTS) :]
    expect.given(items, "every list is empty")
    for path in items:
        expect.same_body(campus.ask(f"{path}/"), expect.status(campus.ask(path), 200))


def a_query_after_a_slash_counts(campus):
    """A query after a trailing slash counts."""
    expect.refused(campus.ask(f"{MENUS}/?meal=lunch"), ("meal", "lunch"))
    query = "?name=a&address=a"
    expect.same_body(campus.ask(f"{BUILDINGS}/{query}"), expect.status(campus.ask(f"{BUILDINGS}{query}"), 200))


def an_error_with_a_slash_is_an_error(campus):
    """An id that leads nowhere is a 404 with a trailing slash too."""
    for path in COLLECTIONS:
        expect.problem(campus.ask(f"{path}/x/"), 404)
