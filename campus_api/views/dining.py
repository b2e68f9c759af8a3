"""The lists of categories, locations and recipes, and one of them."""

from pyramid.view import view_config

from campus_api.resources import Item, Names


@view_config(context=Names, renderer="json")
def names(context, request):
    """Answer id and name of all."""
    return context.store.find()


@view_config(context=Item, renderer="json")
def item(context, request):
    """Answer one category, location or recipe."""
    return context.data
