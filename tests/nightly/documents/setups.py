"""Set-ups that the commands of a document rely on: databases, nginx, the time."""

import contextlib
import json
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from campus_api.db import embedded
from campus_api.domain.clock import Clock
from loaders.samples import load_samples
from tests.factories import NOON
from tests.processes import nginx
from tests.processes.mongod import OWNER, with_administrator


@contextlib.contextmanager
def running_service_at_noon(checkout):
    """Run the service with the sample data and a frozen clock."""
    checkout.environment["CAMPUS_CLOCK_FROZEN_AT"] = NOON
    assert checkout.run(".venv/bin/campus-load samples")[0] == 0
    assert checkout.run(".venv/bin/pserve development.ini") == (0, "")
    yield


@contextlib.contextmanager
def trial_database(checkout):
    """Run the embedded databases throughout, so that no command has to start one."""
    leases = [embedded.lease(checkout.folder / "var" / name) for name in ("campus", "trial")]
    yield
    for _, release in leases:
        release()


@contextlib.contextmanager
def production(checkout):
    """Run a mongod with access control and data, and nginx in front of the port of the service."""
    folder = checkout.folder / "production"
    folder.mkdir()
    for name in ("systemd/system", "nginx/conf.d"):
        (checkout.folder / "etc" / name).mkdir(parents=True)
    with (
        with_administrator(folder) as mongod,
        mongod.database(OWNER) as database,
        nginx.running(folder, urlsplit(checkout.url).netloc) as site,
    ):
        load_samples(database, Clock(ZoneInfo("America/New_York")).today())
        secure = f"campus.example.edu:{site.secure}"
        checkout.replacements["db.example.edu"] = mongod.uri().split("/")[2]
        checkout.replacements["https://campus.example.edu"] = (
            f"--insecure --resolve {secure}:{nginx.ADDRESS} https://{secure}"
        )
        checkout.mongosh = lambda line: database.command(json.loads(line.removeprefix("db.runCommand(")[:-1]))
        yield
