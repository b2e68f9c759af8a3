"""Dining exports to menu rows."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from loaders.documents.serving import DiningLists, MenuRow, merge_lists
from loaders.errors import DataWarning, InvalidValue
from loaders.profiles import DiningProfile
from loaders.readers.files import file_name, gc_disabled, open_export
from loaders.readers.formats import dining_format
from loaders.readers.near_duplicates import NearDuplicateNames
from loaders.readers.result import ProgressCallback, ReadResult, no_progress

_Key = tuple[str, int, int, int, int]


def read(paths: Iterable[Path], profile: DiningProfile, track: ProgressCallback = no_progress) -> ReadResult:
    """Read the menu rows of dining exports, in order; UnreadableFileError if a file is not in the profile's format.

    Duplicates of a menu item are counted; a duplicate with another recipe name is rejected.
    """
    result = ReadResult()
    rows: dict[_Key, MenuRow] = {}
    lists: list[DiningLists] = []
    names = NearDuplicateNames()
    format_class = dining_format(profile)
    for path in paths:
        export_format = format_class(profile)
        with gc_disabled(), open_export(path, result) as export:
            for location, raw in track(export_format.rows(export)):
                try:
                    row, warning = export_format.parse_row(raw)
                    result.duplicates += _add(rows, row)
                except InvalidValue as error:
                    result.add_error(file_name(path), location, error)
                    continue
                for each in filter(None, (warning, *_check_names(names, row))):
                    result.add_warning(file_name(path), location, each)
        lists.append(export_format.lists)
    result.records = list(rows.values())
    result.lists = merge_lists(lists)
    return result


def _check_names(names: NearDuplicateNames, row: MenuRow) -> Iterator[DataWarning | None]:
    for field in ("location", "category", "recipe"):
        entity = getattr(row, field)
        yield names.check(field, entity.id, entity.name)


def _add(rows: dict[_Key, MenuRow], row: MenuRow) -> bool:
    """Add a row and return whether it is a duplicate; InvalidValue if its recipe name conflicts."""
    key = (row.date, row.meal, row.location.id, row.category.id, row.recipe.id)
    first = rows.setdefault(key, row)
    if first.recipe.name != row.recipe.name:
        reason = f"differs from {first.recipe.name!r}, the name of the same menu item in an earlier row"
        raise InvalidValue("recipe name", row.recipe.name, reason)
    return first is not row
