"""Which day is today, and the headers Link and X-Campus-Empty of menus."""

from urllib.parse import urljoin

import pytest
from webob import Request

from tests.factories import TODAY, row, serving

BEFORE, AFTER, LATER, NEVER = "2026-11-18", "2026-11-21", "2026-11-30", "2026-11-25"
LINK, EMPTY = "Link", "X-Campus-Empty"


@pytest.fixture
def loaded(service):
    """Menus of four dates; 2026-11-19 is closed, and nothing is loaded between the 21st and the 30th."""
    service.serve_dining(serving(5, date=LATER))
    service.serve_dining(serving(1, date=BEFORE), serving(2, date=TODAY), serving(3, meal=1), serving(4, date=AFTER))
    return service


def links(response):
    """Return the absolute URLs of the Link header by relation."""
    fields = [link.split(">; rel=") for link in response.headers.get(LINK, "").split(", ") if link]
    return {rel.strip('"'): urljoin(response.request.url, url.removeprefix("<")) for url, rel in fields}


def test_today_begins_at_midnight_in_campus_time(start):
    for moment, today in (
        ("2026-11-21T04:59:59+00:00", "2026-11-20"),
        ("2026-11-21T05:00:00+00:00", "2026-11-21"),
        ("2026-07-01T03:59:59+00:00", "2026-06-30"),
        ("2026-07-01T04:00:00+00:00", "2026-07-01"),
    ):
        service = start(**{"clock.frozen_at": moment})
        service.serve_dining(*(serving(date=date) for date in ("2026-11-20", "2026-11-21", "2026-06-30", "2026-07-01")))

        assert service.app.get("/dining/menus").json == [row(date=today)], moment


@pytest.mark.parametrize("query", ["", f"?date={TODAY}", f"?date={TODAY}&date={TODAY}", f"?_=1&date={TODAY}"])
def test_menus_of_one_date_link_to_the_adjacent_dates(loaded, query):
    response = loaded.app.get(f"/dining/menus{query}")

    assert response.headers[LINK] == f'<?date=2026-11-19>; rel="prev", <?date={AFTER}>; rel="next"'


def test_a_link_returns_the_menus_of_its_date(loaded):
    response = loaded.app.get("/dining/menus")

    assert loaded.app.get(links(response)["next"]).json == [row(4, date=AFTER)]


def test_links_skip_dates_that_are_not_loaded(loaded):
    responses = [loaded.app.get(f"/dining/menus?date={date}") for date in (AFTER, NEVER)]

    assert [links(response)["next"][-10:] for response in responses] == [LATER, LATER]


def test_links_include_closed_days(loaded):
    response = loaded.app.get("/dining/menus?date=2026-11-19")

    assert (response.json, links(response)["prev"][-10:], links(response)["next"][-10:]) == ([], BEFORE, TODAY)


@pytest.mark.parametrize(("date", "rels"), [(BEFORE, ["next"]), (LATER, ["prev"]), ("1900-01-01", ["next"])])
def test_the_first_and_the_last_date_have_one_link(loaded, date, rels):
    response = loaded.app.get(f"/dining/menus?date={date}")

    assert list(links(response)) == rels


def test_there_are_no_links_before_the_first_load(service):
    assert LINK not in service.app.get("/dining/menus").headers


def test_a_link_preserves_the_other_parameters(loaded):
    response = loaded.app.get(f"/dining/menus?meal=1&date={TODAY}&meal=0&recipe={'9' * 40}&_=5")

    assert links(response)["next"].partition("?")[2] == f"date={AFTER}&meal=0&meal=1&recipe={'9' * 40}"


def test_a_link_is_relative_to_the_prefix_of_the_service(loaded):
    request = Request.blank("/campus/dining/menus/", environ={"SCRIPT_NAME": "/campus", "PATH_INFO": "/dining/menus/"})

    response = request.get_response(loaded.app.app)

    link = response.headers[LINK].partition(">")[0].removeprefix("<")
    assert urljoin("https://example.edu/campus/dining/menus/", link).endswith(f"/campus/dining/menus/{link}")


