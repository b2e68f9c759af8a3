"""Profiles: which field of which provider means what, in TOML files."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from campus_api import ids
from campus_api.models import Named
from loaders.profiles.thresholds import Thresholds, parse_thresholds
from loaders.text import parse_raw_text, parse_text

_FOLDER = Path(__file__).parent
_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
FORMATS = {"geojson": "buildings", "esri": "buildings", "foodpro": "dining", "huds": "dining"}

_FIELDS = ("id", "name", "address", "city", "image")


class ProfileError(Exception):
    """A profile that does not exist or cannot be used; the message names it and the key."""


@dataclass(frozen=True)
class BuildingProfile:
    """Where a building's fields stand: per field the field names or templates of which the first non-empty wins.

    `wkid` is the spatial reference of exports that do not say it.
    """

    fields: Mapping[str, tuple[str, ...]]
    format: str = "geojson"
    wkid: int | None = None
    city: str = ""
    image_base: str = ""
    thresholds: Thresholds = Thresholds()

    def text(self, name: str, properties: Mapping[str, Any]) -> str:
        """Return what the export says of the field `name`, "" for nothing."""
        return " ".join(self.raw_text(name, properties).split())

    def raw_text(self, name: str, properties: Mapping[str, Any]) -> str:
        """Return the same with its spaces as they are: in the name of a file they count."""
        return next(filter(None, (_expand(source, properties) for source in self.fields[name])), "")


@dataclass(frozen=True)
class DiningProfile:
    """The format of the rows, and what its codes stand for."""

    format: str
    locations: Mapping[str, Named] = field(default_factory=dict)
    categories: Mapping[str, Named] = field(default_factory=dict)
    thresholds: Thresholds = Thresholds()


def load_building_profile(name: str) -> BuildingProfile:
    """Return the profile of this name, or the one in this TOML file; ProfileError says what is wrong."""
    table = _load(name)
    _known(name, "", table, {"format", "wkid", "fields", "defaults", "limits"})
    if table.get("format") not in ("geojson", "esri"):
        raise ProfileError(f"profile {name}: format {table.get('format')!r} is neither geojson nor esri")
    if type(table.get("wkid", 0)) is not int:
        raise ProfileError(f"profile {name}: wkid is not an integer")
    given, defaults = _table(name, table, "fields"), _table(name, table, "defaults")
    _known(name, "fields.", given, set(_FIELDS))
    _known(name, "defaults.", defaults, {"city", "image_base"})
    fields = {field: _sources(name, field, given.get(field, [])) for field in _FIELDS}
    fields["id"] = fields["id"] or ("id",)
    texts = {key: _string(name, f"defaults.{key}", value) for key, value in defaults.items()}
    thresholds = _thresholds(name, table, {"lost_documents", "area", "area_margin"})
    return BuildingProfile(fields, table["format"], table.get("wkid"), thresholds=thresholds, **texts)


def load_dining_profile(name: str) -> DiningProfile:
    """Return the profile of this name, or the one in this TOML file; ProfileError says what is wrong."""
    table = _load(name)
    _known(name, "", table, {"format", "locations", "categories", "limits"})
    if table.get("format") not in ("foodpro", "huds"):
        raise ProfileError(f"profile {name}: format {table.get('format')!r} is neither foodpro nor huds")
    codes = {key: _codes(name, key, _table(name, table, key)) for key in ("locations", "categories")}
    if table["format"] == "foodpro":
        # The kitchen's own number, if it has one, gets the joint name too.
        codes = {key: {str(named.id): named for named in table.values()} | table for key, table in codes.items()}
    thresholds = _thresholds(name, table, {"lost_documents", "lost_items", "closed_days"})
    return DiningProfile(format=table["format"], thresholds=thresholds, **codes)


def read_format(name: str) -> str:
    """Return the format that a profile is for; ProfileError when there is none."""
    form = _load(name).get("format")
    if form not in FORMATS:
        raise ProfileError(f"profile {name}: format {form!r} is not one of {', '.join(FORMATS)}")
    return form


def normalize_code(code: str) -> str:
    """Return a code as the tables of a profile have it: a number without its leading zeros, other text as it is."""
    return code.lstrip("0") or "0" if code.isascii() and code.isdigit() else code


def _load(name: str) -> dict[str, Any]:
    path = Path(name) if name.endswith(".toml") else _FOLDER / f"{name}.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError:
        known = ", ".join(sorted(path.stem for path in _FOLDER.glob("*.toml")))
        raise ProfileError(f"profile {name}: there is none; give a .toml file or one of {known}") from None
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"profile {name}: is not TOML: {error}") from error


def _known(name: str, prefix: str, table: Mapping[str, Any], keys: set[str]) -> None:
    for key in table:
        if key not in keys:
            raise ProfileError(f"profile {name}: {prefix}{key} is not one of {', '.join(sorted(keys))}")


def _table(name: str, table: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise ProfileError(f"profile {name}: {key} is not a table")
    return value


def _string(name: str, key: str, value: object) -> str:
    if not isinstance(value, str):
        raise ProfileError(f"profile {name}: {key} is not text")
    return value


def _sources(name: str, field: str, value: object) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    sources = tuple(_string(name, f"fields.{field}", source) for source in values)
    for source in sources:
        if not source.strip() or set("{}") & set(_PLACEHOLDER.sub("", source)):
            raise ProfileError(f"profile {name}: fields.{field} {source!r} has no field name or a stray brace")
        if field == "id" and "{" in source:
            raise ProfileError(f"profile {name}: fields.id {source!r} is a template: an id stands in one field")
    return sources


def _codes(name: str, key: str, table: Mapping[str, Any]) -> dict[str, Named]:
    """Return what each code stands for: `"07" = {id = 7, name = "Dunster and Mather House"}`."""
    codes: dict[str, Named] = {}
    for code, meaning in table.items():
        named = _named(f"profile {name}: {key}.{code}", meaning)
        if codes.setdefault(normalize_code(code), named) != named:
            raise ProfileError(f"profile {name}: {key}.{code} stands for two things")
    names: dict[int, str] = {}
    for named in codes.values():
        if names.setdefault(named.id, named.name) != named.name:
            raise ProfileError(f"profile {name}: {key} give the id {named.id} two names")
    return codes


def _thresholds(name: str, table: Mapping[str, Any], keys: set[str]) -> Thresholds:
    given = _table(name, table, "limits")
    _known(name, "limits.", given, keys)
    try:
        return parse_thresholds(given)
    except ValueError as error:
        raise ProfileError(f"profile {name}: limits.{error}") from None


def _named(place: str, meaning: object) -> Named:
    types = {key: type(value) for key, value in meaning.items()} if isinstance(meaning, dict) else {}
    if types != {"id": int, "name": str}:
        raise ProfileError(f'{place} is not written {{id = 7, name = "a name"}}')
    if ids.from_path(str(meaning["id"])) is None or not meaning["name"].strip():
        raise ProfileError(f"{place} has an id or a name that no record can have")
    return Named(**meaning)


def _expand(source: str, properties: Mapping[str, Any]) -> str:
    if "{" not in source:
        return parse_raw_text(source, properties.get(source))
    filled = _PLACEHOLDER.sub(lambda match: parse_text(match[1], properties.get(match[1])), source)
    # A template of which no field is given says nothing, whatever stands between its fields.
    empty = not any(parse_text(name, properties.get(name)) for name in _PLACEHOLDER.findall(source))
    return "" if empty else filled.strip()
