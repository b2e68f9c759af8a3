"""Views of the index and the HTML pages."""

from datetime import date as calendar_date
from typing import Any
from urllib.parse import urlsplit

from pyramid.request import Request
from pyramid.view import view_config

from campus_api import assets, catalog, documents
from campus_api.db.stores import Stores
from campus_api.domain.allergens.spellings import spellings
from campus_api.domain.allergens.vocabulary import DietVocabulary
from campus_api.domain.clock import Clock
from campus_api.http.cache_key import mount_path
from campus_api.resources import Docs, Root
from campus_api.views import day
from campus_api.views.page_headers import add_document_headers, add_page_headers

_VARY = "Accept, Accept-Encoding"
_EXPLORE_SETTINGS = {
    "tiles_url": "map.tiles_url",
    "attribution": "map.attribution",
    "time_zone": "clock.time_zone",
    "frozen_at": "clock.frozen_at",
    "offline": "pages.offline",
}


@view_config(context=Root, renderer="json")
@view_config(context=Root, renderer="json", accept="application/json")
def index(context: Root, request: Request) -> dict[str, Any]:
    """Return the index."""
    add_document_headers(request, vary=_VARY)
    now = day.now(context.stores, request.registry["clock"].now())
    return request.registry["index"].document(_base(request), now)


@view_config(context=Root, renderer="campus_api:pages/templates/start.jinja2", accept="text/html")
def start_page(context: Root, request: Request) -> dict[str, Any]:
    """Return the values that the start page shows: the menus of now, and a sentence about each data set."""
    add_page_headers(request, vary=_VARY)
    menus = _menus(context.stores, request.registry["clock"])
    return page_urls(request) | menus | request.registry["index"].summary()


@view_config(context=Docs, renderer="campus_api:pages/templates/docs.jinja2")
def docs(context: Docs, request: Request) -> dict[str, Any]:
    """Return the URLs that the page needs, and the endpoints."""
    add_page_headers(request)
    return page_urls(request) | {"endpoints": catalog.ENDPOINTS, "documents": documents.read()}


@view_config(context=documents.Document, renderer="campus_api:pages/templates/document.jinja2")
def document_page(context: documents.Document, request: Request) -> dict[str, Any]:
    """Return a document, and the others that the page links."""
    add_page_headers(request)
    return page_urls(request) | {"document": context, "documents": documents.read()}


@view_config(context=Root, name="explore", renderer="campus_api:pages/templates/explore.jinja2")
def explore(context: Root, request: Request) -> dict[str, Any]:
    """Return the URLs and the settings that the page needs, and the menus of today."""
    settings = request.registry.settings
    # Photos of buildings are hosted by their providers.
    images = ["https:", *_origins(settings["map.tiles_url"])]
    add_page_headers(request, images=images, scripts=assets.inline_scripts())
    # https://operations.osmfoundation.org/policies/tiles/ requires the Referer header.
    request.response.headers["Referrer-Policy"] = "origin"
    values = {name: settings[setting] for name, setting in _EXPLORE_SETTINGS.items()}
    menus = _menus(context.stores, request.registry["clock"])
    title = day.title(context.stores, request.GET, menus["now"])
    return page_urls(request) | values | menus | {"title": title}


def _menus(stores: Stores, clock: Clock) -> dict[str, Any]:
    """Return the menus of the day of now, and those of now, which the page shows until its script does."""
    now = day.now(stores, clock.now())
    halls = day.halls(stores, now["date"], clock.time_zone)
    menus = day.served_now(halls or [], now)
    date = calendar_date.fromisoformat(now["date"])
    ahead = (date - calendar_date.fromisoformat(now["time"][:10])).days
    return {
        "halls": halls,
        "now": now,
        "menus": menus,
        "extent": day.extent(menus),
        "date": date,
        "relative_day": {0: "Today", 1: "Tomorrow"}.get(max(ahead, 0), f"{date:%A, %B} {date.day}, {date.year}"),
        "samples": stores.menus.has_samples,
        "diet": _diet(stores.snapshot.vocabulary),
        "modules": assets.modules("explore.js"),
    }


def _diet(vocabulary: DietVocabulary | None) -> dict[str, Any]:
    """Return the codes that labels stand for, and the words that the dining service never lists."""
    if vocabulary is None:
        return {"labels": {}, "never_listed": []}
    never_listed = sorted({*spellings().words} - vocabulary.without.stated)
    labels = {text: sorted(vocabulary.label.get(text)) for text in vocabulary.label.known_texts}
    return {"labels": labels, "never_listed": never_listed}


def _origins(url: str) -> list[str]:
    parts = urlsplit(url)
    return [f"{parts.scheme}://{parts.netloc}"] if url else []


def page_urls(request: Request) -> dict[str, str]:
    """Return what every page needs: the URLs of the service and of its static files, and the `data` settings."""
    base = _base(request)
    settings = request.registry.settings
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(settings["pages.url"] or request.host_url))
    urls = {"base": base, "static": base.removesuffix("/") + assets.read().prefix, "origin": origin}
    return urls | {f"data_{name}": settings[f"data.{name}"] for name in ("license", "attribution", "contact")}


def _base(request: Request) -> str:
    """Return the path under which the service is mounted, with a slash."""
    return mount_path(request.environ) + "/"
