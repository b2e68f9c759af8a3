"""MongoDB stopped and killed under traffic: what was answered before keeps coming, and all is well again by itself."""

import json
import time
from itertools import count, cycle
from math import inf
from statistics import median
from types import SimpleNamespace

import pytest
from pymongo import MongoClient

from loaders.publishing.plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import TODAY, row, serving
from tests.service.mongod import Mongod
from tests.service.processes import IMPATIENT, ROOT, fetch, spawning, wait_for
from tests.service.traffic import traffic
from tests.service.warm import TOMORROW, filled, health, ready

PRODUCTION = ROOT / "production.ini"
# Prepared at the start, and for nobody; the last one was asked for before.
KNOWN = ["/map/buildings", "/dining/recipes", "/dining/locations", "/dining/menus", "/map/buildings/1"]
PREPARED = [*KNOWN[:4], "/dining/categories", f"/dining/menus?date={TODAY}", f"/dining/menus?date={TOMORROW}"]
# Seconds: mongo.timeout_ms, and how long an outage lasts.
TIMEOUT, LASTS = 1, 6

ENDS = {"stopped": (Mongod.stand_still, Mongod.go_on), "killed": (Mongod.kill, Mongod.start)}
EACH_END = ["killed", pytest.param("stopped", marks=pytest.mark.slow)]
each_end = pytest.mark.parametrize("end", EACH_END)


@pytest.fixture
def mongod(tmp_path):
    with filled(tmp_path) as mongod:
        yield mongod


@pytest.fixture
def server(spawn, mongod):
    return ready(spawn, mongod)


@pytest.fixture(scope="module", params=EACH_END)
def outage(request, tmp_path_factory):
    """An outage under traffic, and what clients of known and of new answers got before, in and after it."""
    begin, finish = ENDS[request.param]
    folder = tmp_path_factory.mktemp("outage")
    with filled(folder) as mongod, spawning(folder) as spawn:
        new = [(f"/map/buildings/{number}{id_:06}" for id_ in count()) for number in (1, 2, 3)]
        with traffic(ready(spawn, mongod).url, cycle(KNOWN), cycle(KNOWN), *new) as clients:
            wait_for(lambda: all(client.answers for client in clients))
            begin(mongod)
            wait_for(lambda: all(is_stale(client.answers[-1]) for client in clients[:2]))
            noticed = time.monotonic()
            time.sleep(LASTS)
            ended = time.monotonic()
            finish(mongod)
            wait_for(lambda: all(is_fresh(client.answers[-1]) for client in clients))
            again = time.monotonic()
            wait_for(lambda: all(client.answers[-1].asked_at > again for client in clients))
    known, new = ([answer for client in group for answer in client.answers] for group in (clients[:2], clients[2:]))
    return SimpleNamespace(known=known, new=new, noticed=noticed, ended=ended, again=again)


def is_stale(answer):
    return (
        answer.status == 200
        and answer.headers["Cache-Status"] == "campus; fwd=stale"
        and answer.headers["Age"] is not None
    )


def is_fresh(answer):
    return answer.status in (200, 404) and answer.headers["Cache-Status"] is answer.headers["Age"] is None


def between(answers, start, end):
    found = [answer for answer in answers if start <= answer.asked_at and answer.asked_at + answer.seconds <= end]
    assert found
    return found


@pytest.mark.slow
def test_no_answer_waits_for_the_end_of_an_outage(outage):
    assert max(answer.seconds for answer in outage.known + outage.new) < LASTS


@pytest.mark.slow
def test_in_an_outage_what_was_answered_before_keeps_coming(outage):
    assert {answer.status for answer in outage.known} == {200}


@pytest.mark.slow
def test_in_an_outage_what_was_answered_before_is_called_stale_and_says_its_age(outage):
    answers = between(outage.known, outage.noticed, outage.ended)

    assert all(is_stale(answer) for answer in answers)
    # Between which times MongoDB answered last, as the age of each answer has it.
    earliest = max(answer.asked_at - int(answer.headers["Age"]) - 1 for answer in answers)
    latest = min(answer.asked_at + answer.seconds - int(answer.headers["Age"]) for answer in answers)
    assert earliest < latest < outage.noticed


