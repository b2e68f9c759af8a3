"""A mongod that can be killed and restarted, or paused and resumed."""

import signal
import subprocess

from pymongo import MongoClient
from pymongo.errors import PyMongoError

from campus_api.db import embedded
from tests.service.processes import free_port, wait_for

SMALL_JOURNAL = ["--wiredTigerEngineConfigString", "log=(file_max=4MB,prealloc=false)"]


class Mongod:
    """A mongod on a free port, with its data below `folder`."""

    def __init__(self, folder, *options):
        self._host = f"127.0.0.1:{free_port()}"
        (folder / "data").mkdir()
        network = ["--dbpath", folder / "data", "--bind_ip", "127.0.0.1", "--port", self._host.partition(":")[2]]
        log = ["--nounixsocket", "--logpath", folder / "log", "--logappend"]
        command = [embedded._find_mongod(), *network, *log, *SMALL_JOURNAL]
        self._command = [str(part) for part in [*command, *options]]
        self.start()

    def uri(self, account=""):
        return f"mongodb://{account}{self._host}/campus"

    def start(self):
        # It also ends if the test run is killed.
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, preexec_fn=embedded._die_with_supervisor
        )
        wait_for(self._is_ready)

    def kill(self):
        self._process.kill()
        self._process.wait()

    @property
    def is_running(self):
        return self._process.poll() is None

    def pause(self):
        self._process.send_signal(signal.SIGSTOP)

    def resume(self):
        self._process.send_signal(signal.SIGCONT)

    def _is_ready(self):
        with MongoClient(self.uri(), serverSelectionTimeoutMS=500) as client:
            try:
                return client.admin.command("ping")
            except PyMongoError:
                return None
