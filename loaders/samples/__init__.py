"""Sample exports, for a new checkout and for trying things out."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from pymongo.database import Database

from campus_api.domain.models import SAMPLES, Facts, LocationDetails
from loaders import profiles
from loaders.documents.serving import DiningLists, MenuRow
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.plan import Plan, plan_buildings
from loaders.publishing.publish import publish
from loaders.readers import buildings, dining
from loaders.result import ReadResult

_BUILDINGS = Path(__file__).with_name("buildings.geojson")
_FOODPRO = Path(__file__).with_name("foodpro.csv")
_PROFILE = Path(__file__).with_name("foodpro.toml")


def load_samples(database: Database, today: str) -> dict[str, int | None]:
    """Load the samples, with menus from the day before `today` (YYYY-MM-DD).

    Return the new revision of each data set; None if it has not changed, or was loaded from another export, which is
    not replaced.
    """
    return {"buildings": _load_buildings(database), "dining": _load_dining(database, today)}


def _load_buildings(database: Database) -> int | None:
    result = buildings.read([(profiles.load_building_profile("geojson"), [_BUILDINGS])])
    return _load(database, plan_buildings(database, result.records), _BUILDINGS, result)


def _load_dining(database: Database, today: str) -> int | None:
    result = dining.read([(profiles.load_dining_profile(str(_PROFILE)), [_FOODPRO])])
    shift = _shift_to(result.records, date.fromisoformat(today))
    rows = [replace(row, date=shift(row.date)) for row in result.records]
    facts = {id_: _sample_facts(each, min(shift(str(each.as_of)), today)) for id_, each in result.lists.facts.items()}
    halls = {id_: _shifted(hall, shift) for id_, hall in result.lists.configured_halls.items()}
    lists = DiningLists(facts=facts, configured_halls=halls)
    return _load(database, plan_dining(database, rows, lists=lists), _FOODPRO, result)


def _sample_facts(facts: Facts, as_of: str) -> Facts:
    """Return facts of a date that is never in the future, where some days of the samples are.

    Nothing is known of the few samples without ingredients.
    """
    known = facts if facts.ingredients else replace(facts, contains=None, without=())
    return replace(known, as_of=as_of)


def _shifted(hall: LocationDetails, shift: Callable[[str], str]) -> LocationDetails:
    return hall._replace(hours=tuple(each._replace(until=shift(each.until)) for each in hall.hours))


def _shift_to(rows: list[MenuRow], today: date) -> Callable[[str], str]:
    """Return a function that shifts the dates of the rows so that the first one is the day before `today`."""
    shift = today - timedelta(days=1) - date.fromisoformat(min(row.date for row in rows))
    return lambda day: (date.fromisoformat(day) + shift).isoformat()


def _load(database: Database, plan: Plan, sample: Path, result: ReadResult) -> int | None:
    """Publish a plan that changes something, unless it would replace another export."""
    # A name that differs from that of any file.
    name = f"{SAMPLES}{sample.name}"
    is_replaceable = plan.current is None or [each["file"] for each in plan.current["sources"]] == [name]
    if plan.is_empty or not is_replaceable:
        return None
    plan.sources = [{**source, "file": name} for source in result.sources]
    return publish(database, plan)
