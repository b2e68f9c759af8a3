"""OpenMensa feeds: the built-in profile, and what any table can say about closed days."""

from dataclasses import replace

import pytest

from campus_api.domain.models import Facts, ImpliedLabel, Label
from loaders import profiles
from loaders.inference import propose
from loaders.readers import detect_export, dining

PROFILE = profiles.load_dining_profile("openmensa")
MEAL = """<meal>
  <name>Spätzle &amp; Soße</name>
  <note>vegetarian</note>
  <price role="student">2.40</price>
</meal>"""
DAY = f'<day date="2026-11-20"><category name="Hauptgericht">\n{MEAL}\n</category></day>'
V2 = "http://openmensa.org/open-mensa-v2"
NAME = "<name>Mensa am Park</name>"
CLOSED = '<day date="2026-11-27"><closed/></day>'


def feed(content):
    declaration = '<?xml version="1.0" encoding="UTF-8"?>'
    return f'{declaration}\n<openmensa version="2.1" xmlns="{V2}">\n{content}\n</openmensa>'


@pytest.fixture
def read(save):
    """Read a feed with the elements of a canteen."""

    def read(*elements, **settings):
        path = save(feed(f"<canteen>{''.join(elements)}</canteen>"), "mensa-nord-2026-11-20.xml")
        return dining.read([(replace(PROFILE, **settings), [path])])

    return read


def test_a_dish_is_lunch_in_its_category_unless_that_or_the_profile_names_another_meal(read):
    for category, meal in [("Hauptgericht", 1), ("Frühstück", 0), ("Abendessen 2", 2), ("K2", 4), ("Late Night", 3)]:
        result = read(NAME, DAY.replace("Hauptgericht", category), meals={"k2": 4})

        [row] = result.records
        assert (row.date, row.meal, row.recipe.name) == ("2026-11-20", meal, "Spätzle & Soße"), category
        assert (row.location.name, row.category.name) == ("Mensa am Park", category), category
        assert ([*result.warnings], result.errors) == ([], []), category


def test_a_meal_of_a_day_without_a_category_is_on_the_menu(read):
    result = read(NAME, f'<day date="2026-11-20">{MEAL}</day>')

    assert [(row.meal, row.category.name) for row in result.records] == [(1, "Menu")]


def test_meals_outside_of_a_day_or_without_a_name_are_a_warning(read):
    category = f'<category name="Suppen">{MEAL}</category>'
    nameless = '<day date="2026-11-21"><category name="Suppen"><meal><name/></meal></category></day>'
    for other, warning in [
        (category, "feed has meals outside of a day, which are left out"),
        (nameless, "feed has meals without a name, which are left out"),
    ]:
        result = read(NAME, DAY, other)
        assert (len(result.records), result.errors, [*result.warnings]) == (1, [], [warning]), other


def test_all_versions_are_detected_and_read(save):
    old = ('<cafeteria version="1.0"', "</cafeteria>")
    for start, end in [
        (f'<openmensa version="2.0" xmlns="{V2}"><version>5.02-4</version><canteen>', "</canteen></openmensa>"),
        (f'<om:openmensa xmlns:om="{V2}" xmlns="{V2}"><canteen>', "</canteen></om:openmensa>"),
        (f'{old[0]} xmlns="http://openmensa.org/open-mensa-v1">', old[1]),
        (f'<!DOCTYPE cafeteria SYSTEM "http://example.org/open-mensa-v1.dtd">\n{old[0]}>', old[1]),
    ]:
        for day, dishes in ((DAY, ["Spätzle & Soße"]), (CLOSED, [])):
            path = save(f"<?xml version='1.0'?>\n{start}{day}{end}", "mensa-nord-2026-11-20.xml")

            result = dining.read([(PROFILE, [path])])

            assert detect_export(path, {}) == "openmensa", start
            assert [row.recipe.name for row in result.records] == dishes, start
            assert {row.location.name for row in result.records} <= {"mensa-nord"}, start


def test_a_feed_with_closed_days_only_is_loaded(campus_load, save):
    path = save(feed(f'<canteen>{NAME}<day date="2026-11-23"><closed/></day></canteen>'), "closed.xml")

    for state in ("published", "unchanged"):
        result = campus_load("dining", path, "--max-stale", 3)
        assert (result.exit_code, result.stdout.startswith(f"dining: {state}")) == (0, True), state
    assert '"closed_days":["2026-11-23"]' in campus_load("dump", "dining").stdout.replace(" ", "")


def test_only_days_that_are_closed_in_the_feed_are_closed(read):
    unnamed = DAY.replace("Spätzle &amp; Soße", " ").replace("2026-11-20", "2026-11-30")

    result = read(NAME, DAY, CLOSED, unnamed)

    assert ([row.date for row in result.records], result.lists.closed_days) == (["2026-11-20"], {"2026-11-27"})
    assert (read(NAME, DAY).lists.closed_days, result.errors) == (set(), [])


