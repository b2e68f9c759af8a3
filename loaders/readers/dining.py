"""Dining exports -> servings; reads files, writes nothing."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from loaders.documents.serving import MenuRow
from loaders.errors import DataWarning, InvalidValue
from loaders.profiles import DiningProfile
from loaders.readers.files import file_name, gc_disabled, open_export
from loaders.readers.foodpro import FoodPro
from loaders.readers.huds import Huds
from loaders.readers.near_duplicates import NearDuplicateNames
from loaders.readers.result import ProgressCallback, ReadResult, no_progress

_FORMATS = {"foodpro": FoodPro, "huds": Huds}
_Key = tuple[str, int, int, int, int]


def read(paths: Iterable[Path], profile: DiningProfile, track: ProgressCallback = no_progress) -> ReadResult:
    """Return every serving of the exports, in their order; UnreadableFileError for a file that cannot be read at all.

    Rows for a menu item that is there already are counted; one with another name for the recipe is bad.
    """
    reading = ReadResult()
    seen: dict[_Key, MenuRow] = {}
    lookalikes = NearDuplicateNames()
    for path in paths:
        form = _FORMATS[profile.format](profile)
        with gc_disabled(), open_export(path, reading) as export:
            for place, row in track(form.rows(export)):
                try:
                    serving, odd = form.serving(row)
                    reading.duplicates += _add(seen, serving)
                except InvalidValue as bad:
                    reading.add_error(file_name(path), place, bad)
                    continue
                for warning in filter(None, (odd, *_look_alike(lookalikes, serving))):
                    reading.add_warning(file_name(path), place, warning)
    reading.records = list(seen.values())
    return reading


def _look_alike(lookalikes: NearDuplicateNames, serving: MenuRow) -> Iterator[DataWarning | None]:
    for field in ("location", "category", "recipe"):
        named = getattr(serving, field)
        yield lookalikes.check(field, named.id, named.name)


def _add(seen: dict[_Key, MenuRow], serving: MenuRow) -> bool:
    """Add a serving to those seen; tell whether it was there."""
    key = (serving.date, serving.meal, serving.location.id, serving.category.id, serving.recipe.id)
    before = seen.setdefault(key, serving)
    if before.recipe.name != serving.recipe.name:
        reason = f"differs from {before.recipe.name!r} in the same place of the menu"
        raise InvalidValue("recipe name", serving.recipe.name, reason)
    return before is not serving
