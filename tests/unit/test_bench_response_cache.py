import asyncio

from bench.peers.response_cache import ResponseCache


class App:
    """An ASGI application that records the requested paths; a body repeats its path `size` times."""

    def __init__(self, size=10, status=200):
        self.revision = [1]
        self.paths = []
        self._size, self._status = size, status

    async def __call__(self, scope, receive, send):
        self.paths.append(scope["path"])
        await send({"type": "http.response.start", "status": self._status, "headers": []})
        await send({"type": "http.response.body", "body": scope["path"].encode() * self._size})


def get(cache, path):
    messages = []

    async def send(message):
        messages.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b""}
    asyncio.run(cache(scope, None, send))
    return messages[-1]["body"]


def test_repeated_request_is_served_from_the_cache():
    app = App()
    cache = ResponseCache(app, lambda: app.revision)

    assert [get(cache, "/1"), get(cache, "/2"), get(cache, "/1")] == [b"/1" * 10, b"/2" * 10, b"/1" * 10]
    assert app.paths == ["/1", "/2"]


def test_new_revision_is_requested_again():
    app = App()
    cache = ResponseCache(app, lambda: app.revision)
    get(cache, "/1")

    app.revision = [2]
    get(cache, "/1")

    assert app.paths == ["/1", "/1"]


def test_errors_are_not_cached():
    app = App(status=503)
    cache = ResponseCache(app, lambda: app.revision)

    get(cache, "/1")
    get(cache, "/1")

    assert app.paths == ["/1", "/1"]


def test_least_recently_used_response_is_evicted():
    app = App(size=200_000)
    cache = ResponseCache(app, lambda: app.revision, megabytes=1)

    for path in ("/1", "/2", "/1", "/3", "/1", "/2"):
        get(cache, path)

    assert app.paths == ["/1", "/2", "/3", "/2"]
