"""How fast and how steadily the first dish appears on a slow phone, with and without a cache."""

from playwright.sync_api import expect

from tests.processes.browser import DESKTOP, NO_WORKER, PHONE

# "Slow 4G" of Chromium's developer tools, and a processor four times as slow.
SLOW_4G = {"offline": False, "latency": 562, "downloadThroughput": 180_000, "uploadThroughput": 84_375}
OBSERVE = """
    window.shift = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
            window.shift += entry.hadRecentInput ? 0 : entry.value;
        }
    }).observe({ type: "layout-shift", buffered: true });
    const look = () => {
        if ([...document.querySelectorAll(".dish")].some((each) => each.checkVisibility())) {
            window.firstDish = performance.now();
        } else {
            requestAnimationFrame(look);
        }
    };
    look();
"""


def visit_slowly(context, url):
    """Return seconds and kilobytes before the first dish, the layout shift of the visit, and the number of requests."""
    page = context.new_page()
    page.add_init_script(OBSERVE)
    client = context.new_cdp_session(page)
    client.send("Network.enable")
    client.send("Network.emulateNetworkConditions", SLOW_4G)
    client.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    requests, sizes = {}, []
    client.on("Network.requestWillBeSent", lambda event: requests.setdefault(event["requestId"], event["timestamp"]))
    client.on("Network.dataReceived", lambda event: sizes.append((event["timestamp"], event["encodedDataLength"])))
    page.goto(url, wait_until="commit")
    expect(page.locator(".hall[aria-labelledby]").first).to_be_visible()
    expect(page.locator("[aria-busy]")).to_have_count(0)
    page.wait_for_load_state("networkidle")
    first, shift = page.evaluate("[window.firstDish / 1000, window.shift]")
    kilobytes = sum(size for timestamp, size in sizes if timestamp <= min(requests.values()) + first) / 1000
    page.close()
    return first, kilobytes, shift, len(requests)


def test_the_first_dish_appears_at_once_and_stays_where_it_is(samples, chromium):
    phone = {"viewport": {**PHONE, "height": 664}, "is_mobile": True, "has_touch": True}
    print("\nscreen   visit   first dish  kilobytes  layout shift  requests")
    for name, screen in (("phone", phone), ("desktop", {"viewport": DESKTOP})):
        context = chromium.new_context(**screen, **NO_WORKER)
        for visit in ("first", "second", "filter"):
            if visit == "filter":
                context.add_init_script("localStorage['campus:menus'] = '{\"without\": [\"milk\"]}'")
            first, kilobytes, shift, requests = visit_slowly(context, f"{samples.url}/explore")
            print(f"{name:7}  {visit:6}  {first:8.2f} s  {kilobytes:9.0f}  {shift:12.3f}  {requests:8}")
            assert shift < 0.05, (name, visit)
            assert kilobytes < 120, (name, visit)
            assert requests <= 25, (name, visit)
        context.close()
