"""Buildings and menus as CSV."""

import csv
import io
from dataclasses import replace

from campus_api.domain.models import Label, NamedEntity
from tests.factories import LATER_NUTRIENTS, RING, TODAY, building, facts, facts_row, serving

OPERATORS = ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\ufe66", "\u207a", "\u2212"]
INVISIBLE = ["\t", "\r", " ", "\u00a0", "\u3000", "\u200b", "\u2060", "\ufeff", "\u202e", "\x00", "\u2028", "\ufe0f"]
FORMULAS = [f"{operator}1+1" for operator in OPERATORS] + [f"{char}=1" for char in INVISIBLE] + ["\ufeff\u200b \uff1d1"]


def lines(response):
    return list(csv.reader(io.StringIO(response.text, newline="")))


def test_buildings_have_a_header_and_their_point(service):
    image = "https://example.edu/1.jpg"
    service.serve_buildings(building(1, name="Café", image=image), building(2, name=None, polygons=(RING,)))

    response = service.app.get("/map/buildings.csv")

    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    # Lines end as in RFC 4180.
    assert (response.body.count(b"\r\n"), response.body.count(b"\n"), response.body[-2:]) == (3, 3, b"\r\n")
    header, *rows = lines(response)
    assert header == ["id", "name", "address", "city", "image", "latitude", "longitude", "code"]
    first, second = (dict(zip(header, row, strict=True)) for row in rows)
    assert first.items() >= {"id": "1", "name": "Café", "image": image, "latitude": "42.3742"}.items()
    assert second.items() >= {"id": "2", "name": "", "city": "Cambridge", "image": "", "longitude": "-71.117"}.items()


def test_an_image_that_is_a_data_url_is_an_empty_cell(service):
    images = ["data:image/svg+xml,%3Csvg/%3E", "DATA:image/png;base64,AA==", "https://example.edu/data:1", "/data:1"]
    service.serve_buildings(*(building(id_, name="data:1", image=image) for id_, image in enumerate(images)))

    rows = list(csv.DictReader(io.StringIO(service.app.get("/map/buildings.csv").text, newline="")))

    assert [row["image"] for row in rows] == ["", "", *images[2:]]
    assert {row["name"] for row in rows} == {"data:1"}
    assert [row["image"] for row in service.app.get("/map/buildings").json] == images


def test_text_is_never_a_formula(service):
    texts = dict(enumerate(FORMULAS))
    service.serve_buildings(*(building(id_, name=text) for id_, text in texts.items()))
    entities = (NamedEntity(id_, text) for id_, text in texts.items())
    service.serve_dining(*(replace(serving(), recipe=each, location=each, category=each) for each in entities))

    buildings, menus = (lines(service.app.get(path))[1:] for path in ("/map/buildings.csv", "/dining/menus.csv"))

    assert [row[1] for row in buildings] == [f"'{text}" for text in FORMULAS]
    assert [(row[4], row[6], row[8]) for row in menus] == [(f"'{text}",) * 3 for text in FORMULAS]


def test_other_text_is_unchanged(service):
    texts = ["A=1", "1-2", "(=1)", "\uff11+1", "\u2014 Annex", "\u200bAnnex", "'=1", "\u200b", "\u00a0", 'A "B", C\nD']
    service.serve_buildings(*(building(id_, name=text) for id_, text in enumerate(texts)))

    assert [row[1] for row in lines(service.app.get("/map/buildings.csv"))[1:]] == texts


def test_menus_have_the_names_of_meals_locations_and_categories(service):
    night = serving(3, "Fries", meal=4, meal_name="=Late Night")
    service.serve_dining(serving(31001, "Tacos", meal=1, meal_name="Brunch"), serving(2, "Soup", meal=3), night)

    response = service.app.get("/dining/menus.csv")

    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert response.text.splitlines() == [
        "date,meal,meal_name,location,location_name,category,category_name,recipe,recipe_name",
        f"{TODAY},1,lunch,30,Hall 30,23,Category 23,31001,Tacos",
        # A meal without a name.
        f"{TODAY},3,,30,Hall 30,23,Category 23,2,Soup",
        f"{TODAY},4,'=Late Night,30,Hall 30,23,Category 23,3,Fries",
    ]
    assert [row[2] for row in lines(service.app.get("/dining/dishes.csv"))[1:]] == ["lunch", "", "'=Late Night"]


