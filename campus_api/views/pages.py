"""The index, the pages for people, and the files that they consist of."""

from urllib.parse import quote

from pyramid.view import view_config

from campus_api.resources import Page, Root, StaticFile


@view_config(context=Root, renderer="file")
@view_config(context=Root, renderer="file", accept="application/json")
def index(context, request):
    """Answer to programs what there is."""
    return context.index.file(_base(request))


@view_config(context=Root, renderer="file", accept="text/html")
def start(context, request):
    """Answer to people what there is."""
    return context.index.page(_base(request))


@view_config(context=Page, renderer="file")
@view_config(context=StaticFile, renderer="file")
def file(context, request):
    """Answer a page or one of its files."""
    return context.file(_base(request))


def _base(request):
    """Return where the service stands on its host."""
    return quote(request.environ["SCRIPT_NAME"], encoding="latin-1") + "/"
