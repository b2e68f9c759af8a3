"""The metrics of a real server, and the alerts in deploy/ that read them."""

import re
import shutil
import subprocess
from pathlib import Path

from tests.processes.commands import ROOT, fetch, wait_for
from tests.processes.servers import start_granian
from tests.programs import require

ALERTS = ROOT / "deploy" / "alerts.yml"
CASES = Path(__file__).with_name("alert_cases.yml")
# Each request has its own connection, so that both workers serve some.
REQUESTS = 40


def promtool(*arguments, **options):
    command = [require("promtool"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def test_alerts_fire_for_what_they_say(tmp_path):
    shutil.copy(ALERTS, tmp_path)
    shutil.copy(CASES, tmp_path)

    checked, tested = promtool("check", "rules", ALERTS), promtool("test", "rules", tmp_path / CASES.name)

    assert (checked.returncode, "7 rules found" in checked.stdout) == (0, True), checked.stdout + checked.stderr
    assert tested.returncode == 0, tested.stdout + tested.stderr


def test_alerts_read_metrics_that_exist_and_that_promtool_accepts(serve_shared):
    metrics = fetch(f"{serve_shared().url}/__metrics__").body.decode()
    names = set(re.findall(r"campus_\w+", ALERTS.read_text(encoding="utf-8")))
    described = set(re.findall(r"^# TYPE (\w+)", metrics, re.MULTILINE))

    checked = promtool("check", "metrics", input=metrics)

    assert names - described == set()
    # Days have a metric of their own, against the advice to use seconds.
    assert [line.split()[0] for line in checked.stderr.splitlines()] == ["campus_menus_days_ahead"]


def test_the_workers_of_granian_add_up_with_a_shared_folder(spawn, mongod_uri, tmp_path):
    folder = tmp_path / "metrics"
    folder.mkdir()
    server = start_granian(spawn, CAMPUS_MONGO_URI=mongod_uri, PROMETHEUS_MULTIPROC_DIR=str(folder))
    line = f'campus_http_requests_total{{endpoint="/dining/hours",status="200"}} {REQUESTS}.0'

    for _ in range(REQUESTS):
        assert fetch(f"{server.url}/dining/hours").status == 200

    scrapes = [wait_for(lambda: fetch(f"{server.url}/__metrics__")).body.decode().splitlines() for _ in range(10)]
    assert [line in scrape for scrape in scrapes] == [True] * 10
