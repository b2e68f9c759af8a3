from itertools import permutations

from loaders.documents.encode import MenuDocuments
from tests.factories import IN_THREE_DAYS, IN_TWO_DAYS, TODAY, TOMORROW, serving


def test_menus_have_every_date_from_the_first_to_the_last():
    for first, last, dates in [
        (TODAY, IN_THREE_DAYS, [TODAY, TOMORROW, IN_TWO_DAYS, IN_THREE_DAYS]),
        ("2028-02-28", "2028-03-01", ["2028-02-28", "2028-02-29", "2028-03-01"]),
        ("9999-12-31", "9999-12-31", ["9999-12-31"]),
    ]:
        menus = MenuDocuments([serving(date=last), serving(date=first)])

        assert (list(menus), len(menus)) == (dates, len(dates)), first
        assert menus.open_dates == sorted({first, last}), first
        assert [day for day in menus if not menus[day]["items"]] == dates[1:-1], first
    assert list(MenuDocuments([])) == []


def test_a_long_gap_is_not_filled_with_closed_days():
    for longest, dates in [(2, 4), (1, 2), (0, 2)]:
        menus = MenuDocuments([serving(date=TODAY), serving(date=IN_THREE_DAYS)], max_gap_days=longest)

        assert (len(menus), menus[TODAY]["_id"], menus[IN_THREE_DAYS]["_id"]) == (dates, TODAY, IN_THREE_DAYS), longest
        assert (TOMORROW in menus) is (dates == 4), longest
    assert list(MenuDocuments([serving(date="9999-12-31"), serving(date=TODAY)])) == [TODAY, "9999-12-31"]


def test_items_are_in_the_order_of_meal_location_and_export_whenever_they_are_read():
    servings = [
        serving(1, meal=2, location=7),
        serving(2, meal=1, location=30, category=30),
        serving(9, date=TOMORROW),
        serving(3, "Rice", meal=1, location=30, category=2),
        serving(4, meal=1, location=7),
    ]
    menus = MenuDocuments(iter(servings))

    items = menus[TODAY]["items"]

    assert [item["recipe"] for item in items] == [4, 2, 3, 1]
    assert items[2] == {"meal": 1, "location": 30, "category": 2, "recipe": 3, "name": "Rice"}
    assert menus[TODAY]["items"] == items
    assert [menus.digest(day) for day in menus] == [menus[day]["digest"] for day in menus]


def test_the_last_name_of_the_last_date_wins_whatever_the_order_of_dates():
    for named in permutations([(TODAY, "Soup"), (TOMORROW, "Broth"), (IN_TWO_DAYS, "Stew")]):
        menus = MenuDocuments(serving(1, name, date=date) for date, name in [(IN_TWO_DAYS, "Soup"), *named])

        assert menus.names("recipe") == {1: "Stew"}, named
