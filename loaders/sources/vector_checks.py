"""Checks of vector files before GDAL opens them."""

import glob
import re
import sqlite3
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

import orjson

from loaders.errors import UnreadableFileError
from loaders.sources.files import Export

# What SQLite stores about objects that have values and compute none.
_PLAIN_SQL = re.compile(
    r"""CREATE\ (TABLE|(UNIQUE\ )?INDEX|TRIGGER|VIRTUAL\ TABLE\ ("([^"]|"")*"|\[[^]]*\]|\w+)\ USING\ rtree)\b""",
    re.IGNORECASE | re.VERBOSE,
)
# https://www.sqlite.org/pragma.html#pragma_table_xinfo
_GENERATED = (2, 3)
# Or what may contain the text of one.
_PLACEMARK = re.compile(rb"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|(?P<tag><(?:\w+:)?Placemark[\s/>])", re.DOTALL)
# GDAL takes some 400 MB for them.
_MAX_POSITIONS = 5_000_000


def check_numbers(export: Export, path: Path) -> None:
    """Raise UnreadableFileError if the index and the table of a Shapefile, or of one in a folder, do not fit together.

    GDAL reads as many records as the index has, although the others exist, or belong to other shapes.
    """
    files = path.iterdir() if path.is_dir() else path.parent.glob(f"{glob.escape(path.stem)}.*")
    parts = {(file.stem, file.suffix.lower()): file for file in files}
    for (stem, suffix), file in parts.items():
        table = parts.get((stem, ".dbf"))
        if suffix != ".shx" or table is None:
            continue
        # An index has the length of the file in 16-bit words, of which 50 are its header and 4 are of each record.
        shapes, rows = (_integer(file, 24, "big") - 50) // 4, _integer(table, 4, "little")
        if shapes != rows:
            reason = f"has {shapes} shapes in {file.name}, but {rows} rows in {table.name}: are they of one export?"
            raise UnreadableFileError(export.path, reason)


def _integer(path: Path, position: int, order: Literal["big", "little"]) -> int:
    """Return the integer of four bytes at a position of a file."""
    with path.open("rb") as file:
        return int.from_bytes(file.read(position + 4)[position:], order)


def check_schema(export: Export, path: Path) -> None:
    """Raise UnreadableFileError if GDAL would evaluate SQL of the file to read its layers, or only to list them.

    A view may run for ever, and a generated column may take gigabytes of memory.
    """
    try:
        with closing(_open_sqlite(path)) as database:
            computed = next(_computed_objects(database), None)
    except sqlite3.Error as error:
        raise UnreadableFileError(export.path, f"cannot be read by SQLite: {error}") from error
    if computed:
        raise UnreadableFileError(export.path, f"has the {computed}, which may compute anything: export it as a table")


def count_placemarks(export: Export, path: Path) -> int:
    """Return the number of features of KML."""
    return sum(match.lastgroup is not None for match in _PLACEMARK.finditer(path.read_bytes()))


def count_geometries(export: Export, path: Path) -> int:
    """Return the number of features of TopoJSON; UnreadableFileError if they, which share arcs, do not fit into memory.

    https://github.com/topojson/topojson-specification
    """
    try:
        topology = orjson.loads(path.read_bytes().removeprefix(BOM_UTF8))
        lengths = [len(arc) for arc in topology["arcs"]]
        positions = sum(lengths[arc] for arc in _arcs(topology["objects"]))
        geometries = sum(len(each.get("geometries", [each])) for each in topology["objects"].values())
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise UnreadableFileError(export.path, f"is not TopoJSON: {error}") from None
    if positions > _MAX_POSITIONS:
        reason = f"has {positions:,} positions, as its geometries share arcs; at most {_MAX_POSITIONS:,} are read"
        raise UnreadableFileError(export.path, reason)
    return geometries


def _arcs(objects: dict[str, Any]) -> Iterator[int]:
    """Yield the index of the arc of each part of a geometry; a negative one is the complement of that of an arc."""
    pending = [*objects.values()]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending += value.get("geometries", []), value.get("arcs", [])
        elif isinstance(value, list):
            pending += value
        elif isinstance(value, int):
            yield value if value >= 0 else ~value


def _open_sqlite(path: Path) -> sqlite3.Connection:
    """Open a database for reading; unless it has a journal, nothing is locked or created."""
    has_journal = any(path.with_name(path.name + suffix).exists() for suffix in ("-wal", "-journal"))
    database = sqlite3.connect(f"{path.as_uri()}?mode=ro{'' if has_journal else '&immutable=1'}", uri=True)
    database.text_factory = lambda text: text.decode(errors="replace")
    return database


def _computed_objects(database: sqlite3.Connection) -> Iterator[str]:
    rows = database.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    for kind, name, sql in rows:
        plain = _PLAIN_SQL.match(sql)
        if not plain:
            yield f"{'virtual ' if kind == 'table' else ''}{kind} {name}"
        elif plain[1].upper() == "TABLE":
            columns = database.execute("SELECT name, hidden FROM pragma_table_xinfo(?)", [name])
            yield from (f"generated column {name}.{column}" for column, hidden in columns if hidden in _GENERATED)
