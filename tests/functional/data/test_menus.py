import pytest

from tests.factories import TODAY, row, serving

TOMORROW = "2026-11-21"


def test_a_row_has_date_meal_location_category_and_recipe(service):
    service.serve_dining(serving(48006, "Rice", meal=2, location=7, category=14))

    response = service.app.get("/dining/menus")

    assert response.json == [
        {
            "date": TODAY,
            "meal": 2,
            "location": 7,
            "category": 14,
            "recipe": 48006,
            "id": 48006,
            "name": "Rice",
        }
    ]


def test_the_date_defaults_to_today(service):
    service.serve_dining(serving(1), serving(2, date="2026-11-19"), serving(3, date=TOMORROW))

    response = service.app.get("/dining/menus")

    assert response.json == [row(1)]


@pytest.mark.parametrize("parameter", ["meal", "location", "category", "recipe"])
def test_a_parameter_filters_rows(service, parameter):
    matching, decoy = {parameter: 2}, {parameter: 1}
    service.serve_dining(serving(**{"recipe": 5, **matching}), serving(**{"recipe": 6, **decoy}))

    response = service.app.get(f"/dining/menus?{parameter}=2")

    assert response.json == [row(**{"recipe": 5, **matching})]


def test_a_date_filters_rows(service):
    service.serve_dining(serving(1), serving(2, date=TOMORROW))

    response = service.app.get(f"/dining/menus?date={TOMORROW}")

    assert response.json == [row(2, date=TOMORROW)]


def test_repeated_values_are_alternatives(service):
    service.serve_dining(serving(1, meal=0), serving(2, meal=1), serving(3, meal=2))

    response = service.app.get("/dining/menus?meal=0&meal=2&meal=0")

    assert response.json == [row(1, meal=0), row(3, meal=2)]


def test_different_parameters_must_all_match(service):
    service.serve_dining(serving(1, meal=1, location=7), serving(2, meal=1, location=8), serving(3, meal=2, location=7))

    response = service.app.get("/dining/menus?meal=1&location=7")

    assert response.json == [row(1, meal=1, location=7)]


def test_rows_are_sorted_by_date_meal_and_location_then_in_export_order(service):
    service.serve_dining(serving(9, date=TOMORROW))
    service.serve_dining(
        serving(8, meal=1, location=7),
        serving(7, meal=0, location=30),
        serving(6, meal=0, location=7, category=9),
        serving(5, meal=0, location=7, category=1),
    )

    response = service.app.get(f"/dining/menus?date={TOMORROW}&date={TODAY}")

    assert [item["recipe"] for item in response.json] == [6, 5, 7, 8, 9]


def test_the_same_recipe_in_two_categories_is_two_rows(service):
    service.serve_dining(serving(1, category=12), serving(1, category=17))

    response = service.app.get("/dining/menus?recipe=1")

    assert response.json == [row(1, category=12), row(1, category=17)]


def test_a_row_has_the_name_under_which_it_was_served(service):
    service.serve_dining(serving(1, "Old Name", date="2010-08-25"), serving(1, "New Name"))

    response = service.app.get("/dining/menus?date=2010-08-25")

    assert response.json == [row(1, "Old Name", date="2010-08-25")]


@pytest.mark.parametrize(
    "query",
    ["meal=7", "location=" + "9" * 40, "recipe=-1", "category=-" + "9" * 5000, "date=1900-01-01", "meal=0&recipe=99"],
)
def test_well_formed_values_without_a_match_return_an_empty_list(service, query):
    service.serve_dining(serving())

    response = service.app.get(f"/dining/menus?{query}")

    assert response.json == []


def test_a_number_over_64_bits_does_not_affect_other_values(service):
    service.serve_dining(serving(1), serving(2))

    response = service.app.get(f"/dining/menus?recipe={2**64}&recipe=2")

    assert response.json == [row(2)]


def test_leading_zeros_are_ignored(service):
    service.serve_dining(serving(48006))

    response = service.app.get("/dining/menus?recipe=048006")

    assert response.json == [row(48006)]


def test_a_thousand_values_are_accepted(service):
    service.serve_dining(*(serving(recipe) for recipe in range(1500)))

    response = service.app.get("/dining/menus?meal=0&" + "&".join(f"recipe={recipe}" for recipe in range(1, 2000, 2)))

    assert [item["recipe"] for item in response.json] == list(range(1, 1500, 2))


def test_two_parameters_with_over_a_hundred_values_must_both_match(service):
    service.serve_dining(serving(1, location=1), serving(1, location=900), serving(900, location=1))
    values = range(1, 102)

    response = service.app.get("/dining/menus?" + "&".join(f"recipe={value}&location={value}" for value in values))

    assert response.json == [row(1, location=1)]


def test_parameters_that_begin_with_an_underscore_are_ignored(service):
    service.serve_dining(serving())

    response = service.app.get("/dining/menus?_=1763700000&_cache=%FF&meal=0")

    assert response.json == [row()]


@pytest.mark.parametrize(
    ("moment", "today"),
    [
        ("2026-11-21T04:59:59+00:00", "2026-11-20"),
        ("2026-11-21T05:00:00+00:00", "2026-11-21"),
        ("2026-07-01T03:59:59+00:00", "2026-06-30"),
        ("2026-07-01T04:00:00+00:00", "2026-07-01"),
    ],
)
def test_today_begins_at_midnight_in_campus_time(start, moment, today):
    service = start(**{"clock.frozen_at": moment})
    service.serve_dining(*(serving(date=date) for date in ("2026-11-20", "2026-11-21", "2026-06-30", "2026-07-01")))

    response = service.app.get("/dining/menus")

    assert response.json == [row(date=today)]


def test_menus_have_no_children(service):
    service.app.get("/dining/menus/1", status=404)
