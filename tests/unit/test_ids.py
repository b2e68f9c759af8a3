from hypothesis import example, given
from hypothesis import strategies as st

from campus_api.domain import ids
from tests.rejection import rejection

SMALLEST, LARGEST = -(2**63), 2**63 - 1

# Most of these are valid for Python's int().
NOT_DIGITS = [
    *("", "-", "+5", " 5", "5 ", "5\n", "5.0", "5e3", "0x10", "1_000"),
    *("five", "٥", "５", "²", "--5", "5-", "- 5"),
]


@given(st.integers(SMALLEST, LARGEST))
@example(SMALLEST)
@example(LARGEST)
def test_every_integer_of_64_bits_can_be_queried_with_leading_zeros(number):
    for zeros in ("", "0", "0" * 5000):
        assert ids.from_query(f"{'-' * (number < 0)}{zeros}{abs(number)}") == number, len(zeros)


def test_an_integer_beyond_64_bits_in_a_query_is_none():
    # Python converts no more than 4,300 digits.
    for text in (str(SMALLEST - 1), str(LARGEST + 1), str(10**40), f"-{10**40}", "9" * 5000):
        assert ids.from_query(text) is None, text


def test_a_query_takes_only_decimal_digits():
    for text in NOT_DIGITS:
        assert rejection(ids.from_query, text) == "is not an integer", text


@given(st.integers(0, LARGEST))
def test_every_id_of_64_bits_is_valid_in_a_path(number):
    assert ids.from_path(str(number)) == number


def test_a_path_takes_only_decimal_digits_of_64_bits():
    for text in (*NOT_DIGITS, "-5", "-0", str(LARGEST + 1), "9" * 40, "9" * 5000):
        assert ids.from_path(text) is None, text


def test_exported_ids_have_several_notations():
    for value in (31001, 31001.0, "31001", "031001", " 31001 ", "31001\n", "31001.0", "31001.00 "):
        assert ids.from_export(value) == 31001, value
    # The last one is not rounded.
    for value in (0, LARGEST, float(2**53 - 1)):
        assert ids.from_export(value) == int(value), value


def test_other_exported_values_are_rejected():
    others = [None, True, False, "", " ", "-1", -1, -1.0, 1.5, "1.5", "1. 0", "1 2", "x", [1], {}, b"1", "٥"]
    for reason, values in {
        "is not an integer of zero or more": [*others, float("nan"), float("inf")],
        "is a decimal number of 2^53 or more, which may be rounded": [float(2**53), 1e300, f"{2**53}.0"],
        "is an integer of over 64 bits": [LARGEST + 1, str(LARGEST + 1)],
    }.items():
        for value in values:
            assert rejection(ids.from_export, value) == reason, value
