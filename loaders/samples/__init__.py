"""Sample exports, loaded into an empty database so that a new checkout has data."""

import logging
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pymongo
from pymongo.database import Database

from campus_api.db.connection import read_record
from loaders import profiles
from loaders.documents.serving import MenuRow
from loaders.publishing.load import SAMPLES
from loaders.publishing.migration import migrate
from loaders.publishing.plan import Plan, plan_buildings, plan_dining
from loaders.publishing.publish import ConcurrentLoadError, publish
from loaders.readers import buildings, dining
from loaders.readers.result import ReadResult

_BUILDINGS = Path(__file__).with_name("buildings.geojson")
_FOODPRO = Path(__file__).with_name("foodpro.csv")
_TIMEOUT_SECONDS = 120

log = logging.getLogger(__name__)


def fill(database: Database, today: str) -> None:
    """Load the samples, with menus from the day before `today` (YYYY-MM-DD).

    Data sets loaded from other exports are not replaced.
    """
    try:
        with pymongo.timeout(_TIMEOUT_SECONDS):
            migrate(database)
            _fill_buildings(database)
            _fill_dining(database, today)
    except ConcurrentLoadError as error:
        log.warning("The samples are not loaded: %s.", error)


def _fill_buildings(database: Database) -> None:
    if _is_replaceable(database, "buildings", _BUILDINGS):
        result = buildings.read([_BUILDINGS], profiles.load_building_profile("geojson"))
        _load(database, plan_buildings(database, result.records), _BUILDINGS, result)


def _fill_dining(database: Database, today: str) -> None:
    if _is_replaceable(database, "dining", _FOODPRO):
        result = dining.read([_FOODPRO], profiles.load_dining_profile("foodpro"))
        rows = _shift_dates(result.records, date.fromisoformat(today))
        _load(database, plan_dining(database, rows), _FOODPRO, result)


def _is_replaceable(database: Database, dataset: str, sample: Path) -> bool:
    live = read_record(database, dataset)
    return live is None or [source["file"] for source in live["sources"]] == [_source_name(sample)]


def _source_name(sample: Path) -> str:
    """Return the source name of a sample, which differs from that of any file."""
    return f"{SAMPLES}{sample.name}"


def _shift_dates(rows: list[MenuRow], today: date) -> list[MenuRow]:
    first = date.fromisoformat(min(row.date for row in rows))
    shift = today - timedelta(days=1) - first
    return [replace(row, date=(date.fromisoformat(row.date) + shift).isoformat()) for row in rows]


def _load(database: Database, plan: Plan, sample: Path, result: ReadResult) -> None:
    if not plan.is_empty:
        publish(database, plan, [{**source, "file": _source_name(sample)} for source in result.sources])
