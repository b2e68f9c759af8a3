"""A folder like a checkout, in which the commands of the documents run."""

import os
import signal
import subprocess
from contextlib import suppress

from tests.processes.commands import BIN, PROCESS_DEADLINE, ROOT, Process, fetch, reserve_port, wait_for
from tests.processes.sockets import is_refused

_SERVER_COMMANDS = ("make run", "pserve ", "granian ")
# Each command starts with the environment and directory of the previous one.
_SHELL = """[ ! -e {state} ] || . {state}
{command}
status=$?; {{ export -p; echo "cd $PWD"; }} > {state}; exit $status"""


class Checkout:
    """A copy of the project with its commands in `.venv/bin` and a free port for the service."""

    def __init__(self, folder):
        self.folder, self.port, self._server = folder, reserve_port(), None
        self.url = f"http://127.0.0.1:{self.port}"
        # Text in the documents, and its replacement here.
        self.replacements = {
            ":6543": f":{self.port}",
            "--port 6543": f"--port {self.port}",
            "pserve campus.ini": f"pserve campus.ini http_port={self.port}",
            " /etc/": f" {folder}/etc/",
            "/srv/campus-api": str(folder),
        }
        self.environment = {**os.environ, "CURL_HOME": str(folder), "PORT": str(self.port)}
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
        for name in ("bin", "lib", "pyvenv.cfg"):
            (folder / ".venv" / name).symlink_to(BIN.parent / name)
        for name in ("installed", "runnable"):
            (folder / ".venv" / name).touch()

    def write(self, name, text):
        """Write a file of a document."""
        (self.folder / name).write_text(self._replaced(text), encoding="utf-8")

    def run(self, command):
        """Run a command in the shell; return its exit status and output."""
        command = self._replaced(command)
        if command.startswith("db."):
            return int(not self.mongosh(command)["ok"]), ""
        script = ["bash", "-c", _SHELL.format(state=self.folder / ".shell", command=command)]
        if any(name in command for name in _SERVER_COMMANDS):
            return self._serve(script)
        completed = subprocess.run(script, stdout=subprocess.PIPE, timeout=PROCESS_DEADLINE, **self._options)
        return completed.returncode, completed.stdout.replace("\r\n", "\n").replace(f":{self.port}", ":6543")

    def stop(self):
        """Stop the service, if a command has started one."""
        if self._server:
            # The whole process group: a shell or make, and the service.
            os.killpg(self._server.pid, signal.SIGTERM)
            try:
                self._server.wait()
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(self._server.pid, signal.SIGKILL)
            wait_for(lambda: is_refused(self))

    def _replaced(self, text):
        for old, new in self.replacements.items():
            text = text.replace(old, new)
        return text

    def _serve(self, script):
        self.stop()
        with (self.folder / "service.out").open("w") as log:
            self._server = Process(script, stdout=log, start_new_session=True, **self._options)
        heartbeat = f"{self.url}/__lbheartbeat__"
        wait_for(lambda: self._server.poll() is not None or fetch(heartbeat), PROCESS_DEADLINE)
        return self._server.poll() or 0, ""

    @property
    def _options(self):
        return {"cwd": self.folder, "env": self.environment, "stderr": subprocess.STDOUT, "text": True}
