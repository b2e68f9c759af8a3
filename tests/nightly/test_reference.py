"""The API reference in a real browser."""

import json
from itertools import product
from urllib.parse import urlencode

from playwright.sync_api import expect

from tests.functional.formats.openapi_validation import examples_of
from tests.processes.browser import DESKTOP, PHONE, accessibility_violations
from tests.processes.commands import fetch


def test_the_form_of_every_endpoint_requests_its_examples(samples, visit):
    page = visit(f"{samples.url}/docs")

    requests = []
    for operation in page.locator(".opblock").all():
        operation.locator(".opblock-summary-control").click()
        operation.get_by_role("button", name="Execute").click()
        requests.append(operation.locator(".request-url pre").inner_text())
        operation.locator(".opblock-summary-control").click()

    document = json.loads(fetch(f"{samples.url}/openapi.json").body)
    examples = [examples_of(document, path) for path in document["paths"]]
    assert requests == [
        f"{samples.url}{path}{'?' if query else ''}{urlencode(query, doseq=True)}" for path, query in examples
    ]
    shown = page.locator(".opblock-summary-path").all_inner_texts()
    assert [path.replace("\u200b", "") for path in shown] == list(document["paths"])
    groups = page.locator(".opblock-tag").evaluate_all("(tags) => tags.map((tag) => tag.dataset.tag)")
    assert groups == ["Buildings", "Dining", "Search", "Changes", "Documents", "Service"]


def test_the_reference_is_accessible_and_fits_the_width_of_a_phone(samples, visit):
    page = visit(f"{samples.url}/docs")
    operation = page.locator("#operations-Dining-listMenus")
    operation.locator(".opblock-summary-control").click()
    operation.get_by_role("button", name="Execute").click()
    operation.locator(".live-responses-table").wait_for()
    names = operation.locator(".parameter__name").all_inner_texts()
    assert [name.strip() for name in names] == ["date", "meal", "location", "category", "recipe"]

    for size, scheme in product((DESKTOP, PHONE), ("light", "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert accessibility_violations(page) == [], scheme
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"], size
        # The focus of the keyboard is visible.
        control = operation.locator(".opblock-summary-control")
        page.keyboard.press("Tab")
        control.focus()
        assert control.evaluate("(button) => getComputedStyle(button).outlineStyle") == "solid", scheme


def test_a_failed_request_for_the_openapi_document_is_reported(samples, visit):
    page = visit(f"{samples.url}/docs", routes={"**/openapi.json": lambda route: route.fulfill(status=500)})

    expect(page.get_by_role("alert")).to_contain_text("The request failed")
