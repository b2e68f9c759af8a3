"""The views, and how they answer: JSON by orjson, GeoJSON, files as they are, numbers as Prometheus reads them."""

import orjson
from prometheus_client import CONTENT_TYPE_LATEST

from campus_api.domain import geojson
from campus_api.http import cache_key


def includeme(config):
    """Register the renderers and every view."""
    config.add_settings({"jinja2.undefined": "strict"})
    config.include("pyramid_jinja2")
    # To whom both are equal, like curl, gets what programs read.
    config.add_accept_view_order("application/json", weighs_more_than="text/html")
    config.add_renderer("json", _Json)
    config.add_renderer("places", _Places)
    config.add_renderer("file", _File)
    config.add_renderer("prometheus", _Prometheus)
    config.scan("campus_api.views")


def place_encoder(request):
    """Return a function that encodes a building as JSON, or as GeoJSON if the client prefers that."""
    represent = geojson.feature if _prefers_geojson(request) else dict
    # orjson.dumps() over-allocates the bytes that it returns; decoding copies them to their size.
    return lambda building: orjson.Fragment(orjson.dumps(represent(building)).decode())


def _prefers_geojson(request):
    return cache_key.form(request.environ) == cache_key.GEOJSON


class _Json:
    """Render what a view returns as JSON in UTF-8."""

    def __init__(self, info):
        pass

    def __call__(self, value, system):
        response = system["request"].response
        if response.content_type == response.default_content_type:
            response.content_type = "application/json"
        return orjson.dumps(value)


class _Places(_Json):
    """Render a building, or a list of encoded buildings, as JSON, or as GeoJSON if the client prefers that."""

    def __call__(self, value, system):
        request = system["request"]
        if _prefers_geojson(request):
            request.response.content_type = geojson.MEDIA_TYPE
            value = geojson.collection(value) if isinstance(value, list) else geojson.feature(value)
        return super().__call__(value, system)


class _File:
    """Answer a file with its own headers, and 304 to whom has it."""

    def __init__(self, info):
        pass

    def __call__(self, value, system):
        asked, response = system["request"].headers, system["request"].response
        form = value.form(asked.get("Accept-Encoding", ""), asked.get("If-None-Match", ""))
        response.status_int, headers, body = form
        response.headers.update(headers)
        if body is None:
            response.content_type = response.content_length = None
        return body


class _Prometheus:
    """Answer what a view returns as the text that Prometheus reads."""

    def __init__(self, info):
        pass

    def __call__(self, value, system):
        system["request"].response.headers["Content-Type"] = CONTENT_TYPE_LATEST
        return value
