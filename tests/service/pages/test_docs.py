"""The reference in a real browser, and the examples of code that it shows."""

import json
import shutil
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from tests.programs import require
from tests.service.browser import DESKTOP, PHONE, barriers, hosts
from tests.service.processes import fetch, serve_samples

HOST = "http://localhost:6543"
RUN = {"Command line": ["sh", "-c"], "Python": [sys.executable, "-W", "error", "-c"]}
VOLATILE = ("/", "/__heartbeat__", "/__metrics__")


def examples(server, language):
    """Return the examples of code in a language, for a server, by the path of their endpoints."""
    paths = json.loads(fetch(f"{server.url}/openapi.json").body)["paths"]
    found = {
        path: [each["source"] for each in item["get"]["x-codeSamples"] if each["label"] == language]
        for path, item in paths.items()
    }
    return {path: source.replace(HOST, server.url) for path, (source,) in found.items()}


def asked(server, source):
    """Return the path of the one URL that an example asks, and what the service answers there."""
    url = source[source.index(server.url) :].partition("'")[0].partition('"')[0]
    return urlsplit(url).path, fetch(url).body.decode()


@pytest.mark.parametrize("language", RUN)
def test_an_example_prints_what_the_service_answers(samples, language):
    if language == "Command line":
        require("curl")
    found = examples(samples, language)

    for source in found.values():
        ran = subprocess.run([*RUN[language], source], capture_output=True, text=True, check=True)

        path, answer = asked(samples, source)
        assert_same(path, ran.stdout, answer)
    assert len(found) >= 16


def assert_same(path, printed, answer):
    if path in VOLATILE:
        assert printed.strip()
    elif printed.startswith(("[{'", "{'")):
        assert printed.strip() == str(json.loads(answer))
    else:
        assert printed.strip() == answer.strip()


@pytest.mark.slow
def test_an_example_in_javascript_prints_what_the_service_answers(samples, visit):
    page = visit(f"{samples.url}/docs")
    found = examples(samples, "JavaScript")

    for source in found.values():
        with page.expect_console_message() as said:
            page.evaluate(source)

        path, answer = asked(samples, source)
        printed = said.value.args[0].json_value()
        assert path in VOLATILE or printed == (json.loads(answer) if answer.startswith(("[", "{")) else answer)
    assert len(found) >= 16
    assert page.problems == []


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_an_example_in_javascript_runs_in_node_too(samples):
    source = examples(samples, "JavaScript")["/map/buildings/{id}"]

    ran = subprocess.run(["node", "--eval", source], capture_output=True, text=True, check=True)

    assert "name: 'Houghton Library'" in ran.stdout


def opened(visit, url, operation, **options):
    page = visit(f"{url}/docs", **options)
    page.locator(f"#operations-{operation} .opblock-summary-control").click()
    return page, page.locator(f"#operations-{operation}")


@pytest.mark.slow
def test_the_reference_loads_without_problems_and_asks_no_other_host(samples, visit):
    page, operation = opened(visit, samples.url, "map-listBuildings")

    operation.get_by_role("button", name="Execute").click()
    operation.locator(".live-responses-table").wait_for()
    assert page.problems == []
    assert hosts(page) == {samples.url.removeprefix("http://")}


@pytest.mark.slow
def test_trying_out_shows_what_the_service_answers(samples, visit):
    _, operation = opened(visit, samples.url, "dining-listMenus")

    operation.get_by_role("button", name="Execute").click()

    answer = operation.locator(".live-responses-table .microlight").first
    answer.get_by_text("Cinnamon Rice Pudding").wait_for()
    assert operation.locator(".request-url pre").inner_text().partition("?")[2] == "date=2026-11-20&meal=2&location=30"


@pytest.mark.slow
def test_trying_out_works_where_the_service_does_not_stand_at_the_root(spawn, ini, visit):
    server = serve_samples(spawn, ini(**{"port = 6543": "port = 6543\nurl_prefix = /campus"}))
    page, operation = opened(visit, f"{server.url}/campus", "map-getBuilding")

    operation.get_by_role("button", name="Execute").click()

    operation.locator(".live-responses-table .microlight").first.get_by_text("Houghton Library").wait_for()
    assert f"{server.url}/campus/map/buildings/116" in operation.get_by_label("Code examples").inner_text()
    assert page.problems == []


@pytest.mark.slow
def test_an_example_on_the_page_is_for_its_host(samples, visit):
    _, operation = opened(visit, samples.url, "map-getBuilding")

    shown = operation.get_by_label("Code examples")
    shown.get_by_role("button", name="Python").click()

    assert f'urlopen("{samples.url}/map/buildings/116")' in shown.locator("pre").inner_text()


@pytest.mark.slow
def test_an_example_can_be_copied(samples, visit):
    page, operation = opened(visit, samples.url, "map-getBuilding", permissions=["clipboard-read", "clipboard-write"])
    shown = operation.get_by_label("Code examples")

    shown.get_by_role("button", name="Copy").click()

    shown.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == shown.locator("pre").inner_text()


@pytest.mark.slow
def test_the_chosen_language_stays_for_the_next_endpoint(samples, visit):
    page, operation = opened(visit, samples.url, "map-getBuilding")
    operation.get_by_label("Code examples").get_by_role("button", name="JavaScript").click()

    page.locator("#operations-dining-listMenus .opblock-summary-control").click()

    code = page.locator("#operations-dining-listMenus").get_by_label("Code examples").locator("pre")
    assert code.inner_text().startswith("fetch(")


@pytest.mark.slow
def test_axe_finds_nothing_serious_in_the_reference(samples, visit):
    page, operation = opened(visit, samples.url, "dining-listMenus")
    operation.get_by_role("button", name="Execute").click()
    operation.locator(".live-responses-table").wait_for()

    found = []
    for size, scheme in ((DESKTOP, "light"), (PHONE, "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        found += barriers(page)

    assert found == []


@pytest.mark.slow
def test_the_reference_fits_into_the_width_of_a_phone(samples, visit):
    page, _ = opened(visit, samples.url, "dining-listMenus", viewport={**PHONE, "width": 320})

    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.slow
def test_every_endpoint_is_in_the_reference(samples, visit):
    page = visit(f"{samples.url}/docs")

    shown = page.locator(".opblock-summary-path").all_inner_texts()

    assert [path.replace("\u200b", "") for path in shown] == list(examples(samples, "Python"))


@pytest.mark.slow
def test_an_operation_can_be_linked_to(samples, visit):
    page = visit(f"{samples.url}/docs#/dining/listMenus")

    page.locator("#operations-dining-listMenus .opblock-body").wait_for()
    assert page.locator(".opblock-body").count() == 1


@pytest.mark.slow
def test_a_description_that_does_not_come_is_said(samples, visit):
    page = visit(samples.url)
    page.route("**/openapi.json", lambda route: route.fulfill(status=500))

    page.goto(f"{samples.url}/docs")

    page.get_by_role("alert").get_by_text("The API description could not be loaded (500").wait_for()
