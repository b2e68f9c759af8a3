"""Layers of ArcGIS FeatureServers and MapServers, downloaded page by page.

https://developers.arcgis.com/rest/services-reference/enterprise/query-feature-service-layer/
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import orjson

from loaders.errors import UnreadableFileError
from loaders.sources.download import HttpClient, download_error, is_temporary_status

_LAYER = re.compile(r"/(?:FeatureServer|MapServer)/[0-9]+/?$", re.IGNORECASE)
# Of which a filter may leave a campus of buildings.
_MAX_FEATURES = 500_000
# Servers allow pages of up to 32,000 features, which can be larger than the limit of a response.
_MAX_PAGE_SIZE = 1000
_OBJECT_ID = "esriFieldTypeOID"

Json = dict[str, Any]


def is_layer(url: str) -> bool:
    """Return whether a URL is that of a layer, such as https://example.edu/arcgis/rest/services/Map/MapServer/0."""
    return bool(_LAYER.search(url.partition("?")[0]))


def download_layer(client: HttpClient, url: str, folder: Path) -> Path:
    """Download all features of a layer as one Esri JSON file, one feature per line.

    Parameters of the URL, such as `where` or `token`, are sent with every request. UnreadableFileError if a response is
    an error, or if the number of features is not that of the layer.
    """
    path = folder / "layer.json"
    with path.open("xb") as file:
        for number, page in enumerate(_Layer(client, url).pages()):
            features = page.pop("features")
            if number == 0:
                file.write(orjson.dumps({**page, "features": []}).removesuffix(b"]}") + b"\n")
            elif features:
                file.write(b",\n")
            file.write(b",\n".join(map(orjson.dumps, features)))
        file.write(b"\n]}\n")
    return path


class _Layer:
    """A layer, queried for its features in the order of their object ids."""

    def __init__(self, client: HttpClient, url: str) -> None:
        parts = urlsplit(url)
        self._client, self._url = client, url
        self._base = parts._replace(path=parts.path.rstrip("/"), query="", fragment="").geturl()
        self._parameters = {"where": "1=1", "outFields": "*", **dict(parse_qsl(parts.query)), "f": "json"}

    def pages(self) -> Iterator[Json]:
        """Yield the response for each page; UnreadableFileError unless all features are received."""
        expected = self._count()
        paging = self._paging_parameters()
        received, has_more = 0, True
        while has_more:
            page = self._get("/query", **(paging and {**paging, "resultOffset": received}))
            if not isinstance(page.get("features"), list):
                raise self._error("the response to a query has no features")
            received += len(page["features"])
            # A server without pages sends the first one again and again.
            has_more = page.pop("exceededTransferLimit", False) is True and 0 < received < expected
            yield page
        if received != expected:
            reason = f"the layer has {expected} features, but {received} were received"
            raise self._error(reason, is_temporary=True)

    def _count(self) -> int:
        count = self._get("/query", returnCountOnly="true").get("count")
        if type(count) is not int or count < 0:
            raise self._error("the response to a query has no count")
        if count > _MAX_FEATURES:
            raise self._error(f"the layer has {count:,} features: at most {_MAX_FEATURES:,} are downloaded")
        return count

    def _paging_parameters(self) -> dict[str, object]:
        """Return the parameters of every page, none if the layer has no pages."""
        layer = self._get("")
        try:
            if not layer["advancedQueryCapabilities"]["supportsPagination"]:
                return {}
            object_id = next(field["name"] for field in layer["fields"] if field["type"] == _OBJECT_ID)
            return {"orderByFields": object_id, "resultRecordCount": min(layer["maxRecordCount"], _MAX_PAGE_SIZE)}
        except (KeyError, TypeError, StopIteration):
            return {}

    def _get(self, path: str, **parameters: object) -> Json:
        """Return a JSON object; ArcGIS responds to invalid requests with a member `error` and status 200."""
        query = urlencode({**self._parameters, **parameters})
        try:
            value = orjson.loads(self._client.get(f"{self._base}{path}?{query}"))
        except orjson.JSONDecodeError as error:
            raise self._error(f"a response is not JSON: {error}") from None
        if not isinstance(value, dict):
            raise self._error("a response is not a JSON object")
        if "error" in value:
            code = value["error"].get("code") if isinstance(value["error"], dict) else None
            raise self._error(f"the server reports {value['error']}", is_temporary=is_temporary_status(code))
        return value

    def _error(self, reason: str, *, is_temporary: bool = False) -> UnreadableFileError:
        return download_error(self._url, reason, is_temporary=is_temporary)