def test_a_long_query_has_no_links(loaded):
    queries = ["&".join(f"recipe={number}" for number in range(10000, 10000 + many)) for many in (100, 500)]

    responses = [loaded.app.get(f"/dining/menus?{query}") for query in queries]

    assert [LINK in response.headers for response in responses] == [True, False]


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("date=2026-11-19", "closed"),
        ("date=2026-11-19&meal=0", "closed"),
        (f"date={NEVER}", "not-loaded"),
        (f"date={NEVER}&meal=0", "not-loaded"),
        ("date=1900-01-01", "not-loaded"),
        (f"date={TODAY}&meal=2", "no-match"),
        ("meal=2", "no-match"),
        (f"recipe={'9' * 40}", "no-match"),
    ],
)
def test_an_empty_response_for_one_date_has_a_reason(loaded, query, reason):
    response = loaded.app.get(f"/dining/menus?{query}")

    assert (response.json, response.headers[EMPTY]) == ([], reason)


def test_an_empty_response_for_today_has_a_reason(service):
    assert service.app.get("/dining/menus").headers[EMPTY] == "not-loaded"


def test_a_response_with_rows_has_no_reason(loaded):
    assert EMPTY not in loaded.app.get("/dining/menus").headers


@pytest.mark.parametrize("meal", ["", "&meal=2"])
def test_menus_of_several_dates_have_neither_header(loaded, meal):
    headers = loaded.app.get(f"/dining/menus?date={TODAY}&date={AFTER}{meal}").headers

    assert (LINK in headers, EMPTY in headers) == (False, False)


def test_invalid_queries_have_neither_header(loaded):
    headers = loaded.app.get(f"/dining/menus?date={TODAY}&meal=lunch", status=400).headers

    assert (LINK in headers, EMPTY in headers) == (False, False)


@pytest.mark.parametrize("memory", ["64", "0"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_cached_and_uncached_responses_have_the_same_headers(start, memory, method):
    service = start(**{"cache.memory_mb": memory})
    service.serve_dining(serving(1), serving(2, date=AFTER))

    responses = [service.app.request("/dining/menus?meal=2", method=each) for each in (method, "GET", method)]

    assert {(response.headers[LINK], response.headers[EMPTY]) for response in responses} == {
        (f'<?date={AFTER}&meal=2>; rel="next"', "no-match")
    }


def test_gzipped_responses_have_links(service):
    service.serve_dining(*(serving(id_) for id_ in range(20)), serving(1, date=AFTER))

    responses = [service.app.get("/dining/menus", headers={"Accept-Encoding": "gzip"}) for _ in range(2)]

    assert [response.headers[LINK] for response in responses] == [f'<?date={AFTER}>; rel="next"'] * 2


def test_a_304_has_neither_header(loaded):
    tag = loaded.app.get("/dining/menus?meal=2").headers["ETag"]

    headers = loaded.app.get("/dining/menus?meal=2", headers={"If-None-Match": tag}, status=304).headers

    assert (LINK in headers, EMPTY in headers) == (False, False)


def test_a_load_updates_links_and_reasons(loaded):
    before = loaded.app.get(f"/dining/menus?date={NEVER}")

    loaded.serve_dining(serving(6, date="2026-11-24"), serving(7, date="2026-11-26"))

    after = loaded.app.get(f"/dining/menus?date={NEVER}")
    assert [response.headers[EMPTY] for response in (before, after)] == ["not-loaded", "closed"]
    assert [links(response)["prev"][-10:] for response in (before, after)] == [AFTER, "2026-11-24"]
    assert before.headers["ETag"] != after.headers["ETag"]


def test_both_headers_are_exposed_to_other_origins(loaded):
    exposed = loaded.app.get("/dining/menus").headers["Access-Control-Expose-Headers"].split(", ")

    assert {LINK, EMPTY} <= set(exposed)
