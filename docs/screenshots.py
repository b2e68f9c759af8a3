"""Take the screenshots of README.md with the sample data: `make screenshots`."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.factories import NOON
from tests.processes import browser
from tests.processes.commands import ROOT, serve_samples, spawning, write_ini

IMAGES = ROOT / "docs/images"
# File names, and queries of /explore; the last one on a phone with the bars of its browser.
_VIEWS = {"explore-buildings": "view=buildings", "explore-menus": "view=menus&meal=2", "explore-phone": ""}
_DESKTOP, _PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 664}


def take_screenshots(visit: Callable[[str], Page], url: str, folder: Path) -> None:
    """Save the views of the service at `url` as PNG."""
    for name, query in _VIEWS.items():
        page = visit(f"{url}/explore?{query}", viewport=_DESKTOP if query else _PHONE)
        # As a visitor finds it, with the controls folded on a phone.
        page.evaluate("localStorage['campus:menus'] = '{}'")
        page.reload()
        expect(page.locator("[aria-busy]")).to_have_count(0)
        page.screenshot(path=folder / f"{name}.png")


def main() -> None:
    """Start the service with the samples and a frozen clock, and replace the images."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, spawning(Path(name)) as spawn:
        service = serve_samples(spawn, write_ini(Path(name)), CAMPUS_CLOCK_FROZEN_AT=NOON)
        with browser.running() as chromium, browser.visiting(chromium) as visit:
            take_screenshots(visit, service.url, IMAGES)


if __name__ == "__main__":
    main()
