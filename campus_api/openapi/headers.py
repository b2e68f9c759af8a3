"""The headers of answers."""

from typing import Any

_TEXT, _SECONDS = {"type": "string"}, {"type": "integer", "minimum": 0}

# What the header says, the schema of its value, and whether each answer that may have it has it.
_HEADERS = {
    "ETag": ("The tag of the answer, for If-None-Match.", {"type": "string", "pattern": '^W/"[0-9a-f]+"$'}, True),
    "Cache-Control": ("For how long, and by whom, the answer may be kept.", _TEXT, True),
    "Last-Modified": ("When the data that answers was loaded; not there before a first load.", _TEXT, False),
    "Vary": ("The headers of the request that decide on the form of the answer.", _TEXT, True),
    "Content-Encoding": ("The compressed form, for whom Accept-Encoding allows it.", {"const": "gzip"}, False),
    "Content-Location": ("The same menus with the date of today: when the request has no date.", _TEXT, False),
    "Link": (
        "Of menus of one date: the same for the nearest dates before and after it that were loaded.",
        {"type": "string", "pattern": '^<\\?[^>]*>; rel="(prev|next)"(, <\\?[^>]*>; rel="next")?$'},
        False,
    ),
    "X-Campus-Empty": (
        "Of an empty answer of one date: nothing is served then, its menus were not loaded, "
        "or nothing of them was asked for.",
        {"enum": ["closed", "not-loaded", "no-match"]},
        False,
    ),
    "Age": ("While the database is away: how many seconds ago the answer was known to be right.", _SECONDS, False),
    "X-Campus-Stale": ("There while the database is away and an answer of before is given.", {"const": "1"}, False),
    "X-Request-Id": ("The id of the request, in the log too.", {"type": "string", "pattern": "^[\\w.-]{1,64}$"}, True),
    "Access-Control-Allow-Origin": ("Pages of every origin may read every answer.", {"const": "*"}, True),
    "Access-Control-Expose-Headers": ("The headers that scripts of such pages may read.", _TEXT, False),
    "X-Content-Type-Options": ("The answer is what its Content-Type says.", {"const": "nosniff"}, True),
    "Referrer-Policy": ("Links do not tell where they were followed from.", {"const": "no-referrer"}, True),
    "Content-Security-Policy": ("What the page may load: nothing from elsewhere but photos.", _TEXT, False),
    "Retry-After": ("After how many seconds to ask again.", _SECONDS, True),
    "Allow": ("The methods that there are.", {"const": "GET, HEAD, OPTIONS"}, True),
}

ALWAYS = (
    *("X-Request-Id", "X-Content-Type-Options", "Access-Control-Allow-Origin", "Access-Control-Expose-Headers"),
    "Cache-Control",
)
DATA = ("ETag", "Vary", "Last-Modified", "Content-Encoding", "Age", "X-Campus-Stale")
MENUS = (*DATA, "Content-Location", "Link", "X-Campus-Empty")
NOT_OF_A_304 = ("Content-Encoding", "Age", "X-Campus-Stale", "Link", "X-Campus-Empty")
DOCUMENT = ("ETag", "Vary", "Content-Encoding", "Referrer-Policy")
PAGE = (*DOCUMENT, "Content-Security-Policy")


def all_headers() -> dict[str, Any]:
    """Return all headers by name."""
    return {
        name: {"description": description, "required": required, "schema": schema}
        for name, (description, schema, required) in _HEADERS.items()
    }


def references(*names: str) -> dict[str, Any]:
    """Return what stands for some headers of the document."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
