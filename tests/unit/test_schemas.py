from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_api.domain.allergens.vocabulary import diet_vocabulary
from campus_api.validation import schemas
from campus_api.validation.schemas import BadQuery

NO_FILTERS = dict.fromkeys(["date", "meal", "location", "category", "recipe"])

DATES = ["date=2026-11-20", "date=20261120", "Dates=11/20/2026", "date=2026-1-5,20261121"]
NUMBERS = ["meal=lunch", "meals=1,2", "location=+7.", "loction=7", "recipe=", "category=007", f"recipe={'7' * 40}"]
CLEAR = [*DATES, *NUMBERS]
UNCLEAR = ["date=2026-02-30", "date=0000-01-01", "meal=soup", "name=7", "category=%FF", "recipe=%00", "=", "%FF=1"]
# WSGI hands over bytes as the characters of latin-1.
BYTES = st.text(st.characters(max_codepoint=255))
GUESSES = st.text("0123456789-/.,T+").map("date={}".format)
CORRECTABLE = st.lists(st.sampled_from(CLEAR) | GUESSES, max_size=8).map("&".join)
QUERIES = CORRECTABLE | BYTES | st.lists(st.sampled_from(CLEAR + UNCLEAR) | BYTES).map("&".join)


def parse(text, query=schemas.MENUS):
    return query.parse(schemas.parse_query_string(text), (), "", lambda: diet_vocabulary([]))


def reject(text, query=schemas.MENUS):
    """Return the error of an invalid query."""
    with pytest.raises(BadQuery) as raised:
        parse(text, query)
    return raised.value


def corrections(query):
    """Return the query with each problem corrected alone, and with all of them."""
    error = reject(query)
    return [problem.corrected for problem in error.problems], error.corrected


def test_well_formed_values_are_accepted_and_repeated_ones_alternatives():
    for query, filters in (
        *((query, {}) for query in ("", "&", "&&")),
        ("date=2026-11-20&location=30&category=23", {"date": ["2026-11-20"], "location": [30], "category": [23]}),
        ("meal=2&meal=0&meal=1", {"meal": [2, 0, 1]}),
        ("date=2026-11-20&meal=1&date=2026-11-21", {"date": ["2026-11-20", "2026-11-21"], "meal": [1]}),
        ("meal=1&meal=1", {"meal": [1]}),
        ("meal=7", {"meal": [7]}),
        ("meal=-1", {"meal": [-1]}),
        ("date=1900-01-01", {"date": ["1900-01-01"]}),
        ("date=2028-02-29", {"date": ["2028-02-29"]}),
        ("recipe=031001", {"recipe": [31001]}),
        ("m%65al=%31", {"meal": [1]}),
        # Over 64 bits, it matches nothing.
        (f"meal={'7' * 40}", {"meal": []}),
        (f"recipe={2**64}&recipe=2", {"recipe": [2]}),
    ):
        assert parse(query) == {**NO_FILTERS, **filters}, query
    assert [parse(query, schemas.SEARCH)["text"] for query in ("q=b&q=a", "q=a&q=&q=b")] == ["a b", "a b"]


def test_an_invalid_value_is_reported_with_its_reason():
    dates = ("20261120", "2026-11-2", "11/20/2026", "today", "2026-11-20T12:00", " 2026-11-20", "٢٠٢٦-11-20")
    days = ("2026-02-29", "2026-02-30", "2026-13-01", "2026-00-10", "2026-11-00", "0000-01-01")
    no_integers = ("lunch", "1.5", "1,2", "+1", " 1", "1\n", "0x1", "1_000", "１", "²")
    texts = {
        "is not a date written YYYY-MM-DD": {"date": (*dates, "2026-11-20\0")},
        "is not a day of the calendar": {"date": days},
        "is not an integer": dict.fromkeys(("location", "category", "recipe"), no_integers),
        "is not an integer: 0 is breakfast, 1 lunch, 2 dinner": {"meal": no_integers},
        "is empty": dict.fromkeys(NO_FILTERS, [""]),
        "is not UTF-8": dict.fromkeys(NO_FILTERS, ["\udcff", "1\udcc3"]),
    }
    for reason, values in texts.items():
        for parameter in values:
            for text in values[parameter]:
                [problem] = reject(f"{parameter}={quote(text, errors='surrogateescape')}").problems
                named = (problem.parameter, problem.value, problem.reason)
                assert named == (parameter, text, reason), text
    assert reject("meal").problems[0].reason == "is empty"
    for query in ("date=\xff", "date=1%C3", "date=%ED%A0%80", "q=soup%FF"):
        assert reject(query, schemas.PAGE).problems[0].reason == "is not UTF-8", query


