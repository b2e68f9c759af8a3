"""The JSON Schemas of errors, and of what the service says about itself."""

from campus_api.openapi.shapes import Schema, list_of, of_object, reference

_TEXT = {"type": "string"}
_NUMBER = {"type": "integer", "minimum": 0}
_MAYBE_A_DATE = {"type": ["string", "null"], "format": "date"}
_CORRECTED = {"type": ["string", "null"], "description": "The URL with this one mended; null where it cannot be told."}
_MOMENT = {"type": "string", "format": "date-time", "description": "When this revision was loaded."}

_QUERY_PROBLEM = of_object(
    {
        "parameter": {**_TEXT, "description": "The name of the parameter."},
        "value": {**_TEXT, "description": "The value that was given."},
        "reason": {**_TEXT, "description": "What is wrong with it; reads well after parameter and value."},
        "corrected": _CORRECTED,
    },
    "One thing that is wrong with a query.",
)
_PROBLEM = of_object(
    {
        "type": {**_TEXT, "description": "Always about:blank: the status says what kind of problem it is."},
        "title": {**_TEXT, "description": "The name of the status."},
        "status": {"type": "integer", "description": "The status of the answer, again."},
        "detail": {**_TEXT, "description": "A sentence for people about this very request."},
        "errors": {
            **list_of(reference("QueryProblem")),
            "description": "All that is wrong with the query, or the first of it when there is too much.",
        },
        "corrected": {**_CORRECTED, "description": "The URL with all of it mended; null where it cannot be told."},
    },
    "Every error, as RFC 9457 has it.",
)

_REVISION = {
    "revision": {**_NUMBER, "description": "Grows with each load."},
    "loaded_at": _MOMENT,
    "age_seconds": {**_NUMBER, "description": "How long ago that was."},
}
_DATES = {
    "first_date": {**_MAYBE_A_DATE, "description": "The first date that has menus."},
    "last_date": {**_MAYBE_A_DATE, "description": "The last one."},
}
_MENUS = {
    **_DATES,
    "days_ahead": {**_NUMBER, "description": "Days with loaded menus from today on."},
}
_HEARTBEAT = of_object(
    {
        "status": {"enum": ["ok", "warn", "error"], "description": "error: nothing at all can be answered."},
        "reasons": {**list_of(_TEXT), "description": "What a person should look at."},
        "database": {"enum": ["up", "down"], "description": "Whether MongoDB answered when it was asked last."},
        "datasets": of_object(
            {
                "buildings": {**of_object(_REVISION, "The live buildings."), "type": ["object", "null"]},
                "dining": {**of_object(_REVISION | _MENUS, "The live menus."), "type": ["object", "null"]},
            },
            "What is live; null when nothing is known to be loaded.",
        ),
        "answers": of_object(
            {
                "kept": {**_NUMBER, "description": "How many."},
                "bytes": {**_NUMBER, "description": "What they take."},
            },
            "Finished answers in memory.",
        ),
    },
    "How the service is.",
)
_LIVE = {
    "state": {"enum": ["loaded", "never-loaded", "unknown"], "description": "unknown: the database is away."},
    "revision": {"type": ["integer", "null"], "description": "Grows with each load."},
    "loaded_at": {"type": ["string", "null"], "format": "date-time", "description": "When it was loaded."},
    "counts": {
        "type": ["object", "null"],
        "description": "How many documents of each kind.",
        "additionalProperties": _NUMBER,
    },
}
_LINK = {"type": "string", "format": "uri-reference"}
_RESOURCE = of_object(
    {
        "href": {**_LINK, "description": "All of them."},
        "item": {"type": ["string", "null"], "description": "One of them, with `{id}` for its id."},
    }
)
_LISTS = ("buildings", "categories", "locations", "recipes", "menus")
_DOCUMENTS = ("openapi", "docs", "explore")
_INDEX = of_object(
    {
        "name": {"const": "campus-api"},
        "version": {**_TEXT, "description": "The version of the service."},
        "today": {"type": "string", "format": "date", "description": "Today on the campus."},
        "database": {"enum": ["up", "down"], "description": "Whether MongoDB answered when it was asked last."},
        "datasets": of_object({"buildings": of_object(_LIVE), "dining": of_object(_LIVE | _DATES)}, "What is live."),
        "resources": of_object(dict.fromkeys(_LISTS, _RESOURCE), "Where the data is."),
        "documents": of_object(dict.fromkeys(_DOCUMENTS, _LINK), "What to read."),
        "service": of_object(dict.fromkeys(("heartbeat", "version", "metrics"), _LINK), "For operators."),
    },
    "What there is here, and how new it is.",
)
_VERSION = of_object(
    {
        "name": {"const": "campus-api"},
        "version": {**_TEXT, "description": "The version of the service."},
        "python": {**_TEXT, "description": "The version of Python that runs it."},
    },
    "Which version runs.",
)


def service() -> dict[str, Schema]:
    """Return these schemas by name."""
    return {
        "Problem": _PROBLEM,
        "QueryProblem": _QUERY_PROBLEM,
        "Index": _INDEX,
        "Ping": of_object({"status": {"const": "ok"}}, "That this process answers."),
        "Heartbeat": _HEARTBEAT,
        "Version": _VERSION,
    }
