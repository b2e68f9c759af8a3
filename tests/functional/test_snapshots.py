"""Requests and polls that begin before a load is published and end after it."""

from threading import Event, Thread

from pymongo import MongoClient
from pymongo.monitoring import CommandListener

from campus_api.db.revisions import RevisionMonitor
from campus_api.db.stores import Stores
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import TODAY, row, serving
from tests.processes.commands import DEADLINE

TOMORROW = "2026-11-21"


class HeldReply(CommandListener):
    """Holds back the first reply to `find` until it is released."""

    def __init__(self):
        self.arrived, self.released = Event(), Event()

    def started(self, event):
        pass

    def failed(self, event):
        pass

    def succeeded(self, event):
        if event.command_name == "find" and not self.arrived.is_set():
            self.arrived.set()
            self.released.wait(DEADLINE)


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


def test_an_older_poll_does_not_replace_the_result_of_a_newer_one(mongod_uri, mongod_database):
    publish(mongod_database, plan_dining(mongod_database, [serving(1)]), [])
    reply = HeldReply()
    with MongoClient(mongod_uri, tz_aware=True, event_listeners=[reply]) as client:
        revisions = RevisionMonitor(client.get_default_database())
        polls = [Thread(target=revisions.poll) for _ in range(2)]
        polls[0].start()
        assert reply.arrived.wait(DEADLINE)
        publish(mongod_database, plan_dining(mongod_database, [serving(2)]), [])
        polls[1].start()
        # It would end if it did not wait for the first one.
        polls[1].join(timeout=1)
        reply.released.set()
        for poll in polls:
            poll.join()

    assert revisions.latest.record("dining")["revision"] == 2
