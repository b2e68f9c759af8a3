"""Views of the index, of the HTML pages, and of the documents for programs."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pyramid.httpexceptions import HTTPBadRequest
from pyramid.request import Request
from pyramid.response import Response
from pyramid.view import view_config

from campus_api import assets, catalog, documents, openapi
from campus_api.db.errors import DatabaseUnavailable
from campus_api.domain.allergens.spellings import spellings
from campus_api.domain.allergens.vocabulary import NO_DIET, DietVocabulary
from campus_api.domain.models import MEALS
from campus_api.domain.text import fold, printable
from campus_api.http.cache_key import data_request, mount_path
from campus_api.http.conditional import content_etag
from campus_api.resources import Docs, Root
from campus_api.views import day

VARY = "Accept, Accept-Encoding"
# The query of a page that selects nothing.
_ANY = {**dict.fromkeys(("date", "meal", "location", "q")), "diet": NO_DIET}
_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src {}; style-src 'self'; connect-src 'self'; font-src 'self'; manifest-src 'self'; "
    "img-src {}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


@view_config(context=Root, renderer="json")
@view_config(context=Root, renderer="json", accept="application/json")
def index(context: Root, request: Request) -> dict[str, Any]:
    """Return the index."""
    _add_document_headers(request, vary=VARY)
    moment = request.registry["clock"].now()
    serving = day.now(context.stores, moment)
    return request.registry["index"].document(mount_path(request.environ), moment, serving)


@view_config(context=Root, renderer="campus_api:pages/templates/start.jinja2", accept="text/html")
def start_page(context: Root, request: Request) -> dict[str, Any]:
    """Return the values that the start page shows: the menus of now, and a sentence about each data set."""
    menu = day.select(context.stores, request.registry["clock"].now(), _ANY)
    return page(request, vary=VARY) | menu | request.registry["index"].summary()


@view_config(context=Docs, renderer="campus_api:pages/templates/docs.jinja2")
@view_config(context=documents.Document, renderer="campus_api:pages/templates/document.jinja2")
def docs(context: Docs | documents.Document, request: Request) -> dict[str, Any]:
    """Return what the reference shows, or one of the documents that it links: all of these, and the endpoints."""
    return page(request) | {"endpoints": catalog.ENDPOINTS, "documents": documents.read()}


@view_config(context=Root, name="explore", renderer="campus_api:pages/templates/explore.jinja2")
def explore(context: Root, request: Request) -> dict[str, Any]:
    """Return the URLs that the page needs, and the menu that the query selects."""
    tiles_url = request.registry.settings["map.tiles_url"]
    # Photos of buildings are hosted by their providers.
    images = ["https:", *([_origin(tiles_url)] if tiles_url else [])]
    values = page(request, images=images, scripts=assets.inline_script_sources())
    # https://operations.osmfoundation.org/policies/tiles/ requires the Referer header.
    request.response.headers["Referrer-Policy"] = "origin"
    return values | _menu(context, request)


def _menu(context: Root, request: Request) -> dict[str, Any]:
    """Return the menu that the query selects, and what it can select; the page has it before its script does."""
    moment = request.registry["clock"].now()
    query, problem = _query(request)
    params = parse_qs(request.query_string)
    view = params.get("view", ["buildings" if {"id", "q"} & params.keys() else "menus"])[0]
    if view != "menus":
        query = {**query, "q": None}
    names = ("location", "label", "without")
    pairs = [(name, printable(value)) for name, value in data_request(request).pairs if name in names]
    chosen = [text for name, text in pairs if name == "label"]
    selected = day.select(context.stores, moment, query)
    if problem:
        selected["halls"] = None
    vocabulary = context.stores.snapshot.vocabulary
    return {
        **selected,
        "problem": problem,
        "view": view,
        "q": (query["q"] or "").strip(),
        "dining": request.registry["index"].summary()["datasets"]["dining"],
        "pairs": pairs,
        "labels": [vocabulary.label.name(text) for text in chosen] if vocabulary else [],
        "without": sorted(query["diet"].without or ()),
        "diet": _diet(vocabulary, chosen),
        "modules": assets.modules("explore.js"),
    }


def _query(request: Request) -> tuple[Mapping[str, Any], str]:
    """Return the filters of the query, and what is wrong with it; those of none if it is invalid, or in an outage."""
    try:
        return request.filters, ""
    except DatabaseUnavailable:
        return _ANY, ""
    except HTTPBadRequest as error:
        request.response.status_int = error.status_int
        return _ANY, printable(error.detail)


def _diet(vocabulary: DietVocabulary | None, chosen: list[str]) -> dict[str, Any]:
    """Return the codes that labels and the chosen texts stand for, their names, and the words that are not stated."""
    if vocabulary is None:
        return {"labels": {}, "names": [], "unstated": []}
    unstated = sorted({*spellings().words} - vocabulary.without.stated)
    known = vocabulary.label.known_texts
    labels = {text: sorted(vocabulary.label.get(text)) for text in (*known, *map(fold, chosen))}
    names = sorted({*map(vocabulary.label.name, known)})
    return {"labels": labels, "names": names, "unstated": unstated}


def _origin(url: str) -> str:
    return "{0.scheme}://{0.netloc}".format(urlsplit(url))


def page(
    request: Request, *, vary: str = "Accept-Encoding", images: Sequence[str] = (), scripts: Sequence[str] = ()
) -> dict[str, Any]:
    """Add the headers of a page, and return what every one needs: the URLs of the service and of its static files.

    `images` and `scripts` are the sources that its content security policy allows besides its own.
    """
    _add_document_headers(request, vary=vary)
    headers = request.response.headers
    headers["Content-Type"] = "text/html; charset=utf-8"
    script_sources = " ".join(["'self'", *scripts])
    image_sources = " ".join(["'self'", "data:", *images])
    headers["Content-Security-Policy"] = _CONTENT_SECURITY_POLICY.format(script_sources, image_sources)
    mount = mount_path(request.environ)
    origin = _origin(request.registry.settings["pages.url"] or request.host_url)
    return {"base": f"{mount}/", "static": mount + assets.read().prefix, "origin": origin}


def _add_document_headers(request: Request, *, vary: str = "Accept-Encoding") -> None:
    """Add the headers of a page or a document, which clients keep but revalidate each time."""
    request.response.headers.update({"Cache-Control": "no-cache", "Vary": vary, "Referrer-Policy": "no-referrer"})
    request.add_response_callback(_add_etag)


def _add_etag(request: Request, response: Response) -> None:
    """Add the ETag of a response, once it is rendered."""
    if response.status_int == 200:
        response.headers["ETag"] = content_etag(response.body)


@view_config(context=Root, name="openapi.json", renderer="json")
def openapi_document(context: Root, request: Request) -> dict[str, Any]:
    """Return the OpenAPI document, with examples for today."""
    _add_document_headers(request)
    base, today = mount_path(request.environ) or "/", request.registry["clock"].today()
    return openapi.document(base, today, *request.registry["index"].about.values())


@view_config(context=Root, name="llms.txt", renderer="campus_api:pages/templates/llms.txt.jinja2")
@view_config(context=Root, name="robots.txt", renderer="campus_api:pages/templates/robots.txt.jinja2")
def text_document(context: Root, request: Request) -> dict[str, Any]:
    """Return what the guide says about the endpoints (https://llmstxt.org), and crawlers may not read (RFC 9309)."""
    _add_document_headers(request)
    request.response.headers["Content-Type"] = "text/plain; charset=utf-8"
    return {"base": mount_path(request.environ), "endpoints": catalog.DATA.values(), "meals": MEALS}
