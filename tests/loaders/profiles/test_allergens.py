"""What dining profiles say about allergens."""

import pytest


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


def test_names_are_added_to_those_of_the_format(rules):
    names = rules('[allergens]\nEi = "pork"\nA = "wheat"\n', "studierendenwerk").names

    expected = {"ei": ("pork",), "a": ("wheat",), "mi": ("milk",)}
    assert {name: names.get(name) for name in expected} == expected


def test_tracked_words_are_those_of_the_profile(rules):
    pork = '[allergens]\nPork = "pork"\n'
    for text, tracked in (
        ("", ()),
        (pork, ()),
        (f'tracked_allergens = ["Dairy", "pork"]\n{pork}', ("milk", "pork")),
        ("tracked_allergens = []", ()),
        ('tracked_allergens = "Dairy"', ("milk",)),
    ):
        assert rules(text, "foodpro").tracked == tracked, text


def test_empty_fields_are_unknown_unless_the_profile_says_none(rules):
    settings = {"": False, 'empty_allergens = "none"': True, 'empty_allergens = "unknown"': False}
    assert {text: rules(text).empty_is_none for text in settings} == settings


def test_an_invalid_setting_is_an_error_that_names_it(dining_profile, problem):
    no_word = 'is not a word; several are a list, such as ["milk", "eggs"]'
    known = "celery, coconut, crustaceans, eggs, fish, gluten, lupin, milk, molluscs, mustard, peanuts, sesame, soy, "
    for text, message in (
        ("allergens = 1", "allergens is not a table"),
        ("[allergens]\nA = 0", "allergens.A is not text"),
        ('[allergens]\nA = "milk, eggs"', f"allergens.A 'milk, eggs' {no_word}"),
        ('[allergens]\nA = "pork, corn"', f"allergens.A 'pork, corn' {no_word}"),
        ('[allergens]\nA = "milk soup"', f"allergens.A 'milk soup' {no_word}"),
        ('[allergens]\nA = "milk"\na = "eggs"', "allergens.a is defined twice"),
        ('tracked_allergens = ["pork"]', f"tracked_allergens 'pork' is not one of {known}sulphites, tree nuts, wheat"),
        ('empty_allergens = "yes"', "empty_allergens 'yes' is neither none nor unknown"),
    ):
        assert problem(dining_profile, text) == message, text
