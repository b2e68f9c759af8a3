"""Headers of pages and documents, which clients keep but revalidate each time."""

from collections.abc import Sequence

from pyramid.request import Request
from pyramid.response import Response

from campus_api.http.conditional import content_etag

_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'self'; "
    "img-src {}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def add_document_headers(request: Request, *, vary: str = "Accept-Encoding") -> None:
    """Add Cache-Control, Vary, Referrer-Policy and, once it is rendered, an ETag to the response."""
    headers = {"Cache-Control": "no-cache", "Vary": vary, "Referrer-Policy": "no-referrer"}
    request.response.headers.update(headers)
    request.add_response_callback(_add_etag)


def add_text_headers(request: Request) -> None:
    """Add the headers of a document that is plain text."""
    add_document_headers(request)
    request.response.headers["Content-Type"] = "text/plain; charset=utf-8"


def add_page_headers(request: Request, *, vary: str = "Accept-Encoding", image_sources: Sequence[str] = ()) -> None:
    """Add the headers of a document and a content security policy, which allows images of other hosts if listed."""
    add_document_headers(request, vary=vary)
    policy = _CONTENT_SECURITY_POLICY.format(" ".join(["'self'", "data:", *image_sources]))
    request.response.headers.update({"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy})


def _add_etag(request: Request, response: Response) -> None:
    if response.status_int == 200:
        response.headers["ETag"] = content_etag(response.body)
