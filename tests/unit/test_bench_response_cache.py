import asyncio

from bench.peers.response_cache import Kept


class Service:
    """Answers every path with so many bytes, and remembers what it was asked."""

    def __init__(self, size=10, status=200):
        self.revision = [1]
        self.asked = []
        self._size, self._status = size, status

    async def __call__(self, scope, receive, send):
        self.asked.append(scope["path"])
        await send({"type": "http.response.start", "status": self._status, "headers": []})
        await send({"type": "http.response.body", "body": scope["path"].encode() * self._size})


def ask(kept, path):
    """Return the body of an answer."""
    messages = []

    async def send(message):
        messages.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b""}
    asyncio.run(kept(scope, None, send))
    return messages[-1]["body"]


def test_the_same_request_is_answered_from_memory():
    service = Service()
    kept = Kept(service, lambda: service.revision)

    assert [ask(kept, "/1"), ask(kept, "/2"), ask(kept, "/1")] == [b"/1" * 10, b"/2" * 10, b"/1" * 10]
    assert service.asked == ["/1", "/2"]


def test_a_new_revision_is_asked_for_again():
    service = Service()
    kept = Kept(service, lambda: service.revision)
    ask(kept, "/1")

    service.revision = [2]
    ask(kept, "/1")

    assert service.asked == ["/1", "/1"]


def test_errors_are_not_kept():
    service = Service(status=503)
    kept = Kept(service, lambda: service.revision)

    ask(kept, "/1")
    ask(kept, "/1")

    assert service.asked == ["/1", "/1"]


def test_what_was_not_asked_for_the_longest_makes_room():
    service = Service(size=200_000)
    kept = Kept(service, lambda: service.revision, megabytes=1)

    for path in ("/1", "/2", "/1", "/3", "/1", "/2"):
        ask(kept, path)

    assert service.asked == ["/1", "/2", "/3", "/2"]
