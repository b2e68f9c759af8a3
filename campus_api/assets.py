"""The files that pages consist of: ours, and those that Python packages carry, below one versioned address."""

import gzip
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from html import escape
from importlib.resources import files

from swagger_ui_bundle import swagger_ui_path

from campus_api.validators import Headers, matches, takes_gzip

# What each package of others gives: the folder that it gets here, its module, the folder in it, the files there.
_PACKAGES = (
    ("leaflet", "xstatic.pkg.leaflet", "data", ("leaflet.css", "leaflet.js")),
    ("swagger-ui", "swagger_ui_bundle", f"vendor/{swagger_ui_path.name}", ("swagger-ui.css", "swagger-ui-bundle.js")),
)
_HTML = "text/html; charset=utf-8"
_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": _HTML,
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
_PLACE = re.compile(r"\{\{(\w+)\}\}")
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
    """All files of the pages: `static` by their paths, which hold for `version` only, and the texts of `pages`."""

    version: str
    static: Mapping[str, File]
    pages: Mapping[str, str]

    def page(self, name: str, base: str, vary: str = "Accept-Encoding", **values: str) -> File:
        """Return a page whose addresses begin with `base`, where the service stands on its host; `values` are texts."""
        filled = {"static": f"{base}static/{self.version}/", "base": base, **values}
        text = _PLACE.sub(lambda place: escape(filled[place[1]]), self.pages[name])
        return file(text.encode(), _HTML, vary=vary)


@cache
def read() -> Assets:
    """Return the files of the pages, read once."""
    ours = {each.name: each.read_bytes() for each in (files("campus_api") / "pages").iterdir()}
    pages = {name.removesuffix(".html"): body.decode() for name, body in ours.items() if name.endswith(".html")}
    bodies = {name: body for name, body in ours.items() if not name.endswith(".html")} | _of_others()
    static = {path: file(body, _TYPES[path.rpartition(".")[2]], _FOR_GOOD) for path, body in bodies.items()}
    version = _digest(*(part for path in sorted(bodies) for part in (path.encode(), bodies[path])))
    return Assets(version, static, pages)


def _of_others() -> dict[str, bytes]:
    return {
        f"{folder}/{name}": (files(module) / inner / name).read_bytes()
        for folder, module, inner, names in _PACKAGES
        for name in names
    }


def _digest(*parts: bytes) -> str:
    return blake2b(b"\0".join(parts), digest_size=10).hexdigest()
