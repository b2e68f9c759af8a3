"""The page without a network: what it showed last, with the filters, and what it cannot show."""

import shutil
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests.processes.browser import PHONE
from tests.processes.commands import PROCESS_DEADLINE, ROOT, load_samples, reserve_port, start_server, stop, wait_for

TODAY = f"{datetime.now(ZoneInfo('America/New_York')):%Y-%m-%d}"  # After dinner, the page opens on tomorrow.
WORKER = {"service_workers": "allow", "viewport": PHONE}
# The page, its files, the index, three lists, and the dishes and hours of two days.
IS_COMPLETE = """async () => {
    if ((await navigator.serviceWorker.getRegistration("/explore"))?.active?.state !== "activated") return false;
    const names = await caches.keys();
    const urls = (await (await caches.open(names[0])).keys()).map(({ url }) => url);
    return names.length === 1 && urls.filter((url) => url.includes("?date=")).length === 4;
}"""


CACHED = """async () => {
    const [name] = await caches.keys();
    return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
}"""


@pytest.fixture
def start(spawn, ini):
    """Start the service on one port, again and again, with the samples of today."""
    path, port = ini(), reserve_port()
    load_samples(spawn, path)

    def start(**environment):
        server = start_server(spawn, path, f"http_port={port}", **environment)
        assert server.url.endswith(f":{port}")
        return server

    return start


def open_and_stop(start, visit, query=""):
    """Visit the page, wait until it is cached, and stop the service."""
    server = start()
    page = visit(f"{server.url}/explore{query}", **WORKER)
    wait_for(lambda: page.evaluate(IS_COMPLETE))
    dishes = page.locator("#menu .dish-name").all_text_contents()
    stop(server)
    # It would respond for two minutes.
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    return page, dishes


def test_the_menus_of_today_and_tomorrow_alone_are_there_without_a_network_and_recover(start, visit):
    page, dishes = open_and_stop(start, visit, f"?date={TODAY}")
    cached = [path for path in page.evaluate(CACHED) if not path.startswith("/static/")]
    names = ["/", "/dining/categories", "/dining/dishes", "/dining/dishes", "/dining/hours", "/dining/hours"]
    assert sorted(cached) == [*names, "/dining/locations", "/dining/locations.geojson", "/explore"]
    page.reload()

    expect(page.locator("#notice")).to_contain_text("You are offline: this data is from ")
    assert page.locator("#menu .dish-name").all_text_contents() == dishes != []
    page.get_by_role("button", name="Next day").click()
    expect(page.locator("#menu-summary")).to_contain_text("tomorrow")
    expect(page.locator("#menu .dish-name").first).to_be_visible()
    page.get_by_role("button", name="Next day").click()
    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")

    start()
    page.evaluate("dispatchEvent(new Event('online'))")

    expect(page.locator("#menu .dish-name").first).to_be_visible()
    expect(page.locator("#notice")).to_have_text("")


def test_without_a_network_the_page_shows_no_menu_of_another_day_before_the_modules(samples, visit):
    page = visit("about:blank")
    page.route("**/*.js", lambda route: route.abort())
    for is_online, dishes in (("true", True), ("false", False)):
        page.add_init_script(f"Object.defineProperty(navigator, 'onLine', {{configurable: true, value: {is_online}}})")
        page.goto(f"{samples.url}/explore")
        page.get_by_role("link", name="Reload").wait_for()

        assert bool(page.locator(".dish").count()) is dishes, is_online


def test_filters_apply_without_a_network(start, visit):
    page, dishes = open_and_stop(start, visit, f"?date={TODAY}&meal=2&without=milk&label=vegetarian")
    allergens = " ".join(page.locator("#menu .dish-allergens").all_text_contents())
    other = next(each for each in ("soy", "wheat", "eggs") if each in allergens)
    page.reload()

    expect(page.locator("#notice")).to_contain_text("You are offline")
    assert page.locator("#menu .dish-name").all_text_contents() == dishes != []
    page.goto(page.url.replace("without=milk", f"without=milk&without={other}"))
    expect(page.locator("#notice")).to_contain_text("You are offline")
    assert set(page.locator("#menu .dish-name").all_text_contents()) < set(dishes)


def test_a_new_version_replaces_all_files_at_once(start, visit, tmp_path):
    page, _ = open_and_stop(start, visit)
    (old,) = page.evaluate("caches.keys()")
    package = shutil.copytree(ROOT / "campus_api", tmp_path / "new" / "campus_api")
    with (package / "pages/static/text.js").open("a") as module:
        module.write("// A change.\n")

    server = start(PYTHONPATH=str(package.parent))
    page.reload()
    # The worker requests all files of the new version first.
    wait_for(lambda: old not in page.evaluate("caches.keys()"), PROCESS_DEADLINE)
    stop(server)
    page.requested_urls.clear()
    page.reload()

    expect(page.locator("[data-current-view=menus] #menu .dish-name").first).to_be_visible()
    files = [path for path in page.evaluate(CACHED) if path.startswith("/static/")]
    assert len({path.split("/")[2] for path in files}) == 1
    requested = [url for url in page.requested_urls if "/static/" in url]
    assert {url.split("/")[4] for url in requested} == {files[0].split("/")[2]} != {old.split("/")[-2]}


def test_an_operator_can_do_without_it(start, visit):
    page, _ = open_and_stop(start, visit)

    start(CAMPUS_PAGES_OFFLINE="false")
    page.reload()

    wait_for(lambda: page.evaluate("async () => !(await navigator.serviceWorker.getRegistrations()).length"))
    expect(page.locator("#menu .dish-name").first).to_be_visible()
