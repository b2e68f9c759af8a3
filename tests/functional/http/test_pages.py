"""Pages for browsers and their static files."""

import html
import re
from base64 import b64encode
from hashlib import sha256
from urllib.parse import parse_qs, urljoin, urlsplit

from webob import Request

from tests.factories import building, hall, serving


def static(app, name):
    """Return the URL of a static file."""
    return re.search(r'"(/static/[0-9a-f]+/)', app.get("/explore").text)[1] + name


def content_security_policy(response):
    """Return the sources of a response's policy by directive."""
    return dict(each.split(" ", 1) for each in response.headers["Content-Security-Policy"].split("; "))


def test_the_content_security_policy_allows_only_photos_from_other_hosts(service):
    own = "'self' data:"
    for path, images in (("/explore", f"{own} https:"), ("/docs", own), ("/", own)):
        response = service.app.get(path, headers={"Accept": "text/html"})
        policy = content_security_policy(response)
        assert response.headers["Content-Type"] == "text/html; charset=utf-8", path
        assert policy.pop("img-src") == images, path
        if path == "/explore":
            scripts = re.findall(r"<script(?: data[^>]+)?>(.*?)</script>", response.text, re.DOTALL)
            digests = [b64encode(sha256(script.encode()).digest()).decode() for script in scripts]
            assert policy.pop("script-src").split() == ["'self'", *(f"'sha256-{digest}'" for digest in digests)], path
            assert len(digests) == 2, path
        assert set(policy.values()) == {"'none'", "'self'"}, path


def test_the_start_page_opens_with_the_menus_of_now_and_the_map_and_the_api_follows(service):
    service.serve_buildings(building())
    service.serve_dining(serving(meal=1), serving(meal=1, location=7), halls={30: hall(lunch="11:00-13:00")})

    page = service.app.get("/", headers={"Accept": "text/html"}).html

    headings = [each.get_text() for each in page.select("main h2")]
    assert headings == ["Lunch today, Friday, November 20", "Map", "For developers"]
    halls = page.select_one("section").select("li")
    texts = [each.get_text(" ", strip=True) for each in halls]
    assert texts == ["Hall 30 11:00 AM–1:00 PM Kashi Pilaf", "Hall 7 Kashi Pilaf"]
    assert halls[0].a["href"] == "/explore?view=menus&location=30"
    assert page.find_all("section")[1].p.find_next("p").text.startswith("1 building, ")


def test_the_card_of_a_link_has_its_meal_date_and_hall_a_description_and_a_picture(start):
    service = start(**{"pages.url": "https://campus.example.edu"})
    service.serve_dining(serving(meal=1), serving(meal=2, location=7, date="2026-11-21"))
    for query, title in {
        "": "Lunch, Friday, November 20, 2026",
        "view=menus&date=2026-11-21&meal=2&location=7": "Dinner, Saturday, November 21, 2026 · Hall 7",
        "view=menus&location=8&q=rice": "Lunch, Friday, November 20, 2026",
        "date=tomorrow": "Menus",
        "id=116": "Buildings",
    }.items():
        page = service.app.get(f"/explore?{query}", status="*").html
        card = {each["property"]: each["content"] for each in page.find_all("meta", property=True)}
        assert card["og:title"] == page.title.get_text() == f"{title} · Campus data API", query
        assert card["og:description"] == page.find("meta", attrs={"name": "description"})["content"], query
        picture = card["og:image"].removeprefix("https://campus.example.edu")
        assert page.find("link", rel="apple-touch-icon")["href"] == picture, query
        assert len(page.find_all("meta", attrs={"name": "theme-color"})) == 2, query
        assert service.app.get(picture).content_type == "image/png", query


def test_the_menus_page_names_all_of_its_modules(service):
    page = service.app.get("/explore").text

    preloaded = re.findall(r'rel="modulepreload" href="(\S+)"', page)
    loaded = re.findall(r'src="(\S+/explore\.js)"', page)
    for url in loaded:
        imports = re.findall(r'from "\./([\w-]+\.js)"', service.app.get(url).text)
        loaded += [each for name in imports if (each := f"{url.rpartition('/')[0]}/{name}") not in loaded]
    assert sorted(preloaded) == sorted(loaded[1:])
    names = {url.rpartition("/")[2] for url in preloaded}
    assert {"menus.js", "links.js", "buildings.js"} & names == {"menus.js"}


def test_the_page_with_the_map_alone_sends_its_origin_to_other_hosts(service):
    policies = {"/explore": "origin", "/docs": "no-referrer", "/": "no-referrer", "/openapi.json": "no-referrer"}

    for path, policy in policies.items():
        assert service.app.get(path, headers={"Accept": "*/*"}).headers["Referrer-Policy"] == policy, path


def test_the_map_alone_has_the_tiles_and_may_request_them(start):
    tiles = {
        "map.tiles_url": "http://tiles.example.edu:8080/a;b/{z}/{x}/{y}.png?a&b",
        "map.attribution": '<a href="/c">C</a>',
    }
    service = start(**tiles)

    page, docs = service.app.get("/explore"), service.app.get("/docs")

    container = page.html.find(id="map")
    assert [container["data-tiles-url"], container["data-attribution"]] == list(tiles.values())
    images = [content_security_policy(each)["img-src"] for each in (page, docs)]
    assert images == ["'self' data: https: http://tiles.example.edu:8080", "'self' data:"]


def test_every_static_file_of_a_page_exists(service):
    for path in ("/explore", "/docs/clients.md"):
        urls = re.findall(r'(?:src|href)="(/static/[^"]+)"', service.app.get(path).text)

        assert urls, path
        assert {service.app.get(url).status_int for url in urls} == {200}, path


