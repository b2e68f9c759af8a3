"""Headers of pages and documents, which clients keep but revalidate each time."""

from collections.abc import Sequence

from pyramid.request import Request
from pyramid.response import Response

from campus_api.http.conditional import content_etag

_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src {}; style-src 'self'; connect-src 'self'; font-src 'self'; manifest-src 'self'; "
    "img-src {}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def add_document_headers(request: Request, *, vary: str = "Accept-Encoding") -> None:
    """Add Cache-Control, Vary, Referrer-Policy and, once it is rendered, an ETag to the response."""
    request.response.headers.update({"Cache-Control": "no-cache", "Vary": vary, "Referrer-Policy": "no-referrer"})
    request.add_response_callback(_add_etag)


def content_security_policy(images: Sequence[str], scripts: Sequence[str]) -> str:
    """Return the policy of a page that has these sources of images and inline scripts besides its own."""
    script_sources = " ".join(["'self'", *scripts])
    image_sources = " ".join(["'self'", "data:", *images])
    return _CONTENT_SECURITY_POLICY.format(script_sources, image_sources)


def _add_etag(request: Request, response: Response) -> None:
    if response.status_int == 200:
        response.headers["ETag"] = content_etag(response.body)
