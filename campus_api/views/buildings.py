"""The list of buildings, and one of them."""

from pyramid.view import view_config

from campus_api.http.renderers import building_encoder
from campus_api.resources import Buildings, Item
from campus_api.validation import schemas


@view_config(context=Buildings, renderer="buildings")
def buildings(context, request):
    """Answer the buildings whose name and address contain the given texts."""
    search = schemas.building_search(request.query_string)
    return context.store.search(**search, encode=building_encoder(request))


@view_config(context=Item, containment=Buildings, renderer="buildings")
def building(context, request):
    """Answer one building."""
    return context.data
