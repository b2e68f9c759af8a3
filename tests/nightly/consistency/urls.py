"""URLs of every kind, each with what a revision must return for it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from tests.factories import TODAY
from tests.nightly.consistency import contents, representations
from tests.nightly.consistency.contents import BUILDINGS, CATEGORIES, DATES, KINDS, LOCATIONS, MEALS, RECIPES

GEOJSON = "application/geo+json"
# Texts to search for, and the buildings whose names contain them.
SEARCHES = [("hall", BUILDINGS), ("HALL 7 OF", [7]), ("5 of", range(5, 61, 10))]


@dataclass(frozen=True)
class Revision:
    """A revision that was live, and the load that its content is from: an older one after an undo."""

    dataset: str
    number: int
    load: int
    loaded_at: datetime


@dataclass(frozen=True)
class Url:
    """A URL; `expect` returns the parsed body that a revision must give.

    `is_of_both` is whether its validators also depend on the other data set, its body does not.
    """

    dataset: str
    path: str
    expect: Callable[[Revision], Any]
    parse: Callable[[bytes], Any] = json.loads
    accept: str = "*/*"
    is_of_both: bool = False

    @property
    def key(self):
        return self.path, self.accept

    def is_body_of(self, revision, body):
        return self.parse(body) == self.expect(revision)


def complete_list(dataset):
    """Return the URL of a list."""
    if dataset == "buildings":
        return Url(dataset, "/map/buildings", lambda revision: contents.buildings(revision.load))
    return Url(dataset, "/dining/recipes", lambda revision: contents.entities("recipes", revision.load))


class Urls:
    """Random URLs of every kind; most have a value that nobody has requested before, so that no cache has them."""

    def __init__(self, random):
        self._random = random
        one_collection = [self._building, self._buildings, self._entity, self._entities, self._menus, self._facts]
        # These need several queries each.
        several = [self._menu_table, self._calendar, self._dishes, self._dish_table]
        self._kinds = [*one_collection, self._buildings, self._menus, *several * 2, self._hours, self._places]

    def choose(self):
        return self._random.choice(self._kinds)()

    def _building(self):
        id_ = self._random.choice(BUILDINGS)
        return self._buildings_as(f"/map/buildings/{id_}", "", lambda load: contents.building(id_, load))

    def _buildings(self):
        if self._random.random() < 0.2:
            return self._building_list("", BUILDINGS)
        text, ids = self._random.choice(SEARCHES)
        return self._building_list(f"?{urlencode({'name': [text, self._new_number()]}, doseq=True)}", ids)

    def _building_list(self, query, ids):
        def expect(load):
            return [contents.building(id_, load) for id_ in ids]

        def expect_table(revision):
            return representations.building_table(expect(revision.load))

        if self._random.random() < 0.3:
            return Url("buildings", f"/map/buildings.csv{query}", expect_table, representations.parse_csv)
        return self._buildings_as("/map/buildings", query, expect)

    def _buildings_as(self, path, query, expect):
        """Return the URL of JSON, or one of the two of GeoJSON, for a building or a list."""

        def expect_geojson(revision):
            content = expect(revision.load)
            return representations.features(content) if isinstance(content, list) else representations.feature(content)

        urls = [
            Url("buildings", f"{path}{query}", lambda revision: expect(revision.load)),
            Url("buildings", f"{path}.geojson{query}", expect_geojson),
            Url("buildings", f"{path}{query}", expect_geojson, accept=GEOJSON),
        ]
        return self._random.choice(urls)

    def _entity(self):
        kind = self._random.choice([*KINDS])
        id_ = self._random.choice(KINDS[kind])
        path = f"/dining/{kind}/{id_}"
        if kind == "recipes" and self._random.random() < 0.5:
            return Url("dining", f"{path}/facts", lambda revision: contents.facts(id_, revision.load))
        return Url("dining", path, lambda revision: contents.entity(kind, id_, revision.load))

    def _entities(self):
        kind = self._random.choice([*KINDS])
        return Url("dining", f"/dining/{kind}", lambda revision: contents.entities(kind, revision.load))

    def _menus(self):
        query, filters = self._menu_query()
        return Url("dining", f"/dining/menus{query}", lambda revision: contents.menus(revision.load, **filters))

    def _menu_table(self):
        query, filters = self._menu_query()

        def expect(revision):
            return representations.menu_table(contents.menus(revision.load, **filters), revision.load)

        return Url("dining", f"/dining/menus.csv{query}", expect, representations.parse_csv)

    def _dishes(self):
        query, filters = self._menu_query()
        return Url("dining", f"/dining/dishes{query}", lambda revision: contents.dishes(revision.load, **filters))

    def _dish_table(self):
        query, filters = self._menu_query()

        def expect(revision):
            return representations.dish_table(contents.dishes(revision.load, **filters), revision.load)

        return Url("dining", f"/dining/dishes.csv{query}", expect, representations.parse_csv)

    def _facts(self):
        def expect(revision):
            return [contents.facts(recipe, revision.load) for recipe in recipes]

        if self._random.random() < 0.3:
            recipes, parse = RECIPES, representations.parse_recipe_table
            return Url("dining", "/dining/recipes.csv", lambda each: representations.recipe_table(expect(each)), parse)
        recipes = sorted(self._random.sample([*RECIPES], 3))
        query = urlencode({"recipe": [*recipes, self._new_number()]}, doseq=True)
        return Url("dining", f"/dining/facts?{query}", expect)

    def _hours(self):
        dates = self._random.sample(DATES, 2)
        query = urlencode({"date": dates, "location": [LOCATIONS[0], self._new_number()]}, doseq=True)
        return Url("dining", f"/dining/hours?{query}", lambda revision: contents.hours(revision.load, dates))

    def _places(self):
        def expect(revision):
            return representations.location_features(contents.entities("locations", revision.load))

        return Url("dining", "/dining/locations.geojson", expect, is_of_both=True)

    def _calendar(self):
        query, filters = self._menu_query(has_dates=False)

        def expect(revision):
            return representations.events(contents.menus(revision.load, **filters), revision)

        return Url("dining", f"/dining/menus.ics{query}", expect, representations.parse_calendar)

    def _menu_query(self, has_dates=True):
        """Return a query string and its filters: of today by default if the endpoint takes dates."""
        values = {"meal": MEALS, "location": LOCATIONS, "category": CATEGORIES, "recipe": RECIPES}
        fields = self._random.sample([*values], self._random.choice([0, 0, 1, 2]))
        filters = {field: self._random.sample([*values[field]], 2) for field in fields}
        if self._random.random() < 0.8:
            filters["recipe"] = [*filters.get("recipe", RECIPES), self._new_number()]
        if has_dates and self._random.random() < 0.8:
            filters["date"] = self._random.sample(DATES, self._random.choice([1, 3]))
        query = f"?{urlencode(filters, doseq=True)}" if filters else ""
        return query, {"date": [TODAY], **filters} if has_dates else filters

    def _new_number(self):
        return self._random.randrange(10**6, 10**9)
