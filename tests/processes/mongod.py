"""A mongod that can be killed and restarted, or paused and resumed; the processes of an embedded one."""

import contextlib
import os
import subprocess
from pathlib import Path
from urllib.parse import quote

from pymongo import MongoClient
from pymongo.errors import PyMongoError

from campus_api.db import embedded
from tests.factories import TODAY, TOMORROW, building, serving
from tests.processes.commands import Process, reserve_port, wait_for_process
from tests.publishing import publish_buildings, publish_dining

SMALL_JOURNAL = ["--wiredTigerEngineConfigString", "log=(file_max=4MB,prealloc=false)"]
PASSWORD = "h0rse@battery:staple"
READER, OWNER = (f"{name}:{quote(PASSWORD, safe='')}@" for name in ("reader", "owner"))


class Mongod:
    """A mongod on a reserved port, with its data below `folder`."""

    def __init__(self, folder, *options):
        port = reserve_port()
        self.host = f"127.0.0.1:{port}"
        self.data = folder / "data"
        self.data.mkdir()
        network = ["--dbpath", self.data, "--bind_ip", "127.0.0.1", "--port", port]
        self._log = folder / "log"
        log = ["--nounixsocket", "--logpath", self._log, "--logappend"]
        command = [embedded._find_mongod(), *network, *log, *SMALL_JOURNAL]
        self._command = [str(part) for part in [*command, *options]]
        self.start()

    def uri(self, account=""):
        return f"mongodb://{account}{self.host}/campus"

    def start(self):
        # It also ends if the test run is killed.
        self._process = Process(self._command, stdout=subprocess.DEVNULL, preexec_fn=embedded._die_with_supervisor)
        self._process.output = self._log.read_text
        wait_for_process(self._process, self._is_ready)

    def kill(self):
        self._process.kill()
        self._process.wait()

    @property
    def is_running(self):
        return self._process.poll() is None

    def pause(self):
        self._process.pause()

    def resume(self):
        self._process.resume()

    @contextlib.contextmanager
    def database(self, account=""):
        """Yield the database, also for an account in `admin`."""
        with MongoClient(self.uri(account) + ("?authSource=admin" if account else ""), tz_aware=True) as client:
            yield client.get_default_database()

    def _is_ready(self):
        with MongoClient(f"{self.uri()}?directConnection=true", serverSelectionTimeoutMS=500) as client:
            try:
                return client.admin.command("ping")
            except PyMongoError:
                return None


@contextlib.contextmanager
def running(folder, *options):
    """Run a mongod until the end of the block."""
    mongod = Mongod(folder, *options)
    try:
        yield mongod
    finally:
        mongod.kill()


@contextlib.contextmanager
def with_data(folder):
    """Run a mongod with three buildings and menus of today and tomorrow."""
    with running(folder) as mongod:
        with mongod.database() as database:
            publish_buildings(database, [building(id_) for id_ in range(1, 4)])
            servings = [serving(date=TODAY), serving(2, "Soup", date=TOMORROW)]
            publish_dining(database, servings)
            # Flush to disk before a test kills it.
            database.client.admin.command("fsync")
        yield mongod


@contextlib.contextmanager
def with_administrator(folder):
    """Run a mongod with access control and an account of the administrator."""
    with running(folder, "--auth") as mongod:
        with mongod.database() as database:
            database.client.admin.command("createUser", "owner", pwd=PASSWORD, roles=["root"])
        yield mongod


@contextlib.contextmanager
def with_auth(folder):
    """Run a mongod with access control, data, an administrator and a read-only account."""
    with with_administrator(folder) as mongod:
        # A client that closes after a test has killed its mongod waits for that for half a minute.
        with mongod.database(OWNER) as database:
            database.command("createUser", "reader", pwd=PASSWORD, roles=["read"])
            publish_buildings(database, [building(1)])
            publish_dining(database, [serving()])
        yield mongod


def secrets_in(text):
    """Return the parts of the password in a text that are the same with and without percent-encoding."""
    return [secret for secret in ("h0rse", "battery", "staple") if secret in text]


def processes_using(folder):
    """Return the processes whose command line contains `folder`, by PID: mongod or other."""
    processes = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            arguments = entry.joinpath("cmdline").read_bytes().split(b"\0")
            is_zombie = "Z" in entry.joinpath("stat").read_text().rpartition(")")[2].split()[0]
            if any(os.fsencode(folder) in argument for argument in arguments) and not is_zombie:
                processes[int(entry.name)] = "mongod" if b"--dbpath" in arguments else "other"
    return processes


def mongod_of(folder):
    return [pid for pid, kind in processes_using(folder / "data").items() if kind == "mongod"]
