"""Random URLs of every kind."""

from dataclasses import dataclass
from urllib.parse import urlencode

from tests.nightly.consistency.exports import BUILDINGS, CATEGORIES, DATES, KINDS, LOCATIONS, MEALS, RECIPES

GEOJSON = "application/geo+json"


@dataclass(frozen=True)
class Url:
    """A URL; those of one `template` have the same body, but for the texts of each load.

    `is_of_both` is whether its validators also depend on the other data set, its body does not.
    """

    dataset: str
    path: str
    template: str
    accept: str = "*/*"
    is_of_both: bool = False

    @property
    def key(self):
        return self.path, self.accept


def complete_list(dataset):
    """Return the URL of a list."""
    path = {"buildings": "/map/buildings", "dining": "/dining/recipes"}[dataset]
    return Url(dataset, path, path)


class Urls:
    """Random URLs; most have a value that nobody has requested before, and that matches nothing: no cache has them."""

    def __init__(self, random):
        self._random = random
        one_collection = [self._building, self._buildings, self._entity, self._entities, self._menus, self._facts]
        # These need several queries each.
        several = [self._tables, self._calendar] * 2
        self._kinds = [*one_collection, self._buildings, self._menus, *several, self._hours, self._places]

    def choose(self):
        return self._random.choice(self._kinds)()

    def _building(self):
        return self._buildings_as(f"/map/buildings/{self._random.choice(BUILDINGS)}")

    def _buildings(self):
        text = self._random.choice(["", "name", "NAME 7 OF", "5 of"])
        if self._random.random() < 0.3:
            return self._url("buildings", "/map/buildings.csv", {"name": text} if text else {}, "name")
        return self._buildings_as("/map/buildings", {"name": text} if text else {})

    def _buildings_as(self, path, query=None):
        """Return the URL of JSON, or one of the two of GeoJSON, for a building or a list."""
        path, accept = self._random.choice([(path, "*/*"), (f"{path}.geojson", "*/*"), (path, GEOJSON)])
        return self._url("buildings", path, query or {}, "name", accept=accept)

    def _entity(self):
        kind = self._random.choice([*KINDS])
        is_facts = kind == "recipes" and self._random.random() < 0.5
        path = f"/dining/{kind}/{self._random.choice(KINDS[kind])}"
        return self._url("dining", f"{path}/facts" if is_facts else path)

    def _entities(self):
        return self._url("dining", f"/dining/{self._random.choice([*KINDS])}")

    def _menus(self):
        path = self._random.choice(["/dining/menus", "/dining/dishes"])
        return self._url("dining", path, self._menu_query(), "recipe")

    def _tables(self):
        path = self._random.choice(["/dining/menus.csv", "/dining/dishes.csv"])
        return self._url("dining", path, self._menu_query(), "recipe")

    def _facts(self):
        if self._random.random() < 0.3:
            return self._url("dining", "/dining/recipes.csv")
        return self._url("dining", "/dining/facts", {"recipe": self._random.sample([*RECIPES], 3)}, "recipe")

    def _hours(self):
        query = {"date": self._random.sample(DATES, 2), "location": LOCATIONS[0]}
        return self._url("dining", "/dining/hours", query, "location")

    def _places(self):
        return self._url("dining", "/dining/locations.geojson", is_of_both=True)

    def _calendar(self):
        query = self._menu_query()
        query.pop("date", None)
        return self._url("dining", "/dining/menus.ics", query, "recipe")

    def _menu_query(self):
        """Return filters, which all match something."""
        values = {"meal": MEALS, "location": LOCATIONS, "category": CATEGORIES, "recipe": RECIPES}
        fields = self._random.sample([*values], self._random.choice([0, 1, 2]))
        query = {field: self._random.sample([*values[field]], 2) for field in fields}
        if self._random.random() < 0.8:
            query["date"] = self._random.sample(DATES, self._random.choice([1, 3]))
        return {"recipe": [*RECIPES], **query}

    def _url(self, dataset, path, query=None, parameter=None, **fields):
        """Return a URL with a new alternative value of a parameter of the query, if it has it."""
        template = f"{path}?{urlencode(query, doseq=True)}" if query else path
        is_new = query and parameter in query
        number = f"&{parameter}={self._random.randrange(10**6, 10**9)}" if is_new else ""
        template_key = f"{template} {fields.get('accept', '*/*')}"
        return Url(dataset, template + number, template_key, **fields)
