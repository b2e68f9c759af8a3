"""The files that pages consist of: ours, and those that Python packages carry, below one versioned address."""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files

from pyramid.renderers import render
from swagger_ui_bundle import swagger_ui_path

from campus_api.http.conditional import Headers, matches, takes_gzip

# What each package of others gives: the folder that it gets here, its module, the folder in it, the files there.
_PACKAGES = (
    ("leaflet", "xstatic.pkg.leaflet", "data", ("leaflet.css", "leaflet.js")),
    ("swagger-ui", "swagger_ui_bundle", f"vendor/{swagger_ui_path.name}", ("swagger-ui.css", "swagger-ui-bundle.js")),
)
_HTML = "text/html; charset=utf-8"
_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml",
}
# Photos of buildings stand wherever their provider has them; everything else comes from this service.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'self'; "
    "img-src 'self' data: https:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_REFERRER_POLICY = ("Referrer-Policy", "no-referrer")
_FOR_GOOD = "public, max-age=31536000, immutable"
_ASK_EACH_TIME = "no-cache"


@dataclass(frozen=True)
class File:
    """What is answered as it is; an empty `compressed` says that there is no shorter form."""

    tag: str
    headers: Headers
    body: bytes
    compressed: bytes

    def form(self, accept_encoding: str, if_none_match: str) -> tuple[int, Headers, bytes | None]:
        """Return the status, the headers and the body for a client that accepts and has this; no body with 304."""
        if matches(if_none_match, self.tag):
            return 304, [header for header in self.headers if header[0] != "Content-Type"], None
        if self.compressed and takes_gzip(accept_encoding):
            return 200, [*self.headers, ("Content-Encoding", "gzip")], self.compressed
        return 200, self.headers, self.body


def file(body: bytes, content_type: str, cache_control: str = _ASK_EACH_TIME, vary: str = "Accept-Encoding") -> File:
    """Return a file with its tag; pages get the policy that keeps them from loading anything of others."""
    tag, compressed = f'W/"{_digest(body)}"', gzip.compress(body, mtime=0)
    headers = [("Content-Type", content_type), ("Cache-Control", cache_control), ("ETag", tag), ("Vary", vary)]
    headers.append(_REFERRER_POLICY)
    if content_type == _HTML:
        headers.append(("Content-Security-Policy", _POLICY))
    return File(tag, headers, body, compressed if len(compressed) < len(body) else b"")


@dataclass(frozen=True)
class Assets:
    """Static files by path; `version` is the digest of their contents and part of their URLs."""

    version: str
    static: Mapping[str, File]

    def page(self, name: str, base: str, vary: str = "Accept-Encoding", **values: str) -> File:
        """Render a page template; `base` is the root URL of the API, and `values` are shown as text."""
        values |= {"base": base, "static": f"{base}static/{self.version}/"}
        return file(render(f"campus_api:pages/templates/{name}.jinja2", values).encode(), _HTML, vary=vary)


@cache
def read() -> Assets:
    """Read all static files into memory, once."""
    own = {path.name: path.read_bytes() for path in (files("campus_api") / "pages/static").iterdir()}
    bodies = own | _of_others()
    static = {path: file(body, _TYPES[path.rpartition(".")[2]], _FOR_GOOD) for path, body in bodies.items()}
    version = _digest(*(part for path in sorted(bodies) for part in (path.encode(), bodies[path])))
    return Assets(version, static)


def _of_others() -> dict[str, bytes]:
    return {
        f"{folder}/{name}": (files(module) / inner / name).read_bytes()
        for folder, module, inner, names in _PACKAGES
        for name in names
    }


def _digest(*parts: bytes) -> str:
    return blake2b(b"\0".join(parts), digest_size=10).hexdigest()
