"""A load from the records of an export to its result: compare, check, publish, record."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date

from pymongo.database import Database

from loaders.errors import DataWarning
from loaders.profiles.thresholds import Thresholds
from loaders.publishing import checks, history
from loaders.publishing.assigned_ids import store_assigned_ids
from loaders.publishing.checks import ALL_GUARDS, SafetyViolation
from loaders.publishing.plan import Plan, plan_buildings, plan_dining
from loaders.publishing.publish import ConcurrentLoadError, publish
from loaders.readers.files import gc_disabled
from loaders.readers.result import ProgressCallback, ReadResult, no_progress

# How the file names of samples begin.
SAMPLES = "samples/"

_RETRIES = 3


@dataclass(frozen=True)
class LoadOptions:
    """Options of a load: whether to write, the guards to override, by name or "all", and the progress of writing."""

    write: bool = True
    overrides: frozenset[str] = frozenset()
    track: ProgressCallback = no_progress


@dataclass(frozen=True)
class LoadResult:
    """The result of a load: its state, the live revision, and the violated guards.

    The state is "published", "unchanged", "dry-run", "refused" or "invalid"; a load is refused for `violations`, not
    for those in `overridden`. `known_warnings` are the messages of warnings that the load before had as well.
    `staleness` is why the export seems to be no longer updated.
    """

    dataset: str | None
    state: str
    reading: ReadResult
    revision: int | None = None
    plan: Plan | None = None
    violations: Sequence[SafetyViolation] = field(default=())
    overridden: Sequence[SafetyViolation] = field(default=())
    known_warnings: frozenset[str] = frozenset()
    staleness: str = ""


def load(
    database: Database, dataset: str, reading: ReadResult, thresholds: Thresholds, options: LoadOptions
) -> LoadResult:
    """Publish the records of an export if they differ from the live data and no guard objects.

    If another load is published in the meantime, compare and check again; ConcurrentLoadError after three retries.
    AssignedIdsConflict if another load has assigned the same ids.
    """
    if options.write:
        known = history.known_warnings(database, dataset, reading.warnings)
        with gc_disabled():
            result = _load_with_retries(database, dataset, reading, thresholds, options)
        history.record_warnings(database, dataset, reading.warnings)
        result = replace(result, known_warnings=known)
    else:
        result = _dry_run(_build_plan(database, dataset, reading, thresholds), reading, thresholds, options)
    if dataset == "buildings" and result.plan and not (result.plan.current or thresholds.bounding_box):
        _warn_of_far_buildings(reading, thresholds)
    return result


def _load_with_retries(
    database: Database, dataset: str, reading: ReadResult, thresholds: Thresholds, options: LoadOptions
) -> LoadResult:
    for _ in range(_RETRIES):
        with suppress(ConcurrentLoadError):
            return _load_once(database, dataset, reading, thresholds, options)
    return _load_once(database, dataset, reading, thresholds, options)


def _warn_of_far_buildings(reading: ReadResult, thresholds: Thresholds) -> None:
    """Add a warning for buildings of a first load that may be wrong, or belong to a large campus."""
    reason = f"is over {thresholds.bounding_box_margin:g} degrees from most buildings"
    for id_ in checks.far_from_most(reading.records.points, thresholds):
        reading.add_warning(*reading.locations[id_], DataWarning("geometry", None, reason))


def _load_once(
    database: Database, dataset: str, reading: ReadResult, thresholds: Thresholds, options: LoadOptions
) -> LoadResult:
    plan = _build_plan(database, dataset, reading, thresholds)
    result = _dry_run(plan, reading, thresholds, options)
    if result.state == "unchanged":
        return _record_unpublished(database, plan, result)
    if result.violations:
        return _record_unpublished(database, plan, replace(result, state="refused"))
    store_assigned_ids(database, reading.assigned_ids)
    revision = publish(database, plan, reading.sources, len(reading.errors), options.track)
    return replace(result, state="published", revision=revision)


def _dry_run(plan: Plan, reading: ReadResult, thresholds: Thresholds, options: LoadOptions) -> LoadResult:
    """Check a plan without writing."""
    result = LoadResult(plan.dataset, "dry-run", reading, plan.current_revision, plan)
    if plan.is_empty:
        return replace(result, state="unchanged")
    violated = _check(plan, reading, thresholds)
    overridden = [each for each in violated if options.overrides & {each.guard, ALL_GUARDS}]
    violations = [each for each in violated if each not in overridden]
    return replace(result, violations=violations, overridden=overridden)


def _build_plan(database: Database, dataset: str, reading: ReadResult, thresholds: Thresholds) -> Plan:
    if dataset == "buildings":
        return plan_buildings(database, reading.records)
    return plan_dining(database, reading.records, thresholds.max_gap_days, reading.lists)


def _check(plan: Plan, reading: ReadResult, thresholds: Thresholds) -> list[SafetyViolation]:
    replaces_samples = _are_samples(plan)
    changed = [] if replaces_samples else checks.lost_data(plan, thresholds) + checks.changed_content(plan)
    if plan.dataset == "dining":
        days = sorted({row.date for row in reading.records})
        gaps = checks.date_gaps(days, thresholds) if reading.lists.closed_days is None else []
        return [*gaps, *checks.implausible_dates(days, date.today()), *checks.contradicting_meals(reading), *changed]
    area = None if replaces_samples else plan.area
    return checks.outside_area(reading.records.points, reading.locations, area, thresholds) + changed


def _are_samples(plan: Plan) -> bool:
    sources = plan.current["sources"] if plan.current else []
    return bool(sources) and all(source["file"].startswith(SAMPLES) for source in sources)


def _record_unpublished(database: Database, plan: Plan, result: LoadResult) -> LoadResult:
    reasons = [str(violation) for violation in result.violations]
    sources, error_count = result.reading.sources, len(result.reading.errors)
    history.record_unpublished(database, plan, sources, error_count, result.state, reasons)
    return result
