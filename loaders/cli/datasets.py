"""The two data sets: how their exports are recognized, read and published."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from loaders import profiles
from loaders.cli.database import OpenDatabase
from loaders.cli.exports import LocalExports
from loaders.cli.options import BUILDING_OPTIONS, LoadOptions
from loaders.cli.terminal import track
from loaders.errors import DataWarning, UnreadableFileError
from loaders.inference.propose import refuse
from loaders.menu_formats.base import KINDS
from loaders.profiles import DiningProfile
from loaders.profiles.building_ids import IntegerId
from loaders.profiles.thresholds import Thresholds, combine_thresholds
from loaders.publishing.assigned_ids import has_native_ids, read_assigned_ids
from loaders.publishing.load import LoadResult, load_buildings, load_dining
from loaders.readers import buildings, dataset_of, dining, dining_format, fits
from loaders.readers.sources import FIRST_ASSIGNED
from loaders.result import Origins, ReadResult, no_progress
from loaders.sources.content import document_names
from loaders.sources.files import file_name, read_head, sheet_name


@dataclass(frozen=True)
class LoadCommand:
    """The command that loads a data set: how its profiles are loaded, and its exports read and published."""

    dataset: str
    load_profile: Callable[[str], Any]
    assigns_ids: Callable[[Any], bool]
    read_exports: Callable[..., Any]
    publish: Callable[..., LoadResult]

    def read(
        self,
        files: Mapping[str, Sequence[Path]],
        origins: Origins,
        options: LoadOptions,
        open_database: OpenDatabase,
    ) -> tuple[ReadResult, Thresholds]:
        """Read the files of each profile; return the result, and the thresholds of all profiles."""
        providers = [(self._load_profile(name, options), paths) for name, paths in files.items()]
        assigned_ids, first_id = dict[str, int](), 1
        if any(self.assigns_ids(profile) for profile, _ in providers):
            database = open_database()
            assigned_ids = read_assigned_ids(database, self.dataset)
            if has_native_ids(database, self.dataset, assigned_ids.values()):
                first_id = FIRST_ASSIGNED
        reading = self.read_exports(providers, track, assigned_ids, first_id=first_id, origins=origins)
        return reading, combine_thresholds([profile.thresholds for profile, _ in providers])

    def _load_profile(self, name: str, options: LoadOptions) -> Any:
        values = {name: getattr(options, name) for name in BUILDING_OPTIONS}
        changes = {name: value for name, value in values.items() if value is not None}
        if id_field := changes.pop("id_field", None):
            changes["id"] = IntegerId((id_field,))
        return replace(self.load_profile(name), **changes)

    def with_profiles(self, local: LocalExports) -> dict[str, list[Path]]:
        """Return the files of each profile, those without one by the built-in profile that was detected.

        They are sorted: the order of the exports makes no difference.
        A document without rows fits none: it is read by the profile of the others, if they have only one, and most of
        its names.
        """
        by_profile: dict[str, list[Path]] = {}
        unknown: list[Path] = []
        for name, paths in local.files.items():
            for path in self._without_other_sheets(name, paths, local):
                profile = name or self._require_own(path, local.detected[path])
                (by_profile.setdefault(profile, []) if profile else unknown).append(path)
        others = chain(*by_profile.values()) if unknown else ()
        known = {name for path in others for name in document_names(read_head(path))}
        for path in unknown:
            names = document_names(read_head(path))
            if len(by_profile) != 1 or len(names) > 2 * len(known.intersection(names)):
                refuse(path, local.origins)
        for paths in by_profile.values():
            paths.extend(unknown)
            paths.sort(key=lambda path: str(local.origins.get(path, path)))
        return dict(sorted(by_profile.items()))

    def _without_other_sheets(self, name: str | None, paths: Sequence[Path], local: LocalExports) -> list[Path]:
        """Return the files without the sheets that lack the columns of the profile, if others of a workbook do not."""
        profile = self.load_profile(name) if name else None
        others = [path for path in paths if sheet_name(path) and not self._fits(path, profile, local)]
        workbooks = {path.parent for path in paths if path not in others}
        unread = [path for path in others if path.parent in workbooks]
        for path in unread:
            reason = "is not read: it lacks columns that the profile reads"
            local.unread.append((file_name(Path(local.origins[path])), DataWarning("sheet", sheet_name(path), reason)))
        return [path for path in paths if path not in unread]

    def _fits(self, path: Path, profile: Any, local: LocalExports) -> bool:
        detected = None if profile else local.detected[path]
        return dataset_of(detected) == self.dataset if detected else bool(profile and fits(read_head(path), profile))

    def _require_own(self, file: Path, detected: str | None) -> str | None:
        """Return the built-in profile that fits a file; UnreadableFileError if it is of the other data set."""
        if detected and (other := dataset_of(detected)) != self.dataset:
            raise UnreadableFileError(file, f"is in the format {detected}: load it with campus-load {other}")
        return detected


def _assigns_dining_ids(profile: DiningProfile) -> bool:
    return len(dining_format(profile).native_ids(profile)) < len(KINDS)


BUILDINGS = LoadCommand(
    "buildings", profiles.load_building_profile, attrgetter("assigns_ids"), buildings.read, load_buildings
)
DINING = LoadCommand("dining", profiles.load_dining_profile, _assigns_dining_ids, dining.read, load_dining)
_COMMANDS = {each.dataset: each for each in (BUILDINGS, DINING)}


def detect_command(local: LocalExports) -> LoadCommand:
    """Return the command for the first profile or file; if no format is known, the error describes the first file."""
    profile, paths = next(iter(local.files.items()))
    known = profile or next(filter(None, local.detected.values()), None)
    return _COMMANDS[dataset_of(known or refuse(paths[0], local.origins))]


def read_with(files: Sequence[Path], profile: str, origins: Origins) -> ReadResult:
    """Read a file, or sheets of a workbook, with the text of a profile; UnreadableFileError if it cannot be read."""
    with TemporaryDirectory(prefix="campus-load-") as folder:
        path = Path(folder, "profile.toml")
        path.write_text(profile, encoding="utf-8")
        command = _COMMANDS[dataset_of(str(path))]
        loaded = command.load_profile(str(path))
        provider = loaded, [each for each in files if fits(read_head(each), loaded)] or files
        reading: ReadResult = command.read_exports([provider], no_progress, {}, origins=origins)
    return reading


def reject_options(command: LoadCommand, options: LoadOptions) -> None:
    """Raise UsageError for options of buildings in a check of menus."""
    for name in BUILDING_OPTIONS:
        if getattr(options, name) is not None and command is DINING:
            raise click.UsageError(f"--{name.replace('_', '-')} is an option for buildings, and this export has menus")
