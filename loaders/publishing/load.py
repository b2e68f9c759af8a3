"""A load from the records of an export to its result: compare, check, publish, record; stale ones."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial

from pymongo.database import Database

from campus_api.db.connection import MENUS
from campus_api.domain.clock import Clock
from loaders.documents.evidence import unstated
from loaders.errors import DataWarning
from loaders.profiles.halls import ending_hours
from loaders.profiles.thresholds import Thresholds
from loaders.publishing import checks, history
from loaders.publishing.assigned_ids import store_assigned_ids
from loaders.publishing.checks import ALL_GUARDS, Guard, SafetyViolation
from loaders.publishing.dining_plan import DiningPlan, missing_references, plan_dining
from loaders.publishing.plan import Plan, plan_buildings
from loaders.publishing.publish import ConcurrentLoadError, publish
from loaders.result import BuildingRead, DiningRead, ProgressCallback, ReadResult, no_progress
from loaders.text import pluralize, shorten

_RETRIES = 3

# A plan, and why it should not be published.
_Comparison = tuple[Plan, list[SafetyViolation]]
_SUCCESSFUL = ("published", "unchanged", "dry-run")


@dataclass(frozen=True)
class PublishOptions:
    """Options of a load: whether to write, the guards to override, by name or "all", and the progress of writing.

    `today` is the date on the campus.
    """

    write: bool = True
    overrides: frozenset[str] = frozenset()
    track: ProgressCallback = no_progress
    today: date = field(default_factory=date.today)


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


def load_buildings(
    database: Database, reading: BuildingRead, thresholds: Thresholds, options: PublishOptions
) -> LoadResult:
    """Publish all buildings of an export, as `_load` does."""

    def compare() -> _Comparison:
        plan = plan_buildings(database, reading.records)
        return plan, [] if plan.is_empty else plan.checks(reading, thresholds)

    result = _load(database, "buildings", reading, compare, options)
    if result.plan and not (result.plan.current or thresholds.area):
        reason = f"is over {thresholds.area_margin:g} degrees from most buildings"
        for id_ in checks.far_from_most(checks.building_extents(reading.records), thresholds):
            reading.add_warning(*reading.locations[id_], DataWarning("geometry", None, reason))
    return result


def load_dining(database: Database, reading: DiningRead, thresholds: Thresholds, options: PublishOptions) -> LoadResult:
    """Publish the menus of an export, as `_load` does."""

    def compare() -> _Comparison:
        plan = plan_dining(database, reading.records, thresholds.closed_days, reading.lists, options.today)
        reading.warnings = warnings.copy()
        reading.add_warnings(file, unstated(reading.untracked, reading.lists.facts.values(), plan.evidence))
        return plan, [] if plan.is_empty else plan.checks(reading, thresholds, options.today)

    file, served = reading.sources[0]["file"], {row.location.id for row in reading.records}
    reading.add_warnings(file, missing_references(database, reading.lists, served))
    warnings = reading.warnings
    result = _load(database, "dining", reading, compare, options)
    if isinstance(result.plan, DiningPlan) and not result.violations:
        _warn_of_truncated_files(reading, result.plan)
    # Not recorded: every load warns, not only the first one.
    reading.add_warnings(file, ending_hours(reading.lists.configured_halls, options.today))
    return result


def _load(
    database: Database, dataset: str, reading: ReadResult, compare: Callable[[], _Comparison], options: PublishOptions
) -> LoadResult:
    """Publish the records of an export if they differ from the live data and no guard objects.

    If another load is published in the meantime, compare and check again; ConcurrentLoadError after three retries.
    AssignedIdsConflict if another load has assigned the same ids: the export has to be read again.
    """
    if not options.write:
        return _dry_run(*compare(), reading, options)
    known = history.warnings_before(database, dataset)
    result = with_retries(partial(_load_once, database, reading, compare, options), ConcurrentLoadError)
    return replace(result, known_warnings=known & reading.warnings.keys())


def with_retries(load: Callable[[], LoadResult], conflict: type[Exception]) -> LoadResult:
    """Return the result of a load, which is tried again up to three times if it conflicts with another one."""
    for _ in range(_RETRIES):
        with suppress(conflict):
            return load()
    return load()


def _warn_of_truncated_files(reading: DiningRead, plan: DiningPlan) -> None:
    """Add a warning for each file that seems to be truncated; those that list their closed days are complete."""
    if reading.lists.closed_days is not None:
        return
    added = {str(change.id) for change in plan.differences[MENUS].changes if change.action == "added"}
    for source, locations in zip(reading.sources, reading.locations, strict=False):
        reading.add_warnings(source["file"], checks.truncated_file(locations, added))


def _load_once(
    database: Database, reading: ReadResult, compare: Callable[[], _Comparison], options: PublishOptions
) -> LoadResult:
    plan, violated = compare()
    plan.database_id = reading.database_id
    plan.sources, plan.error_count = reading.sources, len(reading.errors)
    plan.warnings = history.encode_warnings(reading.warnings)
    result = _dry_run(plan, violated, reading, options)
    if result.violations:
        result = replace(result, state="refused")
    else:
        store_assigned_ids(database, reading.restored_ids | reading.assigned_ids, plan.dataset)
    if result.state != "dry-run":
        reasons = [str(violation) for violation in result.violations]
        history.record_unpublished(database, plan, result.state, reasons)
        return result
    loses_items = any(each.guard == Guard.LOST_ITEMS for each in result.overridden)
    revision = publish(database, plan, options.track, loses_items=loses_items)
    return replace(result, state="published", revision=revision)


def _dry_run(
    plan: Plan, violated: Sequence[SafetyViolation], reading: ReadResult, options: PublishOptions
) -> LoadResult:
    violated = checks.shorten(violated)
    overridden = [each for each in violated if options.overrides & {each.guard, ALL_GUARDS}]
    violations = [each for each in violated if each not in overridden]
    state = "unchanged" if plan.is_empty else "dry-run"
    return LoadResult(plan.dataset, state, reading, plan.current_revision, plan, violations, overridden)


def record_invalid(database: Database, dataset: str, reading: ReadResult, reason: str = "") -> None:
    """Record a load whose export cannot be read for a reason, or has too many errors, or no records."""
    errors = shorten(list(map(str, reading.errors)), "invalid record")
    reasons = [reason] if reason else errors or [reading.explain_no_records()]
    plan = Plan.for_dataset(database, dataset, sources=reading.sources, error_count=len(reading.errors))
    history.record_unpublished(database, plan, "invalid", reasons)


def find_staleness(result: LoadResult, max_days: int | None, clock: Clock) -> str:
    """Return why an export is stale, "" if it is not, if that does not matter, or if the load failed anyway."""
    if max_days is None or result.state not in _SUCCESSFUL or result.plan is None:
        return ""
    ends: dict[str, date] = {}
    if result.state == "unchanged" and result.plan.current:
        changed = result.plan.current["loaded_at"].astimezone(clock.time_zone)
        ends["the export has not changed for {} (since {})"] = changed.date()
    if result.plan.dates:
        ends["its menus ended {} ago ({})"] = date.fromisoformat(result.plan.dates[-1])
    ages = {reason: date.fromisoformat(clock.today()) - end for reason, end in ends.items()}
    stale = [reason for reason, age in ages.items() if age.days > max_days]
    return " and ".join(reason.format(pluralize(ages[reason].days, "day"), ends[reason]) for reason in stale)
