"""The cached menus at midnight in the time zone of the campus."""

import json
import struct
from datetime import UTC, datetime, timedelta, timezone

import pytest
from pymongo import MongoClient

from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import row, serving
from tests.processes.commands import IMPATIENT, ROOT, fetch, wait_for
from tests.processes.mongod import Mongod
from tests.processes.servers import WARM_ENTRIES, health

HALF_A_DAY = 43200


@pytest.fixture
def mongod(tmp_path):
    mongod = Mongod(tmp_path)
    yield mongod
    mongod.kill()


@pytest.fixture
def serve_before_midnight(serve, mongod, tmp_path):
    """Start the service in a time zone with midnight in `seconds`; return it, the midnight and three dates."""

    def start(seconds):
        midnight = write_zone(tmp_path / "Campus", seconds)
        with MongoClient(mongod.uri(), tz_aware=True) as client:
            database = client.get_default_database()
            dates = [(midnight + timedelta(days=days)).date().isoformat() for days in (-1, 0, 1)]
            servings = [serving(1 + number, date=date) for number, date in enumerate(dates)]
            publish(database, plan_dining(database, servings), [])
        zone = {"PYTHONTZPATH": str(tmp_path), "CAMPUS_CLOCK_TIME_ZONE": "Campus"}
        return serve(ROOT / "production.ini", CAMPUS_MONGO_URI=mongod.uri(), **IMPATIENT, **zone), midnight, dates

    return start


def write_zone(path, seconds):
    """Write a time zone with a fixed offset in which it is midnight in `seconds`, and return that time."""
    midnight = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=seconds)
    ahead = -timedelta(hours=midnight.hour, minutes=midnight.minute, seconds=midnight.second)
    if ahead.total_seconds() < -HALF_A_DAY:
        ahead += timedelta(days=1)
    # A TZif file (RFC 9636) without transitions: one local time type with a designation of four bytes.
    header = b"TZif" + bytes(16) + struct.pack(">6L", 0, 0, 0, 0, 1, 4)
    path.write_bytes(header + struct.pack(">lBB", int(ahead.total_seconds()), 0, 0) + b"CAM\0")
    return midnight.astimezone(timezone(ahead))


def test_after_midnight_the_menus_of_the_new_day_are_served_in_an_outage(serve_before_midnight, mongod):
    server, midnight, dates = serve_before_midnight(40)
    wait_for(lambda: health(server)["cache"]["entries"] == WARM_ENTRIES)
    mongod.kill()
    before = fetch(f"{server.url}/dining/menus")
    assert datetime.now(UTC) < midnight

    wait_for(lambda: datetime.now(UTC) > midnight, seconds=60)

    after = fetch(f"{server.url}/dining/menus")
    assert json.loads(before.body) == [row(1, date=dates[0])]
    assert json.loads(after.body) == [row(2, date=dates[1])]
    assert (after.status, after.headers["Cache-Status"]) == (200, "campus; fwd=stale")


def test_after_midnight_the_menus_of_the_next_day_are_warmed_up(serve_before_midnight, mongod):
    server, midnight, dates = serve_before_midnight(40)
    wait_for(lambda: health(server)["cache"]["entries"] == WARM_ENTRIES)
    assert datetime.now(UTC) < midnight
    wait_for(lambda: health(server)["cache"]["entries"] == WARM_ENTRIES + 3, seconds=60)

    mongod.kill()

    assert json.loads(fetch(f"{server.url}/dining/menus?date={dates[2]}").body) == [row(3, date=dates[2])]