@pytest.mark.slow
def test_in_an_outage_what_was_never_answered_is_a_503_at_once(outage):
    answers = between(outage.new, outage.noticed, outage.ended)

    assert {answer.status for answer in answers} == {503}
    assert {answer.headers["Content-Type"] for answer in answers} == {"application/problem+json"}
    assert {answer.headers["Retry-After"] for answer in answers} == {"5"}
    # Of those that were waiting for MongoDB most would have waited for so long.
    assert median(answer.seconds for answer in answers) < TIMEOUT


@pytest.mark.slow
def test_after_an_outage_every_answer_is_fresh_again(outage):
    assert all(is_fresh(answer) for answer in between(outage.known + outage.new, outage.again, inf))


@pytest.mark.slow
@each_end
def test_the_full_lists_and_the_menus_of_now_are_there_though_nobody_asked_for_them(mongod, server, end):
    ENDS[end][0](mongod)

    answers = wait_for(lambda: [fetch(server.url + path) for path in PREPARED])

    assert [answer.status for answer in answers] == [200] * len(PREPARED)
    assert json.loads(answers[-1].body) == [row(2, "Soup", date=TOMORROW)]


def test_in_an_outage_menus_say_what_they_said_of_days_beside_them_and_why_they_are_empty(mongod, server):
    url = f"{server.url}/dining/menus?date={TODAY}&meal=2"
    before = fetch(url)

    mongod.kill()

    after = wait_for(lambda: (answer := fetch(url)).headers["Cache-Status"] and answer)
    said = [(answer.headers["Link"], answer.headers["X-Campus-Empty"]) for answer in (before, after)]
    assert said == [(f'<?date={TOMORROW}&meal=2>; rel="next"', "no-match")] * 2


@pytest.mark.slow
def test_after_a_load_the_lists_are_prepared_again(mongod, server):
    longer = "Stew in place of soup"
    before = health(server)["cache"]["bytes"]
    with MongoClient(mongod.uri(), tz_aware=True) as client:
        database = client.get_default_database()
        publish(database, plan_dining(database, [serving(2, longer, date=TOMORROW)]), [])
    wait_for(lambda: health(server)["cache"]["bytes"] > before)

    mongod.kill()

    tomorrow = fetch(f"{server.url}/dining/menus?date={TOMORROW}")
    assert json.loads(tomorrow.body) == [row(2, longer, date=TOMORROW)]


@pytest.mark.slow
def test_a_response_from_before_the_last_load_says_so_in_an_outage(mongod, server):
    url = f"{server.url}/dining/menus?date={TOMORROW}&meal=2"
    before = fetch(url)
    with MongoClient(mongod.uri(), tz_aware=True) as client:
        database = client.get_default_database()
        publish(database, plan_dining(database, [serving(2, "Stew", date=TOMORROW, meal=2)]), [])
    published = time.monotonic()
    wait_for(lambda: health(server)["datasets"]["dining"]["revision"] == 2)

    mongod.kill()
    wait_for(lambda: health(server)["database"] == "down")
    time.sleep(2)

    after = fetch(url)
    assert (after.status, after.body) == (200, before.body)
    assert after.headers["Cache-Status"] == "campus; fwd=stale; detail=superseded"
    assert 2 <= int(after.headers["Age"]) <= time.monotonic() - published + 1


@pytest.mark.slow
@each_end
def test_the_service_starts_without_its_database_and_recovers(mongod, serve, end):
    begin, finish = ENDS[end]
    begin(mongod)
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod.uri(), **IMPATIENT)
    away = fetch(f"{server.url}/dining/recipes")

    finish(mongod)

    assert (away.status, away.headers["Content-Type"]) == (503, "application/problem+json")
    assert away.headers["Retry-After"]
    again = wait_for(lambda: (answer := fetch(f"{server.url}/dining/recipes")).status == 200 and answer)
    assert is_fresh(again)
