"""Vector files and archives, written by GDAL, and what readers say of them."""

import zipfile
from dataclasses import replace

import numpy as np
import pyogrio.raw
import shapely

from loaders import profiles
from loaders.readers import buildings
from tests.loaders.errors import message_of

PROFILE = profiles.load_building_profile("gdal")
DRIVERS = {".gpkg": "GPKG", ".shp": "ESRI Shapefile", ".kml": "LIBKML"}
WIDENER = shapely.box(-71.1171, 42.3741, -71.1169, 42.3743)


def write_vector(path, *geometries, crs="EPSG:4326", layer=None, append=False, nulls=None, **columns):
    """Write a vector file with the driver of its suffix; `nulls` has the numbers of null values by column."""
    geometries = geometries or (WIDENER,)
    columns = {"BLDG_ID": range(1, len(geometries) + 1), **columns}
    arrays = {name: np.asarray([*values]) for name, values in columns.items()}
    masks = {name: np.isin(range(len(geometries)), rows) for name, rows in (nulls or {}).items()}
    pyogrio.raw.write(
        path,
        shapely.to_wkb(np.array(geometries, dtype=object)),
        [array.astype(object) if array.dtype.kind == "U" else array for array in arrays.values()],
        list(arrays),
        field_mask=[masks.get(name) for name in arrays],
        crs=crs,
        driver=DRIVERS[path.suffix],
        geometry_type="Polygon" if path.suffix == ".shp" else "Unknown",
        layer=layer,
        append=append,
    )
    return path


def pack(path, *files, inside=""):
    """Write files, or the files next to a Shapefile, to a ZIP archive in a folder of it, as macOS does."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, f"{inside}{file.name}")
            archive.writestr(f"__MACOSX/{inside}._{file.name}", b"")
    return path


def read(path, **changes):
    return buildings.read([(replace(PROFILE, **changes), [path])])


def reason(path, **changes):
    """Return why a file cannot be read."""
    return message_of(read, path, **changes)
