"""Where the rules of a time zone come from, and how old they are."""

import re
import zoneinfo
from importlib import metadata
from pathlib import Path

_VERSION = re.compile(r"(?:# version )?(20[0-9]{2}[a-z]+)\n")


def origin(name: str) -> tuple[str, str | None]:
    """Return where Python finds the time zone `name`, and the version of the data there, where known."""
    for folder in map(Path, zoneinfo.TZPATH):
        if (folder / name).is_file():
            return str(folder), _version(folder)
    return "package tzdata", metadata.version("tzdata")


def _version(folder: Path) -> str | None:
    for file in (folder / "tzdata.zi", folder / "+VERSION"):
        if file.is_file():
            with file.open(encoding="utf-8") as lines:
                match = _VERSION.fullmatch(lines.readline())
            return match and match[1]
    return None
