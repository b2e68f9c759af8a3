import json

import pytest

from loaders.errors import UnreadableFileError
from loaders.sources.arcgis import download_layer, is_layer
from loaders.sources.download import DownloadLimits, HttpClient

PATH = "/arcgis/rest/services/Campus/FeatureServer/0"
FIELDS = [{"name": "FID", "type": "esriFieldTypeOID"}, {"name": "Name", "type": "esriFieldTypeString"}]


@pytest.fixture
def layer(web):
    """Serve a layer of features in pages and return its URL; `changes` are made to its responses."""

    def layer(number, page_size=2, *, supports_pagination=True, changes=dict):
        description = {
            "maxRecordCount": page_size,
            "advancedQueryCapabilities": {"supportsPagination": supports_pagination},
            "fields": FIELDS,
        }
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


def read(url, folder):
    download = download_layer(HttpClient(), url, folder)
    return json.loads(download.path.read_text())


def error_of(url, folder):
    with pytest.raises(UnreadableFileError) as caught:
        download_layer(HttpClient(), url, folder)
    return str(caught.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.edu/arcgis/rest/services/Campus/FeatureServer/0", True),
        ("https://example.edu/arcgis/rest/services/Campus/mapserver/12/?token=abc", True),
        ("https://example.edu/arcgis/rest/services/Campus/FeatureServer", False),
        ("https://example.edu/arcgis/rest/services/Campus/FeatureServer/0/query?f=json", False),
        ("https://example.edu/menus.csv?next=/FeatureServer/0", False),
    ],
)
def test_layers_are_told_from_files_by_their_path(url, expected):
    assert is_layer(url) is expected


def test_all_pages_are_one_file(layer, tmp_path):
    value = read(layer(5), tmp_path)

    assert value["spatialReference"] == {"wkid": 4326}
    assert [feature["attributes"]["FID"] for feature in value["features"]] == [1, 2, 3, 4, 5]
    assert "exceededTransferLimit" not in value


def test_every_feature_is_a_line(layer, tmp_path):
    download = download_layer(HttpClient(), layer(3), tmp_path)

    lines = download.path.read_text().splitlines()
    assert [line[:13] for line in lines[1:-1]] == ['{"attributes"'] * 3


def test_pages_are_queried_in_the_order_of_their_object_ids(layer, web, tmp_path):
    read(layer(3), tmp_path)

    first, second = (request.query for request, _ in web.requests[2:])
    common = {"where": "1=1", "outFields": "*", "f": "json", "orderByFields": "FID", "resultRecordCount": "2"}
    assert (first, second) == ({**common, "resultOffset": "0"}, {**common, "resultOffset": "2"})


def test_parameters_of_the_url_are_sent_with_every_request_but_not_recorded(layer, web, tmp_path):
    download = download_layer(HttpClient(), f"{layer(1)}?token=abc&where=Campus%3D%27A%27", tmp_path)

    assert {(request.query["token"], request.query["where"]) for request, _ in web.requests} == {("abc", "Campus='A'")}
    assert download.source == {"url": f"{web.url(PATH)}?where=Campus%3D%27A%27"}


def test_an_empty_layer_is_an_empty_list(layer, tmp_path):
    assert read(layer(0), tmp_path)["features"] == []


def test_a_small_layer_without_pages_is_read(layer, web, tmp_path):
    assert len(read(layer(2, supports_pagination=False), tmp_path)["features"]) == 2
    assert "resultOffset" not in web.requests[-1][0].query


def test_a_large_layer_without_pages_is_an_error(layer, tmp_path):
    url = layer(3, supports_pagination=False)

    message = error_of(url, tmp_path)

    assert message == f"{url}: cannot be downloaded: the layer has 3 features, but 4 were received"


@pytest.mark.parametrize("offset", ["0", "1"])
def test_features_of_an_earlier_page_are_an_error_even_if_their_number_is_right(layer, web, tmp_path, offset):
    url = layer(4)
    query = web.responses[f"{PATH}/query"]

    def repeat(request):
        if "resultOffset" in request.query and request.query["resultOffset"] != "0":
            request.query["resultOffset"] = offset
        return query(request)

    web.responses[f"{PATH}/query"] = repeat

    assert "a page has features of an earlier one" in error_of(url, tmp_path)


def test_a_page_without_features_is_an_error(layer, tmp_path):
    url = layer(3, changes=lambda value: value | {"features": []} if "features" in value else value)

    assert error_of(url, tmp_path).endswith("the layer has 3 features, but 0 were received")


def test_a_last_page_that_is_truncated_is_an_error(layer, tmp_path):
    url = layer(3, changes=lambda value: {key: value[key] for key in value if key != "exceededTransferLimit"})

    assert error_of(url, tmp_path).endswith("the layer has 3 features, but 2 were received")


def test_an_error_of_the_server_is_reported(layer, tmp_path):
    url = layer(3, changes=lambda value: {"error": {"code": 498, "message": "Invalid token."}})

    assert error_of(url, tmp_path).endswith("the server reports {'code': 498, 'message': 'Invalid token.'}")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([], "a response is not a JSON object"),
        ({}, "the response to a query has no count"),
        ({"count": 1}, "the response to a query has no features"),
    ],
)
def test_a_response_of_another_form_is_an_error(layer, tmp_path, value, reason):
    assert error_of(layer(1, changes=lambda _: value), tmp_path).endswith(reason)


def test_a_response_that_is_not_json_is_an_error(web, tmp_path):
    url = web.add(PATH, "<html>")
    web.add(f"{PATH}/query", "<html>")

    assert "a response is not JSON: " in error_of(url, tmp_path)


@pytest.mark.parametrize("count", [500_001, 10**15])
def test_more_features_than_a_load_takes_are_an_error(layer, web, tmp_path, count):
    def endless(value):
        if "count" in value:
            return {"count": count}
        return value | {"exceededTransferLimit": True} if "features" in value else value

    message = error_of(layer(2, changes=endless), tmp_path)

    assert message.endswith(f"the layer has {count:,} features, but a load takes 500,000")
    assert len(web.requests) == 1


@pytest.mark.parametrize("count", [True, -1, 1.5, "2", None])
def test_a_count_that_is_no_number_of_features_is_an_error(layer, tmp_path, count):
    url = layer(2, changes=lambda value: {"count": count} if "count" in value else value)

    assert error_of(url, tmp_path).endswith("the response to a query has no count")


def test_pages_are_smaller_than_a_server_allows(layer, web, tmp_path):
    read(layer(3, page_size=50_000), tmp_path)

    assert web.requests[-1][0].query["resultRecordCount"] == "1000"


def test_a_page_that_is_too_large_is_an_error(layer, tmp_path):
    url = layer(1, changes=lambda value: value | {"padding": "x" * 1000})

    with pytest.raises(UnreadableFileError, match="the response is larger than 1,000 bytes"):
        download_layer(HttpClient(DownloadLimits(max_page_bytes=1000)), url, tmp_path)
