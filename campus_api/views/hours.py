"""View of the serving hours."""

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.domain.models import HoursRow
from campus_api.http.cache_key import data_request
from campus_api.resources import Hours
from campus_api.validation import schemas


@view_config(context=Hours, renderer="json")
def hours(context: Hours, request: Request) -> list[HoursRow]:
    """Return when the meals that match the query are served, today by default."""
    _, pairs, today = data_request(request)
    filters = schemas.parse_menu_query(pairs, schemas.HOURS)
    return context.store.find(**filters | {"date": filters["date"] or [today]})
