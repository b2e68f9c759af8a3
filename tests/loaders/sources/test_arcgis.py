import json

import pytest

from loaders.sources.arcgis import download_layer, is_layer
from loaders.sources.download import HttpClient
from tests.loaders.errors import error_of

PATH = "/arcgis/rest/services/Campus/FeatureServer/0"
FIELDS = [{"name": "FID", "type": "esriFieldTypeOID"}, {"name": "Name", "type": "esriFieldTypeString"}]


@pytest.fixture
def layer(web):
    """Serve a layer of features in pages and return its URL; `changes` are made to its responses."""

    def layer(number, page_size=2, *, supports_pagination=True, changes=dict):
        capabilities = {"supportsPagination": supports_pagination}
        description = {"maxRecordCount": page_size, "advancedQueryCapabilities": capabilities, "fields": FIELDS}
        features = [{"attributes": {"FID": id_, "Name": f"Hall {id_}"}} for id_ in range(1, number + 1)]

        def query(request):
            if request.query.get("returnCountOnly") == "true":
                return {"count": number}
            first = int(request.query.get("resultOffset", 0))
            page = features[first : first + page_size]
            response = {"spatialReference": {"wkid": 4326}, "features": page}
            return response | {"exceededTransferLimit": True} if first + len(page) < number else response

        def respond(content):
            return lambda request: (200, {}, json.dumps(changes(content(request))).encode())

        web.responses[PATH] = respond(lambda request: description)
        web.responses[f"{PATH}/query"] = respond(query)
        return web.url(PATH)

    return layer


@pytest.fixture
def read(tmp_path):
    """Download a layer and return its JSON."""

    def read(url):
        download = download_layer(HttpClient(), url, tmp_path)
        value = json.loads(download.read_text())
        download.unlink()
        return value

    return read


@pytest.fixture
def reason(tmp_path):
    """Return why a layer cannot be downloaded."""

    def reason(url):
        error = error_of(download_layer, HttpClient(), url, tmp_path)
        (tmp_path / "layer.json").unlink()
        return str(error).partition(": cannot be downloaded: ")[2]

    return reason


def test_layers_are_told_from_files_by_their_path():
    urls = {
        "https://example.edu/arcgis/rest/services/Campus/FeatureServer/0": True,
        "https://example.edu/arcgis/rest/services/Campus/mapserver/12/?token=abc": True,
        "https://example.edu/arcgis/rest/services/Campus/FeatureServer": False,
        "https://example.edu/arcgis/rest/services/Campus/FeatureServer/0/query?f=json": False,
        "https://example.edu/menus.csv?next=/FeatureServer/0": False,
    }

    assert {url: is_layer(url) for url in urls} == urls


def test_all_pages_are_one_file_with_a_feature_per_line(layer, tmp_path):
    text = download_layer(HttpClient(), layer(5), tmp_path).read_text()

    value = json.loads(text)
    assert value["spatialReference"] == {"wkid": 4326}
    assert [feature["attributes"]["FID"] for feature in value["features"]] == [1, 2, 3, 4, 5]
    assert "exceededTransferLimit" not in value
    assert [line[:13] for line in text.splitlines()[1:-1]] == ['{"attributes"'] * 5


def test_pages_are_queried_in_the_order_of_their_object_ids(layer, web, read):
    read(layer(3))

    first, second = (request.query for request, _ in web.requests[2:])
    common = {"where": "1=1", "outFields": "*", "f": "json", "orderByFields": "FID", "resultRecordCount": "2"}
    assert (first, second) == ({**common, "resultOffset": "0"}, {**common, "resultOffset": "2"})
    # Pages are smaller than this server allows.
    read(layer(3, page_size=50_000))
    assert web.requests[-1][0].query["resultRecordCount"] == "1000"


def test_parameters_of_the_url_are_sent_with_every_request(layer, web, tmp_path):
    download_layer(HttpClient(), f"{layer(1)}?token=abc&where=Campus%3D%27A%27", tmp_path)

    assert {(request.query["token"], request.query["where"]) for request, _ in web.requests} == {("abc", "Campus='A'")}


def test_a_small_layer_without_pages_and_an_empty_one_are_read(layer, web, read):
    assert len(read(layer(2, supports_pagination=False))["features"]) == 2
    assert "resultOffset" not in web.requests[-1][0].query
    assert read(layer(0))["features"] == []


def test_features_that_are_missing_are_an_error(layer, reason):
    without_features = layer(3, changes=lambda value: value | {"features": []} if "features" in value else value)
    assert reason(without_features) == "the layer has 3 features, but 0 were received"

    truncated = layer(3, changes=lambda value: {key: value[key] for key in value if key != "exceededTransferLimit"})
    assert reason(truncated) == "the layer has 3 features, but 2 were received"

    without_pages = layer(3, supports_pagination=False)
    assert reason(without_pages) == "the layer has 3 features, but 4 were received"


def test_a_response_of_another_form_is_an_error(layer, web, reason):
    invalid_token = {"code": 498, "message": "Invalid token."}
    for value, expected in [
        ({"error": invalid_token}, f"the server reports {invalid_token}"),
        ([], "a response is not a JSON object"),
        *(({"count": count}, "the response to a query has no count") for count in (True, -1, 1.5, "2", None)),
        ({"count": 1}, "the response to a query has no features"),
    ]:
        assert reason(layer(1, changes=lambda _, value=value: value)) == expected, value
    web.add(f"{PATH}/query", "<html>")
    assert reason(web.url(PATH)).startswith("a response is not JSON: ")


def test_too_many_features_are_an_error_before_they_are_downloaded(layer, web, reason):
    for count in (500_001, 10**15):
        url = layer(2, changes=lambda value, count=count: {"count": count} if "count" in value else value)

        assert reason(url) == f"the layer has {count:,} features: at most 500,000 are downloaded", count
    assert len(web.requests) == 2
