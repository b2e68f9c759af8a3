"""Finished answers in memory for an ASGI application, in front of all its routing."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

_MEGABYTE = 1_000_000


class Kept:
    """Keep answers of status 200 by revision, path and query; those not asked for the longest go first."""

    def __init__(self, app: Callable, revision: Callable[[], Any], megabytes: int = 64) -> None:
        """Take the application, what tells the revision of its data, and how much may be kept."""
        self._app = app
        self._revision = revision
        self._room = megabytes * _MEGABYTE
        self._answers: OrderedDict[Any, list[dict]] = OrderedDict()

    async def __call__(self, scope, receive, send):
        """Answer from memory, or let the application answer and keep that."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        key = (*self._revision(), scope["path"], scope["query_string"])
        answer = self._answers.get(key)
        if answer is None:
            await self._ask(key, scope, receive, send)
            return
        self._answers.move_to_end(key)
        for message in answer:
            await send(message)

    async def _ask(self, key, scope, receive, send):
        answer = []

        async def keep(message):
            answer.append(message)
            await send(message)

        await self._app(scope, receive, keep)
        if answer[0]["status"] == 200 and key not in self._answers:
            self._answers[key] = answer
            self._room -= _size(answer)
        while self._room < 0:
            self._room += _size(self._answers.popitem(last=False)[1])


def _size(answer):
    return sum(len(message.get("body", b"")) for message in answer)
