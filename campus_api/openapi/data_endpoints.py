"""The endpoints that answer data."""

from campus_api.openapi import headers
from campus_api.openapi.endpoint import ERRORS, JSON, Endpoint
from campus_api.openapi.shapes import list_of, reference

_ERRORS_OF_DATA = (*ERRORS, "503")
_GEOJSON = "application/geo+json"


def _list(path: str, what: str) -> Endpoint:
    name = path.rpartition("/")[2]
    return Endpoint(
        path,
        f"list{name.title()}",
        "dining",
        f"All {name}",
        f"Id and name of all {what}, by id.",
        {JSON: list_of(reference("Named"))},
        path,
        headers=headers.DATA,
        errors=_ERRORS_OF_DATA,
    )


def _item(path: str, what: str, id_: int) -> Endpoint:
    return Endpoint(
        f"{path}/{{id}}",
        f"get{what.title()}",
        "dining",
        f"One {what}",
        f"Id and name of one {what}.",
        {JSON: reference("Named")},
        f"{path}/{id_}",
        headers=headers.DATA,
        errors=("404", *_ERRORS_OF_DATA),
    )


_BUILDINGS = Endpoint(
    "/map/buildings",
    "listBuildings",
    "map",
    "Buildings, searched by name and address",
    "The buildings whose name and address contain the given texts, by id; all of them without a text. Name and address "
    "must both match, the same parameter again is an alternative. Whatever is odd in the query matches nothing or is "
    "ignored: this is never a 400. "
    "`Accept: application/geo+json` asks for GeoJSON.",
    {JSON: list_of(reference("Building")), _GEOJSON: reference("FeatureCollection")},
    "/map/buildings?name=cafe",
    query="buildings",
    headers=headers.DATA,
    errors=_ERRORS_OF_DATA,
)
_BUILDING = Endpoint(
    "/map/buildings/{id}",
    "getBuilding",
    "map",
    "One building",
    "A building with its address, photo and footprint. `Accept: application/geo+json` asks for GeoJSON.",
    {JSON: reference("Building"), _GEOJSON: reference("Feature")},
    "/map/buildings/116",
    headers=headers.DATA,
    errors=("404", *_ERRORS_OF_DATA),
)
_MENUS = Endpoint(
    "/dining/menus",
    "listMenus",
    "dining",
    "Menus of one or more dates",
    "One row for each recipe at each location, by date, meal, location and then as it is served. Without a date the "
    "menus are those of today in the time zone of the campus. Different parameters must all hold, the same parameter "
    "again is an alternative. What is not understood is a 400 that says why; what is well formed and matches nothing "
    "is an empty list.",
    {JSON: list_of(reference("MenuRow"))},
    "/dining/menus?meal=2&location=30&category=18",
    query="menus",
    headers=headers.MENUS,
    errors=("400", *_ERRORS_OF_DATA),
)
DATA = (
    _BUILDINGS,
    _BUILDING,
    _list("/dining/categories", "categories of menus"),
    _item("/dining/categories", "category", 18),
    _list("/dining/locations", "locations; halls that share a kitchen are one"),
    _item("/dining/locations", "location", 30),
    _list("/dining/recipes", "recipes"),
    _item("/dining/recipes", "recipe", 83023),
    _MENUS,
)
