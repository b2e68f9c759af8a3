from contextlib import suppress
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_api.validation import schemas
from campus_api.validation.schemas import BadQuery

NO_FILTERS = dict.fromkeys(["date", "meal", "location", "category", "recipe"])

DATES = ["date=2026-11-20", "date=20261120", "Dates=11/20/2026", "date=2026-1-5,20261121"]
NUMBERS = ["meal=lunch", "meals=1,2", "location=+7.", "loction=7", "recipe=", "category=007", f"recipe={'7' * 40}"]
CLEAR = [*DATES, *NUMBERS, "_=%FF"]
UNCLEAR = ["date=2026-02-30", "date=0000-01-01", "meal=soup", "name=7", "category=%FF", "recipe=%00", "=", "%FF=1"]
# WSGI hands over bytes as the characters of latin-1.
BYTES = st.text(st.characters(max_codepoint=255))
GUESSES = st.text("0123456789-/.,T+").map("date={}".format)
CORRECTABLE = st.lists(st.sampled_from(CLEAR) | GUESSES, max_size=8).map("&".join)
QUERIES = CORRECTABLE | BYTES | st.lists(st.sampled_from(CLEAR + UNCLEAR) | BYTES).map("&".join)


def parse_menu_query(query_string):
    return schemas.parse_menu_query(schemas.menu_pairs(query_string))


def parse_building_query(query_string):
    return schemas.parse_building_query(schemas.parse_query_string(query_string))


@pytest.mark.parametrize("query", ["", "&", "&&", "_=1795194000", "_cache=x&_=%FF"])
def test_a_query_without_parameters_has_no_filters(query):
    assert parse_menu_query(query) == NO_FILTERS


def test_all_parameters_have_their_types():
    filters = parse_menu_query("date=2026-11-20&meal=0&location=30&category=23&recipe=31001")

    assert filters == {"date": ["2026-11-20"], "meal": [0], "location": [30], "category": [23], "recipe": [31001]}


@pytest.mark.parametrize(
    ("query", "filters"),
    [
        ("meal=2&meal=0&meal=1", {"meal": [2, 0, 1]}),
        ("date=2026-11-20&meal=1&date=2026-11-21", {"date": ["2026-11-20", "2026-11-21"], "meal": [1]}),
        ("meal=1&meal=1", {"meal": [1]}),
    ],
)
def test_repeated_parameters_are_alternatives(query, filters):
    assert parse_menu_query(query) == {**NO_FILTERS, **filters}


def test_a_thousand_values_are_accepted():
    filters = parse_menu_query("&".join(f"recipe={number}" for number in range(1000)))

    assert filters["recipe"] == list(range(1000))


@pytest.mark.parametrize(
    ("query", "filters"),
    [
        ("meal=7", {"meal": [7]}),
        ("meal=-1", {"meal": [-1]}),
        ("date=1900-01-01", {"date": ["1900-01-01"]}),
        ("date=2028-02-29", {"date": ["2028-02-29"]}),
        ("recipe=031001", {"recipe": [31001]}),
        ("m%65al=%31", {"meal": [1]}),
    ],
)
def test_well_formed_values_are_accepted(query, filters):
    assert parse_menu_query(query) == {**NO_FILTERS, **filters}


def test_an_integer_over_64_bits_matches_nothing():
    assert parse_menu_query(f"meal={'7' * 40}") == {**NO_FILTERS, "meal": []}


@pytest.mark.parametrize(
    "text", ["20261120", "2026-11-2", "11/20/2026", "today", "2026-11-20T12:00", " 2026-11-20", "٢٠٢٦-11-20"]
)
def test_dates_in_other_formats_are_rejected(text):
    with pytest.raises(BadQuery, match=" is not a date written YYYY-MM-DD.$"):
        parse_menu_query(f"date={quote(text)}")


@pytest.mark.parametrize("text", ["2026-02-29", "2026-02-30", "2026-13-01", "2026-00-10", "2026-11-00", "0000-01-01"])
def test_dates_outside_the_calendar_are_rejected(text):
    with pytest.raises(BadQuery, match=" is not a day of the calendar.$"):
        parse_menu_query(f"date={text}")


@pytest.mark.parametrize("parameter", ["meal", "location", "category", "recipe"])
@pytest.mark.parametrize("text", ["lunch", "1.0", "1,2", "+1", "%201", "1%0A", "0x1", "1_000", "%D9%A1", "%C2%B2"])
def test_non_integers_are_rejected(parameter, text):
    with pytest.raises(BadQuery, match=" is not an integer"):
        parse_menu_query(f"{parameter}={text}")


