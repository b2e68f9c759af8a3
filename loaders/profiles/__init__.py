"""Profiles: TOML files that map the fields and codes of a provider to ours."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any

from campus_api.domain import ids
from campus_api.domain.building_fields import TEXT_FIELDS
from campus_api.domain.models import LocationDetails, NamedEntity
from campus_api.domain.text import normalize
from loaders.geo.crs import CRS, WGS84, crs_from_wkid
from loaders.profiles.allergens import ALLERGEN_SETTINGS, AllergenRules, parse_allergens
from loaders.profiles.building_ids import AssignedId, IntegerId, parse_building_id
from loaders.profiles.building_settings import (
    POSITION_FIELDS,
    Condition,
    PositionFields,
    parse_filter,
    parse_position_fields,
)
from loaders.profiles.corrections import Corrections, load_corrections
from loaders.profiles.dining_settings import COMMON_SETTINGS, DINING_SETTINGS, fold_meal, parse_columns, parse_meals
from loaders.profiles.files import (
    built_in_profiles,
    load_table,
    parse_format,
    profile_errors,
    profile_path,
    settings_of,
)
from loaders.profiles.halls import parse_halls
from loaders.profiles.thresholds import Thresholds, parse_thresholds
from loaders.profiles.values import (
    Parsers,
    check_keys,
    expand,
    fields_of,
    is_template,
    parse_expressions,
    parse_settings,
    require,
    require_text,
    require_texts,
    subtable,
)

FIELDS = ("id", *TEXT_FIELDS)

_BUILDING_SETTINGS: Parsers = {
    **COMMON_SETTINGS,
    "layer": require_text,
    "wkid": partial(require, int, "is not an integer"),
    "merge": partial(require, bool, "is neither true nor false"),
}
_BUILDING_KEYS = {"format", "sheet", "limits", "corrections", "fields", "filter", "defaults", *_BUILDING_SETTINGS}
_DINING_TABLES = {"format", "sheet", "limits", "meals", "locations", "categories", "halls", "country"}
_ENTITY_TYPES = {"id": int, "name": str}


@dataclass(frozen=True)
class BuildingProfile:
    """Expressions, field names or templates, of a building's id and texts: the first non-empty one is used.

    `position` has the fields of the position, if it is not the geometry of a record. `wkid` is the spatial reference of
    exports that do not name theirs, `layer` the layer of a file with several, `rows` the jq program that makes the
    records of a table. The encoding is that of texts that do not name theirs. `own_fields` are those that a file names:
    the common names of a built-in profile may be absent.
    `merge` is whether features with the same id, name and address are parts of one building.
    """

    fields: Mapping[str, tuple[str, ...]]
    own_fields: frozenset[str] = frozenset()
    name: str = ""
    namespace: str = ""
    id: IntegerId | AssignedId = IntegerId()
    position: PositionFields | None = None
    filter: tuple[Condition, ...] = ()
    corrections: Corrections = Corrections()
    format: str = "geojson"
    rows: str = ""
    encoding: str = ""
    wkid: int | None = None
    layer: str | None = None
    merge: bool = False
    city: str = ""
    image_base: str = ""
    thresholds: Thresholds = Thresholds()

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the names of all fields that the profile reads."""
        expressions = (*chain.from_iterable(self.fields.values()), *self.id.expressions)
        position = self.position.names.values() if self.position else ()
        filtered = (each.field for each in self.filter)
        return frozenset((*chain.from_iterable(map(fields_of, expressions)), *position, *filtered))

    @cached_property
    def crs(self) -> CRS:
        """Return the spatial reference of `wkid`, else that of degrees; InvalidValue if it is unknown."""
        return WGS84 if self.wkid is None else crs_from_wkid(self.wkid)

    @property
    def assigns_ids(self) -> bool:
        """Return whether the database assigns the ids of its buildings."""
        return isinstance(self.id, AssignedId) or bool(self.namespace)

    def text(self, field: str, properties: Mapping[str, Any]) -> str:
        """Return the value of a field with whitespace collapsed, "" if empty."""
        return " ".join(self.raw_text(field, properties).split())

    def raw_text(self, field: str, properties: Mapping[str, Any]) -> str:
        """Return the value of a field with its inner spaces, which matter in file names; "" if empty."""
        # Most of the names are those of other providers.
        present = (each for each in self.fields[field] if each in properties or is_template(each))
        return next(filter(None, (expand(each, properties) for each in present)), "")


