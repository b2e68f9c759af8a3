"""An in-memory response cache as ASGI middleware."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

_MEGABYTE = 1_000_000

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class ResponseCache:
    """LRU cache of 200 responses by revision, path and query, bounded in bytes."""

    def __init__(self, app: App, revision: Callable[[], Any], megabytes: int = 64) -> None:
        self._app = app
        self._revision = revision
        self._free_bytes = megabytes * _MEGABYTE
        self._responses: OrderedDict[Any, list[Message]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the cached response, or call the application and cache its response."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        key = (*self._revision(), scope["path"], scope["query_string"])
        messages = self._responses.get(key)
        if messages is None:
            await self._call_app(key, scope, receive, send)
            return
        self._responses.move_to_end(key)
        for message in messages:
            await send(message)

    async def _call_app(self, key: Any, scope: Scope, receive: Receive, send: Send) -> None:
        messages: list[Message] = []

        async def record(message: Message) -> None:
            messages.append(message)
            await send(message)

        await self._app(scope, receive, record)
        if messages[0]["status"] == 200 and key not in self._responses:
            self._responses[key] = messages
            self._free_bytes -= _size(messages)
        while self._free_bytes < 0:
            self._free_bytes += _size(self._responses.popitem(last=False)[1])


def _size(messages: list[Message]) -> int:
    return sum(len(message.get("body", b"")) for message in messages)
