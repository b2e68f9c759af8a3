"""Log lines of real servers."""

import json
import re
import subprocess
import sys
from urllib.request import Request, urlopen

from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import serving
from tests.loaders.live import live_collection
from tests.processes.commands import DEADLINE, PRODUCTION, fetch, serve_samples, wait_for

FORKING = """
import os
from campus_api.http import request_id

def new():
    return request_id.bind_request_id({})

first = new()
reading, writing = os.pipe()
child = os.fork()
if child == 0:
    os.write(writing, new().encode())
    os._exit(0)
os.waitpid(child, 0)
print(first, new(), os.read(reading, 100).decode())
"""


def lines(server):
    text_lines = [line for line in server.output().splitlines() if not line.startswith("Starting server")]
    return [json.loads(line) for line in text_lines]


def test_production_logs_a_request_as_fields(serve):
    server = serve(PRODUCTION, CAMPUS_MONGO_URI="mongomock://", CAMPUS_LOG_ACCESS="true")
    headers = {"X-Request-Id": "monday", "User-Agent": "me/1"}
    with urlopen(Request(f"{server.url}/map/buildings?name=x%20y", headers=headers), timeout=DEADLINE) as response:
        response.read()

    line = wait_for(lambda: next((line for line in lines(server) if line.get("request_id") == "monday"), None))

    assert re.fullmatch(r"GET /map/buildings\?name=x%20y: 200, 2 bytes in [0-9.]+ ms", line.pop("message"))
    assert isinstance(line.pop("duration_ms"), float)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("asctime"))
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

    line = wait_for(lambda: next((line for line in server.output().splitlines() if id_ in line), None))
    assert re.search(rf" INFO  \S+: GET /map/buildings/116: 200, \d+ bytes in \S+ ms \[{id_}\]$", line)


def test_an_exception_is_one_log_line_and_the_client_gets_only_its_id(serve, mongod_uri, mongod_database):
    publish(mongod_database, plan_dining(mongod_database, [serving()]), [])
    live_collection(mongod_database, "recipes").insert_one({"_id": 5, "name": b""})
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri)

    response = fetch(f"{server.url}/dining/recipes")

    id_ = response.headers["X-Request-Id"]
    (line,) = [line for line in lines(server) if line.get("request_id") == id_]
    assert (response.status, line["levelname"]) == (500, "ERROR")
    assert line["exc_info"].startswith("Traceback (most recent call last):\n")
    assert line["exc_info"].endswith("\nTypeError: Type is not JSON serializable: bytes")
    assert json.loads(response.body)["detail"] == f"The request failed. The error was logged as {id_}."


def test_a_forked_worker_has_its_own_prefix():
    output = subprocess.run([sys.executable, "-c", FORKING], capture_output=True, text=True, check=True)
    first, second, forked = output.stdout.split()

    assert first.partition("-")[0] == second.partition("-")[0] != forked.partition("-")[0]
