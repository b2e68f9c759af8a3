"""A server that does what the specification says and nothing else, as a WSGI application."""

import json
from datetime import date, datetime
from urllib.parse import parse_qs
from zoneinfo import ZoneInfo

YARD = {"point": [42.37, -71.11], "polygons": [[[42.37, -71.12], [42.38, -71.12], [42.38, -71.1]]]}
PLACE = {"city": "Cambridge", "image": None, "geometry": YARD}
LISTS = {
    "/map/buildings": [
        {"id": 9, "name": "Wigglesworth (A)", "address": "1 Harvard Yard", **PLACE},
        {"id": 7, "name": "Café Pamplona", "address": "12 Bow Street", **PLACE},
        {"id": 8, "name": None, "address": "14 Bow Street", **PLACE},
    ],
    "/dining/categories": [{"id": 1, "name": "Entrees"}, {"id": 2, "name": "Desserts"}],
    "/dining/locations": [{"id": 30, "name": "Annenberg"}, {"id": 38, "name": "Adams and Quincy"}],
    "/dining/recipes": [{"id": 12, "name": "Rice"}, {"id": 11, "name": "Soup"}, {"id": 13, "name": "Pie"}],
}
FIELDS = ("meal", "location", "category", "recipe")
SERVED_DAILY = [(0, 30, 1, 11), (1, 30, 1, 12), (1, 38, 2, 13), (2, 38, 1, 12)]
OPENED = "2020-01-01"


def app(environ, start_response):
    try:
        status, body = "200 OK", respond(environ["PATH_INFO"], parse_qs(environ["QUERY_STRING"]))
    except LookupError:
        status, body = "404 Not Found", {}
    except ValueError:
        status, body = "400 Bad Request", {}
    start_response(status, [("Content-Type", "application/json"), ("Access-Control-Allow-Origin", "*")])
    return [json.dumps(body).encode()]


def respond(path, query):
    if path == "/dining/menus":
        return menus(query)
    if path == "/map/buildings":
        return [building for building in LISTS[path] if matches(building, query)]
    if path in LISTS:
        return LISTS[path]
    path, _, id_ = path.rpartition("/")
    return {str(item["id"]): item for item in LISTS[path]}[id_]


def matches(building, query):
    name, address = query.get("name", [""])[0], query.get("address", [""])[0]
    return name.lower() in (building["name"] or "").lower() and address in building["address"]


def menus(query):
    if query.keys() - {"date", *FIELDS}:
        raise ValueError("unknown parameter")
    today = datetime.now(ZoneInfo("America/New_York")).date()
    days = {str(date.fromisoformat(day)) for day in query.get("date", [str(today)])}
    filters = {field: {int(value) for value in query[field]} for field in FIELDS if field in query}
    served = [dict(zip(FIELDS, dish, strict=True)) for dish in SERVED_DAILY]
    rows = [row for row in served if all(row[field] in values for field, values in filters.items())]
    names = {recipe["id"]: recipe["name"] for recipe in LISTS["/dining/recipes"]}
    return [
        {"date": day, **row, "id": row["recipe"], "name": names[row["recipe"]]}
        for day in sorted(days)
        if day >= OPENED
        for row in rows
    ]
