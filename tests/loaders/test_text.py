import pytest

from loaders.errors import InvalidValue
from loaders.text import normalized_name, parse_raw_text, parse_text, repair_mojibake
from tests.linear import assert_linear, reordered_marks


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("", ""),
        ("   ", ""),
        ("Annenberg Hall  ", "Annenberg Hall"),
        (" Dunster \t and\nMather ", "Dunster and Mather"),
        (7, "7"),
        (7.0, "7"),
        (0, "0"),
        (1.5, "1.5"),
    ],
)
def test_a_value_is_text_with_single_spaces(value, text):
    assert parse_text("Name", value) == text


@pytest.mark.parametrize("value", [True, False, [], ["Annenberg"], {"name": "Annenberg"}])
def test_a_value_that_is_neither_text_nor_a_number_is_rejected(value):
    with pytest.raises(InvalidValue) as error:
        parse_text("Name", value)

    assert (error.value.field, error.value.value, error.value.reason) == ("Name", value, "is neither text nor a number")


@pytest.mark.parametrize("value", ["Wide\0ner", "\0", "Widener\x07", "\x7f", "Caf\x96"])
def test_a_control_character_is_rejected(value):
    with pytest.raises(InvalidValue) as error:
        parse_text("NAME", value)

    assert (error.value.field, error.value.value, error.value.reason) == ("NAME", value, "has a control character")


def test_a_lone_surrogate_is_rejected():
    with pytest.raises(InvalidValue, match="a lone surrogate"):
        parse_text("NAME", "Caf\ud83d")


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_infinity_and_nan_are_rejected(value):
    with pytest.raises(InvalidValue, match="too large"):
        parse_text("NAME", value)


def test_inner_spaces_of_raw_text_are_unchanged():
    assert parse_raw_text("PHOTO", " hall  west.jpg\n") == "hall  west.jpg"


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("CafÃ©", "Café"),
        ("Oâ€™Neill", "O’Neill"),
        ("Ã\x89cole", "École"),
        ("Café", None),
        ("Cafe", None),
        ("Ã", None),
        ("東京", None),
    ],
)
def test_utf_8_read_as_another_encoding_is_recognized(text, repaired):
    assert repair_mojibake(text) == repaired


def test_a_name_is_normalized_in_linear_time():
    assert_linear(lambda size: normalized_name(reordered_marks(size)), 32_000)
