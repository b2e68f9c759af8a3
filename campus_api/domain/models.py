"""The data model: entities that loaders build, rows that stores return, documents of data sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict

import msgspec
import orjson
from msgspec import Meta

Position = tuple[float, float]

# Exact as a number in JSON and in MongoDB.
_MAX_NUMBER = 2**53
Number = Annotated[int, Meta(ge=0, le=_MAX_NUMBER)] | Annotated[float, Meta(ge=0, le=_MAX_NUMBER)]
Text = Annotated[str, Meta(min_length=1, max_length=10_000)]

# The id and the name of a recipe, and the fields of its facts.
FactsRow = dict[str, Any]

MEALS = {0: "breakfast", 1: "lunch", 2: "dinner"}
# How the file names of samples begin in the sources of a data set.
SAMPLES = "samples/"


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """A category, a location or a recipe."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Nutrient:
    """An amount of a nutrient in a serving; `daily_value` is in percent, None if unknown."""

    amount: Number
    unit: Text
    daily_value: Number | None = None


@dataclass(frozen=True, slots=True)
class Nutrients:
    """The nutrients of a serving, each None if unknown."""

    total_fat: Nutrient | None = None
    saturated_fat: Nutrient | None = None
    trans_fat: Nutrient | None = None
    cholesterol: Nutrient | None = None
    sodium: Nutrient | None = None
    total_carbohydrate: Nutrient | None = None
    dietary_fiber: Nutrient | None = None
    sugars: Nutrient | None = None
    protein: Nutrient | None = None
    added_sugars: Nutrient | None = None
    salt: Nutrient | None = None
    potassium: Nutrient | None = None
    calcium: Nutrient | None = None
    iron: Nutrient | None = None
    vitamin_d: Nutrient | None = None


NUTRIENTS = tuple(each.name for each in fields(Nutrients))


@dataclass(frozen=True, slots=True)
class ImpliedLabel:
    """A label that another one implies."""

    code: Text
    name: Text | None = None


@dataclass(frozen=True, slots=True)
class Label(ImpliedLabel):
    """A label of a recipe, such as VGN, "vegan"; `implies` are those that are also true of it, such as VGT."""

    implies: tuple[ImpliedLabel, ...] = ()


@dataclass(frozen=True, slots=True)
class ServedLabel(Label):
    """A label as the API returns it; if the recipe contradicts it, neither it nor what it implies is true."""

    contradicted: bool = False


@dataclass(frozen=True, slots=True)
class Spelling:
    """A name of a provider, and the words for allergens that it stands for by its profile."""

    name: Text
    words: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """The words that a provider lists for a recipe, those that it leaves `open`, and those that its profile states."""

    provider: str
    words: tuple[Text, ...] = ()
    open: tuple[Text, ...] = ()
    stated: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """What a recipe is made of, None where it is unknown; `allergens` and `labels` are never empty.

    `allergens` are the names of the provider, `contains` the words that these and the ingredients name, `without` those
    that it is known not to contain by `listings`, `spellings` names that the vocabulary lacks, `contradicts` the diets
    that it contradicts with any label, `as_of` its last date.
    """

    serving_size: Text | None = None
    calories: Number | None = None
    calories_from_fat: Number | None = None
    nutrients: Nutrients = Nutrients()
    ingredients: Text | None = None
    allergens: Annotated[tuple[Text, ...], Meta(min_length=1)] | None = None
    contains: tuple[Text, ...] | None = None
    without: tuple[Text, ...] = ()
    labels: Annotated[tuple[Label, ...], Meta(min_length=1)] | None = None
    as_of: Text | None = None
    spellings: tuple[Spelling, ...] = ()
    contradicts: tuple[Text, ...] = ()
    listings: tuple[Listing, ...] = field(default=(), compare=False)


# As the API returns them; the last three fields are for queries and loads.
FACTS = tuple(each.name for each in fields(Facts))[:-3]


class MealHours(NamedTuple):
    """When a meal is served at a location: an opening_hours expression, which holds until a date (YYYY-MM-DD).

    `country` is the ISO 3166 code of the country whose public holidays apply, None if the expression has none.
    """

    meal: int
    expression: str
    until: str
    country: str | None = None


