"""Records and export rows with plausible defaults; a test sets only the fields that it is about."""

from campus_api.domain.allergens import listed
from campus_api.domain.building_fields import Building
from campus_api.domain.models import (
    Facts,
    ImpliedLabel,
    Label,
    LocationDetails,
    MealHours,
    NamedEntity,
    Nutrient,
    Nutrients,
)
from loaders.documents.serving import MenuRow

US_ALLERGENS = {"crustaceans", "eggs", "fish", "milk", "peanuts", "sesame", "soy", "tree nuts", "wheat"}
YESTERDAY, TODAY, TOMORROW = "2026-11-19", "2026-11-20", "2026-11-21"
IN_TWO_DAYS, IN_THREE_DAYS = "2026-11-22", "2026-11-23"
NOON = f"{TODAY}T12:00:00-05:00"
RING = ((42.3741, -71.1171), (42.3741, -71.1169), (42.3743, -71.1169), (42.3741, -71.1171))


def building(id_=1, **fields):
    defaults = {"name": "Widener Library", "address": "Harvard Yard", "city": "Cambridge"}
    return Building(id=id_, **{**defaults, "point": (42.3742, -71.1170), "polygons": (RING,), **fields})


def serving(recipe=31001, name="Kashi Pilaf", *, date=TODAY, meal=0, location=30, category=23, meal_name=""):
    return MenuRow(
        date=date,
        meal=meal,
        location=NamedEntity(location, f"Hall {location}"),
        category=NamedEntity(category, f"Category {category}"),
        recipe=NamedEntity(recipe, name),
        meal_name=meal_name,
    )


def hall(building=1, until="2027-08-01", country="US", **hours):
    """Return a hall; the keywords are the expressions of its meals."""
    meals = {"breakfast": 0, "lunch": 1, "dinner": 2, "night": 3}
    expressions = hours or {"breakfast": "07:30-10:30"}
    return LocationDetails(
        building, tuple(MealHours(meals[name], text, until, country) for name, text in expressions.items())
    )


def facts(**fields):
    """Return facts; what they contain is what their allergens are, of those of the United States."""
    defaults = {
        "serving_size": "5 OZL",
        "calories": 167,
        "calories_from_fat": 27,
        "nutrients": Nutrients(total_fat=Nutrient(3, "g", 5), sodium=Nutrient(14.8, "mg", None)),
        "ingredients": "Whole Grain Kashi Pilaf (Oats, Brown Rice)",
        "allergens": ("Sesame", "Wheat"),
        "labels": (Label("VGN", "vegan", (ImpliedLabel("VGT", "vegetarian"),)), Label("XYZ")),
        "as_of": TODAY,
    }
    values = {**defaults, **fields}
    parsed = [listed.parse(name) for name in values["allergens"] or ()]
    is_known = parsed and not any(each.unknown for each in parsed)
    contains = frozenset().union(*(each.named.contained for each in parsed))
    derived = {"contains": tuple(sorted(contains)), "without": tuple(sorted(US_ALLERGENS - contains))}
    return Facts(**{**(derived if is_known else {}), **values})


LATER_NUTRIENTS = ["added_sugars", "salt", "potassium", "calcium", "iron", "vitamin_d"]


def facts_row(**fields):
    """Return the facts of the API for the recipe of `serving()`, unknown unless they are passed."""
    nutrients = ("total_fat", "saturated_fat", "trans_fat", "cholesterol", "sodium", "total_carbohydrate")
    return {
        "id": 31001,
        "name": "Kashi Pilaf",
        "serving_size": None,
        "calories": None,
        "calories_from_fat": None,
        "nutrients": dict.fromkeys([*nutrients, "dietary_fiber", "sugars", "protein", *LATER_NUTRIENTS]),
        "ingredients": None,
        "allergens": None,
        "contains": None,
        "without": [],
        "labels": None,
        "as_of": None,
        **fields,
    }


def row(recipe=31001, name="Kashi Pilaf", *, date=TODAY, meal=0, location=30, category=23):
    """Return the menu row of the API for a serving with the same arguments."""
    served = {"date": date, "meal": meal, "location": location, "category": category, "recipe": recipe}
    return {**served, "id": recipe, "name": name}


def problem(status, title, detail, *errors, corrected=None):
    """Return a problem document; an error is a parameter, its value, the reason and the corrected URL."""
    listed = [dict(zip(("parameter", "value", "reason", "corrected"), error, strict=True)) for error in errors]
    members = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return {**members, "errors": listed, "corrected": corrected}


def feature(id_=1, geometry=None, **properties):
    """Return a GeoJSON feature; its footprint is a triangle in Harvard Yard unless a geometry is passed."""
    triangle = {"type": "Polygon", "coordinates": [[[longitude, latitude] for latitude, longitude in RING]]}
    return {"type": "Feature", "id": id_, "geometry": geometry or triangle, "properties": properties}


def foodpro_row(**fields):
    """Return a FoodPro row."""
    return {
        "ID": "36297713",
        "Serve_Date": "11/20/2026",
        "Meal_Number": "1",
        "Meal_Name": "Breakfast",
        "Location_Number": "30",
        "Location_Name": "Annenberg Hall",
        "Menu_Category_Number": "23",
        "Menu_Category_Name": "Make Your Own Bar",
        "Recipe_Number": "031001",
        "Recipe_Name": "CEREAL KASHI PILAF VGN",
        "Recipe_Print_As_Name": "Kashi Pilaf",
        **fields,
    }


def huds_line(**fields):
    """Return a line of 8 columns as HUDS writes it; `codes` adds the ninth."""
    columns = {
        "date": "11/20/2026",
        "recipe": "031001",
        "name": "Kashi Pilaf",
        "meal": "BRK",
        "hall": "ANNENBERG ",
        "category": "17",
        "portion": "5",
        "unit": "OZL",
        **fields,
    }
    return ",".join(f'"{value}"' for value in columns.values()) + "\n"
