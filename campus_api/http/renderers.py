"""Renderers: JSON, JSON or GeoJSON for buildings, CSV, iCalendar, Atom, and the text format of Prometheus."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import orjson
from prometheus_client import CONTENT_TYPE_LATEST
from pyramid.config import Configurator
from pyramid.renderers import JSON
from pyramid.request import Request

from campus_api.catalog import ATOM, CALENDAR, CSV, GEOJSON
from campus_api.domain import geojson
from campus_api.domain.building_fields import BuildingRow
from campus_api.http.cache_key import data_request

System = Mapping[str, Any]
Renderer = Callable[[Any, System], bytes]

_render_json: Renderer = JSON(orjson.dumps)(None)


def includeme(config: Configurator) -> None:
    """Register the renderers."""
    config.add_renderer("json", lambda info: _render_json)
    config.add_renderer("buildings", lambda info: _render_buildings)
    config.add_renderer("csv", _text_renderer(f"{CSV}; charset=utf-8", encode=encode_csv))
    config.add_renderer("calendar", _text_renderer(f"{CALENDAR}; charset=utf-8"))
    config.add_renderer("feed", _text_renderer(f"{ATOM}; charset=utf-8"))
    config.add_renderer("prometheus", _text_renderer(CONTENT_TYPE_LATEST))


def _render_buildings(value: Any, system: System) -> bytes:
    """Render an item, or a list of encoded buildings, as JSON, or as GeoJSON if the client prefers that."""
    request = system["request"]
    if data_request(request).key.media_type == GEOJSON:
        request.response.content_type = GEOJSON
        value = geojson.collection(value) if isinstance(value, list) else geojson.feature(value)
    return _render_json(value, system)


def building_encoder(request: Request) -> Callable[[BuildingRow], orjson.Fragment]:
    """Return a function that encodes a building as JSON, or as GeoJSON if the client prefers that."""
    represent = geojson.feature if data_request(request).key.media_type == GEOJSON else dict
    # orjson.dumps() over-allocates the bytes that it returns; decoding copies them to their size.
    return lambda building: orjson.Fragment(orjson.dumps(represent(building)).decode())


def encode_csv(rows: Iterable[Sequence[Any]]) -> bytes:
    """Return CSV in UTF-8, as in RFC 4180."""
    file = io.StringIO(newline="")
    csv.writer(file).writerows(rows)
    return file.getvalue().encode()


def _text_renderer(content_type: str, encode: Callable[[Any], bytes] = bytes) -> Callable[[Any], Renderer]:
    def render(value: Any, system: System) -> bytes:
        system["request"].response.headers["Content-Type"] = content_type
        return encode(value)

    return lambda info: render
