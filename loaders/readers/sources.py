"""Several providers in one load: where their records are, and ids that two of them have for different things."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from loaders.errors import DataWarning, InvalidValue
from loaders.profiles import DiningProfile
from loaders.result import Origins, SourceLocation
from loaders.sources.files import file_name
from loaders.text import normalized_name

_YEAR = "(?<![0-9])20[0-9]{2}"
_MONTH = "(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|o[ck]t|nov|de[cz])(?:r?uary?|ch|z|il|e|y|i|ust|t?ember|ober)?"
# Dates and weeks, as in "2026-11-27", "20261127T060001", "27.11.", "Nov 27", "2026-11", "kw49", "2026-W49", weekdays.
_PERIODS = (
    rf"{_YEAR}(?:[\W_]?[0-9]{{2}}){{2}}(?:(?![\W_]20)[\W_]?T?[0-2][0-9](?:[\W_]?[0-5][0-9]){{1,2}}Z?)?(?![0-9])",
    r"(?<![0-9])[0-9]{1,2}[\W_][0-9]{1,2}[\W_](?:20)?[0-9]{2}(?![0-9])",
    r"(?<![0-9])(?:[0-9]{1,2}\.[0-9]{1,2}\.|[0-3][0-9][-_.][0-3][0-9](?![0-9]))",
    rf"(?<![^\W_])(?:[0-9]{{1,2}}[\W_]*{_MONTH}(?![^\W_])|{_MONTH}[\W_]*(?:20)?[0-9]{{1,2}}(?![0-9]))",
    r"(?<![^\W\d_])(?:kw|cw|wk|week|woche|semaine|semana|settimana|vecka|uke|uge|vko|viikko)[\W_]*[0-9]{1,2}(?:[\W_]{1,3}[0-9]{1,2})?(?![0-9])",
    rf"{_YEAR}(?:[\W_]?w?[0-9]{{1,2}})?(?![0-9])|^{_MONTH}$",
    r"(?<![^\W_])(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)s?(?![^\W_])",
    r"(?<![^\W_])(?:(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)(?![^\W_])",
    r"(?<![^\W_])(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)(?=$|[\W_]+[0-9])",
    r"\([0-9]+\)",
)
_PERIOD = re.compile(rf"[\W_]*(?:{'|'.join(_PERIODS)})[\W_]*", re.IGNORECASE)
_DATED_FOLDERS = re.compile(rf"/{_YEAR}(?:/[0-9]{{1,2}}){{1,2}}(?=/|$)")
# Assigned ids where other providers, of the load or of live records, bring their own, which are smaller.
FIRST_ASSIGNED = 1_000_000_000


class Origin(NamedTuple):
    """The profile and the file of a record, and where it is in that."""

    profile: str
    file: str
    location: SourceLocation

    def __str__(self) -> str:
        return f"{self.file}: {self.location}"


class IdOwners:
    """The first record of a load with each id, and what it names."""

    def __init__(self) -> None:
        self.first: dict[tuple[str, int], tuple[str, Origin]] = {}

    def check(self, kind: str, id_: int, name: str, origin: Origin) -> DataWarning | None:
        """Return a warning if the id had another name before, but that of a recipe: two halls may have become one.

        InvalidValue if it has another name in a record of another provider.
        """
        first_name, first = self.first.setdefault((kind, id_), (name, origin))
        if first_name == name or normalized_name(first_name) == normalized_name(name):
            return None
        if first.profile != origin.profile:
            reason = f"is {name!r} here, and {first_name!r} in {first}, of another provider; {namespace_hint(origin)}"
            other = "" if kind == "recipe" else ", or other ids in its tables"
            raise InvalidValue(f"{kind} id", id_, f"{reason}{other}")
        reason = f"(id {id_}) differs from {first_name!r}, its name in another row"
        return DataWarning(kind, name, reason) if kind != "recipe" else None


def namespace_hint(origin: Origin) -> str:
    """Return the line of a profile that separates its ids from those of other providers."""
    return f'the profile of one needs a line such as namespace = "{Path(origin.profile).stem}"'


class SourceNames:
    """The names of the sources of a load in messages, and of the halls whose menus they are."""

    def __init__(self, providers: Iterable[tuple[DiningProfile, Iterable[Path]]], origins: Origins) -> None:
        self.origins = origins
        self._files: Counter[str] = Counter()
        # The folders of the sources by the hall that these name.
        self._folders: defaultdict[str, set[str]] = defaultdict(set)
        for profile, path in ((profile, path) for profile, paths in providers for path in paths):
            self._files[file_name(path)] += 1
            folder = Path(self._source(path)).absolute().parent
            self._folders[hall_name(self._source(path), profile.name)].add(without_periods(str(folder)))

    def file(self, path: Path) -> str:
        """Return the name of a file, its path or URL if another file of the load has that name."""
        name = file_name(path)
        return name if self._files[name] == 1 else str(self._source(path))

    def hall(self, path: Path, profile_name: str) -> str:
        """Return the name of the hall of rows without any, with the folder if files of several folders have it."""
        name = hall_name(self._source(path), profile_name)
        return hall_name(self._source(path), profile_name, with_folder=len(self._folders[name]) > 1)

    def _source(self, path: Path) -> Path | str:
        return self.origins.get(path, path)


def hall_name(source: Path | str, profile_name: str, *, with_folder: bool = False) -> str:
    """Return the name of the hall of a source without any: that of its file without periods, or else of a folder.

    Only a pipe has the name of its profile.
    """
    if str(source) == "-":
        return Path(profile_name).stem
    path = Path(str(source).partition("?")[0].removesuffix(".gz")).absolute().with_suffix("")
    names = [*filter(None, map(without_periods, Path(_DATED_FOLDERS.sub("", str(path))).parts))]
    return " ".join(names[-2 if with_folder else -1 :]) or path.stem


def without_periods(name: str) -> str:
    """Return a name without the dates, weeks and weekdays in it."""
    return " ".join(_PERIOD.sub(" ", name).strip("/\\-_. ").split())
