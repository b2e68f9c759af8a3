"""Values of the tables of a profile: texts, patterns and expressions; the ValueErrors name the key."""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import jq

from loaders.errors import InvalidValue
from loaders.text import parse_raw_text, parse_text

# Of a value that a pattern is searched in: a careless one may take exponential time.
MAX_LENGTH = 256
# Functions of every program: `many` is each item of a list, nothing of null, and any other value itself; `text` the
# text of an element of XML, with attributes or without.
_FUNCTIONS = (
    'def many: if type == "array" then .[] elif . == null then empty else . end;'
    ' def text: if type == "object" then .["#text"] else . end;\n'
)
_JQ_ERROR = re.compile(r"jq: error: (.*) at <top-level>, line ([0-9]+)(?:, column [0-9]+)?:\s*(.*)")
_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")

T = TypeVar("T")
# Of settings by their key, which is in errors.
Parsers = Mapping[str, Callable[[str, object], Any]]


def check_keys(prefix: str, table: Mapping[str, Any], keys: set[str]) -> None:
    """Raise ValueError if a table has another key than these."""
    for key in table:
        if key not in keys:
            raise ValueError(f"{prefix}{key} is not one of {', '.join(sorted(keys))}")


def parse_settings(table: Mapping[str, Any], parsers: Parsers) -> dict[str, Any]:
    """Return the values of a table that are parsed by their key alone."""
    return {key: parse(key, table[key]) for key, parse in parsers.items() if key in table}


def subtable(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return a table of a table, empty if it is absent."""
    return require_table(key, table.get(key, {}))


def require(type_: type[T], reason: str, key: str, value: object) -> T:
    """Return a value that must be of a type; the reason is about one of another type."""
    if type(value) is not type_:
        raise ValueError(f"{key} {reason}")
    return value


def require_text(key: str, value: object) -> str:
    """Return a value that must be text."""
    return require(str, "is not text", key, value)


def require_table(key: str, value: object) -> dict[str, Any]:
    """Return a value that must be a table."""
    return require(dict, "is not a table", key, value)


def require_texts(key: str, value: object, keys: set[str]) -> dict[str, str]:
    """Return a value that must be a table of texts with some of these keys."""
    table = require_table(key, value)
    check_keys(f"{key}.", table, keys)
    return {name: require_text(f"{key}.{name}", text) for name, text in table.items()}


def parse_names(key: str, value: object) -> tuple[str, ...]:
    """Return a list of names."""
    if not isinstance(value, list):
        raise ValueError(f'{key} is not a list of names such as ["berg"]')
    return tuple(parse_text(key, require_text(key, each)) for each in value)


def parse_pattern(key: str, value: object) -> str:
    """Return the pattern of a key; ValueError if it is not a regular expression."""
    text = require_text(key, value)
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{key} {text!r} is not a regular expression: {error}") from None
    return text


def parse_program(key: str, value: object) -> str:
    """Return a jq program with its functions; ValueError if it is none, with the line of what is wrong."""
    text = require_text(key, value)
    try:
        jq.compile(_FUNCTIONS + text, args={"source": ""})
    except ValueError as error:
        match = _JQ_ERROR.match(str(error))
        where = f"{match[1]} in its line {int(match[2]) - 1}: {match[3]}" if match else str(error)
        raise ValueError(f"{key} is no jq program: {where}") from None
    return _FUNCTIONS + text


def search(pattern: str, field: str, text: str) -> re.Match[str] | None:
    """Search the value of a field; InvalidValue if it is longer than 256 characters."""
    if len(text) > MAX_LENGTH:
        raise InvalidValue(field, text, f"is longer than the {MAX_LENGTH} characters that a pattern is searched in")
    return re.search(pattern, text)


def parse_expressions(key: str, value: object) -> tuple[str, ...]:
    """Return the expressions of a key, one or a list; ValueError if one is no field name and no template."""
    values = value if isinstance(value, list) else [value]
    expressions = tuple(require_text(key, expression) for expression in values)
    for expression in expressions:
        if not expression.strip() or set("{}") & set(_PLACEHOLDER.sub("", expression)):
            raise ValueError(f"{key} {expression!r} has no field name or an unbalanced brace")
    return expressions


def is_template(expression: str) -> bool:
    """Return whether an expression is a template rather than the name of a field."""
    return "{" in expression


def fields_of(expression: str) -> list[str]:
    """Return the names of the fields of an expression."""
    return _PLACEHOLDER.findall(expression) if is_template(expression) else [expression]


def expand(expression: str, properties: Mapping[str, Any], *, needs_all: bool = False) -> str:
    """Return the value of a field or a template, "" if all fields of the template are empty, or any if it needs all."""
    if not is_template(expression):
        return parse_raw_text(expression, properties.get(expression))
    values = {name: parse_text(name, properties.get(name)) for name in fields_of(expression)}
    if not (all if needs_all else any)(values.values()):
        return ""
    return _PLACEHOLDER.sub(lambda match: values[match[1]], expression)
