"""Pages and static files, own and vendored; static URLs contain the digest of all static files."""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files

from pyramid.renderers import render
from swagger_ui_bundle import swagger_ui_path

from campus_api.http.conditional import Headers, accepts_gzip, if_none_match

# Folder of the URL, module, folder in the package, files.
_VENDORED = (
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
# Photos of buildings are hosted by their providers; everything else comes from this service.
_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'self'; "
    "img-src 'self' data: https:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_REFERRER_POLICY = ("Referrer-Policy", "no-referrer")
_IMMUTABLE = "public, max-age=31536000, immutable"
_NO_CACHE = "no-cache"


@dataclass(frozen=True)
class File:
    """A static response; `gzipped` is empty if it is not smaller."""

    etag: str
    headers: Headers
    body: bytes
    gzipped: bytes

    def conditional_response(
        self, accept_encoding: str, if_none_match_header: str
    ) -> tuple[int, Headers, bytes | None]:
        """Return the status, the headers and the body; None as the body of a 304."""
        if if_none_match_header and if_none_match(if_none_match_header, self.etag):
            return 304, [header for header in self.headers if header[0] != "Content-Type"], None
        if self.gzipped and accepts_gzip(accept_encoding):
            return 200, [*self.headers, ("Content-Encoding", "gzip")], self.gzipped
        return 200, self.headers, self.body


def file(body: bytes, content_type: str, cache_control: str = _NO_CACHE, vary: str = "Accept-Encoding") -> File:
    """Return a file with its ETag; pages get the content security policy, too."""
    etag, gzipped = f'W/"{_digest(body)}"', gzip.compress(body, mtime=0)
    headers = [("Content-Type", content_type), ("Cache-Control", cache_control), ("ETag", etag), ("Vary", vary)]
    headers.append(_REFERRER_POLICY)
    if content_type == _HTML:
        headers.append(("Content-Security-Policy", _CONTENT_SECURITY_POLICY))
    return File(etag, headers, body, gzipped if len(gzipped) < len(body) else b"")


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
    bodies = own | _vendored_files()
    static = {path: file(body, _TYPES[path.rpartition(".")[2]], _IMMUTABLE) for path, body in bodies.items()}
    version = _digest(*(part for path in sorted(bodies) for part in (path.encode(), bodies[path])))
    return Assets(version, static)


def _vendored_files() -> dict[str, bytes]:
    return {
        f"{folder}/{name}": (files(module) / inner / name).read_bytes()
        for folder, module, inner, names in _VENDORED
        for name in names
    }


def _digest(*parts: bytes) -> str:
    return blake2b(b"\0".join(parts), digest_size=10).hexdigest()