@pytest.mark.parametrize("parameter", NO_FILTERS)
@pytest.mark.parametrize("sign", ["", "="])
def test_empty_values_are_rejected(parameter, sign):
    with pytest.raises(BadQuery) as raised:
        parse_menu_query(f"{parameter}{sign}")

    assert raised.value.problems == [{"parameter": parameter, "value": "", "reason": "is empty", "corrected": ""}]


@pytest.mark.parametrize("name", ["dates", "Meal", "name", "", "%FF", "%20meal", "meal%5B%5D", "a_"])
def test_unknown_parameters_are_rejected(name):
    with pytest.raises(BadQuery, match=" is not a parameter of menus"):
        parse_menu_query(f"{name}=1")


@pytest.mark.parametrize("parameter", NO_FILTERS)
@pytest.mark.parametrize("text", ["%FF", "\xff", "1%C3", "%ED%A0%80"])
def test_invalid_utf_8_is_rejected(parameter, text):
    with pytest.raises(BadQuery, match=" is not UTF-8.$"):
        parse_menu_query(f"{parameter}={text}")


def test_all_problems_are_reported_at_once_in_the_order_of_the_query():
    with pytest.raises(BadQuery) as raised:
        parse_menu_query("recipe=soup&meal=1&when=now&date=2026-02-30&location=&meal=x&date=2026-11-20")

    named = [(problem["parameter"], problem["value"]) for problem in raised.value.problems]
    assert named == [("recipe", "soup"), ("when", "now"), ("date", "2026-02-30"), ("location", ""), ("meal", "x")]


def test_the_detail_names_three_problems_and_counts_the_others():
    with pytest.raises(BadQuery) as raised:
        parse_menu_query("recipe=a&recipe=b&recipe=c&recipe=d&recipe=e")

    assert raised.value.detail == (
        "recipe=a is not an integer; recipe=b is not an integer; recipe=c is not an integer; and 2 more."
    )


def test_each_problem_has_the_query_with_only_itself_corrected():
    with pytest.raises(BadQuery) as raised:
        parse_menu_query("meal=lunch&dates=2026-11-20&location=30")

    assert [problem["corrected"] for problem in raised.value.problems] == [
        "meal=1&dates=2026-11-20&location=30",
        "meal=lunch&date=2026-11-20&location=30",
    ]


def test_the_corrected_query_has_all_problems_corrected():
    with pytest.raises(BadQuery) as raised:
        parse_menu_query("meal=lunch&dates=2026-11-20&location=30&recipe=&meal=1&_=5")

    assert raised.value.corrected == "meal=1&date=2026-11-20&location=30"


def test_one_problem_that_cannot_be_corrected_leaves_no_corrected_query():
    with pytest.raises(BadQuery) as raised:
        parse_menu_query("meal=lunch&recipe=soup")

    assert raised.value.corrected is None


def test_a_long_query_gets_no_corrections_that_repeat_it():
    with pytest.raises(BadQuery) as raised:
        parse_menu_query("&".join(f"recipe={number}.0" for number in range(1000)))

    assert {problem["corrected"] for problem in raised.value.problems} == {raised.value.corrected} == {None}


@given(QUERIES)
def test_any_query_is_accepted_or_rejected(query):
    with suppress(BadQuery):
        assert parse_menu_query(query).keys() == NO_FILTERS.keys()


@given(st.lists(st.sampled_from(CLEAR), min_size=1).map("&".join) | QUERIES)
def test_a_corrected_query_is_valid(query):
    try:
        parse_menu_query(query)
    except BadQuery as raised:
        parse_menu_query(raised.corrected or "")


@pytest.mark.parametrize(
    ("query", "filters"),
    [
        ("name=hall", {"name": ["hall"]}),
        ("name=hall&address=harvard+yard", {"name": ["hall"], "address": ["harvard yard"]}),
        ("name=hall&name=Caf%C3%A9&name=hall", {"name": ["hall", "Café"]}),
        ("name=caf\xc3\xa9", {"name": ["café"]}),
        ("name=&name=hall&address", {"name": ["hall"]}),
        ("name=%CC%81", {}),
        ("name=+", {"name": [" "]}),
        ("Name=hall&city=Cambridge&name%5B%5D=hall&_=5&date=x", {}),
        ("", {}),
    ],
)
def test_a_building_query_has_the_texts_of_name_and_address(query, filters):
    assert parse_building_query(query) == {"name": (), "address": (), **filters}


@given(QUERIES)
def test_any_building_query_is_accepted(query):
    assert parse_building_query(query).keys() == {"name", "address"}
