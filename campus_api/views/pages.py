"""The pages for people, and the files that they consist of."""

from urllib.parse import quote

from pyramid.view import view_config

from campus_api.resources import Page, StaticFile


@view_config(context=Page, renderer="file")
@view_config(context=StaticFile, renderer="file")
def file(context, request):
    """Answer a file; addresses in a page begin where the service stands on its host."""
    return context.file(quote(request.environ["SCRIPT_NAME"], encoding="latin-1") + "/")
