"""Menus of one date lead to the days beside it and, when they are empty, say why."""

from urllib.parse import urljoin

import pytest
from webob import Request

from tests.factories import TODAY, row, serving

BEFORE, AFTER, LATER, NEVER = "2026-11-18", "2026-11-21", "2026-11-30", "2026-11-25"
LINK, EMPTY = "Link", "X-Campus-Empty"


@pytest.fixture
def loaded(service):
    """Menus of four days: the one before today is closed, and the 21st has no neighbour but the 30th."""
    service.serve_dining(serving(1, date=BEFORE), serving(2, date=TODAY), serving(3, meal=1), serving(4, date=AFTER))
    service.serve_dining(serving(5, date=LATER))
    return service


def linked(answer):
    """Return the URLs of the links by what they lead to."""
    links = [link.split(">; rel=") for link in answer.headers.get(LINK, "").split(", ") if link]
    return {rel.strip('"'): urljoin(answer.request.url, url.removeprefix("<")) for url, rel in links}


@pytest.mark.parametrize("query", ["", f"?date={TODAY}", f"?date={TODAY}&date={TODAY}", f"?_=1&date={TODAY}"])
def test_menus_of_one_date_lead_to_the_days_beside_it(loaded, query):
    answer = loaded.app.get(f"/dining/menus{query}")

    assert answer.headers[LINK] == f'<?date=2026-11-19>; rel="prev", <?date={AFTER}>; rel="next"'


def test_whoever_follows_a_link_gets_the_menus_of_that_day(loaded):
    answer = loaded.app.get("/dining/menus")

    assert loaded.app.get(linked(answer)["next"]).json == [row(4, date=AFTER)]


def test_days_that_were_not_loaded_are_passed_by(loaded):
    answers = [loaded.app.get(f"/dining/menus?date={date}") for date in (AFTER, NEVER)]

    assert [linked(answer)["next"][-10:] for answer in answers] == [LATER, LATER]


def test_a_closed_day_is_a_day_too(loaded):
    answer = loaded.app.get("/dining/menus?date=2026-11-19")

    assert (answer.json, linked(answer)["prev"][-10:], linked(answer)["next"][-10:]) == ([], BEFORE, TODAY)


@pytest.mark.parametrize(("date", "rels"), [(BEFORE, ["next"]), (LATER, ["prev"]), ("1900-01-01", ["next"])])
def test_at_either_end_there_is_one_link(loaded, date, rels):
    answer = loaded.app.get(f"/dining/menus?date={date}")

    assert list(linked(answer)) == rels


def test_nothing_loaded_has_no_links(service):
    assert LINK not in service.app.get("/dining/menus").headers


def test_a_link_keeps_the_other_parameters(loaded):
    answer = loaded.app.get(f"/dining/menus?meal=1&date={TODAY}&meal=0&recipe={'9' * 40}&_=5")

    assert linked(answer)["next"].partition("?")[2] == f"date={AFTER}&meal=0&meal=1&recipe={'9' * 40}"


def test_a_link_leads_there_wherever_the_service_is(loaded):
    request = Request.blank("/campus/dining/menus/", environ={"SCRIPT_NAME": "/campus", "PATH_INFO": "/dining/menus/"})

    answer = request.get_response(loaded.app.app)

    link = answer.headers[LINK].partition(">")[0].removeprefix("<")
    assert urljoin("https://example.edu/campus/dining/menus/", link).endswith(f"/campus/dining/menus/{link}")


def test_a_long_query_has_no_links(loaded):
    queries = ["&".join(f"recipe={number}" for number in range(10000, 10000 + many)) for many in (100, 500)]

    answers = [loaded.app.get(f"/dining/menus?{query}") for query in queries]

    assert [LINK in answer.headers for answer in answers] == [True, False]


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
def test_an_empty_answer_of_one_date_says_why(loaded, query, reason):
    answer = loaded.app.get(f"/dining/menus?{query}")

    assert (answer.json, answer.headers[EMPTY]) == ([], reason)


def test_an_empty_answer_of_today_says_why(service):
    assert service.app.get("/dining/menus").headers[EMPTY] == "not-loaded"


def test_menus_with_rows_are_not_empty(loaded):
    assert EMPTY not in loaded.app.get("/dining/menus").headers


@pytest.mark.parametrize("meal", ["", "&meal=2"])
def test_menus_of_several_dates_have_no_such_headers(loaded, meal):
    headers = loaded.app.get(f"/dining/menus?date={TODAY}&date={AFTER}{meal}").headers

    assert (LINK in headers, EMPTY in headers) == (False, False)


def test_improper_menus_have_no_such_headers(loaded):
    headers = loaded.app.get(f"/dining/menus?date={TODAY}&meal=lunch", status=400).headers

    assert (LINK in headers, EMPTY in headers) == (False, False)


@pytest.mark.parametrize("memory", ["64", "0"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_kept_or_made_an_answer_says_the_same(start, memory, method):
    service = start(**{"cache.memory_mb": memory})
    service.serve_dining(serving(1), serving(2, date=AFTER))

    answers = [service.app.request("/dining/menus?meal=2", method=each) for each in (method, "GET", method)]

    assert {(answer.headers[LINK], answer.headers[EMPTY]) for answer in answers} == {
        (f'<?date={AFTER}&meal=2>; rel="next"', "no-match")
    }


def test_compressed_an_answer_has_links_too(service):
    service.serve_dining(*(serving(id_) for id_ in range(20)), serving(1, date=AFTER))

    answers = [service.app.get("/dining/menus", headers={"Accept-Encoding": "gzip"}) for _ in range(2)]

    assert [answer.headers[LINK] for answer in answers] == [f'<?date={AFTER}>; rel="next"'] * 2


def test_a_304_does_not_repeat_what_the_client_has(loaded):
    tag = loaded.app.get("/dining/menus?meal=2").headers["ETag"]

    headers = loaded.app.get("/dining/menus?meal=2", headers={"If-None-Match": tag}, status=304).headers

    assert (LINK in headers, EMPTY in headers) == (False, False)


def test_a_load_changes_the_days_beside_and_why_an_answer_is_empty(loaded):
    before = loaded.app.get(f"/dining/menus?date={NEVER}")

    loaded.serve_dining(serving(6, date="2026-11-24"), serving(7, date="2026-11-26"))

    after = loaded.app.get(f"/dining/menus?date={NEVER}")
    assert [answer.headers[EMPTY] for answer in (before, after)] == ["not-loaded", "closed"]
    assert [linked(answer)["prev"][-10:] for answer in (before, after)] == [AFTER, "2026-11-24"]
    assert before.headers["ETag"] != after.headers["ETag"]


def test_pages_of_other_origins_may_read_both(loaded):
    exposed = loaded.app.get("/dining/menus").headers["Access-Control-Expose-Headers"].split(", ")

    assert {LINK, EMPTY} <= set(exposed)
