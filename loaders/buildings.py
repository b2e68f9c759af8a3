"""Building exports -> Building records; reads files, writes nothing."""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from campus_api import ids
from campus_api.models import Building
from loaders.exports import (
    BadValue,
    Problem,
    Reading,
    Track,
    UnreadableExport,
    everything,
    file_name,
    open_export,
    parse_json,
)
from loaders.geometry import footprint
from loaders.profiles import BuildingProfile

# What a percent-encoded URL may hold as it is: the encoding of a name that is encoded already must not change.
_SAFE_IN_A_URL = "/%:?#[]@!$&'()*+,;=~"


def read(paths: Iterable[Path], profile: BuildingProfile, track: Track = everything) -> Reading:
    """Return every building of GeoJSON FeatureCollections; UnreadableExport for a file that is none.

    Features that say the same again are counted; those that say something else of the same id are all bad.
    """
    reading = Reading()
    places: dict[Building, tuple[str, str]] = {}
    for path in paths:
        for number, feature in enumerate(track(_features(path, reading)), 1):
            try:
                building = _building(feature, profile)
            except BadValue as bad:
                place = f"record {number}"
                reading.problems.append(Problem(file_name(path), place, bad.field, bad.value, bad.reason))
                continue
            if building in places:
                reading.duplicates += 1
            places.setdefault(building, (file_name(path), f"record {number}"))
    _keep_those_of_one_id(places, reading)
    return reading


def integer_fields(paths: Iterable[Path]) -> dict[str, int]:
    """Return how many features have an integer in each property, most first: where ids might stand."""
    found: Counter[str] = Counter()
    for path in paths:
        for feature in _features(path, Reading()):
            with suppress(BadValue):
                found.update(name for name, value in _properties(feature).items() if _is_id(value))
    return dict(found.most_common())


def _features(path: Path, reading: Reading) -> list[Any]:
    export = parse_json(path, open_export(path, reading))
    is_collection = isinstance(export, dict) and export.get("type") == "FeatureCollection"
    if not is_collection or not isinstance(export.get("features"), list):
        raise UnreadableExport(f"{path}: is not a GeoJSON FeatureCollection with a list of features")
    return export["features"]


def _building(feature: object, profile: BuildingProfile) -> Building:
    properties = _properties(feature)
    id_ = _id(feature, properties, profile)
    point, polygons = footprint(feature.get("geometry"))
    return Building(
        id=id_,
        name=profile.text("name", properties) or None,
        address=profile.text("address", properties),
        city=profile.text("city", properties) or profile.city,
        image=_url(profile.text("image", properties), profile.image_base),
        point=point,
        polygons=polygons,
    )


def _properties(feature: Any) -> Mapping[str, Any]:
    if not isinstance(feature, dict):
        raise BadValue("feature", feature, "is not a JSON object")
    properties = feature.get("properties")
    if not isinstance(properties, dict | None):
        raise BadValue("properties", properties, "is not a JSON object")
    return properties or {}


def _id(feature: Mapping[str, Any], properties: Mapping[str, Any], profile: BuildingProfile) -> int:
    given = properties if feature.get("id") is None else {**properties, "id": feature["id"]}
    for field in profile.fields["id"]:
        value = given.get(field)
        if value is None or (isinstance(value, str) and not value.strip()):
            continue
        try:
            return ids.from_export(value)
        except ValueError as error:
            raise BadValue(field, value, str(error)) from None
    raise BadValue(" or ".join(profile.fields["id"]), None, "is missing: a building needs an integer id")


def _is_id(value: object) -> bool:
    try:
        ids.from_export(value)
    except ValueError:
        return False
    return True


def _url(text: str, base: str) -> str | None:
    """Return a photo's URL: one of its own with what no URL may hold encoded, or `base` and a file name."""
    if text.casefold().startswith(("http://", "https://")):
        return quote(text, safe=_SAFE_IN_A_URL)
    return base + quote(text) if text and base else text or None


def _keep_those_of_one_id(places: Mapping[Building, tuple[str, str]], reading: Reading) -> None:
    times = Counter(building.id for building in places)
    for building, (file, place) in places.items():
        if times[building.id] > 1:
            reason = f"is the id of {times[building.id]} different buildings"
            reading.problems.append(Problem(file, place, "id", building.id, reason))
            continue
        reading.records.append(building)
        for field in ("name", "address", "city", "image"):
            if not getattr(building, field):
                reading.note(f"without {field}")