def test_rows_are_those_of_the_same_query(service):
    days = (TODAY, "2026-11-22")
    service.serve_buildings(building(1), building(2, name="Pav"), building(3, name="Pav", address="Elsewhere"))
    servings = [serving(recipe, date=day, meal=recipe % 3) for day in days for recipe in range(1, 7)]
    service.serve_dining(*servings, facts={1: facts(), 2: facts(labels=None)})

    for path, query, column in (
        ("/map/buildings", "name=pav&address=yard&other=1", 0),
        *(("/dining/menus", query, 7) for query in ("", "meal=2", "date=2026-11-22&meal=0&meal=1", "recipe=2&_=1")),
        ("/dining/menus", "date=1900-01-01", 7),
        *(("/dining/dishes", query, 5) for query in ("to=2026-11-22", "label=vegetarian&without=milk")),
    ):
        rows = service.app.get(f"{path}?{query}").json
        ids = [row.get("recipe", row.get("id")) for row in rows]
        assert [int(row[column]) for row in lines(service.app.get(f"{path}.csv?{query}"))[1:]] == ids, (path, query)


FIRST_NUTRIENTS = list(facts_row()["nutrients"])[: -len(LATER_NUTRIENTS)]
FACTS_HEADER = [
    *("id", "name", "serving_size", "calories", "calories_from_fat"),
    *(f"{name}{suffix}" for name in FIRST_NUTRIENTS for suffix in ("", "_unit", "_daily_value")),
    *("ingredients", "allergens", "contains", "without", "labels", "label_names", "as_of"),
    *(f"{name}{suffix}" for name in LATER_NUTRIENTS for suffix in ("", "_unit", "_daily_value")),
]


def test_recipes_have_their_facts_as_columns(service):
    service.serve_dining(serving(), serving(2, "Soup"), facts={31001: facts()})

    header, unknown, known = lines(service.app.get("/dining/recipes.csv?recipe=x"))

    assert header == FACTS_HEADER
    unknown, known = (dict(zip(header, each, strict=True)) for each in (unknown, known))
    empty = dict.fromkeys(FACTS_HEADER, "")
    assert unknown == {**empty, "id": "2", "name": "Soup", "allergens": "unknown", "contains": "unknown"}
    assert [name for name in FIRST_NUTRIENTS if known[name]] == ["total_fat", "sodium"]
    sodium = [known[name] for name in ("sodium", "sodium_unit", "sodium_daily_value")]
    assert (sodium, known["as_of"], known["total_fat_daily_value"]) == (["14.8", "mg", ""], TODAY, "5")
    listed = [known[name] for name in ("allergens", "contains", "labels", "label_names", "without")]
    without = "crustaceans; eggs; fish; milk; peanuts; soy; tree nuts"
    assert listed == ["Sesame; Wheat", "gluten; sesame; wheat", "VGN; XYZ", "vegan; XYZ", without]


def test_dishes_have_names_allergens_labels_and_single_facts(service):
    service.serve_dining(serving(meal=1, location=7), serving(meal=1), serving(2, "Soup"), facts={31001: facts()})

    assert lines(service.app.get("/dining/dishes.csv")) == [
        [
            *("date", "meal", "meal_name", "category", "category_name", "recipe", "recipe_name"),
            *("locations", "location_names", "allergens", "contains", "labels", "label_names", "without"),
            *("serving_size", "calories", "calories_from_fat", "ingredients", "as_of"),
        ],
        [TODAY, "0", "breakfast", "23", "Category 23", "2", "Soup", "30", "Hall 30", "unknown", "unknown", *[""] * 8],
        [
            *(TODAY, "1", "lunch", "23", "Category 23", "31001", "Kashi Pilaf"),
            *("7; 30", "Hall 7; Hall 30", "Sesame; Wheat", "gluten; sesame; wheat", "VGN; XYZ", "vegan; XYZ"),
            *("crustaceans; eggs; fish; milk; peanuts; soy; tree nuts", "5 OZL", "167", "27"),
            *("Whole Grain Kashi Pilaf (Oats, Brown Rice)", TODAY),
        ],
    ]


def test_allergens_say_if_they_are_unknown(service):
    service.serve_dishes(
        Mystery={"allergens": None},
        Stew={"allergens": ("Milk", "See label")},
        Rice={"allergens": None, "contains": ()},
        Soup={"allergens": None, "contains": ("celery",)},
    )

    for path in ("/dining/dishes.csv", "/dining/recipes.csv"):
        header, *rows = lines(service.app.get(path))
        columns = header.index("allergens"), header.index("contains")
        assert [[row[column] for column in columns] for row in rows] == [
            ["unknown", "unknown"],
            ["Milk; See label", "unknown"],
            ["", ""],
            ["", "celery"],
        ], path


def test_facts_are_never_a_formula(service):
    text = "=1+1"
    known = facts(ingredients=text, allergens=(text, "Milk"), labels=(Label(text, text),), serving_size=text)
    service.serve_dining(serving(), facts={31001: known})

    cells = lines(service.app.get("/dining/recipes.csv"))[1] + lines(service.app.get("/dining/dishes.csv"))[1]

    assert sorted(cell for cell in cells if text in cell) == sorted([f"'{text}"] * 8 + [f"'{text}; Milk"] * 2)
