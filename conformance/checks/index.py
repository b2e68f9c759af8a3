"""Index, pages and OpenAPI document."""

import json
import re
from datetime import datetime
from typing import Any
from urllib.parse import urljoin

from conformance import expect
from conformance.expect import Response
from conformance.target import BUILDINGS, COLLECTIONS, LISTS, MENUS, Row, Target

_OPENAPI = "/openapi.json"
_RESOURCES = ("buildings", "categories", "locations", "recipes", "menus")
_PARAMETERS = {BUILDINGS: {"name", "address"}, MENUS: {"date", "meal", "location", "category", "recipe"}}


def index_has_name_and_version(target: Target) -> None:
    """The index is JSON with the name and version of the service."""
    response = expect.status(target.request("/"), 200)
    expect.header(response, "Content-Type", "application/json")
    fields = {"name": expect.STRING, "version": expect.STRING, "datasets": expect.OBJECT, "resources": expect.OBJECT}
    expect.has_fields(response, response.json, fields)


def index_links_to_every_resource(target: Target) -> None:
    """The index links to every resource."""
    response = expect.status(target.request("/"), 200)
    for name, path in zip(_RESOURCES, (*COLLECTIONS, MENUS), strict=True):
        linked = target.follow(response, response.json["resources"][name]["href"])
        expect.same_body(linked, expect.status(target.request(path), 200))


def index_links_to_every_document(target: Target) -> None:
    """The index links to every document, including the OpenAPI document."""
    response = expect.status(target.request("/"), 200)
    documents = response.json["documents"]
    expect.check("openapi" in documents, response, "openapi among the documents", documents)
    for url in documents.values():
        expect.status(target.follow(response, url), 200)


def index_describes_the_datasets(target: Target) -> None:
    """The index has the revision, load time and counts of each loaded data set."""
    response = expect.status(target.request("/"), 200)
    loaded = _loaded(response)
    for dataset in loaded.values():
        fields = {"revision": expect.INTEGER, "loaded_at": expect.STRING, "counts": expect.OBJECT}
        expect.has_fields(response, dataset, fields)
        has_offset = datetime.fromisoformat(dataset["loaded_at"]).tzinfo is not None
        expect.check(has_offset, response, "a time with a UTC offset", dataset["loaded_at"])


def index_counts_match_the_lists(target: Target) -> None:
    """The counts of the index match the lists."""
    response = expect.status(target.request("/"), 200)
    counts = {name: number for dataset in _loaded(response).values() for name, number in dataset["counts"].items()}
    for name, path in zip(_RESOURCES, COLLECTIONS, strict=False):
        number = len(expect.items(target.request(path)))
        expect.check(counts.get(name, 0) == number, response, f"{number} {name}", counts.get(name))


def index_has_the_date_range_of_menus(target: Target) -> None:
    """The index has the first and last date of the menus."""
    days = [day for _, day in target.sample_dates]
    response = expect.status(target.request("/"), 200)
    first, last = (response.json["datasets"]["dining"][name] for name in ("first_date", "last_date"))
    expect.check(first <= days[0] and days[-1] <= last, response, f"{days} from {first} to {last}", (first, last))
    for day, rel in ((first, "prev"), (last, "next")):
        menus = target.request(MENUS, ("date", day))
        link = menus.headers.get("link", "")
        expect.check(rel not in link, menus, f"no link with rel={rel}", link)


def index_is_html_for_browsers(target: Target) -> None:
    """The index is a start page for clients that prefer text/html, JSON for all others."""
    for accepted in ("text/html", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"):
        response = expect.status(target.request("/", headers={"Accept": accepted}), 200)
        expect.header(response, "Content-Type", "text/html")
        expect.header(response, "Vary", "Accept")
    for accepted in ("*/*", "application/json", "application/json, text/html;q=0.5"):
        expect.header(target.request("/", headers={"Accept": accepted}), "Content-Type", "application/json")


def pages_load_only_local_files(target: Target) -> None:
    """Pages load only local scripts, styles and images, enforced by Content-Security-Policy."""
    response = expect.status(target.request("/", headers={"Accept": "text/html"}), 200)
    expect.header(response, "Content-Security-Policy", "default-src 'none'")
    for tag, url in re.findall(r"<(script|link|img)\b[^>]*?\b(?:src|href)=\"([^\"]*)\"", response.body.decode("utf-8")):
        file = expect.status(target.follow(response, url), 200)
        expect.check(file.body, file, f"a file for a {tag}", "an empty body")


def openapi_document_is_version_3_1(target: Target) -> None:
    """/openapi.json is an OpenAPI 3.1 document."""
    response = expect.status(target.request(_OPENAPI), 200)
    expect.header(response, "Content-Type", "json")
    actual = response.json["openapi"]
    expect.check(actual.startswith("3.1."), response, "openapi 3.1", actual)


def openapi_document_has_every_path(target: Target) -> None:
    """The OpenAPI document has every path, relative to its server."""
    response = expect.status(target.request(_OPENAPI), 200)
    paths = {*LISTS, *(f"{path}/{{id}}" for path in COLLECTIONS)}
    missing = sorted(path for path in paths if "get" not in response.json["paths"].get(path, {}))
    expect.check(not missing, response, "every path", f"none for {missing}")
    server = response.json["servers"][0]["url"]
    for path in LISTS:
        expect.items(target.follow(response, f"{urljoin(response.url, server).rstrip('/')}{path}"))


def openapi_document_has_every_parameter(target: Target) -> None:
    """The OpenAPI document has every parameter of buildings and menus."""
    response = expect.status(target.request(_OPENAPI), 200)
    for path, expected in _PARAMETERS.items():
        parameters = response.json["paths"][path]["get"]["parameters"]
        actual = {_resolve(response, parameter)["name"] for parameter in parameters}
        expect.check(expected <= actual, response, f"{sorted(expected)} of {path}", sorted(actual))


def openapi_references_resolve(target: Target) -> None:
    """Every reference in the OpenAPI document resolves."""
    response = expect.status(target.request(_OPENAPI), 200)
    for reference in {*re.findall(r'"\$ref": "([^"]*)"', json.dumps(response.json))}:
        is_resolved = _resolve(response, {"$ref": reference}) is not None
        expect.check(is_resolved, response, f"a value at {reference}", "none")


def documents_support_if_none_match(target: Target) -> None:
    """The index and the OpenAPI document have an ETag and support If-None-Match."""
    for path in ("/", _OPENAPI):
        tag = expect.header(target.request(path), "ETag")
        expect.status(target.request(path, headers={"If-None-Match": tag}), 304)


def _loaded(response: Response) -> dict[str, Row]:
    datasets = response.json["datasets"].items()
    loaded = {name: dataset for name, dataset in datasets if dataset.get("revision") is not None}
    expect.require(loaded, "nothing is loaded")
    return loaded


def _resolve(response: Response, value: Any) -> Any:
    """Follow JSON references, at most nine in a row; None if one does not resolve."""
    for _ in range(9):
        if not (isinstance(value, dict) and "$ref" in value):
            break
        pointer = value["$ref"].removeprefix("#/")
        value = response.json
        for key in pointer.split("/"):
            value = value.get(key.replace("~1", "/")) if isinstance(value, dict) else None
    return value
