"""Static files, own and vendored, in memory; their URLs contain the digest of all of them."""

import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b, sha256
from importlib.resources import files
from mimetypes import MimeTypes
from typing import NamedTuple

from swagger_ui_bundle import swagger_ui_path

from campus_api.http.conditional import content_etag
from campus_api.http.response import OK, CachedResponse, CompressedBody

# Folder of the URL, module, folder in the package, files.
_VENDORED = (
    ("leaflet", "xstatic.pkg.leaflet", "data", ("leaflet.css", "leaflet.js")),
    ("swagger-ui", "swagger_ui_bundle", f"vendor/{swagger_ui_path.name}", ("swagger-ui.css", "swagger-ui-bundle.js")),
)
_OWN = files("campus_api") / "pages/static"
_IMPORT = re.compile(r'^(?:import|\} from) .*?"\./([\w-]+\.js)";$', re.MULTILINE)
# Whatever the system knows of types.
_TYPES = MimeTypes()
_TYPES.add_type("text/javascript", ".js")


class StaticFiles(NamedTuple):
    """The responses for all static files by path; all paths start with `prefix`, which contains the digest."""

    prefix: str
    responses: Mapping[str, CachedResponse]


@cache
def read() -> StaticFiles:
    """Read all static files, once."""
    bodies = {path.name: path.read_bytes() for path in _OWN.iterdir()}
    for folder, module, inner, names in _VENDORED:
        bodies |= {f"{folder}/{name}": (files(module) / inner / name).read_bytes() for name in names}
    contents = b"\0".join(part for path in sorted(bodies) for part in (path.encode(), bodies[path]))
    prefix = f"/static/{blake2b(contents, digest_size=10).hexdigest()}/"
    return StaticFiles(prefix, {prefix + path: _response(path, body) for path, body in bodies.items()})


@cache
def modules(name: str) -> list[str]:
    """Return the modules that a module imports, directly or not, in the order in which a browser meets them."""
    names = [name]
    for each in names:
        text = (_OWN / each).read_text(encoding="utf-8")
        names.extend(module for module in _IMPORT.findall(text) if module not in names)
    return names[1:]


@cache
def inline_script_sources() -> list[str]:
    """Return the sources of the scripts in the page: https://www.w3.org/TR/CSP3/#grammardef-hash-source."""
    digests = []
    # For what the device remembers, and for the menus before the modules.
    for name in ("head.js", "early.js"):
        script = (files("campus_api") / "pages/templates" / name).read_bytes()
        # The template of the page includes it without the line feed at its end.
        digests.append(sha256(script.removesuffix(b"\n")).digest())
    return [f"'sha256-{b64encode(digest).decode()}'" for digest in digests]


def _response(path: str, body: bytes) -> CachedResponse:
    etag = content_etag(body)
    media_type = _TYPES.guess_type(path)[0] or "application/octet-stream"
    headers = [
        ("Content-Type", f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type),
        ("Cache-Control", "public, max-age=31536000, immutable"),
        ("ETag", etag),
        ("Vary", "Accept-Encoding"),
        ("Referrer-Policy", "no-referrer"),
        # The service worker is for /explore, which is not in its folder.
        *([("Service-Worker-Allowed", "/")] if path == "worker.js" else []),
    ]
    return CachedResponse(OK, headers, CompressedBody(body), etag)