@dataclass(frozen=True)
class DiningProfile:
    """The format of the rows, the locations and categories by code, and the meals by number or folded name.

    The ids of an export with a `namespace` are not those of the service, which assigns others. `provider` is the
    built-in profile that this one is, or extends; the `usual_meals` are those of that one, `meal_names` the names by
    folded key. Of a table, `columns` has the names of each column, of which the first one with a value is read,
    `required_columns` those that must exist, `header` the names of all columns if the file has none, `rows` the jq
    program that makes the rows of a document, `defaults` what rows lack. `facts` are the columns of facts, `units` the
    singular and the plural of units of servings by folded code, `labels` the names of labels by code, `halls` where and
    when locations serve, by id or name. The encoding, the delimiter and the format of dates, as in strptime, are
    detected if they are empty.
    """

    format: str
    name: str = ""
    namespace: str = ""
    provider: str = ""
    encoding: str = ""
    delimiter: str = ""
    date_format: str = ""
    header: tuple[str, ...] = ()
    rows: str = ""
    meals: Mapping[str, int] = field(default_factory=dict)
    usual_meals: Mapping[str, int] = field(default_factory=dict)
    meal_names: Mapping[str, str] = field(default_factory=dict)
    locations: Mapping[str, NamedEntity] = field(default_factory=dict)
    categories: Mapping[str, NamedEntity] = field(default_factory=dict)
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    required_columns: tuple[tuple[str, ...], ...] = ()
    defaults: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    allergens: AllergenRules = AllergenRules()
    halls: Mapping[int | str, LocationDetails] = field(default_factory=dict)
    thresholds: Thresholds = Thresholds()

    @property
    def provider_name(self) -> str:
        """Return the name of the provider, whatever the folder of its profile: its namespace, or that of the file."""
        return self.namespace or Path(self.name).name

    def codes(self, kind: str) -> Mapping[str, NamedEntity]:
        """Return the entities of a kind, "location", "category" or "dish", by code."""
        return {"location": self.locations, "category": self.categories}.get(kind, {})


def load_building_profile(name: str) -> BuildingProfile:
    """Load the built-in profile of this name, or this TOML file; ProfileError if it is invalid."""
    table = load_table(name)
    with profile_errors(name):
        check_keys("", table, _BUILDING_KEYS)
        corrections = profile_path(name).parent / require_text("corrections", table.get("corrections", ""))
        fields = subtable(settings_of(parse_format(table)) | table, "fields")
        check_keys("fields.", fields, {*FIELDS, *POSITION_FIELDS})
        return BuildingProfile(
            fields={name: parse_expressions(f"fields.{name}", fields.get(name, [])) for name in TEXT_FIELDS},
            own_fields=frozenset(subtable(table, "fields") if name.endswith(".toml") else ()),
            name=name,
            id=parse_building_id(fields.get("id", [])),
            filter=parse_filter(subtable(table, "filter")),
            position=parse_position_fields(fields),
            corrections=load_corrections(corrections) if "corrections" in table else Corrections(),
            format=parse_format(table),
            thresholds=_parse_limits(table, {"lost_documents", "area", "area_margin"}),
            **require_texts("defaults", table.get("defaults", {}), {"city", "image_base"}),  # type: ignore[arg-type]
            **parse_settings(table, _BUILDING_SETTINGS),
        )


