"""What dining profiles say about allergens."""

import pytest

from loaders import profiles
from loaders.profiles.files import ProfileError

US = ("crustaceans", "eggs", "fish", "milk", "peanuts", "sesame", "soy", "tree nuts", "wheat")


@pytest.fixture
def rules(save):
    """Return the rules of a profile of a format."""

    def rules(text, name="foodpro"):
        return profiles.load_dining_profile(str(save(f'format = "{name}"\n{text}', "menus.toml"))).allergens

    return rules


def test_a_name_stands_for_a_word_a_list_of_words_or_nothing(rules):
    names = rules(
        '[allergens]\n"Egg-White" = "eggs"\nPORK = "Pork"\n1 = ""\n2 = []\nD = "Dairy"\nN = "nuts"\n'
        'X = ["milk", "corn syrup"]'
    ).names

    assert names == {
        "egg-white": ("eggs",),
        "pork": ("pork",),
        "1": (),
        "2": (),
        "d": ("milk",),
        "n": ("peanuts", "tree nuts"),
        "x": ("corn syrup", "milk"),
    }


def test_names_are_added_to_those_of_the_format_and_of_notes(rules):
    names = rules(
        '[allergens]\nSchwein = "pork"\nA = "wheat"\n[notes]\nvegan = {label = "VGN"}\nAal = {allergen = "fish"}',
        "openmensa",
    ).names

    assert [names.get(each) for each in ("schwein", "a", "vegan", "aal", "farbstoff")] == [
        ("pork",),
        ("wheat",),
        (),
        ("fish",),
        (),
    ]


def test_tracked_words_are_those_of_the_profile_or_of_the_format_with_its_own(rules):
    for text, name, tracked in (
        ("", "foodpro", US),
        ('[allergens]\nPork = "pork"', "foodpro", tuple(sorted([*US, "pork"]))),
        (
            'tracked_allergens = ["Dairy", "pork"]\n[allergens]\nPork = "pork"\nWine = "alcohol"',
            "foodpro",
            ("milk", "pork"),
        ),
        ("tracked_allergens = []", "foodpro", ()),
        ("", "menu-table", None),
        ('[allergens]\nPork = "pork"', "menu-table", None),
    ):
        assert rules(text, name).tracked == tracked, text
    assert len(rules("", "openmensa").tracked) == 14


def test_empty_fields_and_codes_of_notes(rules):
    assert [rules(text).empty_is_none for text in ("", 'empty_allergens = "none"', 'empty_allergens = "unknown"')] == [
        False,
        True,
        False,
    ]
    assert rules(r"note_codes = '\(([A-Z0-9, ]+)\)$'", "openmensa").note_codes == r"\(([A-Z0-9, ]+)\)$"


def test_an_invalid_setting_is_an_error_that_names_it(rules):
    no_word = 'is not a word; several are a list, such as ["milk", "eggs"]'
    known = "celery, coconut, crustaceans, eggs, fish, gluten, lupin, milk, molluscs, mustard, peanuts, sesame, soy, "
    for text, message in (
        ("allergens = 1", "allergens is not a table"),
        ("[allergens]\nA = 1", "allergens.A is not text"),
        ('[allergens]\nA = "milk, eggs"', f"allergens.A 'milk, eggs' {no_word}"),
        ('[allergens]\nA = "pork, corn"', f"allergens.A 'pork, corn' {no_word}"),
        ('[allergens]\nA = "milk"\na = "eggs"', "allergens.a is defined twice"),
        ('tracked_allergens = "milk"', "tracked_allergens is not a list"),
        ('tracked_allergens = ["pork"]', f"tracked_allergens 'pork' is not one of {known}sulphites, tree nuts, wheat"),
        ('empty_allergens = "yes"', "empty_allergens 'yes' is not one of none, unknown"),
        (
            'note_codes = "("',
            "note_codes '(' is not a regular expression: missing ), unterminated subpattern at position 0",
        ),
        ('note_codes = "[A-Z]"', "note_codes '[A-Z]' has no group for the codes"),
        ("note_codes = 1", "note_codes is not text"),
    ):
        with pytest.raises(ProfileError) as caught:
            rules(text)
        assert str(caught.value).partition("menus.toml: ")[2] == message, text
