"""Headless Chromium, driven by Playwright."""

import os
from contextlib import contextmanager
from itertools import product
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from tests.processes.commands import DEADLINE
from tests.programs import require

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
# Requests of a page that has a service worker cannot be intercepted.
NO_WORKER = {"service_workers": "block"}
_BLOCKED = "Service Worker registration blocked"
_SIZES = {"viewport": DESKTOP}, {"viewport": PHONE, "is_mobile": True, "has_touch": True}
_SCREENS = [{**size, "color_scheme": scheme} for size, scheme in product(_SIZES, ("light", "dark"))]
# Run a test with pages in both sizes and both colour schemes.
on_each_screen = pytest.mark.parametrize(
    "visit", _SCREENS, indirect=True, ids=["desktop-light", "desktop-dark", "phone-light", "phone-dark"]
)


@contextmanager
def running():
    path = require("chromium")
    expect.set_options(timeout=DEADLINE * 1000)
    with sync_playwright() as playwright:
        # As root, as in a container, it does not start with its sandbox.
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = playwright.chromium.launch(executable_path=path, args=options)
        yield chromium
        chromium.close()


@contextmanager
def visiting(chromium, **screen):
    """Yield a function that opens a page, which records its errors and the URLs that it requests.

    `routes` are handlers of its requests by pattern; large text is of twice the default size.
    """
    opened = []

    def visit(url, *, routes=None, has_large_text=False, **options):
        context = chromium.new_context(
            **{"viewport": DESKTOP, "reduced_motion": "reduce", **NO_WORKER, **screen, **options}
        )
        context.set_default_timeout(DEADLINE * 1000)
        # Phones fold the controls of the menus.
        context.add_init_script("try { localStorage['campus:menus'] ??= '{\"unfolded\": true}' } catch {}")
        opened.append(context)
        page = context.new_page()
        page.errors, page.requested_urls = [], []
        page.on("console", lambda message: _is_error(message) and page.errors.append(message.text))
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("request", lambda request: page.requested_urls.append(request.url))
        for pattern, handler in (routes or {}).items():
            page.route(pattern, handler)
        if has_large_text:
            # As visitors do in the settings of their browser.
            page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
        page.goto(url)
        expect(page.locator("[aria-busy]")).to_have_count(0)
        return page

    yield visit
    for context in opened:
        context.close()


def _is_error(message):
    return message.type in ("error", "warning") and _BLOCKED not in message.text


def check_filters(page, *boxes):
    """Check boxes of the filters of the menus, which are opened for it."""
    if page.locator("#filters").is_hidden():
        page.locator("#filter-button").click()
    for box in boxes:
        page.get_by_role("checkbox", name=box, exact=True).check()


def dish_names(page):
    return set(page.locator(".dish-name").all_text_contents())


def map_labels(page, text=""):
    return page.locator(".map-label span").filter(has_text=text)


def map_scale(page):
    """Locate the scale bar of the map, whose text is its length."""
    return page.locator(".leaflet-control-scale-line").first


def hosts(page):
    """Return the hosts to which a page has sent requests."""
    return {urlsplit(url).netloc for url in page.requested_urls}


def accessibility_violations(page):
    """Return all violations that axe reports for a page, also of labels that differ from the visible text."""
    options = {"rules": {"label-content-name-mismatch": {"enabled": True}}}
    violations = Axe().run(page, options=options).response["violations"]
    return [(violation["id"], [node["html"] for node in violation["nodes"]]) for violation in violations]
