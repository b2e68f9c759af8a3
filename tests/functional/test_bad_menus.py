"""Improper use of the menus: a 400 with every reason, never everything and never nothing."""

import pytest

URL = "/dining/menus"


def refused(service, query):
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
def test_a_wrong_value_is_named_with_its_reason(service, query, parameter, value, reason):
    [error] = refused(service, query)["errors"]

    assert (error["parameter"], error["value"], error["reason"]) == (parameter, value, reason)


@pytest.mark.parametrize("name", ["foo", "Meal", "meal[$ne]", "", "%FF", "$where"])
def test_a_parameter_of_another_name_is_refused(service, name):
    [error] = refused(service, f"{name}=1")["errors"]

    assert error["reason"] == "is not a parameter of menus: these are date, meal, location, category, recipe"


def test_all_problems_are_reported_at_once(service):
    answer = refused(service, "meal=lunch&date=tomorrow&meal=1&foo=bar&recipe=")

    named = [(error["parameter"], error["value"]) for error in answer["errors"]]
    assert named == [("meal", "lunch"), ("date", "tomorrow"), ("foo", "bar"), ("recipe", "")]


def test_a_good_value_beside_a_bad_one_does_not_save_it(service):
    answer = refused(service, "meal=1&meal=lunch")

    assert [error["value"] for error in answer["errors"]] == ["lunch"]


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
def test_the_corrected_url_is_offered(service, query, corrected):
    answer = refused(service, query)

    assert answer["corrected"] == f"{URL}?{corrected}"
    assert answer["errors"][0]["corrected"] == f"{URL}?{corrected}"
    service.app.get(answer["corrected"], status=200)


def test_each_problem_has_its_own_correction(service):
    answer = refused(service, "meal=lunch&date=tomorrow")

    assert [error["corrected"] for error in answer["errors"]] == [f"{URL}?meal=1&date=tomorrow", None]
    assert answer["corrected"] is None


def test_a_query_that_only_had_empty_values_is_corrected_to_none(service):
    assert refused(service, "date=")["corrected"] == URL


def test_long_queries_get_reasons_without_corrections(service):
    answer = refused(service, "&".join(f"meal=x{number}" for number in range(300)))

    assert len(answer["errors"]) == 300
    assert all(error["corrected"] is None for error in answer["errors"])


def test_of_many_problems_none_has_a_correction_of_its_own(service):
    response = refused(service, "&".join(f"date=2026-1-{day}" for day in range(10, 21)))

    corrected = "&".join(f"date=2026-01-{day}" for day in range(10, 21))
    assert [error["corrected"] for error in response["errors"]] == [None] * 11
    assert response["corrected"] == f"{URL}?{corrected}"


def test_of_more_problems_than_fit_the_first_are_listed_and_all_are_counted(service):
    response = refused(service, "&".join(f"meal=x{number}" for number in range(2000)))

    listed = [error["value"] for error in response["errors"]]
    assert listed == [f"x{number}" for number in range(len(listed))]
    assert response["detail"].endswith(f"; and 1997 more. errors lists the first {len(listed)} only.")
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
def test_a_refusal_has_64_kb_at_most_whatever_the_query(service, query):
    response = service.app.get(f"{URL}?{query}", status=400)

    assert len(response.json["errors"]) >= 1
    assert len(response.body) <= 64 * 1024


def test_a_refusal_has_64_kb_at_most_whatever_the_path(service):
    response = service.app.get(f"/dining{'/' * 60_000}menus?meal=lunch", status=400)

    assert [error["parameter"] for error in response.json["errors"]] == ["meal"]
    assert len(response.body) <= 64 * 1024


def test_the_detail_names_long_values_by_their_beginning(service):
    response = refused(service, "&".join(f"meal={digit * 500}" for digit in "abcd"))

    assert response["detail"].startswith(f"meal={'a' * 100}… is not an integer")
    assert response["detail"].endswith("; and 1 more.")


def test_the_detail_names_the_first_problems(service):
    answer = refused(service, "meal=a&meal=b&meal=c&meal=d&meal=e")

    assert answer["detail"].startswith("meal=a is not an integer")
    assert answer["detail"].endswith("; and 2 more.")
