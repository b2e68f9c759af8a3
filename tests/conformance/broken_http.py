"""A fault for each check of CORS."""

from tests.conformance.breaking import change_header, change_status

ALLOW_ORIGIN = "Access-Control-Allow-Origin"
EXPOSE_HEADERS = "Access-Control-Expose-Headers"
BUILDINGS = "/map/buildings"


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


ALL = {**CORS}
