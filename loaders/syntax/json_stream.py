"""Strict, incremental JSON reader: all records of one list, in bounded memory, with line numbers."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import count, takewhile
from typing import Any, NoReturn

from loaders.errors import ROWS, UnreadableFileError
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.syntax.json_scanner import MAX_VALUE_LENGTH, RECORD_SEPARATOR, JsonScanner

# Servers write links to other responses before or after the records.
_LIST = re.compile(r'"(?!links")([^"\\]+)"\s*:\s*\[\s*\{')
# Of the objects around a list, below the outermost one, and around a member about pages.
_MAX_DEPTH = 2
# The names of a member and of those that it is in, the outermost first.
_Path = tuple[str, ...]
# What servers call a member with the next page, and one that is true if there is one.
_NEXT = re.compile(r"(@odata\.)?next(_?(page|link|url|cursor|token))*", re.IGNORECASE)
_HAS_NEXT = re.compile(r"exceededTransferLimit|has_?(more|next)(_?page)?", re.IGNORECASE)
# Objects with such members, next to the records.
_PAGE_OBJECT = re.compile(r"links|meta(data)?|page|paging|pagination|page_?info|properties", re.IGNORECASE)
# What servers call the number of all records, or of those of a page. OGC API - Features has numberMatched.
_TOTAL = re.compile(
    r"numberMatched|count|total(_?(count|number|elements|features|hits|items|objects|records|results|rows))?",
    re.IGNORECASE,
)


def is_json(head: str) -> bool:
    """Return whether a text begins like a JSON array, object or sequence (RFC 8142)."""
    return head.lstrip(" \t\r\n\x1e")[:1] in ("[", "{")


class JsonRecordReader:
    """Iterator over the records of a JSON array, of a sequence of values, or of lists in a JSON object.

    The lists may be in a nested object. `members` has the members of that object that were read so far: those before
    the list while iterating, all of them afterwards. In place of a record with a duplicate key it yields the
    InvalidValue that says so. Of duplicate keys outside of the records the last one is used, but two lists raise
    UnreadableFileError, as do NaN and Infinity, and objects in another list of one of the `list_names`, with this
    advice.
    """

    def __init__(
        self,
        export: Export,
        list_names: Collection[str] = (),
        advice: str = "save those that you need in separate files",
    ) -> None:
        self.members: dict[str, Any] = {}
        self._outermost = self.members
        self._export = export
        self._scanner = JsonScanner(export.path, export.text)
        self._list_names = list_names
        self._advice = advice
        self._members_length = 0
        self._list_path: _Path = ()

    def __iter__(self) -> Iterator[tuple[SourceLocation, Any]]:
        """Yield each record with its location; can be iterated only once."""
        scanner = self._scanner
        if _is_sequence(self._export.head):
            yield from self._records(takewhile(lambda _: scanner.peek(), count(1)))
        elif scanner.peek() == "[":
            yield from self._records(scanner.items("[", "]"))
        elif scanner.peek() == "{":
            yield from self._object(self.members)
        else:
            self.members[""] = scanner.value()
        if scanner.peek():
            scanner.fail("has data after the end of its JSON value")
        for path, _ in self.other_lists():
            if path[-1] in self._list_names:
                self.reject(path)

    @property
    def list_name(self) -> str | None:
        """Return the name of the current or the last list, None of an array."""
        return self._list_path[-1] if self._list_path else None

    @property
    def all_members(self) -> dict[str, Any]:
        """Return the members next to the records, and those of the outermost object, after reading."""
        return self._outermost | self.members

    def other_lists(self) -> Iterator[tuple[_Path, list[dict[str, Any]]]]:
        """Yield the path and the objects of each list that was not read, if there is one that was."""
        for path, value in _members(self._outermost) if self._list_path else ():
            values = value if isinstance(value, list) else []
            objects = [each for each in values if isinstance(each, dict)]
            if objects:
                yield path, objects

    def reject(self, path: _Path) -> NoReturn:
        """Raise UnreadableFileError for another list with records."""
        names = f"{'.'.join(self._list_path)} and {'.'.join(path)}"
        raise UnreadableFileError(self._export.path, f"has two lists of records, {names}: {self._advice}")

    def _records(self, indices: Iterable[int]) -> Iterator[tuple[SourceLocation, Any]]:
        for index in indices:
            self._scanner.peek()
            yield SourceLocation(self._scanner.line, index), self._scanner.record()

    def _object(self, members: dict[str, Any], parents: _Path = ()) -> Iterator[tuple[SourceLocation, Any]]:
        for _ in self._scanner.items("{", "}"):
            if self._scanner.peek() != '"':
                self._scanner.fail("is not JSON: expected a key in double quotes")
            key = self._scanner.value()
            self._scanner.expect(":")
            if key in self._list_names and self._scanner.peek() == "[":
                self._start_list((*parents, key), members)
                yield from self._records(self._scanner.items("[", "]"))
            elif self.list_name is None and len(parents) < _MAX_DEPTH and self._scanner.peek() == "{":
                nested: dict[str, Any] = {}
                yield from self._object(nested, (*parents, key))
                members[key] = nested
            else:
                members[key] = self._member()

    def _start_list(self, path: _Path, members: dict[str, Any]) -> None:
        *_, key = path
        if key in members or (self.list_name is not None and members is not self.members):
            self._scanner.fail(f"has another list of records {key!r}")
        self._list_path = path
        self.members = members
        members[key] = []

    def _member(self) -> Any:
        """Return a value outside of the records; together they are limited, because they stay in memory."""
        start = self._scanner.offset
        value = self._scanner.value()
        self._members_length += self._scanner.offset - start
        if self._members_length > MAX_VALUE_LENGTH:
            self._scanner.fail(f"has more than {MAX_VALUE_LENGTH:,} characters outside of its records")
        return value


def _members(members: Mapping[str, Any], parents: _Path = ()) -> Iterator[tuple[_Path, Any]]:
    """Yield the path and the value of each member, as deep as a list of records may be."""
    for name, value in members.items():
        path = (*parents, name)
        yield path, value
        if isinstance(value, dict) and len(parents) < _MAX_DEPTH:
            yield from _members(value, path)


def _are_metadata(objects: Collection[dict[str, Any]], fields: Collection[str]) -> bool:
    """Return whether each object is a link, or describes a field of the records, which it names."""
    return all("href" in each or any(name in fields for name in each.values() if type(name) is str) for each in objects)


def read_array(export: Export, items: str) -> Iterator[tuple[SourceLocation, Any]]:
    """Yield each record of an array, a sequence or the first list of objects in an object, with its location.

    UnreadableFileError for anything else, and for a page of several.
    """
    list_names = [] if export.head.lstrip().startswith("[") else _LIST.findall(export.head)[:1]
    reader = JsonRecordReader(export, list_names, advice=f"choose or join them in {ROWS}")
    fields: set[str] = set()
    number = 0
    for location, record in reader:
        number += 1
        if isinstance(record, dict):
            fields.update(record)
        yield location, record
    if reader.members and reader.list_name is None:
        raise UnreadableFileError(export.path, f"is not a JSON array of {items}; {ROWS} can make one")
    for path, objects in reader.other_lists():
        if not _are_metadata(objects, fields):
            reader.reject(path)
    require_all(export, number, reader.all_members, items)


def _is_sequence(head: str) -> bool:
    """Return whether a text is a sequence of JSON objects: newline-delimited, or RFC 8142."""
    if head.startswith(RECORD_SEPARATOR):
        return True
    line, _, rest = head.lstrip().partition("\n")
    return line.startswith("{") and line.rstrip().endswith("}") and rest.lstrip().startswith("{")


def require_all(export: Export, records: int, members: Mapping[str, Any], items: str) -> None:
    """Raise UnreadableFileError if a response has a next page, or more records than these, as its members say."""
    total, next_member = 0, ""
    for path, value in _members(members):
        *parents, name = path
        if not all(map(_PAGE_OBJECT.fullmatch, parents)):
            continue
        if _TOTAL.fullmatch(name) and type(value) is int:
            total = max(total, value)
        elif not next_member and _has_next(name, value):
            next_member = ".".join(path)
    if next_member or records < total:
        part = f"a next page, by its {next_member}" if next_member else f"only {records} of {total} {items}"
        raise UnreadableFileError(export.path, f"has {part}: save the {items} of all pages in one list")


def _has_next(name: str, value: Any) -> bool:
    if isinstance(value, list) and any(isinstance(each, dict) and each.get("rel") == "next" for each in value):
        return True
    return bool(_NEXT.fullmatch(name) and value) or bool(_HAS_NEXT.fullmatch(name) and value is True)
