"""The formats of building exports, a class each."""

from loaders.map_formats.base import BuildingFormat
from loaders.map_formats.campus import CampusBuildings
from loaders.map_formats.esri import Esri
from loaders.map_formats.gdal import Gdal
from loaders.map_formats.geojson import GeoJson
from loaders.map_formats.overpass import Overpass
from loaders.map_formats.table import Table

# Formats are detected in this order.
BUILDING_FORMATS: dict[str, type[BuildingFormat]] = {
    each.name: each for each in (CampusBuildings, GeoJson, Esri, Overpass, Gdal, Table)
}
