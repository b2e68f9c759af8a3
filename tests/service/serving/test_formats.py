"""Programs that open only a URL read the data of a real server."""

import json

import pyogrio
import pytest

from tests.service.processes import fetch


@pytest.mark.parametrize("query", ["", "?name=wigglesworth", "?address=harvard+yard&name=hall"])
def test_gdal_reads_the_buildings_of_a_url(samples, query):
    url = f"{samples.url}/map/buildings"

    metadata, ids, _, fields = pyogrio.raw.read(f"{url}.geojson{query}", return_fids=True)

    expected = json.loads(fetch(url + query).body)
    names = dict(zip(metadata["fields"], fields, strict=True))["name"]
    assert len(expected) > 0
    assert list(ids) == [building["id"] for building in expected]
    assert list(names) == [building["name"] for building in expected]


def test_gdal_reads_a_building_of_a_url(samples):
    _, ids, _, _ = pyogrio.raw.read(f"{samples.url}/map/buildings/116.geojson", return_fids=True)

    assert list(ids) == [116]