def load_dining_profile(name: str) -> DiningProfile:
    """Load the built-in profile of this name, or this TOML file; ProfileError if it is invalid.

    A profile whose `format` is a built-in one has the settings of that one, but for its own.
    """
    own = load_table(name)
    with profile_errors(name):
        check_keys("", own, {*_DINING_TABLES, *ALLERGEN_SETTINGS, *DINING_SETTINGS})
        provider = name if name in built_in_profiles() else parse_format(own)
        built_in = settings_of(provider)
        table = built_in | {key: value for key, value in own.items() if key != "format"}
        settings = parse_settings(table, DINING_SETTINGS)
        return DiningProfile(
            format=table["format"],
            name=name,
            provider=provider,
            meals=parse_meals(own) if provider != name else {},
            usual_meals=parse_meals(built_in),
            meal_names=_parse_meal_names(own),
            thresholds=_parse_limits(table, {"lost_items", "closed_days"}),
            required_columns=_required_columns(own) if provider != name else (),
            allergens=parse_allergens(own, built_in),
            halls=parse_halls(table),
            locations=_parse_codes("locations", own, built_in),
            categories=_parse_codes("categories", own, built_in),
            **settings,
        )


def normalize_code(code: str) -> str:
    """Return a numeric code without leading zeros, any other code with composed letters."""
    return code.lstrip("0") or "0" if code.isascii() and code.isdigit() else normalize("NFC", code)


def _required_columns(table: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Return the names of the columns that an export must have: of ids or else of names, and facts of a program.

    Columns with a default may be missing.
    """
    required: dict[str, tuple[str, ...]] = {}
    for column, names in parse_columns("columns", table.get("columns", {})).items():
        kind = column.removesuffix("_id")
        if kind not in subtable(table, "defaults"):
            required[kind] = (*required.get(kind, ()), *names)
    facts = subtable(table, "facts").values() if required and "rows" in table else ()
    return (*required.values(), *((name,) for name in facts))


def _parse_codes(key: str, own: Mapping[str, Any], built_in: Mapping[str, Any]) -> dict[str, NamedEntity]:
    """Return the entities of a table such as `"07" = {id = 7, name = "Dunster and Mather House"}` by code.

    Those of a built-in profile complete them, but for codes and ids that the profile itself has.
    """
    entities: dict[str, NamedEntity] = {}
    for code, value in subtable(own, key).items():
        entity = _parse_entity(f"{key}.{code}", value)
        if entities.setdefault(normalize_code(code), entity) != entity:
            raise ValueError(f"{key}.{code} is defined twice")
    names: dict[int, str] = {}
    for entity in entities.values():
        if names.setdefault(entity.id, entity.name) != entity.name:
            raise ValueError(f"{key} has two names for the id {entity.id}")
    others = _parse_codes(key, built_in, {}) if built_in else {}
    return {code: each for code, each in others.items() if each.id not in names} | entities


def _parse_meal_names(table: Mapping[str, Any]) -> dict[str, str]:
    """Return by folded key the names in a table of meals, such as `LN = {id = 3, name = "Late Night"}`."""
    meals = subtable(table, "meals").items()
    return {fold_meal(key): _parse_entity(f"meals.{key}", meal).name for key, meal in meals if isinstance(meal, dict)}


def _parse_entity(key: str, value: object) -> NamedEntity:
    if not isinstance(value, dict) or {name: type(member) for name, member in value.items()} != _ENTITY_TYPES:
        raise ValueError(f'{key} is not of the form {{id = 7, name = "a name"}}')
    if ids.from_path(str(value["id"])) is None or not value["name"].strip():
        raise ValueError(f"{key} has a negative or too large id, or a blank name")
    return NamedEntity(**value)


def _parse_limits(table: Mapping[str, Any], keys: set[str]) -> Thresholds:
    limits = subtable(table, "limits")
    check_keys("limits.", limits, keys)
    return parse_thresholds(limits)
