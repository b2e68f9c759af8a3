import gzip

from campus_api.http.response import OK, CachedResponse, CompressedBody, respond

TAG = 'W/"1"'
COMMON = {"Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "X-Content-Type-Options"}
SHORT = b"x" * 499
LONG = b"[" + b"1," * 5000 + b"1]"


def response(body=b"[]", etag=TAG, status=OK):
    headers = [("Content-Type", "application/json"), ("Cache-Control", "no-cache"), ("Link", "<?x>")]
    return CachedResponse(status, [*headers, *([("ETag", etag)] if etag else [])], CompressedBody(body), etag)


def send(response, method="GET", **environ):
    status, headers, body = respond({"REQUEST_METHOD": method, **environ}, response)
    names = [name for name, _ in headers]
    assert len(names) == len(set(names))
    return status, dict(headers), b"".join(body)


def test_a_response_is_sent_with_its_length_and_the_common_headers_to_head_without_its_body():
    for method, expected in (("GET", b"[1]"), ("HEAD", b"")):
        status, headers, body = send(response(b"[1]"), method)
        assert (status, body, headers["Content-Length"]) == ("200 OK", expected, "3"), method
        assert headers.keys() == COMMON | {"Content-Type", "Cache-Control", "Link", "ETag", "Content-Length"}, method


def test_a_matching_if_none_match_returns_a_304_with_the_headers_but_those_of_its_content():
    for header in (TAG, '"1"', "*", '"0", W/"1"', 'W/"1" , "2"', 'W/"0","1"'):
        status, headers, body = send(response(LONG), HTTP_IF_NONE_MATCH=header, HTTP_ACCEPT_ENCODING="gzip")
        assert (status, body) == ("304 Not Modified", b""), header
        assert headers.keys() == COMMON | {"Cache-Control", "Link", "ETag"}, header


def test_a_response_without_a_matching_etag_is_sent_in_full():
    for header in ("", 'W/"2"', '"12"', "1", 'W/"1', '*, "2"'):
        assert send(response(), HTTP_IF_NONE_MATCH=header)[0] == "200 OK", header
    assert send(response(etag=None, status="404 Not Found"), HTTP_IF_NONE_MATCH="*")[0] == "404 Not Found"


def test_if_modified_since_counts_where_last_modified_is_sent_unless_there_is_an_etag():
    day, second_before, tomorrow = (f"Fri, 20 Nov 2026 {time} GMT" for time in ("12:00:00", "11:59:59", "13:00:00"))
    never = [f"Fri, 20 Nov {end}" for end in ("99999 1:00 GMT", f"{10**11} 1:00 GMT", f"2026 1:00 +{10**17}")]
    dated = response().with_headers(("Last-Modified", day))
    for since, environ, status in (
        *((each, {}, "304 Not Modified") for each in (day, tomorrow)),
        *((each, {}, "200 OK") for each in (second_before, "", "yesterday", *never)),
        (day, {"HTTP_IF_NONE_MATCH": '"2"'}, "200 OK"),
        (second_before, {"HTTP_IF_NONE_MATCH": TAG}, "304 Not Modified"),
    ):
        assert send(dated, HTTP_IF_MODIFIED_SINCE=since, **environ)[0] == status, (since, environ)
    for undated in (response(), dated._replace(status="404 Not Found", etag=None)):
        assert send(undated, HTTP_IF_MODIFIED_SINCE=day)[0] == undated.status, undated


def test_a_long_response_is_gzipped_if_the_client_accepts_it():
    _, headers, body = send(response(LONG), HTTP_ACCEPT_ENCODING="br, gzip")

    assert (headers["Content-Encoding"], headers["Content-Length"]) == ("gzip", str(len(body)))
    assert gzip.decompress(body) == LONG
    assert CompressedBody(SHORT + b"x").gzipped


def test_other_responses_are_not_gzipped():
    error = response(LONG, etag=None, status="400 Bad Request")

    for sent, accepted in ((response(LONG), ""), (response(LONG), "br"), (response(SHORT), "gzip"), (error, "gzip")):
        _, headers, body = send(sent, HTTP_ACCEPT_ENCODING=accepted)
        assert ("Content-Encoding" in headers, body) == (False, sent.body.plain), (sent.status, accepted)


def test_a_body_is_gzipped_once_for_all_responses_that_share_it():
    first = response(LONG)
    second = first.with_headers(("Age", "1"))

    assert first.body.gzipped is second.body.gzipped


def test_headers_are_added_or_replaced_also_in_a_304():
    stale = response().with_headers(("Age", "7"), ("Cache-Control", "public"))

    _, headers, _ = send(stale, HTTP_IF_NONE_MATCH=TAG)

    assert dict(stale.headers) == {**dict(response().headers), "Age": "7", "Cache-Control": "public"}
    assert (len(stale.headers), headers["Age"], headers["Cache-Control"]) == (5, "7", "public")
