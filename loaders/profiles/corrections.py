"""Corrections of buildings by id, in the TOML file that a profile names in `corrections`."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from campus_api.domain import ids
from campus_api.domain.building_fields import TEXT_FIELDS
from campus_api.domain.models import Position
from loaders.profiles.values import check_keys, parse_names, require_text
from loaders.text import parse_text

_KEYS = {*TEXT_FIELDS, "point", "retired"}
_URL = re.compile(r"https?://[!-~]+")


@dataclass(frozen=True)
class Corrections:
    """The name of a file, and the fields to replace by id; a building with the field "retired" is left out."""

    file: str = ""
    by_id: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


def load_corrections(path: Path) -> Corrections:
    """Read a file of corrections; ValueError if it is invalid."""
    try:
        return Corrections(path.name, _parse(tomllib.loads(path.read_text(encoding="utf-8"))))
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{path}: is not TOML: {error}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _parse(table: Mapping[str, Any]) -> dict[int, dict[str, Any]]:
    corrections: dict[int, dict[str, Any]] = {}
    for key, value in table.items():
        id_ = ids.from_path(key)
        if id_ is None:
            raise ValueError(f"{key} is not the id of a building")
        if id_ in corrections:
            raise ValueError(f"{key} is corrected twice")
        corrections[id_] = _parse_correction(key, value)
    return corrections


def _parse_correction(key: str, table: object) -> dict[str, Any]:
    if not isinstance(table, dict) or not table:
        raise ValueError(f"{key} is not a table of corrected fields")
    check_keys(f"{key}.", table, _KEYS)
    if "retired" in table:
        if table["retired"] is not True or len(table) > 1:
            raise ValueError(f"{key}.retired is not true, or {key} has other fields")
        return table
    return {name: _parse_field(f"{key}.{name}", name, value) for name, value in table.items()}


def _parse_field(key: str, name: str, value: object) -> str | Position | None:
    if name == "point":
        return _parse_point(key, value)
    if not TEXT_FIELDS[name].is_served:
        return ";".join(parse_names(key, value))
    text = parse_text(key, require_text(key, value))
    if TEXT_FIELDS[name].is_image and text and not _URL.fullmatch(text):
        raise ValueError(f"{key} {text!r} is not an http or https URL")
    return text or TEXT_FIELDS[name].unknown


def _parse_point(key: str, value: object) -> Position:
    numbers = value if isinstance(value, list) else []
    if [type(number) in (int, float) for number in numbers] != [True, True]:
        raise ValueError(f"{key} {value!r} is not of the form [latitude, longitude]")
    latitude, longitude = numbers
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise ValueError(f"{key} {value!r} is not a latitude and a longitude in degrees")
    return float(latitude), float(longitude)
