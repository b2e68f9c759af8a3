"""Programs that open only a URL read the data of a real server."""

import pandas
import pyogrio

from tests.processes.servers import get_json


def test_gdal_reads_the_places_of_the_halls(samples, all_gdal_drivers):
    metadata, ids, points, fields = pyogrio.raw.read(f"{samples.url}/dining/locations.geojson", return_fids=True)

    names = dict(zip(metadata["fields"], fields, strict=True))["name"]
    halls = get_json(samples, "/dining/locations")
    assert [{"id": id_, "name": name} for id_, name in zip(ids, names, strict=True)] == halls
    assert [name for name, point in zip(names, points, strict=True) if point is None] == ["Cronkhite Dining Room"]


def test_pandas_reads_buildings(samples):
    table = pandas.read_csv(f"{samples.url}/map/buildings.csv")

    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    buildings = get_json(samples, "/map/buildings")
    points = [[row.pop("latitude"), row.pop("longitude")] for row in rows]
    assert points == [building.pop("geometry")["point"] for building in buildings]
    # An image in a data URL is no cell.
    assert rows == [building | {"image": None} for building in buildings]
