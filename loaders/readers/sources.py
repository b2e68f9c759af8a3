"""Several sources in one load: where their records are, and ids that two of them have for different things."""

import re
from pathlib import Path
from typing import NamedTuple

from loaders.errors import DataWarning, InvalidValue
from loaders.profiles.files import built_in_profiles
from loaders.result import SourceLocation
from loaders.text import normalized_name

# As in "menus-2026-11-27.csv" and "lunch_20261127.json".
_DATE = re.compile(r"[\W_]*(?:[0-9]{4}[\W_]?[0-9]{2}[\W_]?[0-9]{2}|[0-9]{1,2}[\W_][0-9]{1,2}[\W_][0-9]{4})[\W_]*")
# Assigned ids where other sources, of the load or of live records, bring their own, which are smaller.
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

        InvalidValue if it has another name in a record of another source.
        """
        first_name, first = self.first.setdefault((kind, id_), (name, origin))
        if first_name == name or normalized_name(first_name) == normalized_name(name):
            return None
        if first.profile != origin.profile:
            reason = f"is {name!r} here, and {first_name!r} in {first}, of another source; {namespace_hint(origin)}"
            other = "" if kind == "recipe" else ", or other ids in its tables"
            raise InvalidValue(f"{kind} id", id_, f"{reason}{other}")
        reason = f"(id {id_}) differs from {first_name!r}, its name in another row"
        return DataWarning(kind, name, reason) if kind != "recipe" else None


def namespace_hint(origin: Origin) -> str:
    """Return the line of a profile that separates its ids from those of other sources."""
    return f'the profile of one needs a line such as namespace = "{Path(origin.profile).stem}"'


def hall_name(profile_name: str, file: str) -> str:
    """Return the name of the hall of a source without any: that of its own profile, or of the file without dates."""
    path = Path(file if profile_name in built_in_profiles() else profile_name)
    return " ".join(_DATE.sub(" ", path.stem).split()) or Path(profile_name).stem
