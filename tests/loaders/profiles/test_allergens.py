"""What dining profiles say about allergens, and their notes."""

import pytest

from campus_api.domain.models import ImpliedLabel, Label
from loaders.profiles.allergens import Note

VEGAN = Label("VGN", "vegan", (ImpliedLabel("VGT", "vegetarian"),))


@pytest.fixture
def rules(dining_profile):
    """Return the rules of a profile of a format."""
    return lambda text, *form: dining_profile(text, *form).allergens


def test_a_name_stands_for_a_word_a_list_of_words_or_nothing(rules):
    for value, words in [
        ('"eggs"', ("eggs",)),
        ('"Pork"', ("pork",)),
        ('""', ()),
        ("[]", ()),
        ('"Dairy"', ("milk",)),
        ('"nuts"', ("peanuts", "tree nuts")),
        ('["milk", "corn syrup"]', ("corn syrup", "milk")),
    ]:
        assert rules(f'[allergens]\n"Egg-White" = {value}').names == {"egg-white": words}, value


def test_names_are_added_to_those_of_the_format_and_of_notes(rules):
    notes = '[notes]\nvegan = {label = "VGN"}\nAal = {allergen = "fish"}'
    names = rules(f'[allergens]\nSchwein = "pork"\nA = "wheat"\n{notes}', "openmensa").names

    expected = {"schwein": ("pork",), "a": ("wheat",), "vegan": (), "aal": ("fish",), "farbstoff": ()}
    assert {name: names.get(name) for name in expected} == expected


def test_tracked_words_are_those_of_the_profile(rules):
    pork = '[allergens]\nPork = "pork"\n'
    for text, tracked in (
        ("", ()),
        (pork, ()),
        (f'tracked_allergens = ["Dairy", "pork"]\n{pork}', ("milk", "pork")),
        ("tracked_allergens = []", ()),
    ):
        assert rules(text, "foodpro").tracked == tracked, text


def test_empty_fields_and_codes_of_notes(rules):
    settings = {"": False, 'empty_allergens = "none"': True, 'empty_allergens = "unknown"': False}
    assert {text: rules(text).empty_is_none for text in settings} == settings
    assert rules(r"note_codes = '\(([A-Z0-9, ]+)\)$'", "openmensa").note_codes == r"\(([A-Z0-9, ]+)\)$"


def test_a_note_is_a_label_an_allergen_both_or_neither(dining_profile):
    for note, expected in [
        ('"Vegan" = {label = "VGN"}', {"vegan": Note(VEGAN)}),
        ('"Sellerie" = {allergen = "celery"}', {"sellerie": Note(allergens=("celery",))}),
        ('"Aus  Zucht" = {label = "MSC", allergen = "fish"}', {"aus zucht": Note(Label("MSC"), ("fish",))}),
        ('"Tagesgericht" = {}', {"tagesgericht": Note()}),
        ('"Vegan" = {label = "V"}\n[labels]\nV = "plants only"', {"vegan": Note(Label("V", "plants only"))}),
        ("", {}),
    ]:
        assert dining_profile(f"[notes]\n{note}\n", "openmensa").notes == expected, note
    # A profile without notes has those of its format.
    assert dining_profile("", "openmensa").notes["vegan"] == Note(VEGAN)


def test_an_invalid_setting_or_note_is_an_error_that_names_it(dining_profile, problem):
    no_word = 'is not a word; several are a list, such as ["milk", "eggs"]'
    known = "celery, coconut, crustaceans, eggs, fish, gluten, lupin, milk, molluscs, mustard, peanuts, sesame, soy, "
    group = "is not a regular expression: missing ), unterminated subpattern at position 0"
    for text, message in (
        ("allergens = 1", "allergens is not a table"),
        ("[allergens]\nA = 1", "allergens.A is not text"),
        ('[allergens]\nA = "milk, eggs"', f"allergens.A 'milk, eggs' {no_word}"),
        ('[allergens]\nA = "pork, corn"', f"allergens.A 'pork, corn' {no_word}"),
        ('[allergens]\nA = "milk"\na = "eggs"', "allergens.a is defined twice"),
        ('tracked_allergens = "milk"', "tracked_allergens is not a list"),
        ('tracked_allergens = ["pork"]', f"tracked_allergens 'pork' is not one of {known}sulphites, tree nuts, wheat"),
        ('empty_allergens = "yes"', "empty_allergens 'yes' is not one of none, unknown"),
        ('note_codes = "("', f"note_codes '(' {group}"),
        ('note_codes = "[A-Z]"', "note_codes '[A-Z]' has no group for the codes"),
        ("note_codes = 1", "note_codes is not text"),
        ('notes = "vegan"', "notes is not a table"),
        ('[notes]\nvegan = "VGN"', 'notes.vegan is not of the form {label = "VGN"} or {allergen = "celery"}'),
        ('[notes]\nvegan = {code = "VGN"}', "notes.vegan.code is not one of allergen, label"),
        ("[notes]\nvegan = {label = 7}", "notes.vegan.label is not text"),
        ('[notes]\nvegan = {label = " "}', "notes.vegan has a blank text"),
        ('[notes]\nvegan = {label = "VGN"}\nVEGAN = {label = "VGT"}', "notes.VEGAN is defined twice"),
    ):
        assert problem(dining_profile, text) == message, text
