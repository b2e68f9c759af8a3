"""Ids in paths."""

from conformance import expect
from conformance.target import COLLECTIONS


def an_id_that_nothing_has_is_a_404(campus):
    """A number that is nobody's id is a 404."""
    for path in COLLECTIONS:
        known = {item["id"] for item in expect.items(campus.kept(path))}
        unknown = next(number for number in range(1, len(known) + 2) if number not in known)
        expect.problem(campus.ask(f"{path}/{unknown}"), 404)


def letters_are_no_id(campus):
    """Letters in the place of an id are a 404."""
    _leads_nowhere(campus, "x", "null", "id", "%7Bid%7D")


def a_number_with_more_around_it_is_no_id(campus):
    """An id is nothing but digits: not 1x, 0x1, 1e3, 1_0, or with a space."""
    _leads_nowhere(campus, "{id}x", "x{id}", "0x{id}", "{id}e0", "{id}_", "%20{id}", "{id}%20", "{id}%0A")


def a_negative_number_is_no_id(campus):
    """A number with a minus is a 404."""
    _leads_nowhere(campus, "-{id}", "-0", "-1")


def a_number_with_a_plus_is_no_id(campus):
    """A number with a plus is a 404."""
    _leads_nowhere(campus, "+{id}", "%2B{id}")


def a_number_with_a_point_is_no_id(campus):
    """A number with a decimal point is a 404."""
    _leads_nowhere(campus, "{id}.0", "{id}.", ".{id}")


def digits_of_other_scripts_are_no_id(campus):
    """Digits of other scripts are a 404."""
    for path, item in _known(campus):
        arabic = "".join(f"%D9%A{digit}" for digit in str(item["id"]))
        expect.problem(campus.ask(f"{path}/{arabic}"), 404)


def twenty_digits_are_a_404(campus):
    """A number of 20 digits, beyond 64 bits, is a 404."""
    _leads_nowhere(campus, "12345678901234567890", "9223372036854775808")


def forty_digits_are_a_404(campus):
    """A number of 40 digits is a 404, and so is one of 1,000."""
    _leads_nowhere(campus, "1" * 40, "9" * 1000)


def a_known_id_beyond_64_bits_is_a_404(campus):
    """A number that only its last 32 or 64 bits share with an id is a 404."""
    for path, item in _known(campus):
        for bits in (32, 64):
            expect.problem(campus.ask(f"{path}/{item['id'] + 2**bits}"), 404)


def leading_zeros_do_not_matter(campus):
    """Zeros before an id do not matter: 07 is 7."""
    for path, item in _known(campus):
        answer = expect.status(campus.ask(f"{path}/00{item['id']}"), 200)
        expect.that(answer.json == item, answer, str(item), answer.json)


def an_item_has_nothing_below_it(campus):
    """Below an item there is nothing."""
    for path, item in _known(campus):
        expect.problem(campus.ask(f"{path}/{item['id']}/name"), 404)


def bytes_that_do_not_decode_are_no_id(campus):
    """Bytes that are not UTF-8 in the place of an id are a 404."""
    _leads_nowhere(campus, "%FF", "{id}%C3")


def _leads_nowhere(campus, *segments):
    for path, item in _known(campus):
        for segment in segments:
            expect.problem(campus.ask(f"{path}/{segment.replace('{id}', str(item['id']))}"), 404)


def _known(campus):
    known = [(path, items[0]) for path in COLLECTIONS if (items := expect.items(campus.kept(path)))]
    expect.given(known, "every list is empty")
    return known
