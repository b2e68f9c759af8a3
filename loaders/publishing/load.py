"""One load from what was read to what became of it: compared, guarded, published, recorded."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pymongo.database import Database

from loaders.profiles.thresholds import Thresholds
from loaders.publishing import journal, safety_checks
from loaders.publishing.lock import Held, locked
from loaders.publishing.plan import Plan, plan_buildings, plan_dining
from loaders.publishing.publish import publish, repair
from loaders.publishing.safety_checks import Refusal
from loaders.readers.files import gc_disabled
from loaders.readers.result import ReadResult

# How the sources of samples begin, unlike the name of any file.
SAMPLES = "samples/"


@dataclass(frozen=True)
class Wish:
    """What somebody wants of a load: to write at all, in spite of guards, and to wait so many seconds for another."""

    write: bool = True
    accept_shrink: bool = False
    patience: float = 60


@dataclass(frozen=True)
class Outcome:
    """What became of a load: its state, the revision that is live now, and why it was refused or would be."""

    dataset: str | None
    state: str
    reading: ReadResult
    revision: int | None = None
    plan: Plan | None = None
    refusals: Sequence[Refusal] = field(default=())


def load(database: Database, dataset: str, reading: ReadResult, limits: Thresholds, wish: Wish) -> Outcome:
    """Compare what was read with what is live, and publish it unless a guard refuses.

    Locked when another load runs for too long, Overtaken when one came first.
    """
    if not wish.write:
        return _try(database, dataset, reading, limits)
    with locked(database, dataset, wish.patience) as held, gc_disabled():
        outcome = _try(database, dataset, reading, limits)
        if outcome.state == "unchanged" or (outcome.refusals and not wish.accept_shrink):
            return _leave(database, outcome, held)
        return _publish(database, outcome, held)


def _try(database: Database, dataset: str, reading: ReadResult, limits: Thresholds) -> Outcome:
    """Compare, without writing anything."""
    if dataset == "buildings":
        plan = plan_buildings(database, reading.records)
    else:
        plan = plan_dining(database, reading.records, limits.max_gap_days)
    if plan.changes_nothing:
        return Outcome(dataset, "unchanged", reading, plan.live_revision, plan)
    return Outcome(dataset, "dry-run", reading, plan.live_revision, plan, _refusals(plan, reading, limits))


def _refusals(plan: Plan, reading: ReadResult, limits: Thresholds) -> list[Refusal]:
    # Samples are there to be replaced.
    sources = plan.live["sources"] if plan.live else []
    guarded = not (sources and all(source["file"].startswith(SAMPLES) for source in sources))
    lost = safety_checks.refusals(plan, limits) if guarded else []
    if plan.dataset == "dining":
        return safety_checks.long_gaps(sorted({serving.date for serving in reading.records}), limits) + lost
    area = plan.area if guarded else None
    return safety_checks.misplaced(reading.records.locations, reading.locations, area, limits) + lost


def _leave(database: Database, outcome: Outcome, held: Held) -> Outcome:
    """Record a load that publishes nothing."""
    state = "refused" if outcome.refusals else "unchanged"
    if state == "unchanged":
        repair(database, outcome.plan, held.confirm)
    bad, reasons = len(outcome.reading.errors), [str(refusal) for refusal in outcome.refusals]
    journal.record(database, outcome.plan, outcome.reading.sources, bad, state, reasons)
    return Outcome(outcome.dataset, state, outcome.reading, outcome.revision, outcome.plan, outcome.refusals)


def _publish(database: Database, outcome: Outcome, held: Held) -> Outcome:
    reading = outcome.reading
    revision = publish(database, outcome.plan, reading.sources, len(reading.errors), held.confirm)
    return Outcome(outcome.dataset, "published", reading, revision, outcome.plan, outcome.refusals)
