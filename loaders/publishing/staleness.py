"""Exports that are no longer updated: unchanged for too long, or with menus that ended too long ago."""

from datetime import date

from loaders.publishing.load import LoadResult
from loaders.publishing.plan import Plan
from loaders.text import pluralize

_SUCCESSFUL = ("published", "unchanged", "dry-run")


def find_staleness(result: LoadResult, max_days: int, today: date) -> str:
    """Return why an export is stale, "" if it is not or if the load failed anyway."""
    if result.state not in _SUCCESSFUL or result.plan is None:
        return ""
    reasons = [_describe_end(result.plan, max_days, today)]
    if result.state == "unchanged":
        reasons.insert(0, _describe_last_change(result.plan, max_days, today))
    return " and ".join(filter(None, reasons))


def _describe_last_change(plan: Plan, max_days: int, today: date) -> str:
    changed = plan.current["loaded_at"].date() if plan.current else today
    days = (today - changed).days
    return f"the export has not changed for {pluralize(days, 'day')} (since {changed})" if days > max_days else ""


def _describe_end(plan: Plan, max_days: int, today: date) -> str:
    if plan.last_date is None:
        return ""
    last = date.fromisoformat(plan.last_date)
    days = (today - last).days
    return f"its menus ended {pluralize(days, 'day')} ago ({last})" if days > max_days else ""
