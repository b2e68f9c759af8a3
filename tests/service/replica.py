"""A replica set of three mongod processes, whose primary can be killed and started again."""

import contextlib
import subprocess
from concurrent.futures import ThreadPoolExecutor

from pymongo import MongoClient
from pymongo.errors import PyMongoError

from campus_api.db import embedded
from tests.service.mongod import SMALL_JOURNAL
from tests.service.processes import free_ports, wait_for

NAME = "campus"
SMALL = ["--oplogSize", "64", "--wiredTigerCacheSizeGB", "0.25"]
QUIET = ["--setParameter", "diagnosticDataCollectionEnabled=false"]
SETTINGS = {"electionTimeoutMillis": 2000, "heartbeatIntervalMillis": 500}


class Member:
    """One mongod of the set, on a port of its own."""

    def __init__(self, folder, port):
        self.host = f"127.0.0.1:{port}"
        data = folder / str(port)
        data.mkdir()
        place = ["--dbpath", data, "--bind_ip", "127.0.0.1", "--port", port, "--nounixsocket"]
        log = ["--logpath", folder / f"{port}.log", "--logappend"]
        command = [embedded._find_mongod(), "--replSet", NAME, *place, *log, *SMALL, *SMALL_JOURNAL, *QUIET]
        self._command = [str(part) for part in command]
        self._process = None

    def start(self):
        # The set also ends with a test run that is killed itself.
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, preexec_fn=embedded._die_with_supervisor
        )

    def kill(self):
        self._process.kill()
        self._process.wait()

    def lag(self):
        """Take in nothing that is written to the others, and vote for nobody, until it is killed."""
        assert self.ask("fsync", 1, lock=True)["ok"]

    @property
    def runs(self):
        return self._process.poll() is None

    def ask(self, command, *arguments, **options):
        """Return what this member answers to an administrator's command; None when it does not."""
        address = f"mongodb://{self.host}/?directConnection=true"
        with MongoClient(address, serverSelectionTimeoutMS=500) as client, contextlib.suppress(PyMongoError):
            return client.admin.command(command, *arguments, **options)
        return None


class ReplicaSet:
    """Three members, of which one is the primary whenever two of them run."""

    def __init__(self, folder):
        self._members = [Member(folder, port) for port in free_ports(3)]

    def uri(self, database):
        hosts = ",".join(member.host for member in self._members)
        return f"mongodb://{hosts}/{database}?replicaSet={NAME}"

    def start(self):
        for member in self._members:
            member.start()
        for member in self._members:
            wait_for(lambda member=member: member.ask("ping"))
        members = [{"_id": number, "host": member.host} for number, member in enumerate(self._members)]
        self._members[0].ask("replSetInitiate", {"_id": NAME, "members": members, "settings": SETTINGS})
        wait_for(self._is_healthy)

    def primary(self):
        """Return the member that takes writes; None while there is none."""
        running = [member for member in self._members if member.runs]
        return next((member for member in running if (member.ask("hello") or {}).get("isWritablePrimary")), None)

    def secondary(self):
        """Return a member that does not take writes."""
        primary = self.primary()
        return next(member for member in self._members if member is not primary)

    def kill_the_majority(self):
        """Kill two of the three members, the primary among them."""
        primary = self.primary()
        primary.kill()
        next(member for member in self._members if member is not primary).kill()

    def kill_a_secondary(self):
        """Kill one of the members that are not the primary."""
        primary = self.primary()
        next(member for member in self._members if member is not primary).kill()

    def heal(self):
        """Start the members that were killed and wait until all three are of use."""
        for member in self._members:
            if not member.runs:
                member.start()
        wait_for(self._is_healthy)

    def stop(self):
        with ThreadPoolExecutor() as pool:
            list(pool.map(Member.kill, [member for member in self._members if member._process]))

    def _is_healthy(self):
        primary = self.primary()
        status = primary and primary.ask("replSetGetStatus")
        states = sorted(member["stateStr"] for member in status["members"]) if status else []
        return states == ["PRIMARY", "SECONDARY", "SECONDARY"]
