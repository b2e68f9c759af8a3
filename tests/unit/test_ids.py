import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_api.domain import ids

SMALLEST, LARGEST = -(2**63), 2**63 - 1

# Most of these are valid for Python's int().
NOT_DIGITS = [
    "",
    "-",
    "+5",
    " 5",
    "5 ",
    "5\n",
    "5.0",
    "5e3",
    "0x10",
    "1_000",
    "five",
    "٥",
    "５",
    "²",
    "--5",
    "5-",
    "- 5",
]


@given(st.integers(SMALLEST, LARGEST))
def test_every_integer_of_64_bits_can_be_queried(number):
    assert ids.from_query(str(number)) == number


@given(st.integers(max_value=SMALLEST - 1) | st.integers(min_value=LARGEST + 1))
def test_an_integer_beyond_64_bits_in_a_query_is_none(number):
    assert ids.from_query(str(number)) is None


@pytest.mark.parametrize("number", [SMALLEST, LARGEST])
def test_the_extremes_of_64_bits_can_be_queried(number):
    assert ids.from_query(str(number)) == number


@pytest.mark.parametrize("number", [SMALLEST - 1, LARGEST + 1, 10**40, -(10**40)])
def test_integers_just_over_64_bits_are_none(number):
    assert ids.from_query(str(number)) is None


def test_more_digits_than_python_converts_are_none():
    assert ids.from_query("9" * 5000) is None


@pytest.mark.parametrize(
    ("text", "number"), [("007", 7), ("0", 0), ("-0", 0), ("-007", -7), ("0" * 5000 + "7", 7), ("000", 0)]
)
def test_leading_zeros_in_a_query_are_ignored(text, number):
    assert ids.from_query(text) == number


@pytest.mark.parametrize("text", NOT_DIGITS)
def test_a_query_takes_only_decimal_digits(text):
    with pytest.raises(ValueError, match="^is not an integer$"):
        ids.from_query(text)


@given(st.integers(0, LARGEST))
def test_every_id_of_64_bits_is_valid_in_a_path(number):
    assert ids.from_path(str(number)) == number


@pytest.mark.parametrize("text", [*NOT_DIGITS, "-5", "-0"])
def test_a_path_takes_only_decimal_digits(text):
    assert ids.from_path(text) is None


@pytest.mark.parametrize("text", [str(LARGEST + 1), "9" * 40, "9" * 5000])
def test_an_integer_beyond_64_bits_in_a_path_is_none(text):
    assert ids.from_path(text) is None


@given(st.text())
def test_any_text_in_a_path_is_an_id_or_none(text):
    number = ids.from_path(text)

    assert number is None or 0 <= number <= LARGEST


@pytest.mark.parametrize("value", [31001, 31001.0, "31001", "031001", " 31001 ", "31001\n"])
def test_exported_ids_have_several_notations(value):
    assert ids.from_export(value) == 31001


@pytest.mark.parametrize("value", [0, LARGEST])
def test_the_extremes_of_exported_ids_are_accepted(value):
    assert ids.from_export(value) == value


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        False,
        "",
        " ",
        "-1",
        -1,
        -1.0,
        1.5,
        "1.0",
        "1 2",
        "x",
        [1],
        {},
        float("nan"),
        float("inf"),
        b"1",
        "٥",
    ],
)
def test_other_exported_values_are_rejected(value):
    with pytest.raises(ValueError, match="^is not an integer of zero or more$"):
        ids.from_export(value)


def test_an_exported_id_may_be_a_float_that_is_not_rounded():
    assert ids.from_export(float(2**53 - 1)) == 2**53 - 1


@pytest.mark.parametrize("value", [float(2**53), 9007199254740993.0, 1e300])
def test_floats_that_may_be_rounded_are_no_exported_ids(value):
    with pytest.raises(ValueError, match=r"^is a decimal number of 2\^53 or more, which may be rounded$"):
        ids.from_export(value)


@pytest.mark.parametrize("value", [LARGEST + 1, str(LARGEST + 1)])
def test_exported_ids_over_64_bits_are_rejected(value):
    with pytest.raises(ValueError, match="^is an integer of over 64 bits$"):
        ids.from_export(value)
