from loaders.text import explain_mojibake, header_position, parse_raw_text, parse_text
from tests.loaders.errors import invalid_value, reason_of


def test_a_value_is_text_with_single_spaces():
    texts = {"Hall  ": "Hall", " Oak \t and\nElm ": "Oak and Elm", "   ": "", None: "", 7: "7", 0: "0", 1.5: "1.5"}
    for value, text in [*texts.items(), (7.0, "7")]:
        assert parse_text("Name", value) == text, value
    assert parse_raw_text("PHOTO", " hall  west.jpg\n") == "hall  west.jpg"


def test_a_value_that_is_no_printable_text_of_up_to_10000_characters_is_an_error():
    for value, reason in [
        *((value, "is neither text nor a number") for value in (True, False, [], ["Annenberg"], {"name": "Annenberg"})),
        *((value, "has a control character") for value in ("Wide\0ner", "\0", "Widener\x07", "\x7f", "Caf\x96")),
        ("x" * 10_001, "is longer than 10000 characters"),
    ]:
        assert invalid_value(parse_text, "Name", value) == ("Name", value, reason), str(value)[:20]
    assert reason_of(parse_text, "Name", "Caf\ud83d") == "has a lone surrogate"
    for number in (float("inf"), float("nan")):
        assert reason_of(parse_text, "Name", number) == "is a number that is too large", number


def test_utf_8_read_as_another_encoding_is_recognized():
    repaired = {"CafÃ©": "Café", "Oâ€™Neill": "O’Neill", "Ã\x89cole": "École"}
    for text, right in repaired.items():
        assert explain_mojibake(text) == f"looks like {right!r} in utf-8", text
    assert [*map(explain_mojibake, ("Café", "Cafe", "Ã", "東京"))] == [""] * 4


def test_a_text_read_in_a_wrong_code_page_is_explained_by_the_one_that_makes_words_of_it():
    texts = {"Столовая № 1": "cp1251", "図書館": "shift_jis", "本部棟": "shift_jis", "مكتبة الجامعة": "cp1256"}
    for text, encoding in texts.items():
        assert explain_mojibake(text.encode(encoding).decode("latin_1")) == f"looks like {text!r} in {encoding}", text
    for text in ("Café Müller", "jäääärne", "Þjóðarbókhlaðan", "Łódź", "École d’été", "ÅÄÖ", "Главный", "Hjälmaröd"):
        assert explain_mojibake(text) == "", text


def test_titles_above_the_header_are_no_header():
    for rows, position in [
        ([["Menus of the week"], ["date", "meal", "dish"], ["2026-11-20", "lunch", "Soup"]], 1),
        ([["Menus", "", "", ""], ["", "week", "48", ""], ["a", "b", "c", ""], ["1", "2", "3", "4"]], 2),
        ([["a", "b"], ["1", ""], ["", "2"]], 0),
        ([["a"], ["1"]], 0),
        ([], 0),
    ]:
        assert header_position(rows) == position, rows
