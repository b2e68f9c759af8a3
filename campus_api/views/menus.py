"""The menus."""

from pyramid.view import view_config

from campus_api.resources import Menus
from campus_api.validation import schemas
from campus_api.views import menu_headers


@view_config(context=Menus, renderer="json")
def menus(context, request):
    """Answer the menu items that meet the query; those of today when it has no date."""
    wanted = schemas.menus(request.query_string)
    wanted["date"] = wanted["date"] or [context.clock.today()]
    snapshot = context.store.snapshot()
    rows = snapshot.find(**wanted)
    request.response.headers.update(menu_headers.headers(snapshot, request.query_string, wanted["date"], rows))
    return rows
