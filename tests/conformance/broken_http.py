"""For each check of slashes, browsers, caches, compression and request ids a server that does not pass it."""

import gzip
from itertools import count

from tests.conformance.breaking import asking, body, giving, header, status

OPEN, EXPOSED, ID = "Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "X-Request-Id"
BUILDINGS = "/map/buildings"

SLASHES = {
    "a_list_with_a_slash_is_the_same": status(301, "/recipes/$"),
    "an_item_with_a_slash_is_the_same": status(404, r"/\d+/$"),
    "a_query_after_a_slash_counts": asking(r"/\?.*", "/"),
    "an_error_with_a_slash_is_an_error": asking("/x/$", "/"),
}


def to_origins_only(send):
    """Open to pages of other origins only answers to requests that tell their origin."""

    def sent(method, target, headers):
        status, given, body = send(method, target, headers)
        if "Origin" not in headers:
            given = {name: value for name, value in given.items() if name != OPEN.lower()}
        return status, given, body

    return sent


BROWSERS = {
    "data_is_open_to_every_origin": header(OPEN, "https://app.example"),
    "an_answer_is_open_though_no_origin_is_told": to_origins_only,
    "head_is_open_to_every_origin": header(OPEN, None, "^HEAD"),
    "not_modified_is_open_to_every_origin": header(OPEN, None, of=304),
    "a_refusal_is_open_to_every_origin": header(OPEN, None, of=400),
    "a_404_is_open_to_every_origin": header(OPEN, None, of=404),
    "a_405_is_open_to_every_origin": header(OPEN, None, of=405),
    "a_preflight_is_a_204": status(200, "^OPTIONS"),
    "a_preflight_allows_get": header("Access-Control-Allow-Methods", "POST"),
    "a_preflight_allows_the_headers_asked_for": header("Access-Control-Allow-Headers", "accept"),
    "a_preflight_may_be_kept": header("Access-Control-Max-Age", None),
    "scripts_may_read_the_headers": header(EXPOSED, "ETag"),
}


def tagged_anew(number):
    return giving(lambda status, headers, body: (status, {**headers, "etag": f'"{next(number)}"'}, body))


def with_tags(change):
    """Read If-None-Match in another way."""

    def broken(send):
        def sent(method, target, headers):
            tags = headers.get("If-None-Match")
            return send(method, target, headers if tags is None else {**headers, "If-None-Match": change(tags)})

        return sent

    return broken


def careless(send):
    """Take any tag for the right one."""

    def sent(method, target, headers):
        status, given, body = send(method, target, headers)
        return (304, given, b"") if "If-None-Match" in headers and status == 200 else (status, given, body)

    return sent


def careless_with_queries(send):
    """Look at the tag before the query."""

    def sent(method, target, headers):
        status, given, body = send(method, target, headers)
        return (304, given, b"") if "If-None-Match" in headers else (status, given, body)

    return sent


LONG = "public, max-age=60, stale-while-revalidate=60, stale-if-error=86400"

CACHING = {
    "data_has_an_etag": header("ETag", None),
    "the_same_question_has_the_same_bytes": tagged_anew(count()),
    "other_bytes_have_another_etag": header("ETag", '"always"'),
    "who_has_the_answer_gets_a_304": with_tags(lambda tags: '"never"'),
    "a_304_has_the_headers_of_the_answer": header("Cache-Control", None, of=304),
    "one_of_several_tags_is_enough": with_tags(lambda tags: tags.split(",")[0]),
    "a_weak_tag_is_as_good_as_a_strong_one": with_tags(lambda tags: tags if tags.startswith("W/") else '"never"'),
    "another_tag_is_no_304": careless,
    "head_may_be_a_304": status(200, "^HEAD"),
    "a_wrong_query_is_no_304": careless_with_queries,
    "data_may_be_kept": header("Cache-Control", "public, max-age=60", of=200),
    "menus_of_today_are_kept_until_midnight": header("Cache-Control", LONG, "/dining/menus"),
    "data_varies_by_encoding": header("Vary", None),
    "last_modified_is_a_time_of_the_past": header("Last-Modified", "Fri, 20 Nov 2099 00:00:00 GMT"),
}


def always_compressed(status, headers, body):
    return (
        (status, {**headers, "content-encoding": "gzip"}, gzip.compress(body))
        if status == 200
        else (
            status,
            headers,
            body,
        )
    )


def padded(status, headers, body):
    """Compress badly."""
    if headers.get("content-encoding") == "gzip":
        body = gzip.compress(gzip.decompress(body), compresslevel=0)
    return status, headers, body


def by_the_word(send):
    """Compress only for who writes gzip and nothing else."""

    def sent(method, target, headers):
        accepted = headers.get("Accept-Encoding")
        return send(method, target, headers if accepted in (None, "gzip") else {**headers, "Accept-Encoding": ""})

    return sent


def never_when_compressed(send):
    """Give a 304 to who accepts nothing compressed only."""

    def sent(method, target, headers):
        kept = {name: value for name, value in headers.items() if name != "If-None-Match"}
        return send(method, target, kept if "Accept-Encoding" in headers else headers)

    return sent


def cut(status, headers, body):
    return (status, headers, body[:-4]) if headers.get("content-encoding") == "gzip" else (status, headers, body)


COMPRESSION = {
    "gzip_has_the_same_bytes": giving(cut),
    "gzip_comes_when_it_is_accepted": by_the_word,
    "gzip_is_shorter": giving(padded),
    "gzip_comes_to_nobody_who_refuses_it": giving(always_compressed),
    "gzip_may_be_a_304": never_when_compressed,
    "a_body_is_as_long_as_it_says": header("Content-Length", "7", f"^GET {BUILDINGS}$"),
    "data_is_json_in_utf_8": body("[\u00e9]".encode("latin-1"), f"^GET {BUILDINGS}/"),
}

REQUEST_IDS = {
    "an_answer_has_a_request_id": header(ID, None, of=404),
    "request_ids_differ": header(ID, "always"),
    "the_id_of_a_client_comes_back": header(ID, "new", of=400),
    "an_odd_id_of_a_client_is_replaced": header(ID, "two words"),
    "a_304_has_a_request_id": header(ID, None, of=304),
}

ALL = {**SLASHES, **BROWSERS, **CACHING, **COMPRESSION, **REQUEST_IDS}
