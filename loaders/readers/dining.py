"""Dining exports to menu rows."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from loaders.documents.facts import FactsCollector
from loaders.documents.serving import DiningLists, MenuRow, merge_lists
from loaders.errors import DataWarning, InvalidValue, UnreadableFileError, require_valid
from loaders.menu_formats.allergens import AllergenCollector, contradicted_labels
from loaders.menu_formats.base import KINDS, DiningFormat
from loaders.menu_formats.facts import FactsReader
from loaders.profiles import DiningProfile
from loaders.profiles.building_ids import IdAssigner, fold_entity_name, text_id
from loaders.readers import dining_format, read_records
from loaders.readers.names import NameChecker
from loaders.readers.sources import FIRST_ASSIGNED, IdOwners, Origin, SourceNames
from loaders.result import DiningRead, Origins, ProgressCallback, no_progress
from loaders.sources.files import file_name, sheet_name
from loaders.text import explain_mojibake, normalized_name

ProviderFiles = tuple[DiningProfile, Sequence[Path]]
_Key = tuple[str, int, int, int, int]
# What a row names, and its kind.
_KINDS = dict(zip(("location", "category", "recipe"), KINDS, strict=True))


class Limits(NamedTuple):
    """The largest exports, which are in memory together: over a year of a university, and more recipes than it has.

    Of the names, each different one of an id counts once; of the ingredients, those of each recipe.
    """

    menu_items: int = 400_000
    recipes: int = 100_000
    characters_of_names: int = 5_000_000
    characters_of_ingredients: int = 40_000_000


_LIMITS = Limits()
_NOUNS = [name.replace("_", " ") for name in Limits._fields]


def read(
    providers: Sequence[ProviderFiles],
    track: ProgressCallback = no_progress,
    assigned_ids: Mapping[str, int] = MappingProxyType({}),
    limits: Limits = _LIMITS,
    origins: Origins = MappingProxyType({}),
    first_id: int = 1,
) -> DiningRead:
    """Read the menu rows of dining exports, in order, each with the profile of its provider.

    UnreadableFileError if a file is not in the profile's format, or has no records, or if a limit is exceeded.
    Duplicates of a menu item are counted; a duplicate with another recipe name is rejected. `assigned_ids` are the
    integers that names have in the database; new ones are `first_id` or more, and follow those of all profiles.
    `origins` are the URLs of downloads.
    """
    native = [profile for profile, _ in providers if dining_format(profile).native_ids(profile)]
    if native and len(providers) > 1:
        first_id = FIRST_ASSIGNED
    entities = chain.from_iterable((*each.locations.values(), *each.categories.values()) for each, _ in providers)
    assigner = IdAssigner(assigned_ids, max([first_id, *(each.id + 1 for each in entities)]))
    return _Reader(limits, assigner, SourceNames(providers, origins)).read(providers, track)


class _Reader:
    def __init__(self, limits: Limits, assigner: IdAssigner, names: SourceNames) -> None:
        self._limits = limits
        self._assigner = assigner
        self._names = names
        self._owners = IdOwners()
        self._facts = FactsCollector()
        self._menu = _Menu()
        self._result = DiningRead(assigned_ids=self._assigner.new, origins=names.origins)
        self._exports: list[DiningFormat] = []
        # The documents without records.
        self._empty: list[Path] = []

    def read(self, providers: Sequence[ProviderFiles], track: ProgressCallback) -> DiningRead:
        result = self._result
        allergens = [self._read_provider(files, track) for files in providers]
        self._check_empty()
        result.records = list(self._menu.rows.values())
        result.locations = [export_format.locations for export_format in self._exports]
        result.lists = self._merge_lists(profile for profile, _ in providers)
        result.provider_ids = dict(self._provider_ids({profile.name: profile for profile, _ in providers}))
        result.untracked = {profile.provider_name for profile, _ in providers if not profile.allergens.tracked}
        result.unknown_allergens = [line for each in allergens for line in each.lines]
        contradicted = contradicted_labels(result.lists.facts)
        warnings = chain(self._facts.conflicts, contradicted, self._menu.check_all_names())
        result.add_warnings(result.sources[0]["file"], warnings)
        return result

    def _merge_lists(self, profiles: Iterable[DiningProfile]) -> DiningLists:
        """Return what all files list, the last date counting, with the facts of recipes and the halls of profiles."""
        configured = {self._location_id(key, each): hall for each in profiles for key, hall in each.halls.items()}
        by_date = sorted(self._exports, key=lambda each: max(each.locations, default=""))
        lists = merge_lists([export_format.lists for export_format in by_date])
        return replace(lists, facts=self._facts.by_recipe, configured_halls=configured)

    def _provider_ids(self, profiles: Mapping[str, DiningProfile]) -> Iterator[tuple[tuple[str, int], list[str]]]:
        """Yield each id that an export or a profile has, by its kind, with its name and its codes in the profile."""
        for (field, id_), (name, origin) in self._owners.first.items():
            kind, profile = _KINDS[field], profiles[origin.profile]
            codes = [code for code, each in profile.codes(kind).items() if each.id == id_]
            if codes or kind in dining_format(profile).native_ids(profile):
                yield (kind, id_), [name, *codes]

    def _location_id(self, key: int | str, profile: DiningProfile) -> int | str:
        """Return the id of a hall of a profile, of a name that which rows or the database have for it, or the name."""
        if isinstance(key, int):
            return key
        entities = ((name, id_) for (kind, id_), (name, _) in self._owners.first.items() if kind == "location")
        named = (id_ for name, id_ in entities if fold_entity_name(name) == fold_entity_name(key))
        return next(named, self._assigner.find(text_id("location", key), profile.namespace) or key)

    def _check_empty(self) -> None:
        """Warn of documents without records, as of a closed hall; UnreadableFileError if there are no other files."""
        if len(self._empty) == len(self._exports):
            raise UnreadableFileError(self._empty[0], "has no records")
        for path in self._empty:
            file = self._names.file(path)
            source = file if sheet_name(path) else str(self._result.origins.get(path, file))
            self._result.add_warnings(source, [DataWarning(source, None, "has no records")])

    def _read_provider(self, files: ProviderFiles, track: ProgressCallback) -> AllergenCollector:
        profile, paths = files
        format_class, facts = dining_format(profile), FactsReader(profile, self._facts)
        sheets = Counter(path.parent for path in paths if sheet_name(path))
        for path in paths:
            export_format = format_class(profile)
            export_format.assigner, export_format.facts = self._assigner, facts
            export_format.sheets = sheets[path.parent]
            export_format.used_codes = self._result.codes
            export_format.source_hall = self._names.hall(path, profile.name)
            self._exports.append(export_format)
            self._read_file(path, export_format, profile, track)
        self._result.add_warnings(file_name(paths[0]), facts.allergens.warnings)
        return facts.allergens

    def _read_file(
        self, path: Path, export_format: DiningFormat, profile: DiningProfile, track: ProgressCallback
    ) -> None:
        has_records = False
        file = self._names.file(path)
        records = read_records(path, export_format, self._result, profile.encoding, profile.provider)
        for location, raw in track(records):
            has_records = True
            self._add(export_format, raw, Origin(profile.name, file, location))
        if not (has_records or export_format.lists.closed_days):
            if not (profile.rows or sheet_name(path)):
                raise UnreadableFileError(path, "has no records")
            self._empty.append(path)

    def _add(self, export_format: DiningFormat, raw: Any, origin: Origin) -> None:
        _, file, location = origin
        try:
            row, warnings = export_format.parse_row(require_valid(raw))
            entities = {field: getattr(row, field) for field in _KINDS}
            owned = [self._owners.check(field, each.id, each.name, origin) for field, each in entities.items()]
            self._result.duplicates += self._menu.add(row)
            export_format.locations.setdefault(row.date, set()).add(row.location.id)
        except InvalidValue as error:
            self._result.add_error(file, location, error)
            return
        others = self._menu.check_names(row), export_format.add_facts(raw, row)
        for warning in filter(None, chain(warnings, owned, *others)):
            self._result.add_warning(file, location, warning)
        for size, limit, noun in zip(self._menu.sizes(self._facts), self._limits, _NOUNS, strict=True):
            self._result.require_size(size, limit, noun, file, location)


class _Menu:
    """The rows of all exports by menu item, their recipes and their names."""

    def __init__(self) -> None:
        self.rows: dict[_Key, MenuRow] = {}
        self._recipes: set[int] = set()
        self._names = NameChecker()

    def add(self, row: MenuRow) -> bool:
        """Add a row and return whether it is a duplicate; InvalidValue if its recipe name conflicts."""
        key = (row.date, row.meal, row.location.id, row.category.id, row.recipe.id)
        first = self.rows.setdefault(key, row)
        if normalized_name(first.recipe.name) != normalized_name(row.recipe.name):
            reason = f"differs from {first.recipe.name!r}, the name of the same menu item in an earlier row"
            raise InvalidValue("recipe name", row.recipe.name, reason)
        self._recipes.add(row.recipe.id)
        return first is not row

    def check_names(self, row: MenuRow) -> Iterator[DataWarning | None]:
        for field in _KINDS:
            entity = getattr(row, field)
            yield self._names.check(field, entity.id, entity.name)
            if reason := explain_mojibake(entity.name):
                yield DataWarning(field, entity.name, reason)

    def check_all_names(self) -> Iterator[DataWarning]:
        for field, noun in (("location", "halls"), ("recipe", "dishes")) if self.rows else ():
            yield from self._names.check_all(field, noun)

    def sizes(self, facts: FactsCollector) -> Limits:
        """Return what limits apply to, with the ingredients of these facts."""
        return Limits(len(self.rows), len(self._recipes), self._names.characters, facts.ingredient_characters)
