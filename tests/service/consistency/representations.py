"""What the service makes of buildings and menu rows, rendered and parsed independently of it."""

import csv
import io
from collections import defaultdict
from itertools import groupby
from operator import itemgetter

from tests.service.consistency import contents
from tests.service.consistency.contents import MEALS

MENU_HEADER = "date,meal,meal_name,location,location_name,category,category_name,recipe,recipe_name"


def feature(building):
    point, polygons = building["geometry"]["point"], building["geometry"]["polygons"]
    place = {"type": "Point", "coordinates": point[::-1]}
    footprint = {"type": "MultiPolygon", "coordinates": [[[each[::-1] for each in ring]] for ring in polygons]}
    texts = {name: building[name] for name in ("name", "address", "city", "image")}
    geometry = footprint if polygons else place
    return {"type": "Feature", "id": building["id"], "geometry": geometry, "properties": {**texts, "point": place}}


def features(buildings):
    return {"type": "FeatureCollection", "features": list(map(feature, buildings))}


def parse_csv(body):
    return list(csv.reader(io.StringIO(body.decode(), newline="")))


def building_table(buildings):
    texts = itemgetter("id", "name", "address", "city")
    lines = [[*map(str, texts(each)), "", *map(str, each["geometry"]["point"])] for each in buildings]
    return [["id", "name", "address", "city", "image", "latitude", "longitude"], *lines]


def menu_table(rows, load):
    header = MENU_HEADER.split(",")
    return [header, *(list(map(str, _menu_cells(row, load))) for row in rows)]


def _menu_cells(row, load):
    location = row["location"], contents.name("locations", row["location"], load)
    category = row["category"], contents.name("categories", row["category"], load)
    return row["date"], row["meal"], MEALS[row["meal"]], *location, *category, row["recipe"], row["name"]


def parse_calendar(body):
    """Return the properties of each event by name, as they are escaped."""
    _, *events = body.decode().replace("\r\n ", "").split("BEGIN:VEVENT\r\n")
    return [_properties(event.partition("END:VEVENT")[0]) for event in events]


def _properties(event):
    lines = (line.partition(":") for line in event.splitlines())
    properties = {name.partition(";")[0]: value for name, _, value in lines}
    return {name: properties[name] for name in ("UID", "DTSTAMP", "DTSTART", "SUMMARY", "LOCATION", "DESCRIPTION")}


def events(rows, revision):
    meals = groupby(rows, itemgetter("date", "meal", "location"))
    return [_event(*meal, list(served), revision) for meal, served in meals]


def _event(day, meal, location, rows, revision):
    dishes = defaultdict(list)
    for row in rows:
        dishes[contents.name("categories", row["category"], revision.load)].append(row["name"])
    place = contents.name("locations", location, revision.load)
    return {
        "UID": f"{day}-{meal}-{location}@campus-api",
        "DTSTAMP": f"{revision.loaded_at:%Y%m%dT%H%M%SZ}",
        "DTSTART": day.replace("-", ""),
        "SUMMARY": rf"{MEALS[meal].capitalize()}\, {place}",
        "LOCATION": place,
        "DESCRIPTION": r"\n".join(f"{category}: " + r"\, ".join(names) for category, names in dishes.items()),
    }
