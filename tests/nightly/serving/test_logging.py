"""Log lines of real servers."""

import json
import re
from urllib.request import Request, urlopen

from tests.processes.commands import DEADLINE, PRODUCTION, wait_for


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
