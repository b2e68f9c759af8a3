"""Publish revisions, as loads do."""

from dataclasses import replace

from loaders.documents.serving import DiningLists
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish


def publish_buildings(database, buildings, sources=()):
    """Publish buildings and return the revision."""
    return publish(database, replace(plan_buildings(database, buildings), sources=sources))


def publish_dining(database, servings, sources=(), **lists):
    """Publish menus, with these facts or halls, and return the revision."""
    plan = plan_dining(database, servings, lists=DiningLists(**lists))
    return publish(database, replace(plan, sources=sources))
