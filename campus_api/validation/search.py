"""The query string of a search, which is never an error: what cannot match matches nothing."""

from typing import Any

import colander

from campus_api.domain.search.index import TYPES
from campus_api.domain.text import normalize_query
from campus_api.validation.date_ranges import Pairs

SEARCH = colander.MappingSchema(
    children=[colander.SchemaNode(colander.Sequence(), name=name) for name in ("q", "type")]
)


def parse_search_query(pairs: Pairs) -> dict[str, Any]:
    """Return the text, empty if it cannot match, and the types, all by default; a repeated `q` is one text."""
    text = " ".join(value for name, value in pairs if name == "q")
    types = [value for name, value in pairs if name == "type" and value]
    return {"text": "" if normalize_query(text) is None else text, "types": types or TYPES}
