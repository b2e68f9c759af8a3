"""Views of the index, the HTML pages and their static assets."""

from urllib.parse import quote

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.assets import File
from campus_api.resources import Page, Root, StaticFile


@view_config(context=Root, renderer="file")
@view_config(context=Root, renderer="file", accept="application/json")
def index(context: Root, request: Request) -> File:
    """Return the index as JSON."""
    return context.index.file(_base(request))


@view_config(context=Root, renderer="file", accept="text/html")
def start_page(context: Root, request: Request) -> File:
    """Return the index as HTML."""
    return context.index.page(_base(request))


@view_config(context=Page, renderer="file")
@view_config(context=StaticFile, renderer="file")
def file(context: Page | StaticFile, request: Request) -> File:
    """Return a page or a static asset."""
    return context.file(_base(request))


def _base(request: Request) -> str:
    """Return the path under which the service is mounted."""
    return quote(request.environ["SCRIPT_NAME"], encoding="latin-1") + "/"
