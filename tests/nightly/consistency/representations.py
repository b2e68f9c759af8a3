"""What the service makes of buildings and menu rows, rendered and parsed independently of it."""

import csv
import io
from collections import defaultdict
from itertools import groupby
from operator import itemgetter

from tests.nightly.consistency import contents
from tests.nightly.consistency.contents import MEALS

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


def dish_table(dishes, load):
    header = "date,meal,meal_name,category,category_name,recipe,recipe_name,locations,location_names"
    return [[*header.split(","), "allergens", "labels", "label_names"], *(_dish_cells(each, load) for each in dishes)]


def _dish_cells(dish, load):
    category = str(dish["category"]), contents.name("categories", dish["category"], load)
    halls = [contents.name("locations", each, load) for each in dish["locations"]]
    served = dish["date"], str(dish["meal"]), MEALS[dish["meal"]], *category, str(dish["recipe"]), dish["name"]
    return [*served, "; ".join(map(str, dish["locations"])), "; ".join(halls), "", "", ""]


def parse_recipe_table(body):
    rows = csv.DictReader(io.StringIO(body.decode(), newline=""))
    return [(int(row["id"]), row["name"], row["ingredients"], row["as_of"]) for row in rows]


def recipe_table(facts):
    return [(each["id"], each["name"], each["ingredients"], each["as_of"]) for each in facts]


def location_features(locations):
    features = [
        {"type": "Feature", "id": id_, "geometry": None, "properties": {"name": name, "building": None}}
        for id_, name in (each.values() for each in locations)
    ]
    return {"type": "FeatureCollection", "features": features}


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
        "DTSTART": _start(day, meal, location, revision.load),
        "SUMMARY": rf"{MEALS[meal].capitalize()}\, {place}",
        "LOCATION": place,
        "DESCRIPTION": r"\n".join(f"{category}: " + r"\, ".join(names) for category, names in dishes.items()),
    }


def _start(day, meal, location, load):
    """Return when an event starts: its date, unless the export has the serving hours."""
    [hours] = contents.hours(load, [day])
    has_hours = (meal, location) == (hours["meal"], hours["location"])
    return day.replace("-", "") + (f"T{hours['opens'].replace(':', '')}00" if has_hours else "")
