"""Views of the lists of categories, locations and recipes, and of their items."""

from pyramid.view import view_config

from campus_api.resources import Item, NamedEntities


@view_config(context=NamedEntities, renderer="json")
def named_entities(context, request):
    """Return the id and name of every item."""
    return context.store.find()


@view_config(context=Item, renderer="json")
def item(context, request):
    """Return a category, a location or a recipe."""
    return context.data