def test_an_invalid_day_is_an_error_of_its_rows(read):
    for content, field, reason in [
        (DAY.replace("2026-11-20", "20.11."), "date", "is not a date written YYYY-MM-DD"),
        (DAY.replace(' date="2026-11-20"', ""), "date", "is missing"),
        (CLOSED.replace("2026-11-27", "x") + DAY, "date", "is not a date written YYYY-MM-DD"),
    ]:
        [error] = read(NAME, content).errors

        assert (error.location.record, error.field, error.reason) == (1, field, reason), content


def noted(*notes, date="2026-11-20"):
    """Return a day on which the dish of MEAL has these notes only."""
    elements = "".join(f"<note>{note}</note>" for note in notes)
    return DAY.replace("2026-11-20", date).replace("<note>vegetarian</note>", elements)


def facts_of(result):
    """Return the facts of the only dish."""
    return next(iter(result.lists.facts.values()), None)


def test_notes_are_labels_and_allergens_whatever_their_letter_case(read):
    result = read(NAME, noted("VEGAN", "SENF", " &lt;b&gt;Sellerie&lt;/b&gt; ", "Farbstoff"))

    facts = facts_of(result)
    assert facts.labels == (Label("VGN", "vegan", (ImpliedLabel("VGT", "vegetarian"),)),)
    assert (facts.allergens, facts.contains) == (("Farbstoff", "SENF", "Sellerie"), ("celery", "mustard"))
    assert [text for text in result.warnings if "never listed" not in text] == []


def test_legal_notes_are_read_whole(read):
    for notes, words in {
        ("Schwefeldioxid und Sulfite von mehr als 10 mg/kg oder 10 mg/l, als SO2 angegeben",): ("sulphites",),
        ("Enthält Krebstiere (Schalen-/ Krusten-/Weichtiere)",): ("crustaceans", "molluscs"),
        ("Schalenfrüchte (Mandel, Haselnuss usw.)",): ("tree nuts",),
        ("veganes Gericht", "jodiertes Salz", "mit Sellerie"): ("celery",),
    }.items():
        assert facts_of(read(NAME, noted(*notes))).contains == words, notes


def test_notes_about_energy_have_codes_in_parentheses(read):
    rules = replace(PROFILE.allergens, names={"a": ("wheat",), "c": ("eggs",), "1": ()})

    for notes, contains in (
        (("620 kJ / 148 kcal (A, C)",), ("eggs", "gluten", "wheat")),
        (("620 kJ (1,C)", "300 kJ"), ("eggs",)),
        (("620 kJ (C)", "Milch"), ("eggs", "milk")),
        (("620 kJ (B)",), None),
        (("620 kJ",), None),
    ):
        facts = facts_of(read(NAME, noted(*notes), allergens=rules)) or Facts()
        assert facts.contains == contains, notes


def test_tables_say_when_a_hall_is_closed_but_not_by_an_unknown_word(save, dining_profile):
    columns = 'date = "date"\nlocation = "hall"\ndish = "dish"\nclosed = "closed"\n'
    named = dining_profile(f"[columns]\n{columns}", "menu-table")
    days = ["20,North,Soup,no", "21,North,,yes", "22,South,Soup,N", "23,North,Soup,nein", "24,North,,ja"]
    table = "\n".join(["date,hall,dish,closed", *(f"2026-11-{day}" for day in days)])

    for profile in (named, profiles.load_dining_profile("menu-table")):
        result = dining.read([(profile, [save(table, "menus.csv")])])

        dates = [row.date[-2:] for row in result.records]
        assert (dates, result.lists.closed_days) == (["20", "22", "23"], {"2026-11-21"}), profile.name
        errors = [(each.location.line, str(each.message)) for each in result.errors]
        assert errors == [(6, "dish is missing")], profile.name


def test_a_proposed_profile_has_unknown_notes_as_comments(save, save_profile):
    days = noted("Sellerie", "vegan", "Insekten"), noted("Sellerie", "Eier (Acme)", date="2026-11-21")
    path = save(feed(f"<canteen>{NAME}{''.join(days)}</canteen>"), "feed.xml")

    proposed = propose.profile(path)

    assert proposed.startswith("# feed.xml: openmensa, 2 rows, 2 dates from 2026-11-20 to 2026-11-21, 1 location, ")
    lines = [line for line in proposed.splitlines() if " = " in line and line.startswith("#")]
    assert lines == ['# "Insekten" = "?"  # 1 dish', '# "Acme" = "?"  # 1 dish']
    assert dining.read([(profiles.load_dining_profile(save_profile(path)), [path])]).errors == []
