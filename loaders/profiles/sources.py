"""Sources of a field: names of export fields, and templates such as "{addr:housenumber} {addr:street}"."""

import re
from collections.abc import Mapping
from typing import Any

from loaders.profiles.tables import require_text
from loaders.text import parse_raw_text, parse_text

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


def parse_sources(key: str, value: object) -> tuple[str, ...]:
    """Return the sources of a key, one or a list; ValueError if one is no field name and no template."""
    values = value if isinstance(value, list) else [value]
    sources = tuple(require_text(key, source) for source in values)
    for source in sources:
        if not source.strip() or set("{}") & set(_PLACEHOLDER.sub("", source)):
            raise ValueError(f"{key} {source!r} has no field name or an unbalanced brace")
    return sources


def is_template(source: str) -> bool:
    """Return whether a source is a template rather than the name of a field."""
    return "{" in source


def expand(source: str, properties: Mapping[str, Any], *, needs_all: bool = False) -> str:
    """Return the value of a field or a template, "" if all fields of the template are empty, or any if it needs all."""
    if not is_template(source):
        return parse_raw_text(source, properties.get(source))
    values = {name: parse_text(name, properties.get(name)) for name in _PLACEHOLDER.findall(source)}
    if not (all if needs_all else any)(values.values()):
        return ""
    return _PLACEHOLDER.sub(lambda match: values[match[1]], source).strip()
