"""The API reference in a real browser, and its code samples."""

import json
import subprocess
import sys
from itertools import product
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.processes.browser import DESKTOP, PHONE, accessibility_violations
from tests.processes.commands import fetch
from tests.programs import require

HOST = "http://localhost:6543"
RUN = {"Command line": ["sh", "-c"], "Python": [sys.executable, "-W", "error", "-c"]}
VOLATILE = ("/", "/__heartbeat__", "/__metrics__")


def code_samples(server, language):
    """Return the code samples in a language for a server, by path."""
    paths = json.loads(fetch(f"{server.url}/openapi.json").body)["paths"]
    samples = {
        path: [each["source"] for each in item["get"]["x-codeSamples"] if each["label"] == language]
        for path, item in paths.items()
    }
    return {path: source.replace(HOST, server.url) for path, (source,) in samples.items()}


def fetch_requested(server, source):
    """Fetch the URL in a code sample; return its path and the body."""
    url = source[source.index(server.url) :].partition("'")[0].partition('"')[0]
    return urlsplit(url).path, fetch(url).body.decode()


@pytest.fixture
def open_operation(samples, visit):
    """Open an operation of the reference; return the page and the operation."""

    def open_operation(name, **options):
        page = visit(f"{samples.url}/docs", **options)
        page.locator(f"#operations-{name} .opblock-summary-control").click()
        return page, page.locator(f"#operations-{name}")

    return open_operation


@pytest.mark.parametrize("language", RUN)
def test_code_samples_print_the_response(samples, language):
    require("curl")
    sources = code_samples(samples, language)

    for source in sources.values():
        # Not as text, which would change the line ends of CSV and calendars.
        printed = subprocess.run([*RUN[language], source], capture_output=True, check=True).stdout.decode()

        path, body = fetch_requested(samples, source)
        assert_same(path, printed, body)
    assert len(sources) >= 16


def assert_same(path, printed, body):
    if path in VOLATILE:
        assert printed.strip()
    elif printed.startswith(("[{'", "{'")):
        assert printed.strip() == str(json.loads(body))
    else:
        assert printed.strip() == body.strip()


def test_javascript_samples_print_the_response_in_browsers_and_in_node(samples, visit):
    page = visit(f"{samples.url}/docs")
    sources = code_samples(samples, "JavaScript")

    for source in sources.values():
        with page.expect_console_message() as message:
            page.evaluate(source)

        path, body = fetch_requested(samples, source)
        printed = message.value.args[0].json_value()
        assert path in VOLATILE or printed == (json.loads(body) if body.startswith(("[", "{")) else body)
    assert (len(sources) >= 16, page.errors) == (True, [])

    command = [require("node"), "--eval", sources["/map/buildings/{id}"]]
    completed = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "name: 'Houghton Library'" in completed.stdout


def test_the_form_of_every_endpoint_requests_what_its_code_sample_requests(samples, visit):
    page = visit(f"{samples.url}/docs")

    requests, sampled = [], []
    for operation in page.locator(".opblock").all():
        operation.locator(".opblock-summary-control").click()
        sampled.append(operation.get_by_label("Code examples").locator("pre").inner_text())
        operation.get_by_role("button", name="Execute").click()
        requests.append(operation.locator(".request-url pre").inner_text())
        operation.locator(".opblock-summary-control").click()

    assert [f"curl '{url}'" for url in requests] == sampled
    shown = page.locator(".opblock-summary-path").all_inner_texts()
    assert [path.replace("\u200b", "") for path in shown] == list(code_samples(samples, "Python"))
    groups = page.locator(".opblock-tag").evaluate_all("(tags) => tags.map((tag) => tag.dataset.tag)")
    assert groups == ["Buildings", "Dining", "Search", "Changes", "Documents", "Service"]


def test_a_code_sample_has_the_host_of_the_page_and_the_selected_language_and_can_be_copied(samples, open_operation):
    page, operation = open_operation("Buildings-getBuilding", permissions=["clipboard-read", "clipboard-write"])
    shown = operation.get_by_label("Code examples")

    shown.get_by_role("button", name="Python").click()
    shown.get_by_role("button", name="Copy").click()

    shown.get_by_role("button", name="Copied").wait_for()
    assert f'urlopen("{samples.url}/map/buildings/116")' in shown.locator("pre").inner_text()
    assert page.evaluate("navigator.clipboard.readText()") == shown.locator("pre").inner_text()
    page.locator("#operations-Dining-listMenus .opblock-summary-control").click()
    following = page.locator("#operations-Dining-listMenus").get_by_label("Code examples").locator("pre")
    assert following.inner_text() in code_samples(samples, "Python").values()


def test_the_reference_is_accessible_and_fits_the_width_of_a_phone(open_operation):
    page, operation = open_operation("Dining-listMenus")
    operation.get_by_role("button", name="Execute").click()
    operation.locator(".live-responses-table").wait_for()
    names = operation.locator(".parameter__name").all_inner_texts()
    assert [name.strip() for name in names] == ["date", "meal", "location", "category", "recipe"]

    for size, scheme in product((DESKTOP, PHONE), ("light", "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert accessibility_violations(page) == [], scheme
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        # The focus of the keyboard is visible.
        control = operation.locator(".opblock-summary-control")
        page.keyboard.press("Tab")
        control.focus()
        assert control.evaluate("(button) => getComputedStyle(button).outlineStyle") == "solid", scheme


def test_a_failed_request_for_the_openapi_document_is_reported(samples, visit):
    page = visit(f"{samples.url}/docs", routes={"**/openapi.json": lambda route: route.fulfill(status=500)})

    expect(page.get_by_role("alert")).to_contain_text("The request failed")
