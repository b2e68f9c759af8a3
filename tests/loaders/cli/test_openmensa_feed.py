"""An OpenMensa feed from its proposed profile to the responses of the service."""

import json
import re

import pytest
from webtest import TestApp

import campus_api
from loaders.inference import propose
from tests.factories import NOON, TODAY

DISHES = {
    "Sojaschnitzel": ("vegan", "Soja"),
    "Eintopf": ("vegetarisch", "Sellerie"),
    "Currywurst": ("Senf",),
    "Auflauf": ("Insekten", "Milch"),
    "Salat": (),
}


def feed(**dishes):
    meals = (
        f"<meal><name>{name}</name>{''.join(f'<note>{note}</note>' for note in notes)}<price>3.20</price></meal>"
        for name, notes in dishes.items()
    )
    return (
        '<openmensa version="2.1" xmlns="http://openmensa.org/open-mensa-v2"><canteen><name>Mensa am Park</name>'
        '<location latitude="51.3" longitude="12.4"/><times type="opening"><friday open="11:30-14:00"/></times>'
        f'<day date="{TODAY}"><category name="Essen">{"".join(meals)}</category></day></canteen></openmensa>'
    )


@pytest.fixture
def load(campus_load, save):
    """Load a feed with the profile that is proposed for it."""
    path = save(feed(**DISHES), "feed.xml")
    profile = save(propose.profile(path), "mensa.toml")
    return lambda *options: campus_load("dining", path, "--profile", profile, *options)


@pytest.fixture
def app(load, mongod_uri):
    """The service, started after the load."""
    assert load().exit_code == 0
    app = campus_api.main({}, **{"mongo.uri": mongod_uri, "mongo.timeout_ms": "10000", "clock.frozen_at": NOON})
    yield TestApp(app)
    app.registry["revisions"].close()


def test_notes_become_labels_and_allergens_and_times_serving_hours(app):
    def dishes(query):
        return {dish["name"] for dish in app.get(f"/dining/dishes?{query}").json}

    assert dishes("") == DISHES.keys()
    assert dishes("label=vegetarian") == {"Sojaschnitzel", "Eintopf"}
    assert dishes("label=VGN") == {"Sojaschnitzel"}
    assert dishes("without=celery") == {"Sojaschnitzel", "Currywurst"}
    assert dishes("without=MUSTARD&without=soy") == {"Eintopf"}
    [location] = [each["id"] for each in app.get("/dining/locations").json]
    hours = {"date": TODAY, "location": location, "meal": 1, "opens": "11:30", "closes": "14:00"}
    assert app.get("/dining/hours").json == [hours]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_feed_with_closed_days_only_is_loaded(load, campus_load, save, is_first):
    assert is_first or load().exit_code == 0
    day = '<day date="2026-11-23"><closed/></day>'
    path = save(re.sub("<day.*</day>", day, feed()), "closed.xml")

    results = [campus_load("dining", path, "--profile", "openmensa", "--max-stale", 3) for _ in range(2)]

    assert [(each.exit_code, re.match(r"[\w: ]+", each.stdout)[0]) for each in results] == [
        (0, f"dining: published as revision {1 if is_first else 2}"),
        (0, "dining: unchanged"),
    ]
    assert json.loads(campus_load("dump", "dining").stdout)["closed_days"] == ["2026-11-23"]
