"""The endpoints that tell of the service itself: documents for newcomers and programs, numbers for operators."""

from prometheus_client import CONTENT_TYPE_LATEST

from campus_api.openapi import headers
from campus_api.openapi.endpoint import JSON, Endpoint
from campus_api.openapi.shapes import reference

_HTML = "text/html; charset=utf-8"

_INDEX = Endpoint(
    "/",
    "getIndex",
    "documents",
    "What there is here",
    "Links to every resource and document, and what is live of each data set: its revision, when it was loaded and how "
    "much it is. To who prefers `text/html`, the start page.",
    {JSON: reference("Index"), _HTML: {"type": "string"}},
    "/",
    headers=headers.PAGE,
)
_DESCRIPTION = Endpoint(
    "/openapi.json",
    "getDescription",
    "documents",
    "This description",
    "The description of the service as an OpenAPI 3.1 document.",
    {JSON: {"type": "object"}},
    "/openapi.json",
    headers=headers.DOCUMENT,
)
_DOCS = Endpoint(
    "/docs",
    "getDocs",
    "documents",
    "The reference for people",
    "A page that shows this description, to read and to try.",
    {_HTML: {"type": "string"}},
    "/docs",
    headers=headers.PAGE,
)
_EXPLORE = Endpoint(
    "/explore",
    "getExplore",
    "documents",
    "The data for people",
    "A page that shows the live data: buildings on a map, menus by date and meal.",
    {_HTML: {"type": "string"}},
    "/explore",
    headers=headers.PAGE,
)
_PING = Endpoint(
    "/__lbheartbeat__",
    "getPing",
    "service",
    "Whether the process answers",
    "Answers as long as the process does, whatever else is down.",
    {JSON: reference("Ping")},
    "/__lbheartbeat__",
)
_HEARTBEAT = Endpoint(
    "/__heartbeat__",
    "getHeartbeat",
    "service",
    "How the service is",
    "The state of the service and of its data; asking for it asks no database.",
    {JSON: reference("Heartbeat")},
    "/__heartbeat__",
    also={"503": {"description": "Nothing can be answered.", "content": {JSON: {"schema": reference("Heartbeat")}}}},
)
_VERSION = Endpoint(
    "/__version__",
    "getVersion",
    "service",
    "Which version runs",
    "The version of the service and of its Python.",
    {JSON: reference("Version")},
    "/__version__",
)
_NUMBERS = Endpoint(
    "/__metrics__",
    "getMetrics",
    "service",
    "Numbers for monitoring",
    "All numbers of this process in the text format of Prometheus.",
    {CONTENT_TYPE_LATEST: {"type": "string"}},
    "/__metrics__",
)

OWN = (_INDEX, _DESCRIPTION, _DOCS, _EXPLORE, _PING, _HEARTBEAT, _VERSION, _NUMBERS)
