"""Notes in dining profiles."""

import pytest

from campus_api.domain.models import ImpliedLabel, Label
from loaders.profiles.allergens import Note

VEGAN = Label("VGN", "vegan", (ImpliedLabel("VGT", "vegetarian"),))


@pytest.fixture
def notes(dining_profile):
    return lambda text: dining_profile(text, "openmensa").notes


def test_a_note_is_a_label_an_allergen_both_or_neither(notes):
    for note, expected in [
        ('"Vegan" = {label = "VGN"}', {"vegan": Note(VEGAN)}),
        ('"Sellerie" = {allergen = "celery"}', {"sellerie": Note(allergens=("celery",))}),
        ('"Aus  Zucht" = {label = "MSC", allergen = "fish"}', {"aus zucht": Note(Label("MSC"), ("fish",))}),
        ('"Tagesgericht" = {}', {"tagesgericht": Note()}),
        ('"Vegan" = {label = "V"}\n[labels]\nV = "plants only"', {"vegan": Note(Label("V", "plants only"))}),
        ("", {}),
    ]:
        assert notes(f"[notes]\n{note}\n") == expected, note
    # A profile without notes has those of its format.
    assert notes("")["vegan"] == Note(VEGAN)


def test_an_invalid_note_is_an_error_that_names_it(notes, problem):
    for text, message in [
        ('notes = "vegan"', "notes is not a table"),
        ('[notes]\nvegan = "VGN"', 'notes.vegan is not of the form {label = "VGN"} or {allergen = "celery"}'),
        ('[notes]\nvegan = {code = "VGN"}', "notes.vegan.code is not one of allergen, label"),
        ("[notes]\nvegan = {label = 7}", "notes.vegan.label is not text"),
        ('[notes]\nvegan = {label = " "}', "notes.vegan has a blank text"),
        ('[notes]\nvegan = {label = "VGN"}\nVEGAN = {label = "VGT"}', "notes.VEGAN is defined twice"),
    ]:
        assert problem(notes, text) == message, text
