"""Invalid menu queries return a 400 that lists every problem."""

import pytest

URL = "/dining/menus"


def get_problem(service, query):
    return service.app.get(f"{URL}?{query}", status=400).json


@pytest.mark.parametrize(
    ("query", "parameter", "value", "reason"),
    [
        ("meal=lunch", "meal", "lunch", "is not an integer: 0 is breakfast, 1 lunch, 2 dinner"),
        ("location=Annenberg", "location", "Annenberg", "is not an integer"),
        ("category=1.5", "category", "1.5", "is not an integer"),
        ("recipe=%EF%BC%91", "recipe", "１", "is not an integer"),
        ("recipe=0x10", "recipe", "0x10", "is not an integer"),
        ("meal=%2B1", "meal", "+1", "is not an integer: 0 is breakfast, 1 lunch, 2 dinner"),
        ("meal=+1", "meal", " 1", "is not an integer: 0 is breakfast, 1 lunch, 2 dinner"),
        ("date=20261120", "date", "20261120", "is not a date written YYYY-MM-DD"),
        ("date=2026-02-29", "date", "2026-02-29", "is not a day of the calendar"),
        ("date=0000-01-01", "date", "0000-01-01", "is not a day of the calendar"),
        ("date=2026-11-20%00", "date", "2026-11-20\0", "is not a date written YYYY-MM-DD"),
        ("date=", "date", "", "is empty"),
        ("meal", "meal", "", "is empty"),
        ("recipe=%FF", "recipe", "\ufffd", "is not UTF-8"),
    ],
)
def test_an_invalid_value_is_reported_with_its_reason(service, query, parameter, value, reason):
    [error] = get_problem(service, query)["errors"]

    assert (error["parameter"], error["value"], error["reason"]) == (parameter, value, reason)


@pytest.mark.parametrize("name", ["foo", "Meal", "meal[$ne]", "", "%FF", "$where"])
def test_unknown_parameters_are_rejected(service, name):
    [error] = get_problem(service, f"{name}=1")["errors"]

    assert error["reason"] == "is not a parameter of menus: these are date, meal, location, category, recipe"


def test_all_problems_are_reported_at_once(service):
    problem = get_problem(service, "meal=lunch&date=tomorrow&meal=1&foo=bar&recipe=")

    named = [(error["parameter"], error["value"]) for error in problem["errors"]]
    assert named == [("meal", "lunch"), ("date", "tomorrow"), ("foo", "bar"), ("recipe", "")]


def test_a_valid_value_does_not_hide_an_invalid_one(service):
    problem = get_problem(service, "meal=1&meal=lunch")

    assert [error["value"] for error in problem["errors"]] == ["lunch"]


@pytest.mark.parametrize(
    ("query", "corrected"),
    [
        ("meal=Lunch", "meal=1"),
        ("meal=1,2", "meal=1&meal=2"),
        ("meals=dinner", "meal=2"),
        ("location=7.0", "location=7"),
        ("date=11/20/2026", "date=2026-11-20"),
        ("date=2026-1-5&meal=1", "date=2026-01-05&meal=1"),
        ("Date=2026-11-20T00:00:00", "date=2026-11-20"),
        ("recipe=&meal=1", "meal=1"),
    ],
)
def test_a_corrected_url_is_suggested(service, query, corrected):
    problem = get_problem(service, query)

    assert problem["corrected"] == f"{URL}?{corrected}"
    assert problem["errors"][0]["corrected"] == f"{URL}?{corrected}"
    service.app.get(problem["corrected"], status=200)


def test_each_problem_has_its_own_correction(service):
    problem = get_problem(service, "meal=lunch&date=tomorrow")

    assert [error["corrected"] for error in problem["errors"]] == [f"{URL}?meal=1&date=tomorrow", None]
    assert problem["corrected"] is None


def test_a_query_of_only_empty_values_is_corrected_to_no_query(service):
    assert get_problem(service, "date=")["corrected"] == URL


def test_long_queries_have_reasons_without_corrections(service):
    problem = get_problem(service, "&".join(f"meal=x{number}" for number in range(300)))

    assert len(problem["errors"]) == 300
    assert all(error["corrected"] is None for error in problem["errors"])


def test_ten_problems_have_individual_corrections(service):
    problem = get_problem(service, "&".join(f"date=2026-1-{day}" for day in range(10, 20)))

    assert [error["corrected"] is not None for error in problem["errors"]] == [True] * 10


def test_more_than_ten_problems_have_no_individual_corrections(service):
    problem = get_problem(service, "&".join(f"date=2026-1-{day}" for day in range(10, 21)))

    corrected = "&".join(f"date=2026-01-{day}" for day in range(10, 21))
    assert [error["corrected"] for error in problem["errors"]] == [None] * 11
    assert problem["corrected"] == f"{URL}?{corrected}"


def test_the_first_of_too_many_problems_are_listed_and_all_are_counted(service):
    problem = get_problem(service, "&".join(f"meal=x{number}" for number in range(2000)))

    listed = [error["value"] for error in problem["errors"]]
    assert listed == [f"x{number}" for number in range(len(listed))]
    assert problem["detail"].endswith(f"; and 1997 more. errors lists the first {len(listed)} only.")
    assert 300 < len(listed) < 2000


@pytest.mark.parametrize(
    "query",
    [
        "&".join(f"{number}" for number in range(475)),
        "&".join(f"{number}" for number in range(10_000)),
        "&".join(f"meal={number}.0" for number in range(180)),
        "&".join(
            f"recipe={'+'.join(f'{number}' for number in range(start, start + 45))}" for start in range(10, 100, 9)
        ),
        "&".join(f"{'%00' * 1000}{number}={'%00' * 1000}" for number in range(10)),
        "&".join(f"%FF{number}={'%FF' * 1000}" for number in range(15)),
        "meal=" + "x" * 60_000,
    ],
    ids=lambda query: f"{query[:10]}-{len(query)}",
)
def test_an_error_response_is_at_most_64_kb_for_any_query(service, query):
    response = service.app.get(f"{URL}?{query}", status=400)

    assert len(response.json["errors"]) >= 1
    assert len(response.body) <= 64 * 1024


def test_values_of_a_hundred_characters_are_not_truncated(service):
    problem = get_problem(service, f"meal={'a' * 100}")

    assert problem["detail"].startswith(f"meal={'a' * 100} is not an integer")


def test_long_values_are_truncated_in_the_detail(service):
    problem = get_problem(service, "&".join(f"meal={digit * 500}" for digit in "abcd"))

    assert problem["detail"].startswith(f"meal={'a' * 100}… is not an integer")
    assert problem["detail"].endswith("; and 1 more.")


def test_the_detail_names_the_first_problems(service):
    problem = get_problem(service, "meal=a&meal=b&meal=c&meal=d&meal=e")

    assert problem["detail"].startswith("meal=a is not an integer")
    assert problem["detail"].endswith("; and 2 more.")
