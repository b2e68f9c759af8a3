"""A mongod that can be killed and started again, or stopped for a while."""

import signal
import subprocess

from pymongo import MongoClient
from pymongo.errors import PyMongoError

from campus_api.db import embedded
from tests.service.processes import free_port, wait_for

SMALL_JOURNAL = ["--wiredTigerEngineConfigString", "log=(file_max=4MB,prealloc=false)"]


class Mongod:
    """A mongod on a port of its own, with its data in a folder of its own."""

    def __init__(self, folder, *options):
        self._host = f"127.0.0.1:{free_port()}"
        (folder / "data").mkdir()
        place = ["--dbpath", folder / "data", "--bind_ip", "127.0.0.1", "--port", self._host.partition(":")[2]]
        log = ["--nounixsocket", "--logpath", folder / "log", "--logappend"]
        command = [embedded._find_mongod(), *place, *log, *SMALL_JOURNAL]
        self._command = [str(part) for part in [*command, *options]]
        self.start()

    def uri(self, account=""):
        return f"mongodb://{account}{self._host}/campus"

    def start(self):
        # It also ends with a test run that is killed itself.
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, preexec_fn=embedded._die_with_supervisor
        )
        wait_for(self._answers)

    def kill(self):
        self._process.kill()
        self._process.wait()

    @property
    def runs(self):
        return self._process.poll() is None

    def stand_still(self):
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self._process.send_signal(signal.SIGCONT)

    def _answers(self):
        with MongoClient(self.uri(), serverSelectionTimeoutMS=500) as client:
            try:
                return client.admin.command("ping")
            except PyMongoError:
                return None