def test_every_page_has_the_search_which_is_a_form_without_javascript(service):
    for path, status in (
        *(("/", 200), ("/docs", 200), ("/docs/clients.md", 200), ("/explore", 200)),
        *(("/nowhere", 404), ("/dining/menus?x=1", 400)),
    ):
        prefix = {"SCRIPT_NAME": "/c"}
        page = service.app.get(path, headers={"Accept": "text/html"}, extra_environ=prefix, status=status)
        form = page.html.find("header").find("form", role="search")
        assert form["action"] == "/c/search", path
        assert form.find("input")["name"] == "q", path
        assert page.html.find("script", src=re.compile("/site-search.js$"))["src"].startswith("/c/static/"), path


def test_a_search_has_a_page_for_browsers_with_links_to_the_map_and_to_the_menus(service):
    service.serve_buildings(building(7, name="Rice <b>Hall</b>"))
    service.serve_dining(serving(5, "Rice", meal=2), serving(6, "Old rice", date="2026-01-01"))
    browser = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}

    page, rows = (service.app.get("/search?q=rice", headers=headers) for headers in (browser, {}))

    links = {each.text: parse_qs(urlsplit(each["href"]).query) for each in page.html.select("dt a")}
    assert [*links] == [row["name"] for row in rows.json] == ["Rice", "Rice <b>Hall</b>", "Old rice"]
    assert page.forms[0]["q"].value == "rice"
    assert links["Rice"] == {"view": ["menus"], "date": ["2026-11-20"], "meal": ["2"], "q": ["Rice"]}
    assert links["Rice <b>Hall</b>"] == {"view": ["buildings"], "id": ["7"]}
    assert links["Old rice"] == {"view": ["menus"], "q": ["Old rice"]}
    assert {each.headers["Vary"] for each in (page, rows)} == {"Accept, Accept-Encoding"}
    assert (page.headers["Cache-Control"], page.content_type) == ("no-cache", "text/html")
    for query, href in ("hall+30", "location=30"), ("dinner", "location=30&date=2026-11-20&meal=2"):
        hall = service.app.get(f"/search?q={query}", headers=browser).html.select_one("dt a")
        assert hall["href"] == f"/explore?view=menus&{href}", query
    assert "Nothing matches." in service.app.get("/search?q=zzzz", headers=browser).text
    lead = service.app.get("/search?q=egg+free", headers=browser).html.select_one("main .lead")
    assert ("without eggs." in lead.text, lead.a["href"]) == (True, "/explore?view=menus&without=eggs")
    assert service.app.get("/search?kind=x", headers=browser, status=400).content_type == "text/html"


def test_a_static_file_is_immutable_and_gzipped_if_the_client_accepts_it(service):
    for name, content_type in {"site.css": "text/css", "leaflet/leaflet.js": "text/javascript"}.items():
        request = Request.blank(static(service.app, name), headers={"Accept-Encoding": "gzip"})
        # WebTest would decompress it.
        headers = request.get_response(service.app.app).headers
        assert headers["Content-Type"] == f"{content_type}; charset=utf-8", name
        assert headers["Cache-Control"] == "public, max-age=31536000, immutable", name
        assert (headers["Content-Encoding"], headers["Vary"]) == ("gzip", "Accept-Encoding"), name


def test_an_unknown_static_file_is_a_problem_404(service):
    names = ["", "nothing.js", "explore.jinja2", "leaflet", "leaflet/", "site.css/x"]
    names += ["../../setup.py", "..%2Fassets.py", "%2e%2e"]
    of_another_version = "/static/0123456789abcdef0123/site.css"
    for path in (*(static(service.app, name) for name in names), of_another_version):
        headers = service.app.get(path, status=404).headers
        assert headers["Content-Type"] == "application/problem+json", path
        assert headers["Cache-Control"] == "no-store", path


def test_the_menus_page_knows_the_clock_of_the_campus(start):
    frozen = start(**{"clock.time_zone": "Asia/Tokyo"}).app.get("/explore").text
    running = start(**{"clock.frozen_at": ""}).app.get("/explore").text

    assert 'data-time-zone="Asia/Tokyo" data-frozen-at="2026-11-20T12:00:00-05:00"' in frozen
    assert ('data-time-zone="America/New_York"' in running, "data-frozen-at" in running) == (True, False)


def test_the_menus_page_has_a_service_worker_with_all_of_its_files_unless_it_is_turned_off(start):
    app = start().app
    url = html.unescape(re.search('data-worker="([^"]*)"', app.get("/explore").text)[1])

    response = app.get(url)
    assert (response.content_type, response.headers["Service-Worker-Allowed"]) == ("text/javascript", "/")
    folder, files = url.partition("worker.js")[0], parse_qs(urlsplit(url).query)["files"][0].split()
    assert {"explore.css", "explore.js", "router.js", "site-search.js"} < {*files}
    for name in files:
        app.get(folder + name)
    assert "data-worker" not in start(**{"pages.offline": "false"}).app.get("/explore").text


def test_the_reference_links_the_documents_of_which_no_link_is_dead(service):
    paths = ["/docs"]
    for path in paths:
        html = service.app.get(path, extra_environ={"SCRIPT_NAME": "/c"}).html
        for link in html.find("main").find_all("a", href=re.compile(r"\.md|#")):
            url = urlsplit(urljoin(f"/c{path}", link["href"]))
            linked = url.path.removeprefix("/c")
            assert not url.fragment or service.app.get(linked).html.find(id=url.fragment), (path, url)
            paths += {linked} - set(paths)
        ids = [each["id"] for each in html.find_all(id=True)]
        assert len(ids) == len(set(ids)), path

    assert set(paths) == {"/docs", "/docs/clients.md", "/docs/stability.md"}
