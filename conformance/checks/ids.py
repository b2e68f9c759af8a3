"""IDs in paths."""

from conformance import expect
from conformance.target import COLLECTIONS, Row, Target


def unknown_ids_are_404(target: Target) -> None:
    """An unknown ID is a 404."""
    for path in COLLECTIONS:
        known = {item["id"] for item in expect.items(target.cached_get(path))}
        unknown = next(number for number in range(1, len(known) + 2) if number not in known)
        expect.problem(target.request(f"{path}/{unknown}"), 404)


def letters_are_not_ids(target: Target) -> None:
    """Letters in place of an ID are a 404."""
    _expect_404(target, "x", "null", "id", "%7Bid%7D")


def ids_are_only_digits(target: Target) -> None:
    """An ID consists of digits only: 1x, 0x1, 1e3, 1_0 and 1 with a space are a 404."""
    _expect_404(target, "{id}x", "x{id}", "0x{id}", "{id}e0", "{id}_", "%20{id}", "{id}%20", "{id}%0A")


def negative_ids_are_404(target: Target) -> None:
    """A negative ID is a 404."""
    _expect_404(target, "-{id}", "-0", "-1")


def ids_with_a_plus_are_404(target: Target) -> None:
    """An ID with a plus sign is a 404."""
    _expect_404(target, "+{id}", "%2B{id}")


def decimal_ids_are_404(target: Target) -> None:
    """An ID with a decimal point is a 404."""
    _expect_404(target, "{id}.0", "{id}.", ".{id}")


def non_ascii_digit_ids_are_404(target: Target) -> None:
    """An ID in non-ASCII digits is a 404."""
    for path, item in _sample_items(target):
        arabic = "".join(f"%D9%A{digit}" for digit in str(item["id"]))
        expect.problem(target.request(f"{path}/{arabic}"), 404)


def ids_of_20_digits_are_404(target: Target) -> None:
    """An ID of 20 digits, which does not fit into 64 bits, is a 404."""
    _expect_404(target, "12345678901234567890", "9223372036854775808")


def ids_of_40_digits_are_404(target: Target) -> None:
    """An ID of 40 or 1,000 digits is a 404."""
    _expect_404(target, "1" * 40, "9" * 1000)


def ids_do_not_overflow(target: Target) -> None:
    """An ID plus 2^32 or 2^64 is a 404."""
    for path, item in _sample_items(target):
        for bits in (32, 64):
            expect.problem(target.request(f"{path}/{item['id'] + 2**bits}"), 404)


def leading_zeros_are_ignored(target: Target) -> None:
    """Leading zeros of an ID are ignored: 07 is 7."""
    for path, item in _sample_items(target):
        response = expect.status(target.request(f"{path}/00{item['id']}"), 200)
        expect.check(response.json == item, response, str(item), response.json)


def items_have_no_children(target: Target) -> None:
    """A path below an item is a 404."""
    for path, item in _sample_items(target):
        expect.problem(target.request(f"{path}/{item['id']}/name"), 404)


def invalid_utf_8_ids_are_404(target: Target) -> None:
    """An ID that is not valid UTF-8 is a 404."""
    _expect_404(target, "%FF", "{id}%C3")


def _expect_404(target: Target, *segments: str) -> None:
    for path, item in _sample_items(target):
        for segment in segments:
            expect.problem(target.request(f"{path}/{segment.replace('{id}', str(item['id']))}"), 404)


def _sample_items(target: Target) -> list[tuple[str, Row]]:
    samples = [(path, items[0]) for path in COLLECTIONS if (items := expect.items(target.cached_get(path)))]
    expect.require(samples, "every list is empty")
    return samples
