"""An unknown map export -> a profile of buildings that reads it, and what speaks for it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from campus_api.models import Position
from loaders.errors import InvalidValue, UnreadableFileError
from loaders.geo.crs import crs_from_wkid
from loaders.inference.field_guesser import Guess, guesses
from loaders.inference.field_stats import IMAGES, Counts, Tallies, Tally, Unusable, counted
from loaders.inference.toml_text import aligned, comment, quoted
from loaders.profiles.thresholds import Thresholds
from loaders.readers.features import Feature, iter_features
from loaders.readers.files import Export
from loaders.readers.result import ProgressCallback, ReadResult, SourceLocation

_FORMATS = {"geojson": "GeoJSON", "esri": "Esri JSON"}
_FIELDS = ("id", "name", "address", "city", "image")
_SHOWN = 40
_LONGEST_NAME = 32
_WIDE = 120
# What spreads over more degrees than this is no campus.
_SPREAD = 2


def propose_buildings(export: Export, form: str, track: ProgressCallback) -> Iterator[str]:
    """Yield what the export is, and then the lines of a profile in TOML; UnreadableFileError as for `features`."""
    found = _Found(form)
    for place, feature in track(iter_features(export, ReadResult(), form)):
        found.add(place, feature)
    if not found.tallies:
        raise UnreadableFileError(export.path, "has no features with fields: there is nothing to make a profile of")
    guessed = guesses(found.tallies, found.aliases, found.features)
    yield found.title
    yield from map(comment, found.unusable.lines())
    yield from _evidence(found, guessed)
    yield f"format = {quoted(form)}"
    if found.is_lost:
        yield "# wkid = 3857  # positions are in metres or feet: uncomment and set their spatial reference"
    yield from ("", "[fields]", *_fields(guessed, found.features))
    yield from _defaults(guessed)
    yield from found.limits


class _Found:
    """What was found in the features of an export."""

    def __init__(self, form: str) -> None:
        self.tallies = Tallies()
        self.aliases: Mapping[str, Any] = {}
        self.features = 0
        self.is_lost = False
        self._form = form
        self._shapes: Counter[str] = Counter()
        self._references = Counts()
        self.unusable = Unusable("feature")
        self._corners: tuple[Position, Position] | None = None

    def add(self, place: SourceLocation, feature: Feature) -> None:
        """Look into a feature."""
        self.features += 1
        try:
            attributes = feature.attributes
            self._count(feature, attributes)
            footprint = feature.footprint
        except InvalidValue as bad:
            # What a footprint says that only lacks a spatial reference.
            self.is_lost = self.is_lost or "wkid" in bad.reason
            self.unusable.add(place, bad)
        else:
            self._shapes["polygon" if footprint.polygons else "point"] += 1
            self._widen(footprint.point)

    def _count(self, feature: Feature, attributes: Mapping[str, Any]) -> None:
        head, geometry = feature.format.members, feature.record.get("geometry")
        given = head.get("crs")
        if self._form == "esri":
            own = geometry.get("spatialReference") if isinstance(geometry, dict) else None
            given = own or head.get("spatialReference")
            self.aliases = head.get("fieldAliases") or {}
            attributes = {name: attributes.get(name) for name in feature.record.get("attributes") or {}}
        self._references.add(_reference(given) if given else None)
        self.tallies.add(attributes)

    def _widen(self, point: Position) -> None:
        (south, west), (north, east) = self._corners or (point, point)
        latitude, longitude = point
        self._corners = (min(south, latitude), min(west, longitude)), (max(north, latitude), max(east, longitude))

    @property
    def title(self) -> str:
        """Return what the export is, in one line."""
        references = [reference for reference, _ in self._references.most_common(3) if reference]
        where = f"spatial reference {' and '.join(references)}" if references else "no spatial reference named"
        degrees = " (degrees)" * (self._form == "geojson" and not references and not self.is_lost)
        counts = [counted(self.features, "feature")]
        counts += [counted(self._shapes[shape], shape) for shape in ("polygon", "point")]
        return f"{_FORMATS[self._form]}, {', '.join(counts)}, {where}{degrees}"

    @property
    def limits(self) -> list[str]:
        """Return the table of limits: where the buildings are."""
        if self._corners is None:
            return []
        (south, west), (north, east) = self._corners
        margin = Thresholds.bounding_box_margin
        around = max(south - margin, -90), max(west - margin, -180), min(north + margin, 90), min(east + margin, 180)
        area = f"area = [{', '.join(f'{degrees:.2f}' for degrees in around)}]"
        if max(north - south, east - west) > _SPREAD:
            return [
                "",
                "# The buildings are too far apart for one campus: is one of them in a wrong place?",
                f"# {area}",
            ]
        return ["", "[limits]", "# Where the buildings are, with half a degree around them.", area]


def _reference(given: Any) -> str:
    """Return a spatial reference as an export names it, with the name that people give to its number."""
    if not isinstance(given, dict):
        return repr(given)
    wkid = given.get("wkid") or given.get("latestWkid")
    if wkid is None:
        properties = given.get("properties")
        return str((properties if isinstance(properties, dict) else given).get("name", "without a number"))
    try:
        return f"wkid {wkid} ({crs_from_wkid(wkid).name})"
    except InvalidValue as bad:
        return f"wkid {wkid}, which {bad.reason}"


def _evidence(found: _Found, guessed: Mapping[str, Guess]) -> Iterator[str]:
    """Yield a comment for each field, those that the profile uses first, then those that say most."""
    used = {tally.name: None for field in _FIELDS if field in guessed for tally in guessed[field].tallies}
    order = sorted(found.tallies.values(), key=lambda tally: -tally.given)
    order = [*(found.tallies[name] for name in used), *(tally for tally in order if tally.name not in used)]
    rows = [("field", "given", "distinct", "looks like", "for example")]
    rows += [_row(tally, found.aliases.get(tally.name)) for tally in order[:_SHOWN]]
    for line in map(comment, aligned(rows, numbers=(1, 2))):
        yield line if len(line) <= _WIDE else f"{line[: _WIDE - 1]}…"
    if len(order) > _SHOWN:
        yield comment(f"and {len(order) - _SHOWN}{' or more' * found.tallies.is_over} fields that fewer features have")


def _row(tally: Tally, alias: Any) -> tuple[str, ...]:
    name = tally.name if alias in (None, tally.name) else f"{tally.name} ({alias})"
    short = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
    return short, f"{tally.given:,}", str(tally.distinct), tally.looks_like, ", ".join(tally.examples)


def _fields(guessed: Mapping[str, Guess], records: int) -> Iterator[str]:
    known = [field for field in _FIELDS if field in guessed]
    rows = [(f"{field} = {quoted(guessed[field].source)}", _given(guessed[field], records)) for field in known]
    for field in known:
        yield from map(comment, guessed[field].doubts)
    yield from aligned(rows)
    if len(known) < len(_FIELDS):
        yield comment(f"Not found: {', '.join(field for field in _FIELDS if field not in known)}.")


def _given(guess: Guess, records: int) -> str:
    tally = guess.tallies[0]
    different = "all" if tally.is_all_different and not tally.distinct.is_over else tally.distinct
    return comment(f"{tally.given:,} of {records:,}, {different} different")


def _defaults(guessed: Mapping[str, Guess]) -> Iterator[str]:
    lines = []
    if "city" not in guessed:
        lines.append('# city = "Cambridge"  # of buildings that name none')
    image = guessed.get("image")
    if image and image.tallies[0].mostly(IMAGES) and not image.tallies[0].examples[0].startswith("http"):
        lines.append('# image_base = "https://example.edu/photos/"  # what to put in front of the name of a photo')
    if lines:
        yield from ("", "[defaults]", *lines)
