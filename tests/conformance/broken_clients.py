"""A fault for each check of what clients rely on."""

from random import shuffle

from tests.conformance.breaking import change_header, change_json


def shuffled(items):
    shuffle(items)
    return items


ALL = {
    "data_allows_any_origin": change_header("Access-Control-Allow-Origin", None),
    "repeated_requests_have_the_same_body": change_json(shuffled, "/recipes$"),
}
