"""A fault for each check of trailing slashes, CORS and caching."""

from itertools import count

from tests.conformance.breaking import change_header, change_response, change_status, rewrite_url

ALLOW_ORIGIN = "Access-Control-Allow-Origin"
EXPOSE_HEADERS = "Access-Control-Expose-Headers"
BUILDINGS = "/map/buildings"

SLASHES = {
    "lists_accept_a_trailing_slash": change_status(301, "/recipes/$"),
    "items_accept_a_trailing_slash": change_status(404, r"/\d+/$"),
    "queries_accept_a_trailing_slash": rewrite_url(r"/\?.*", "/"),
    "invalid_ids_with_a_trailing_slash_are_404": rewrite_url("/x/$", "/"),
}


def require_origin(send):
    """Send Access-Control-Allow-Origin only if the request has an Origin."""

    def faulty_send(method, target, headers):
        status, response_headers, body = send(method, target, headers)
        if "Origin" not in headers:
            response_headers = {name: value for name, value in response_headers.items() if name != ALLOW_ORIGIN.lower()}
        return status, response_headers, body

    return faulty_send


CORS = {
    "data_allows_any_origin": change_header(ALLOW_ORIGIN, "https://app.example"),
    "allow_origin_is_unconditional": require_origin,
    "head_allows_any_origin": change_header(ALLOW_ORIGIN, None, "^HEAD"),
    "not_modified_allows_any_origin": change_header(ALLOW_ORIGIN, None, of=304),
    "bad_request_allows_any_origin": change_header(ALLOW_ORIGIN, None, of=400),
    "not_found_allows_any_origin": change_header(ALLOW_ORIGIN, None, of=404),
    "method_not_allowed_allows_any_origin": change_header(ALLOW_ORIGIN, None, of=405),
    "preflight_is_a_204": change_status(200, "^OPTIONS"),
    "preflight_allows_get": change_header("Access-Control-Allow-Methods", "POST"),
    "preflight_allows_the_requested_headers": change_header("Access-Control-Allow-Headers", "accept"),
    "preflight_is_cacheable": change_header("Access-Control-Max-Age", None),
    "headers_are_exposed": change_header(EXPOSE_HEADERS, "ETag"),
}


def with_counting_etags(number):
    return change_response(lambda status, headers, body: (status, {**headers, "etag": f'"{next(number)}"'}, body))


def change_if_none_match(change):
    def fault(send):
        def faulty_send(method, target, headers):
            if "If-None-Match" in headers:
                headers = {**headers, "If-None-Match": change(headers["If-None-Match"])}
            return send(method, target, headers)

        return faulty_send

    return fault


def match_any_etag(send):
    def faulty_send(method, target, headers):
        status, response_headers, body = send(method, target, headers)
        if "If-None-Match" in headers and status == 200:
            return 304, response_headers, b""
        return status, response_headers, body

    return faulty_send


def match_before_validation(send):
    """Send a 304 even if the query is invalid."""

    def faulty_send(method, target, headers):
        status, response_headers, body = send(method, target, headers)
        if "If-None-Match" in headers:
            return 304, response_headers, b""
        return status, response_headers, body

    return faulty_send


LONG_LIFETIME = "public, max-age=60, stale-while-revalidate=60, stale-if-error=86400"

CACHING = {
    "data_has_an_etag": change_header("ETag", None),
    "repeated_requests_have_the_same_etag": with_counting_etags(count()),
    "different_bodies_have_different_etags": change_header("ETag", '"always"'),
    "matching_etag_is_not_modified": change_if_none_match(lambda tags: '"never"'),
    "not_modified_has_the_caching_headers": change_header("Cache-Control", None, of=304),
    "if_none_match_accepts_a_list": change_if_none_match(lambda tags: tags.split(",")[0]),
    "if_none_match_compares_weakly": change_if_none_match(lambda tags: tags if tags.startswith("W/") else '"never"'),
    "non_matching_etag_is_a_full_response": match_any_etag,
    "head_supports_if_none_match": change_status(200, "^HEAD"),
    "invalid_queries_are_never_not_modified": match_before_validation,
    "data_is_cacheable": change_header("Cache-Control", "public, max-age=60", of=200),
    "the_default_date_expires_at_midnight": change_header("Cache-Control", LONG_LIFETIME, "/dining/menus"),
    "data_varies_on_accept_encoding": change_header("Vary", None),
    "last_modified_is_in_the_past": change_header("Last-Modified", "Fri, 20 Nov 2099 00:00:00 GMT"),
}


ALL = {**SLASHES, **CORS, **CACHING}