class LocationDetails(NamedTuple):
    """Where and when a location serves: the id of its building, None if unknown, and hours; and its other names."""

    building: int | None = None
    hours: tuple[MealHours, ...] = ()
    aliases: tuple[str, ...] = ()


class NamedRow(TypedDict):
    """A category, a location or a recipe as the API returns it."""

    id: int
    name: str


class MealRow(TypedDict):
    """A meal of a data set; `name` is None if it is unknown."""

    id: int
    name: str | None


class MenuItemRow(TypedDict):
    """A menu item as the API returns it; `id` and `name` are those of the recipe."""

    date: str
    meal: int
    location: int
    category: int
    recipe: int
    id: int
    name: str


class DishRow(TypedDict):
    """A dish as the API returns it: the menu items of a date, a meal, a category and a recipe.

    `name` is that of the first one, `meal_names` are those of the meal in each location; `facts` are None if nothing is
    known of the recipe.
    """

    date: str
    meal: int
    category: int
    recipe: int
    name: str
    locations: list[int]
    meal_names: list[str]
    # Encoded as JSON, or as the table of dishes needs them.
    facts: Any


class LocationRow(NamedRow):
    """A location with the id of its building, and [latitude, longitude] and the address of that; None if unknown."""

    building: int | None
    point: Sequence[float] | None
    address: str | None


@dataclass(frozen=True)
class HoursRow:
    """When a meal is served at a location on a date, as the API returns it; local times as HH:MM."""

    date: str
    location: int
    meal: int
    meal_name: str
    opens: str
    closes: str


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """What a load changed, as the API returns it; `id` is None if it is all of a type or of a date.

    `kind` is added, removed, renamed, moved or changed, `type` building, category, location, recipe or menu. The id and
    the name of a menu are those of the location; `fields` are the names of those that differ.
    """

    loaded_at: str
    dataset: str
    revision: int
    kind: str
    type: str
    id: int | None = None
    name: str | None = None
    name_before: str | None = None
    date: str | None = None
    fields: Sequence[str] = ()


class MealNames(NamedTuple):
    """The names of meals by id, and those of brunches by date, meal and location."""

    by_id: Mapping[int, str]
    served: Mapping[tuple[str, int, int], str]

    def find(self, date: str, meal: int, location: int) -> str:
        """Return the name of a meal that a location serves on a date."""
        return self.served.get((date, meal, location)) or meal_name(meal, self.by_id)


class Names(NamedTuple):
    """The names of locations and categories by id, and those of meals."""

    locations: Mapping[int, str]
    categories: Mapping[int, str]
    meals: MealNames


def encode_facts(facts: Facts) -> dict[str, Any]:
    """Return facts as they are stored and served."""
    return orjson.loads(orjson.dumps(facts))


def decode_facts(document: Mapping[str, Any]) -> Facts:
    """Return facts that were stored or served; msgspec.ValidationError if one is invalid."""
    return msgspec.convert(document, Facts)


def meal_name(meal: int, names: Mapping[int, str] = MEALS) -> str:
    """Return the name of a meal, such as "lunch"; "meal 7" if it has none."""
    return names.get(meal, f"meal {meal}")


class RevisionContent(TypedDict):
    """The names of the MongoDB collections of a revision, and the number of documents in each."""

    collections: dict[str, str]
    counts: dict[str, int]


class LostItems(TypedDict):
    """The last revision for which the guard of lost menu items was overridden, and the first date of its export."""

    revision: int
    since: str


class DatasetDocument(RevisionContent):
    """The live revision of a data set."""

    _id: str
    layout: int
    revision: int
    loaded_at: datetime
    sources: list[dict[str, str]]
    load: NotRequired[object]
    previous: NotRequired["DatasetDocument"]
    reverts: NotRequired[object]
    lost_items: NotRequired[LostItems]
    meals: NotRequired[list[MealRow]]


def are_samples(dataset: DatasetDocument | None) -> bool:
    """Return whether the live data are samples."""
    sources = dataset["sources"] if dataset else []
    return bool(sources) and all(source["file"].startswith(SAMPLES) for source in sources)
