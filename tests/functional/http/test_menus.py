"""Menus over HTTP: which day is today, the headers Link and X-Campus-Empty, and invalid queries."""

from urllib.parse import urljoin

import pytest

from tests.factories import TODAY, problem, row, serving

URL = "/dining/menus"
BEFORE, AFTER, LATER, NEVER = "2026-11-18", "2026-11-21", "2026-11-30", "2026-11-25"
LINK, EMPTY = "Link", "X-Campus-Empty"


@pytest.fixture
def app(service):
    """Menus of four dates; 2026-11-19 is closed, and nothing is loaded between the 21st and the 30th."""
    service.serve_dining(serving(5, date=LATER))
    service.serve_dining(serving(1, date=BEFORE), serving(2, date=TODAY), serving(3, meal=1), serving(4, date=AFTER))
    return service.app


def links(response):
    """Return the absolute URLs of the Link header by relation."""
    fields = [link.split(">; rel=") for link in response.headers.get(LINK, "").split(", ") if link]
    return {rel.strip('"'): urljoin(response.request.url, url.removeprefix("<")) for url, rel in fields}


def dates(response):
    return {rel: url[-10:] for rel, url in links(response).items()}


def test_menus_of_one_date_link_to_the_adjacent_dates(app):
    for query in ("", f"date={TODAY}", f"date={TODAY}&date={TODAY}", f"_=1&date={TODAY}"):
        link = app.get(f"{URL}?{query}").headers[LINK]
        assert link == f'<?date=2026-11-19>; rel="prev", <?date={AFTER}>; rel="next"', query


def test_links_include_closed_days_and_skip_dates_that_are_not_loaded(app):
    for date, expected in (
        ("1900-01-01", {"next": BEFORE}),
        (BEFORE, {"next": "2026-11-19"}),
        ("2026-11-19", {"prev": BEFORE, "next": TODAY}),
        (AFTER, {"prev": TODAY, "next": LATER}),
        (NEVER, {"prev": AFTER, "next": LATER}),
        (LATER, {"prev": AFTER}),
    ):
        assert dates(app.get(f"{URL}?date={date}")) == expected, date
    assert app.get(links(app.get(URL))["next"]).json == [row(4, date=AFTER)]


def test_a_link_preserves_the_other_parameters(app):
    response = app.get(f"{URL}?meal=1&date={TODAY}&meal=0&recipe={'9' * 40}&_=5")

    assert links(response)["next"].partition("?")[2] == f"date={AFTER}&meal=0&meal=1&recipe={'9' * 40}"


def test_a_query_of_several_dates_has_neither_links_nor_a_reason(app):
    for query in (f"date={TODAY}&date={AFTER}", f"date=1900-01-01&date={NEVER}", f"date={TODAY}&date={AFTER}&meal=2"):
        headers = app.get(f"{URL}?{query}").headers
        assert (LINK in headers, EMPTY in headers) == (False, False), query


def test_a_long_query_has_no_links(app):
    for values, is_short in ((100, True), (500, False)):
        query = "&".join(f"recipe={number}" for number in range(10000, 10000 + values))
        assert (LINK in app.get(f"{URL}?{query}").headers) == is_short, values


def test_an_empty_response_for_one_date_has_a_reason(app):
    for query, reason in (
        ("date=2026-11-19", "closed"),
        ("date=2026-11-19&meal=0", "closed"),
        (f"date={NEVER}", "not-loaded"),
        (f"date={NEVER}&meal=0", "not-loaded"),
        ("date=1900-01-01", "not-loaded"),
        (f"date={TODAY}&meal=2", "no-match"),
        ("meal=2", "no-match"),
        (f"recipe={'9' * 40}", "no-match"),
    ):
        response = app.get(f"{URL}?{query}")
        assert (response.json, response.headers[EMPTY]) == ([], reason), query
    assert EMPTY not in app.get(URL).headers


def test_an_invalid_query_is_a_problem_document_with_every_problem(app):
    response = app.get(f"{URL}?meal=lunch&dates=2026-11-20&recipe=%FF", status=400)

    no_integer = "is not an integer: 0 is breakfast, 1 lunch, 2 dinner"
    no_parameter = "is not a parameter of menus: these are date, meal, location, category, recipe"
    assert response.headers["Content-Type"] == "application/problem+json"
    assert (LINK in response.headers, EMPTY in response.headers) == (False, False)
    assert response.json == problem(
        400,
        "Bad Request",
        f"meal=lunch {no_integer}; dates=2026-11-20 {no_parameter}; recipe=\ufffd is not UTF-8.",
        ("meal", "lunch", no_integer, f"{URL}?meal=1&dates=2026-11-20&recipe=%FF"),
        ("dates", "2026-11-20", no_parameter, f"{URL}?meal=lunch&date=2026-11-20&recipe=%FF"),
        ("recipe", "\ufffd", "is not UTF-8", None),
    )


def test_words_for_days_are_corrected_to_dates(app):
    for path, query, corrected in (
        (URL, "date=today&meal=1", f"date={TODAY}&meal=1"),
        ("/dining/menus.csv", "dates=Tomorrow", f"date={AFTER}"),
        ("/dining/hours", "date=yesterday", "date=2026-11-19"),
        ("/dining/dishes", "from=today&to=tomorrow", f"from={TODAY}&to={AFTER}"),
        ("/dining/dishes.csv", "from=today", f"from={TODAY}"),
        (URL, "date=someday", None),
    ):
        url = app.get(f"{path}?{query}", status=400).json["corrected"]
        assert url == (corrected and f"{path}?{corrected}"), query


def test_parameters_of_dishes_are_named_as_such(app):
    for query in ("menus?from=2026-11-20", "menus?without=milk", "menus.ics?from=2026-11-20", "hours?label=vegan"):
        [error] = app.get(f"/dining/{query}", status=400).json["errors"]
        assert error["reason"].endswith(", but of /dining/dishes"), query


def test_the_first_of_too_many_problems_are_listed_and_all_are_counted(app):
    problem = app.get(f"{URL}?" + "&".join(f"meal=x{number}" for number in range(2000)), status=400).json

    listed = [error["value"] for error in problem["errors"]]
    assert listed == [f"x{number}" for number in range(len(listed))]
    assert problem["detail"].endswith(f"; and 1997 more. errors lists the first {len(listed)} only.")
    assert 300 < len(listed) < 2000


def test_an_error_response_is_at_most_64_kb_for_any_query(app):
    for query in (
        "&".join(f"{number}" for number in range(475)),
        "&".join(f"{number}" for number in range(10_000)),
        "&".join(f"meal={number}.0" for number in range(180)),
        "&".join(f"recipe={'+'.join(map(str, range(start, start + 45)))}" for start in range(10, 100, 9)),
        "&".join(f"{'%00' * 1000}{number}={'%00' * 1000}" for number in range(10)),
        "&".join(f"%FF{number}={'%FF' * 1000}" for number in range(15)),
        "meal=" + "x" * 60_000,
    ):
        response = app.get(f"{URL}?{query}", status=400)
        assert response.json["errors"] != [], query[:20]
        assert len(response.body) <= 64 * 1024, query[:20]
