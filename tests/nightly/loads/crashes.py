"""Simulate a crash just before one of the writes to MongoDB."""

import multiprocessing
import os

from pymongo import MongoClient, monitoring

_WRITES = {"insert", "update", "delete", "create", "createIndexes", "renameCollection", "drop"}
_CRASHED = 9


def crashes_before_write(number, uri, action):
    """Run an action in a process that exits before its `number`th write; return False if it has fewer writes."""
    process = multiprocessing.get_context("fork").Process(target=_run, args=(number, uri, action))
    process.start()
    process.join(60)
    assert process.exitcode in (0, _CRASHED)
    return process.exitcode == _CRASHED


def _run(number, uri, action):
    with MongoClient(uri, tz_aware=True, event_listeners=[_Crash(number)]) as client:
        action(client.get_default_database())


class _Crash(monitoring.CommandListener):
    def __init__(self, number):
        self._number = number

    def started(self, event):
        self._number -= is_write(event)
        if self._number == 0:
            os._exit(_CRASHED)

    def succeeded(self, event):
        pass

    def failed(self, event):
        pass


def is_write(event):
    pipeline = event.command.get("pipeline", [])
    return event.command_name in _WRITES or any("$out" in stage for stage in pipeline)
