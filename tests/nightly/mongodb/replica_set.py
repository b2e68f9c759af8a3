"""A replica set of three mongod processes, which can be killed and restarted."""

import contextlib
from concurrent.futures import ThreadPoolExecutor

from pymongo import MongoClient
from pymongo.errors import PyMongoError

from tests.processes.commands import PROCESS_DEADLINE, wait_for
from tests.processes.mongod import Mongod

NAME = "campus"
SMALL = ["--oplogSize", "64", "--wiredTigerCacheSizeGB", "0.25"]
QUIET = ["--setParameter", "diagnosticDataCollectionEnabled=false"]
SETTINGS = {"electionTimeoutMillis": 2000, "heartbeatIntervalMillis": 500}


class Member(Mongod):
    """One mongod of the set."""

    def stop_replication(self):
        """Block writes with fsyncLock, so that the member neither replicates nor votes until it is killed."""
        assert self.admin_command("fsync", 1, lock=True)["ok"]

    def set_fail_point(self, name, mode, **data):
        """Set a fail point; requires `enableTestCommands`.

        https://github.com/mongodb/mongo/blob/master/docs/fail_points.md
        """
        assert self.admin_command("configureFailPoint", name, mode=mode, data=data), name

    def wait_for_fail_point(self, name):
        """Wait until a fail point is entered for the first time."""
        assert self.admin_command("waitForFailPoint", name, timesEntered=1, maxTimeMS=60_000), name

    def admin_command(self, command, *arguments, **options):
        """Run a command on the admin database; return None if the member does not respond."""
        address = f"mongodb://{self.host}/?directConnection=true"
        with MongoClient(address, serverSelectionTimeoutMS=500) as client, contextlib.suppress(PyMongoError):
            return client.admin.command(command, *arguments, **options)
        return None


class ReplicaSet:
    """Three members, one of which is elected primary while two of them run."""

    def __init__(self, folder, *options):
        folders = [folder / str(number) for number in range(3)]
        for each in folders:
            each.mkdir()
        self.members = [Member(each, "--replSet", NAME, *SMALL, *QUIET, *options) for each in folders]

    def uri(self, database):
        """Return the URI of a database, in which writes wait for a majority."""
        hosts = ",".join(member.host for member in self.members)
        return f"mongodb://{hosts}/{database}?replicaSet={NAME}&w=majority"

    def start(self):
        members = [{"_id": number, "host": member.host} for number, member in enumerate(self.members)]
        self.members[0].admin_command("replSetInitiate", {"_id": NAME, "members": members, "settings": SETTINGS})
        wait_for(self._is_healthy, PROCESS_DEADLINE)

    def primary(self):
        """Return the primary, or None while there is none."""
        running = [member for member in self.members if member.is_running]
        replies = ((member, member.admin_command("hello") or {}) for member in running)
        return next((member for member, hello in replies if hello.get("isWritablePrimary")), None)

    def secondaries(self):
        """Return both secondaries."""
        primary = wait_for(self.primary, PROCESS_DEADLINE)
        return [member for member in self.members if member is not primary]

    def heal(self):
        """Restart killed members and wait until all three are healthy."""
        for member in self.members:
            if not member.is_running:
                member.start()
        wait_for(self._is_healthy, PROCESS_DEADLINE)

    def stop(self):
        with ThreadPoolExecutor() as pool:
            list(pool.map(Member.kill, self.members))

    def _is_healthy(self):
        primary = self.primary()
        status = primary and primary.admin_command("replSetGetStatus")
        states = sorted(member["stateStr"] for member in status["members"]) if status else []
        return states == ["PRIMARY", "SECONDARY", "SECONDARY"]


@contextlib.contextmanager
def running(folder, *options):
    """Run a replica set whose members have these options."""
    replica_set = ReplicaSet(folder, *options)
    try:
        replica_set.start()
        yield replica_set
    finally:
        replica_set.stop()
