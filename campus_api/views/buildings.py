"""The list of buildings."""

from pyramid.view import view_config

from campus_api import schemas
from campus_api.resources import Buildings


@view_config(context=Buildings, renderer="json")
def buildings(context, request):
    """Answer the buildings whose name and address contain the given texts."""
    return context.store.containing(**schemas.building_search(request.query_string))
