"""What real servers log."""

import json
import re
from urllib.request import Request, urlopen

import pytest

from loaders.publishing.plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import serving
from tests.loaders.live import live_collection
from tests.service.accounts import PASSWORD, READER, secrets_in
from tests.service.processes import IMPATIENT, ROOT, fetch, serve_samples, wait_for

PRODUCTION = ROOT / "production.ini"
TRACEBACK = "Traceback (most recent call last):"


def lines(server):
    said = [line for line in server.said().splitlines() if not line.startswith("Starting server")]
    return [json.loads(line) for line in said]


def test_production_logs_a_request_as_fields(serve, mongod_uri):
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri, CAMPUS_LOG_ACCESS="true")
    asked = Request(f"{server.url}/map/buildings?name=x%20y", headers={"X-Request-Id": "monday", "User-Agent": "me/1"})

    with urlopen(asked, timeout=10) as answer:
        answer.read()

    line = wait_for(lambda: next((line for line in lines(server) if line.get("request_id") == "monday"), None))
    assert re.fullmatch(r"GET /map/buildings\?name=x%20y: 200, 2 bytes in [0-9.]+ ms", line.pop("message"))
    assert (isinstance(line.pop("duration_ms"), float), bool(line.pop("asctime"))) == (True, True)
    assert line == {
        "levelname": "INFO",
        "name": "campus_api.access",
        "method": "GET",
        "path": "/map/buildings",
        "query": "name=x%20y",
        "status": 200,
        "bytes": 2,
        "user_agent": "me/1",
        "request_id": "monday",
    }


def test_development_logs_a_request_as_text(spawn, ini):
    server = serve_samples(spawn, ini(), CAMPUS_LOG_ACCESS="true")

    id_ = fetch(f"{server.url}/map/buildings/116").headers["X-Request-Id"]

    line = wait_for(lambda: next((line for line in server.said().splitlines() if id_ in line), None))
    assert re.search(rf" INFO  \S+: GET /map/buildings/116: 200, \d+ bytes in \S+ ms \[{id_}\]$", line)


def test_a_failure_is_one_line_and_the_client_is_told_its_id_only(serve, mongod_uri, mongod_database):
    publish(mongod_database, plan_dining(mongod_database, [serving()]), [])
    live_collection(mongod_database, "recipes").insert_one({"_id": 5})
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri)

    answer = fetch(f"{server.url}/dining/recipes")

    id_ = answer.headers["X-Request-Id"]
    (line,) = [line for line in lines(server) if line.get("request_id") == id_]
    assert (answer.status, line["levelname"]) == (500, "ERROR")
    assert (line["exc_info"].partition("\n")[0], line["exc_info"].rpartition("\n")[2]) == (
        TRACEBACK,
        "KeyError: 'name'",
    )
    assert json.loads(answer.body)["detail"] == f"The request failed. The error was logged as {id_}."


def test_a_password_is_in_no_log_line_and_no_answer(serve, guarded):
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=guarded.uri(READER), CAMPUS_LOG_ACCESS="true", **IMPATIENT)
    paths = ["/map/buildings", "/dining/menus?meal=x", "/nowhere", "/dining/recipes"]

    answers = [fetch(server.url + path) for path in paths]
    guarded.kill()
    answers += [fetch(server.url + path) for path in paths]

    assert {answer.status for answer in answers} >= {200, 400, 404}
    assert [secrets_in(f"{answer.headers}{answer.body.decode()}") for answer in answers] == [[]] * len(answers)
    assert ("GET /nowhere: 404" in server.said(), secrets_in(server.said())) == (True, [])


def test_a_password_is_in_no_log_line_while_the_database_is_down(serve, guarded):
    guarded.kill()
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=guarded.uri(READER), **IMPATIENT)

    answer = fetch(f"{server.url}/map/buildings")

    assert answer.status == 503
    assert "MongoDB is not available" in server.said()
    assert secrets_in(f"{server.said()}{answer.headers}{answer.body.decode()}") == []


@pytest.mark.parametrize(
    "uri",
    [
        f"mongodb://{READER}db.example.edu:many/campus",
        f"mongodb://{READER}db.example.edu/a b",
        f"mongodb://{READER}db.example.edu/campus?authSource=",
        f"mongodb://reader:{PASSWORD}@db.example.edu/campus",
        f"mongo://{READER}db.example.edu/campus",
    ],
)
def test_a_password_is_in_no_line_of_a_bad_start(spawn, uri):
    server = spawn("pserve", PRODUCTION, "http_port=0", CAMPUS_MONGO_URI=uri)

    assert server.wait() == 1
    assert ("mongo.uri" in server.said(), secrets_in(server.said())) == (True, [])
