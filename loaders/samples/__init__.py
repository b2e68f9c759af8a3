"""Small hand-written exports that fill an empty embedded database, so that a new checkout has data to show."""

import logging
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pymongo
from pymongo.database import Database

from campus_api.database import DATASETS
from loaders import profiles
from loaders.documents.serving import MenuRow
from loaders.publishing.load import SAMPLES
from loaders.publishing.lock import Locked, locked
from loaders.publishing.plan import Plan, plan_buildings, plan_dining
from loaders.publishing.publish import publish, repair
from loaders.readers import buildings, dining
from loaders.readers.result import ReadResult

_BUILDINGS = Path(__file__).with_name("buildings.geojson")
_FOODPRO = Path(__file__).with_name("foodpro.csv")
_SECONDS = 120
# Longer than a dead process keeps a lock.
_PATIENCE_SECONDS = 25

log = logging.getLogger(__name__)


def fill(database: Database, today: str) -> None:
    """Load the samples into a database that is empty or holds samples only, with menus from yesterday on.

    `today` is YYYY-MM-DD. What somebody loaded from exports of their own is left alone.
    """
    try:
        with pymongo.timeout(_SECONDS):
            _fill_buildings(database)
            _fill_dining(database, today)
    except Locked as error:
        log.warning("The samples are not loaded: %s.", error)


def _fill_buildings(database: Database) -> None:
    with locked(database, "buildings", _PATIENCE_SECONDS):
        if _is_ours(database, "buildings", _BUILDINGS):
            reading = buildings.read([_BUILDINGS], profiles.load_building_profile("geojson"))
            _load(database, plan_buildings(database, reading.records), _BUILDINGS, reading)


def _fill_dining(database: Database, today: str) -> None:
    with locked(database, "dining", _PATIENCE_SECONDS):
        if _is_ours(database, "dining", _FOODPRO):
            reading = dining.read([_FOODPRO], profiles.load_dining_profile("foodpro"))
            servings = _from_yesterday(reading.records, date.fromisoformat(today))
            _load(database, plan_dining(database, servings), _FOODPRO, reading)


def _is_ours(database: Database, dataset: str, sample: Path) -> bool:
    live = database[DATASETS].find_one({"_id": dataset})
    return live is None or [source["file"] for source in live["sources"]] == [_name(sample)]


def _name(sample: Path) -> str:
    """Return the name that a sample has among the sources: unlike any that a load of a file gives."""
    return f"{SAMPLES}{sample.name}"


def _from_yesterday(servings: list[MenuRow], today: date) -> list[MenuRow]:
    first = date.fromisoformat(min(serving.date for serving in servings))
    shift = today - timedelta(days=1) - first
    return [replace(serving, date=(date.fromisoformat(serving.date) + shift).isoformat()) for serving in servings]


def _load(database: Database, plan: Plan, sample: Path, reading: ReadResult) -> None:
    if plan.changes_nothing:
        repair(database, plan, lambda: None)
    else:
        publish(database, plan, [{**source, "file": _name(sample)} for source in reading.sources])
