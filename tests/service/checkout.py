"""A folder like a checkout, and a shell in it that runs commands as the documents have them."""

import os
import signal
import subprocess
from contextlib import suppress

from tests.service.processes import BIN, ROOT, Process, fetch, free_port, wait_for

_SERVING = ("make run", "pserve ", "granian ")
# A shell that goes on where the one before it ended.
_SHELL = """[ ! -e {state} ] || . {state}
{command}
status=$?; {{ export -p; echo "cd $PWD"; }} > {state}; exit $status"""


class Checkout:
    """The files of the project, its commands in `.venv/bin`, and a port of its own for the service."""

    def __init__(self, folder):
        self.folder, self.port, self._server = folder, free_port(), None
        # What a document names, and what that is here.
        self.places = {
            ":6543": f":{self.port}",
            "--port 6543": f"--port {self.port}",
            " /etc/": f" {folder}/etc/",
            "/srv/campus-api": str(folder),
        }
        self.environment = {**os.environ, "CURL_HOME": str(folder)}
        self.mongosh = None
        # As on a terminal.
        (folder / ".curlrc").write_text("silent\nshow-error\n")
        for entry in ROOT.iterdir():
            if entry.suffix == ".ini":
                text = entry.read_text(encoding="utf-8").replace("port = 6543", f"port = {self.port}")
                (folder / entry.name).write_text(text, encoding="utf-8")
            elif entry.name not in (".git", ".venv", "var"):
                (folder / entry.name).symlink_to(entry)
        (folder / ".venv").mkdir()
        (folder / ".venv/bin").symlink_to(BIN)
        (folder / ".venv/installed").touch()

    def run(self, command):
        """Run a command after those before it; return its status and what it printed, as on a terminal."""
        for there, here in self.places.items():
            command = command.replace(there, here)
        if command.startswith("db."):
            return int(not self.mongosh(command)["ok"]), ""
        script = ["bash", "-c", _SHELL.format(state=self.folder / ".shell", command=command)]
        if any(serving in command for serving in _SERVING):
            return self._serve(script)
        ended = subprocess.run(script, stdout=subprocess.PIPE, **self._options)
        return ended.returncode, ended.stdout.replace("\r\n", "\n").replace(f":{self.port}", ":6543")

    def stop(self):
        """End the service that a command has started."""
        if self._server:
            # A process group of our own: a shell or make, and the service.
            os.killpg(self._server.pid, signal.SIGTERM)
            try:
                self._server.wait()
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(self._server.pid, signal.SIGKILL)
            wait_for(lambda: not self._answers())

    def _serve(self, script):
        self.stop()
        with (self.folder / "service.out").open("w") as log:
            self._server = Process(script, stdout=log, start_new_session=True, **self._options)
        wait_for(lambda: self._server.poll() is not None or self._answers())
        return self._server.poll() or 0, ""

    @property
    def _options(self):
        return {"cwd": self.folder, "env": self.environment, "stderr": subprocess.STDOUT, "text": True}

    def _answers(self):
        return fetch(f"http://127.0.0.1:{self.port}/__lbheartbeat__")
