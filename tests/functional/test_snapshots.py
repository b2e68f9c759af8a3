"""Requests that begin before a load is published and end after it."""

from campus_api.db.stores import Stores
from tests.factories import TODAY, row, serving

TOMORROW = "2026-11-21"


def test_all_queries_of_a_request_read_one_revision(service):
    service.serve_dining(serving(1), serving(2, date=TOMORROW))
    menus = Stores(service.revisions.snapshot()).menus

    service.serve_dining(serving(3), serving(4, date="2026-11-22"))

    assert menus.find([TODAY, TOMORROW]) == [row(1), row(2, date=TOMORROW)]
    assert (menus.adjacent_dates(TOMORROW), menus.is_open("2026-11-22")) == ((TODAY, None), None)


def test_the_next_request_reads_the_revision_that_was_published(service):
    before = Stores(service.revisions.snapshot()).menus.find([TODAY])

    service.serve_dining(serving(1))

    assert (before, Stores(service.revisions.snapshot()).menus.find([TODAY])) == ([], [row(1)])


def test_a_request_that_is_two_loads_late_still_reads_its_revision(service):
    service.serve_dining(serving(1))
    menus = Stores(service.revisions.snapshot()).menus

    for recipe in (2, 3, 4):
        service.serve_dining(serving(recipe))

    assert menus.find([TODAY]) == [row(1)]
