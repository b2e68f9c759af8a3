"""Warnings about the halls of a profile: hours that end, buildings and locations that are not loaded."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from pymongo.database import Database

from campus_api.db.connection import BUILDINGS, LOCATIONS, read_record
from campus_api.domain.models import Hall
from loaders.errors import DataWarning
from loaders.publishing.diff import fetch_by_id

_WARNING_PERIOD = timedelta(days=14)


def missing_references(database: Database, halls: Mapping[int, Hall], served: set[int]) -> Iterator[DataWarning]:
    """Yield the halls of no location, and those of no live building; `served` are the locations of the export."""
    named = {hall.building for hall in halls.values() if hall.building is not None}
    buildings = _live_ids(database, "buildings", BUILDINGS, named)
    locations = served | _live_ids(database, "dining", LOCATIONS, halls.keys() - served)
    for id_, hall in halls.items():
        if id_ not in locations:
            yield DataWarning(f"halls.{id_}", None, "is no location of the export, nor a loaded one")
        if hall.building is not None and hall.building not in buildings:
            yield DataWarning(f"halls.{id_}.building", hall.building, "is not loaded: the hall has no place on maps")


def ending_hours(halls: Mapping[int, Hall], today: date) -> Iterator[DataWarning]:
    """Yield the halls whose hours are over, or will be within two weeks."""
    for id_, hall in halls.items():
        for until in sorted({each.until for each in hall.hours}):
            field, end = f"halls.{id_}.hours_until", date.fromisoformat(until)
            if end < today:
                yield DataWarning(field, until, "is over: /dining/hours has no times of this hall")
            elif end - today <= _WARNING_PERIOD:
                yield DataWarning(field, until, "is at most two weeks ahead: enter the hours after that date")


def _live_ids(database: Database, dataset: str, collection: str, ids: set[int]) -> set[int]:
    record = read_record(database, dataset)
    return {int(id_) for id_ in fetch_by_id(database[record["collections"][collection]], ids)} if record else set()
