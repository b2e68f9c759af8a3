import re

from campus_api.http.cache_key import CacheKey
from campus_api.http.conditional import accepts_gzip, cache_control, canonical_url, etag

RECIPES = CacheKey("/dining/recipes")


def test_an_etag_depends_on_the_key_and_the_revisions():
    geojson = CacheKey("/map/buildings", media_type="application/geo+json")
    unusual = CacheKey("/map/buildings", (("name", 'é"\udcff'),))
    mounted = RECIPES._replace(prefix="/campus")
    keys = [RECIPES, mounted, CacheKey("/dining/locations"), CacheKey("/map/buildings"), geojson, unusual]

    tags = [etag(key, revisions) for key in keys for revisions in "12"]

    assert len(set(tags)) == len(tags)
    assert etag(RECIPES, "1") == tags[0]
    # A valid header.
    assert [tag for tag in tags if not re.fullmatch(r'W/"[0-9a-f]+"', tag)] == []


def test_gzip_is_accepted_by_its_names_with_a_weight():
    for header in ("gzip", "br, gzip", "GZIP", "gzip;q=0.5", "deflate, gzip;q=1.0", "*", "x-gzip"):
        assert accepts_gzip(header), header
    for header in ("", "br", "identity", "gzip;q=0", "gzip; q=0.000", "gzipped", "br;q=1, gzip;Q=0"):
        assert not accepts_gzip(header), header


def test_a_response_is_fresh_for_max_age_and_then_stale_until_its_end():
    limits = {None: (60, 60, 86400), 100: (60, 40, 40), 60: (60, 0, 0), 5: (5, 0, 0), 0: (0, 0, 0)}
    for ends_in, seconds in limits.items():
        expected = "public, max-age={}, stale-while-revalidate={}, stale-if-error={}".format(*seconds)
        assert cache_control(60, ends_in) == ("Cache-Control", expected), ends_in


def test_a_key_has_a_canonical_url():
    for key, url in (
        (RECIPES, "/dining/recipes"),
        (CacheKey("/dining/menus", (("date", "2026-11-20"), ("meal", "0"))), "/dining/menus?date=2026-11-20&meal=0"),
        (CacheKey("/map/buildings", (("name", "é&\udcff"),)), "/map/buildings?name=%C3%A9%26%FF"),
    ):
        assert canonical_url(key) == url, key
