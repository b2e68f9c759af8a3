"""A load from the records of an export to its result: compare, check, publish, record."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from pymongo.database import Database

from loaders.errors import DataWarning
from loaders.profiles.thresholds import Thresholds
from loaders.publishing import checks, history
from loaders.publishing.assigned_ids import store_assigned_ids
from loaders.publishing.checks import ALL_GUARDS, SafetyViolation
from loaders.publishing.plan import Plan, plan_buildings, plan_dining
from loaders.publishing.publish import ConcurrentLoadError, publish
from loaders.result import BuildingRead, DiningRead, ProgressCallback, ReadResult, no_progress
from loaders.sources.files import gc_disabled

_RETRIES = 3

# A plan, and why it should not be published.
_Comparison = tuple[Plan, list[SafetyViolation]]


@dataclass(frozen=True)
class PublishOptions:
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


def load_buildings(
    database: Database, reading: BuildingRead, thresholds: Thresholds, options: PublishOptions
) -> LoadResult:
    """Publish all buildings of an export, as `_load` does."""

    def compare() -> _Comparison:
        plan = plan_buildings(database, reading.records)
        return plan, [] if plan.is_empty else plan.checks(reading, thresholds)

    result = _load(database, "buildings", reading, compare, options)
    if result.plan and not (result.plan.current or thresholds.bounding_box):
        _warn_of_far_buildings(reading, thresholds)
    return result


def load_dining(database: Database, reading: DiningRead, thresholds: Thresholds, options: PublishOptions) -> LoadResult:
    """Publish the menus of an export, as `_load` does."""

    def compare() -> _Comparison:
        plan = plan_dining(database, reading.records, thresholds.max_gap_days, reading.lists)
        return plan, [] if plan.is_empty else plan.checks(reading, thresholds)

    return _load(database, "dining", reading, compare, options)


def _load(
    database: Database, dataset: str, reading: ReadResult, compare: Callable[[], _Comparison], options: PublishOptions
) -> LoadResult:
    """Publish the records of an export if they differ from the live data and no guard objects.

    If another load is published in the meantime, compare and check again; ConcurrentLoadError after three retries.
    AssignedIdsConflict if another load has assigned the same ids.
    """
    if not options.write:
        return _dry_run(*compare(), reading, options)
    known = history.known_warnings(database, dataset, reading.warnings)
    with gc_disabled():
        result = _load_with_retries(database, reading, compare, options)
    history.record_warnings(database, dataset, reading.warnings)
    return replace(result, known_warnings=known)


def _load_with_retries(
    database: Database, reading: ReadResult, compare: Callable[[], _Comparison], options: PublishOptions
) -> LoadResult:
    for _ in range(_RETRIES):
        with suppress(ConcurrentLoadError):
            return _load_once(database, reading, compare, options)
    return _load_once(database, reading, compare, options)


def _warn_of_far_buildings(reading: BuildingRead, thresholds: Thresholds) -> None:
    """Add a warning for buildings of a first load that may be wrong, or belong to a large campus."""
    reason = f"is over {thresholds.bounding_box_margin:g} degrees from most buildings"
    for id_ in checks.far_from_most(reading.records.points, thresholds):
        reading.add_warning(*reading.locations[id_], DataWarning("geometry", None, reason))


def _load_once(
    database: Database, reading: ReadResult, compare: Callable[[], _Comparison], options: PublishOptions
) -> LoadResult:
    plan, violated = compare()
    result = _dry_run(plan, violated, reading, options)
    if result.state == "unchanged":
        return _record_unpublished(database, plan, result)
    if result.violations:
        return _record_unpublished(database, plan, replace(result, state="refused"))
    store_assigned_ids(database, reading.assigned_ids)
    revision = publish(database, plan, reading.sources, len(reading.errors), options.track)
    return replace(result, state="published", revision=revision)


def _dry_run(
    plan: Plan, violated: Sequence[SafetyViolation], reading: ReadResult, options: PublishOptions
) -> LoadResult:
    """Return the result of a plan without writing."""
    overridden = [each for each in violated if options.overrides & {each.guard, ALL_GUARDS}]
    violations = [each for each in violated if each not in overridden]
    state = "unchanged" if plan.is_empty else "dry-run"
    return LoadResult(plan.dataset, state, reading, plan.current_revision, plan, violations, overridden)


def _record_unpublished(database: Database, plan: Plan, result: LoadResult) -> LoadResult:
    reasons = [str(violation) for violation in result.violations]
    sources, error_count = result.reading.sources, len(result.reading.errors)
    history.record_unpublished(database, plan, sources, error_count, result.state, reasons)
    return result
