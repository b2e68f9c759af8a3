"""The live data as JSON in the form of the API's responses, one record per line."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import orjson
from pymongo.database import Database

from campus_api.db.connection import BUILDINGS, CATEGORIES, LOCATIONS, MENUS, RECIPES, read_database_id, read_dataset
from campus_api.db.rows import building_row, menu_rows, named_row
from campus_api.domain.building_fields import TEXT_FIELDS
from campus_api.domain.models import DatasetDocument, LocationDetails, decode_facts, encode_facts
from loaders.documents.encode import Document
from loaders.documents.entities import details_from_document, encode_details
from loaders.publishing.assigned_ids import read_assigned_ids
from loaders.publishing.history import UnknownRevision
from loaders.publishing.publish import ConcurrentLoadError

Row = Mapping[str, Any]

_NOT_SERVED = {"search": False, "digest": False}


def dump_buildings(database: Database) -> Iterator[bytes]:
    """Yield the JSON of an object with all buildings, as /map/buildings returns them, and the assigned ids if any.

    They have their aliases and tags, which the API does not return.
    """
    documents = _documents(database, _live(database, "buildings"), BUILDINGS)
    rows = _array(building_row(each) | {name: each[name] for name in TEXT_FIELDS if name in each} for each in documents)
    ids = read_assigned_ids(database)
    members = [("buildings", rows), *([("building_ids", _array(_id_rows(ids)))] if ids else []), _identity(database)]
    return _object(members)


def dump_dining(database: Database) -> Iterator[bytes]:
    """Yield the JSON of an object with all categories, locations, recipes, facts, halls, menus and closed days.

    Before the menus, it has the assigned ids, if any.
    """
    return _object(_dining_members(database, _live(database, "dining")))


def _dining_members(database: Database, document: DatasetDocument) -> Iterator[tuple[str, Iterable[bytes]]]:
    for name in (CATEGORIES, LOCATIONS, RECIPES):
        yield name, _array(map(named_row, _documents(database, document, name)))
    recipes = (each for each in _documents(database, document, RECIPES) if "facts" in each)
    # With those that the API does not return.
    yield "facts", _array({**named_row(each), **encode_facts(decode_facts(each["facts"]))} for each in recipes)
    yield "halls", _array(_location_rows(_documents(database, document, LOCATIONS)))
    if ids := read_assigned_ids(database, "dining"):
        yield "dining_ids", _array(_id_rows(ids))
    closed_days: list[str] = []
    yield MENUS, _array(_menu_rows(_documents(database, document, MENUS), closed_days.append))
    yield "closed_days", [orjson.dumps(closed_days)]
    yield _identity(database)


def _identity(database: Database) -> tuple[str, Iterable[bytes]]:
    return "database_id", [orjson.dumps(read_database_id(database))]


def _live(database: Database, dataset: str) -> DatasetDocument:
    document = read_dataset(database, dataset)
    if document is None:
        raise UnknownRevision(f"{dataset} cannot be dumped: nothing has been loaded")
    return document


def _documents(database: Database, dataset: DatasetDocument, name: str) -> Iterator[Document]:
    """Yield the documents of a live collection; ConcurrentLoadError if loads have dropped it in the meantime."""
    number = 0
    for document in database[dataset["collections"][name]].find({}, _NOT_SERVED, sort=[("_id", 1)]):
        number += 1
        yield document
    if number != dataset["counts"][name]:
        raise ConcurrentLoadError(dataset["_id"])


def _id_rows(ids: Mapping[str, int]) -> Iterator[Row]:
    return ({"id": id_, "text": text} for text, id_ in sorted(ids.items(), key=lambda each: each[1]))


def _location_rows(locations: Iterable[Document]) -> Iterator[Row]:
    for document in locations:
        details = details_from_document(document)
        if details != LocationDetails():
            yield {"location": document["_id"], **encode_details(details)}


def _menu_rows(menus: Iterable[Document], add_closed_day: Callable[[str], None]) -> Iterator[Row]:
    for document in menus:
        if not document["items"]:
            add_closed_day(document["_id"])
        names = {(each["meal"], each["location"]): {"meal_name": each["name"]} for each in document.get("meals", ())}
        for row in menu_rows(document):
            yield {**row, **names.get((row["meal"], row["location"]), {})}


def _object(members: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    opening = b"{"
    for name, value in members:
        yield opening + b'"%b":' % name.encode()
        yield from value
        opening = b",\n"
    yield b"}\n"


def _array(rows: Iterable[Row]) -> Iterator[bytes]:
    separator = b"[\n"
    for row in rows:
        yield separator + orjson.dumps(row)
        separator = b",\n"
    yield b"\n]" if separator == b",\n" else b"[]"
