"""The index, and the description of the service."""

import json
import re
from datetime import datetime
from urllib.parse import urljoin

from conformance import expect
from conformance.target import BUILDINGS, COLLECTIONS, LISTS, MENUS

_DESCRIPTION = "/openapi.json"
_RESOURCES = ("buildings", "categories", "locations", "recipes", "menus")
_PARAMETERS = {BUILDINGS: {"name", "address"}, MENUS: {"date", "meal", "location", "category", "recipe"}}


def the_index_says_what_there_is(campus):
    """The index is JSON with name and version of the service."""
    answer = expect.status(campus.ask("/"), 200)
    expect.header(answer, "Content-Type", "application/json")
    members = {"name": expect.TEXT, "version": expect.TEXT, "datasets": (dict,), "resources": (dict,)}
    expect.shape(answer, answer.json, members)


def the_index_leads_to_every_resource(campus):
    """The index leads to every resource."""
    answer = expect.status(campus.ask("/"), 200)
    for name, path in zip(_RESOURCES, (*COLLECTIONS, MENUS), strict=True):
        found = campus.follow(answer, answer.json["resources"][name]["href"])
        expect.same_body(found, expect.status(campus.ask(path), 200))


def the_index_leads_to_every_document(campus):
    """The index leads to every document, the description of the service among them."""
    answer = expect.status(campus.ask("/"), 200)
    documents = answer.json["documents"]
    expect.that("openapi" in documents, answer, "openapi among the documents", documents)
    for url in documents.values():
        expect.status(campus.follow(answer, url), 200)


def the_index_tells_what_is_loaded(campus):
    """The index tells of each data set that is loaded its revision, the time of its load and how much there is."""
    answer = expect.status(campus.ask("/"), 200)
    loaded = _loaded(answer)
    for dataset in loaded.values():
        members = {"revision": expect.INTEGER, "loaded_at": expect.TEXT, "counts": (dict,)}
        expect.shape(answer, dataset, members)
        is_time = datetime.fromisoformat(dataset["loaded_at"]).tzinfo is not None
        expect.that(is_time, answer, "a time with its offset", dataset["loaded_at"])


def the_index_counts_what_there_is(campus):
    """The counts of the index are those of the lists."""
    answer = expect.status(campus.ask("/"), 200)
    counts = {name: number for dataset in _loaded(answer).values() for name, number in dataset["counts"].items()}
    for name, path in zip(_RESOURCES, COLLECTIONS, strict=False):
        number = len(expect.items(campus.ask(path)))
        expect.that(counts.get(name, 0) == number, answer, f"{number} {name}", counts.get(name))


def the_index_tells_from_when_to_when_there_are_menus(campus):
    """The index tells the first and the last date of the menus."""
    answer, days = expect.status(campus.ask("/"), 200), [day for _, day in campus.dates]
    first, last = (answer.json["datasets"]["dining"][name] for name in ("first_date", "last_date"))
    expect.that(first <= days[0] and days[-1] <= last, answer, f"{days} from {first} to {last}", (first, last))
    for day, rel in ((first, "prev"), (last, "next")):
        beside = campus.ask(MENUS, ("date", day)).headers.get("link", "")
        expect.that(rel not in beside, campus.last, f"no {rel} of the first or last date", beside)


def browsers_get_a_start_page(campus):
    """Who prefers text/html gets a start page, all others the index."""
    for accepted in ("text/html", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"):
        answer = expect.status(campus.ask("/", headers={"Accept": accepted}), 200)
        expect.header(answer, "Content-Type", "text/html")
        expect.header(answer, "Vary", "Accept")
    for accepted in ("*/*", "application/json", "application/json, text/html;q=0.5"):
        expect.header(campus.ask("/", headers={"Accept": accepted}), "Content-Type", "application/json")


def pages_load_nothing_from_elsewhere(campus):
    """A page loads scripts, styles and pictures from this server only, and says so to the browser."""
    answer = expect.status(campus.ask("/", headers={"Accept": "text/html"}), 200)
    expect.header(answer, "Content-Security-Policy", "default-src 'none'")
    for tag, url in re.findall(r"<(script|link|img)\b[^>]*?\b(?:src|href)=\"([^\"]*)\"", answer.body.decode("utf-8")):
        found = expect.status(campus.follow(answer, url), 200)
        expect.that(found.body, found, f"a file for a {tag}", "nothing")


def the_service_describes_itself(campus):
    """/openapi.json is an OpenAPI document of version 3.1."""
    answer = expect.status(campus.ask(_DESCRIPTION), 200)
    expect.header(answer, "Content-Type", "json")
    got = answer.json["openapi"]
    expect.that(got.startswith("3.1."), answer, "openapi 3.1", got)


def the_description_has_every_path(campus):
    """The description has every path, below its server."""
    answer = expect.status(campus.ask(_DESCRIPTION), 200)
    paths = {*LISTS, *(f"{path}/{{id}}" for path in COLLECTIONS)}
    missing = sorted(path for path in paths if "get" not in answer.json["paths"].get(path, {}))
    expect.that(not missing, answer, "every path", f"none of {missing}")
    server = answer.json["servers"][0]["url"]
    for path in LISTS:
        expect.items(campus.follow(answer, f"{urljoin(answer.url, server).rstrip('/')}{path}"))


def the_description_has_every_parameter(campus):
    """The description has every parameter of buildings and menus."""
    answer = expect.status(campus.ask(_DESCRIPTION), 200)
    for path, expected in _PARAMETERS.items():
        described = answer.json["paths"][path]["get"]["parameters"]
        got = {_resolved(answer, parameter)["name"] for parameter in described}
        expect.that(expected <= got, answer, f"{sorted(expected)} of {path}", sorted(got))


def the_description_refers_to_what_it_has(campus):
    """Every reference in the description leads somewhere in it."""
    answer = expect.status(campus.ask(_DESCRIPTION), 200)
    for reference in {*re.findall(r'"\$ref": "([^"]*)"', json.dumps(answer.json))}:
        expect.that(_resolved(answer, {"$ref": reference}) is not None, answer, f"something at {reference}", "nothing")


def documents_are_known_again(campus):
    """The index and the description have an ETag, with which a 304 comes."""
    for path in ("/", _DESCRIPTION):
        tag = expect.header(campus.ask(path), "ETag")
        expect.status(campus.ask(path, headers={"If-None-Match": tag}), 304)


def _loaded(answer):
    loaded = {name: found for name, found in answer.json["datasets"].items() if found.get("revision") is not None}
    expect.given(loaded, "nothing is loaded")
    return loaded


def _resolved(answer, part):
    for _ in range(9):
        if not (isinstance(part, dict) and "$ref" in part):
            break
        found = answer.json
        for step in part["$ref"].removeprefix("#/").split("/"):
            found = found.get(step.replace("~1", "/")) if isinstance(found, dict) else None
        part = found
    return part
