"""Headers of pages and documents, which clients keep but revalidate each time."""

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256

from pyramid.request import Request
from pyramid.response import Response

from campus_api.http.conditional import content_etag

_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src {}; style-src 'self'; connect-src 'self'; font-src 'self'; manifest-src 'self'; "
    "img-src {}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def add_document_headers(request: Request, *, vary: str = "Accept-Encoding") -> None:
    """Add Cache-Control, Vary, Referrer-Policy and, once it is rendered, an ETag to the response."""
    headers = {"Cache-Control": "no-cache", "Vary": vary, "Referrer-Policy": "no-referrer"}
    request.response.headers.update(headers)
    request.add_response_callback(_add_etag)


def add_page_headers(
    request: Request, *, vary: str = "Accept-Encoding", images: Sequence[str] = (), scripts: Sequence[str] = ()
) -> None:
    """Add the headers of a document and a content security policy, which allows these images and inline scripts."""
    add_document_headers(request, vary=vary)
    hashes = map(_hash_source, scripts)
    policy = _CONTENT_SECURITY_POLICY.format(" ".join(["'self'", *hashes]), " ".join(["'self'", "data:", *images]))
    request.response.headers.update({"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy})


@cache
def _hash_source(script: str) -> str:
    """Return the source of an inline script: https://www.w3.org/TR/CSP3/#grammardef-hash-source."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def _add_etag(request: Request, response: Response) -> None:
    if response.status_int == 200:
        response.headers["ETag"] = content_etag(response.body)
