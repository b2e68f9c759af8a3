"""The JSON Schemas of what is answered: those of data from the dataclasses that loaders build and stores answer."""

from dataclasses import fields
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from campus_api.models import Building, MenuItem, Named, Position

Schema = dict[str, Any]

_TYPES = {int: "integer", float: "number", str: "string", NoneType: "null"}

_BUILDING = {
    "id": "The number that the provider gave the building.",
    "name": "The name; null when nobody knows one.",
    "address": "The street address.",
    "city": "The city.",
    "image": "The address of a photo; null when there is none.",
    "point": "A position inside of the building: latitude, longitude in degrees (WGS 84).",
    "polygons": (
        "The closed outer rings of the footprint, each position latitude, longitude; "
        "none when the building is known by a point only."
    ),
}
_NAMED = {"id": "The number that the provider gave it.", "name": "The name."}
_MENU_ITEM = {
    "date": "The day on which it is served.",
    "meal": "The meal: 0 is breakfast, 1 lunch, 2 dinner.",
    "location": "The id of the location.",
    "category": "The id of the category.",
    "recipe": "The id of the recipe.",
    "name": "The name of the recipe as it was served; numbers are used again over the years.",
}


def of_object(properties: dict[str, Schema], description: str = "") -> Schema:
    """Return the schema of an object that always has all of these properties."""
    said = {"description": description} if description else {}
    return {"type": "object", **said, "required": list(properties), "properties": properties}


def list_of(schema: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": schema}


def reference(name: str) -> Schema:
    """Return what stands for a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def of_type(type_: Any) -> Schema:
    """Return the schema of what a type annotation allows."""
    if type_ in _TYPES:
        return {"type": _TYPES[type_]}
    if get_origin(type_) is tuple:
        first, *others = get_args(type_)
        schema = list_of(of_type(first))
        length = 1 + len(others)
        return schema if others == [...] else {**schema, "minItems": length, "maxItems": length}
    return {"type": [_TYPES[each] for each in get_args(type_)]}


def _properties(record: type, descriptions: dict[str, str]) -> dict[str, Schema]:
    types = get_type_hints(record)
    return {each.name: {**of_type(types[each.name]), "description": descriptions[each.name]} for each in fields(record)}


def _building() -> Schema:
    properties = _properties(Building, _BUILDING)
    geometry = of_object({name: properties.pop(name) for name in ("point", "polygons")}, "Where the building stands.")
    return of_object({**properties, "geometry": geometry}, Building.__doc__.partition(";")[0] + ".")


def _menu_row() -> Schema:
    properties = _properties(MenuItem, _MENU_ITEM)
    properties["date"]["format"] = "date"
    name = properties.pop("name")
    return of_object(
        {**properties, "id": {**properties["recipe"], "description": "The id of the recipe, again."}, "name": name},
        "A recipe served in a category, for a meal, at a location, on a date.",
    )


def _feature(building: Schema) -> Schema:
    properties = {name: building["properties"][name] for name in ("name", "address", "city", "image")}
    position = {**of_type(Position), "description": "Longitude, latitude in degrees (WGS 84)."}
    rings = {**list_of(list_of(list_of(position))), "description": "The outer ring of each polygon."}
    point = of_object({"type": {"const": "Point"}, "coordinates": position}, "A position inside of the building.")
    footprint = of_object({"type": {"const": "MultiPolygon"}, "coordinates": rings}, "The footprint.")
    place = {"oneOf": [footprint, point], "description": "The footprint or, where none is known, the point."}
    return of_object(
        {
            "type": {"const": "Feature"},
            "id": building["properties"]["id"],
            "geometry": place,
            "properties": of_object({**properties, "point": point}),
        },
        "A building as GeoJSON (RFC 7946).",
    )


def data() -> dict[str, Schema]:
    """Return the schemas of data by name."""
    building = _building()
    features = {"type": {"const": "FeatureCollection"}, "features": list_of(reference("Feature"))}
    return {
        "Building": building,
        "Feature": _feature(building),
        "FeatureCollection": of_object(features, "Buildings as GeoJSON (RFC 7946)."),
        "Named": of_object(_properties(Named, _NAMED), Named.__doc__),
        "MenuRow": _menu_row(),
    }