def test_unknown_parameters_are_rejected():
    for name in ("dates", "Meal", "name", "", "%FF", "%20meal", "meal%5B%5D", "a_", "$where"):
        reason = reject(f"{name}=1").problems[0].reason
        assert reason == "is not a parameter of menus: these are date, meal, location, category, recipe", name
    detail = reject("category=1", schemas.HOURS).detail
    assert detail == "category=1 is not a parameter of hours: these are date, from, to, meal, location."


def test_the_detail_names_three_problems_with_100_characters_and_counts_the_others():
    for query, detail in (
        ("recipe=a&recipe=b&recipe=c", "recipe=a {0}; recipe=b {0}; recipe=c {0}."),
        ("recipe=a&recipe=b&recipe=c&recipe=d&recipe=e", "recipe=a {0}; recipe=b {0}; recipe=c {0}; and 2 more."),
        (f"recipe={'a' * 100}", f"recipe={'a' * 100} {{0}}."),
        (f"recipe={'a' * 101}", f"recipe={'a' * 100}… {{0}}."),
    ):
        assert reject(query).detail == detail.format("is not an integer"), query


def test_a_query_has_one_correction_of_all_problems():
    for query, corrected in {
        "meal=lunch&dates=2026-11-20&location=30": "meal=1&date=2026-11-20&location=30",
        "meal=lunch&date=tomorrow": None,
        "meal=lunch&dates=2026-11-20&recipe=&meal=1": "meal=1&date=2026-11-20",
        "date=2026-1-5&meal=1,2": "date=2026-01-05&meal=1&meal=2",
        "date=": "",
    }.items():
        assert reject(query).corrected == corrected, query


def test_long_queries_have_reasons_without_corrections():
    query = "&".join(f"recipe={number}.0" for number in range(1000))

    assert corrections(query) == ([None] * 1000, None)


def test_more_than_ten_problems_have_no_individual_corrections():
    ten, eleven = ("&".join(f"date=2026-1-{day}" for day in range(10, end)) for end in (20, 21))

    assert None not in corrections(ten)[0]
    assert corrections(eleven) == ([None] * 11, "&".join(f"date=2026-01-{day}" for day in range(10, 21)))


def test_of_more_than_ten_unknown_terms_none_is_looked_up():
    for separator in ("&without=", ",", "&Without="):
        for letters, corrected in (("bcdefghijk", "without=gluten"), ("bcdefghijkl", None)):
            query = "without=" + separator.join(f"gluten{letter}" for letter in letters)
            assert reject(query, schemas.DISHES).corrected == corrected, query


@given(st.lists(st.sampled_from(CLEAR), min_size=1).map("&".join) | QUERIES)
def test_a_corrected_query_is_valid(query):
    try:
        parse(query)
    except BadQuery as raised:
        parse(raised.corrected or "")


def test_a_range_is_its_dates():
    for query, dates in (
        ("from=2026-11-29&to=2026-12-02", ["2026-11-29", "2026-11-30", "2026-12-01", "2026-12-02"]),
        ("to=2026-11-29&from=2026-11-29", ["2026-11-29"]),
        ("date=2026-11-29", ["2026-11-29"]),
    ):
        assert parse(query, schemas.HOURS) == {"date": dates, "meal": None, "location": None}, query
    assert len(parse("from=2026-01-01&to=2026-03-01", schemas.HOURS)["date"]) == 60


def test_invalid_ranges_are_reported_with_their_reason():
    too_long = "is one end of 61 days: at most 60 are possible"

    for query, problems in (
        ("from=soon&to=2026-11-29", [("from", "is not a date written YYYY-MM-DD")]),
        ("from=2026-11-29&date=2026-11-30", [("from", "cannot be combined with date")]),
        ("from=2026-11-01&from=2026-11-02&to=2026-11-03", [("from", "is not the only from")] * 2),
        ("from=2026-11-30&to=2026-11-29", [("from", "is after to, 2026-11-29"), ("to", "is before from, 2026-11-30")]),
        ("from=2026-01-01&to=2026-03-02", [("from", too_long), ("to", too_long)]),
    ):
        error = reject(query, schemas.HOURS)
        assert [(each.parameter, each.reason) for each in error.problems] == problems, query
        assert error.corrected is None, query


def test_the_correction_of_a_date_is_no_invalid_range():
    for query, corrected in (
        ("from=20261129&to=2026-11-30", "from=2026-11-29&to=2026-11-30"),
        ("from=20261130&to=2026-11-29", None),
        ("from=20261129,20261130", None),
    ):
        assert reject(query, schemas.HOURS).corrected == corrected, query
