import pytest

from loaders.documents.encode import MenuDocuments, building_document
from tests.factories import TODAY, building, serving

TOMORROW, IN_TWO_DAYS, IN_THREE_DAYS = "2026-11-21", "2026-11-22", "2026-11-23"


def recipes(day):
    return [item["recipe"] for item in day["items"]]


def test_menus_have_every_date_from_the_first_to_the_last():
    for first, last, dates in [
        (TODAY, IN_THREE_DAYS, [TODAY, TOMORROW, IN_TWO_DAYS, IN_THREE_DAYS]),
        ("2028-02-28", "2028-03-01", ["2028-02-28", "2028-02-29", "2028-03-01"]),
        ("9999-12-31", "9999-12-31", ["9999-12-31"]),
    ]:
        menus = MenuDocuments([serving(date=last), serving(date=first)])

        assert (list(menus), len(menus)) == (dates, len(dates))
        assert menus.open_dates == sorted({first, last})
        assert [day for day in menus if not menus[day]["items"]] == dates[1:-1]
    assert list(MenuDocuments([])) == []


def test_a_long_gap_is_not_filled_with_closed_days():
    for longest, dates in [(2, 4), (1, 2), (0, 2)]:
        menus = MenuDocuments([serving(date=TODAY), serving(date=IN_THREE_DAYS)], max_gap_days=longest)

        assert (len(menus), menus[TODAY]["_id"], menus[IN_THREE_DAYS]["_id"]) == (dates, TODAY, IN_THREE_DAYS), longest
    assert list(MenuDocuments([serving(date="9999-12-31"), serving(date=TODAY)])) == [TODAY, "9999-12-31"]


def test_a_date_with_servings_is_a_document_that_can_be_read_twice():
    menus = MenuDocuments(iter([serving(1, "Rice", meal=2, location=7, category=5), serving(date=TOMORROW)]))

    item = {"meal": 2, "location": 7, "category": 5, "recipe": 1, "name": "Rice"}
    assert (menus[TODAY]["_id"], menus[TODAY]["items"]) == (TODAY, [item])
    assert menus[TODAY] == menus[TODAY]


def test_another_date_is_a_key_error():
    menus = MenuDocuments([serving(date=TODAY), serving(date=IN_TWO_DAYS)])

    for date in ("2026-11-19", IN_THREE_DAYS, "", "today", None):
        assert date not in menus
        with pytest.raises(KeyError):
            menus[date]
    assert TOMORROW in menus


def test_items_are_in_the_order_of_meal_and_location():
    menus = MenuDocuments(
        [serving(1, meal=2, location=7), serving(2, meal=1, location=30), serving(3, meal=1, location=7)]
    )

    assert recipes(menus[TODAY]) == [3, 2, 1]


def test_items_of_a_meal_at_a_location_are_in_the_order_of_the_export():
    servings = [serving(9, category=30), serving(1, date=TOMORROW), serving(5, category=2), serving(7, category=30)]

    assert recipes(MenuDocuments(servings)[TODAY]) == [9, 5, 7]


def test_names_are_available_by_id():
    assert MenuDocuments([serving(7, "Rice"), serving(3, "Soup")]).names("recipe") == {3: "Soup", 7: "Rice"}


def test_the_document_of_a_building_has_normalized_text_for_search():
    document = building_document(building(7, name="Café", address="1 OAK"))

    assert (document["_id"], document["name"]) == (7, "Café")
    assert (document["search"]["name"], document["search"]["address"]) == ("cafe", "1 oak")
    assert building_document(building(7, name=None))["search"]["name"] == ""


def test_equal_menus_have_equal_digests():
    servings = [serving(1), serving(2)]

    first, again, other = (MenuDocuments(each)[TODAY]["digest"] for each in (servings, list(servings), servings[:1]))

    assert (first == again, first == other, len(first)) == (True, False, 16)


def test_the_digest_of_a_date_is_that_of_its_document():
    menus = MenuDocuments([serving(1, meal=2), serving(2, meal=1), serving(date=IN_TWO_DAYS)])

    assert [menus.digest(day) for day in menus] == [menus[day]["digest"] for day in menus]
