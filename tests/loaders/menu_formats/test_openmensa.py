import tomllib
from dataclasses import replace

import pytest

from campus_api.domain.hours import times
from campus_api.domain.models import Facts, ImpliedLabel, Label, LocationDetails, MealHours, NamedEntity
from loaders import profiles
from loaders.inference import propose
from loaders.readers import detect_profile, dining
from tests.loaders.errors import error_of

PROFILE = replace(
    profiles.load_dining_profile("openmensa"),
    locations={"Mensa am Park": NamedEntity(1, "Mensa am Park"), "canteen": NamedEntity(2, "Canteen")},
    categories={"Hauptgericht": NamedEntity(10, "Main Course"), "Frühstück": NamedEntity(11, "Breakfast")},
)
MEAL = """<meal>
  <name>Spätzle &amp; Soße</name>
  <note>vegetarian</note>
  <price role="student">2.40</price>
</meal>"""
DAY = f'<day date="2026-11-20"><category name="Hauptgericht">\n{MEAL}\n</category></day>'
V2 = "http://openmensa.org/open-mensa-v2"
NAME = "<name>Mensa am Park</name>"


def feed(content, attributes='xmlns="http://openmensa.org/open-mensa-v2"', prolog=""):
    declaration = '<?xml version="1.0" encoding="UTF-8"?>'
    return f'{declaration}\n{prolog}<openmensa version="2.1" {attributes}>\n{content}\n</openmensa>'


@pytest.fixture
def read(save):
    """Read a feed with the elements of a canteen."""
    return lambda *elements, **settings: dining.read(
        [save(feed(f"<canteen>{''.join(elements)}</canteen>"), "feed.xml")], replace(PROFILE, **settings)
    )


def test_a_dish_becomes_a_menu_row(read):
    [row] = read(NAME, DAY).records
    assert (row.date, row.meal, row.recipe.name) == ("2026-11-20", 1, "Spätzle & Soße")
    assert (row.location, row.category) == (NamedEntity(1, "Mensa am Park"), NamedEntity(10, "Main Course"))

    # A canteen without a name has a code, and categories can be meals.
    [row] = read(DAY.replace("Hauptgericht", "Frühstück"), meals={"frühstück": 0}).records
    assert (row.location.id, row.meal) == (2, 0)


def test_the_id_of_a_dish_is_that_of_its_name_and_exact_in_every_json_parser(read):
    [first] = read(NAME, DAY).records
    [second] = read(NAME, DAY.replace("2026-11-20", "2026-11-21").replace("Spätzle", "  SPÄTZLE")).records
    days = [DAY.replace("2026-11-20", f"2026-11-{day}").replace("Soße", f"Soße {day}") for day in range(10, 30)]
    others = {row.recipe.id for row in read(NAME, *days).records}

    assert first.recipe.id == second.recipe.id == 704718383162586
    assert (len(others - {first.recipe.id}), max(others) < 2**52) == (20, True)


def test_a_feed_with_closed_days_only_is_loaded(campus_load, save):
    path = save(feed(f'<canteen>{NAME}<day date="2026-11-23"><closed/></day></canteen>'), "closed.xml")

    for state in ("published", "unchanged"):
        result = campus_load("dining", path, "--profile", "openmensa", "--max-stale", 3)
        assert (result.exit_code, result.stdout.startswith(f"dining: {state}")) == (0, True), state
    assert '"closed_days":["2026-11-23"]' in campus_load("dump", "dining").stdout.replace(" ", "")


def test_only_days_that_are_closed_in_the_feed_are_closed_and_unnamed_dishes_are_left_out(read):
    unnamed = DAY.replace("Spätzle &amp; Soße", " ").replace("2026-11-20", "2026-11-27")

    result = read(NAME, DAY, '<day date="2026-11-22"><closed/></day>', unnamed)

    assert ([row.date for row in result.records], [*result.lists.closed_days]) == (["2026-11-20"], ["2026-11-22"])
    assert ([*result.warnings], result.errors) == (["name is missing: the dish is left out"], [])


def test_an_invalid_dish_is_an_error_with_its_line(read):
    for content, field, reason in [
        (NAME + DAY.replace("2026-11-20", "20.11.2026"), "day", "is not a date written YYYY-MM-DD"),
        (NAME + DAY.replace(' date="2026-11-20"', ""), "day", "is missing"),
        (NAME + DAY.replace("Hauptgericht", "Dessert"), "category", "is not a code in the profile"),
        (NAME + DAY.replace(' name="Hauptgericht"', ""), "category", "is missing"),
        (NAME.replace("Park", "See") + DAY, "canteen", "is not a code in the profile"),
    ]:
        [error] = read(content).errors

        assert (error.location.line, error.field, error.reason) == (4, field, reason), content


def test_a_file_that_is_no_feed_is_an_error_with_its_line(save):
    closed = feed('<canteen><day date="x"><closed/></day></canteen>')
    for content, reason in [
        ("<feed></feed>", "line 1 is not an OpenMensa feed"),
        (feed("<canteen/>", 'xmlns="http://example.org/"'), "line 2 is not an OpenMensa feed"),
        (feed("<canteen>"), "line 4 is not XML: mismatched tag"),
        (feed("&beer;"), "line 3 is not XML: undefined entity"),
        (feed("<canteen/>", prolog='<!DOCTYPE a [<!ENTITY beer "x">]>\n'), "line 2 defines a DTD"),
        ('<!DOCTYPE cafeteria SYSTEM "v1.dtd">\n<cafeteria>&auml;</cafeteria>', "line 2 has the entity 'auml'"),
        ("<cafeteria xmlns='http://example.org/'></cafeteria>", "line 1 is not an OpenMensa feed"),
        (closed, "line 3 has a closed day whose date is not a date written YYYY-MM-DD"),
    ]:
        path = save(content, "feed.xml")

        assert str(error_of(dining.read, [path], PROFILE)).startswith(f"{path}: {reason}"), content


def test_elements_that_are_not_read_are_counted_without_those_inside_them(read):
    position = '<location latitude="51.3" longitude="12.4"><name>x</name></location>'
    result = read(NAME, position, DAY, DAY.replace("2026-11-20", "2026-11-21"))

    assert [row.location.name for row in result.records] == ["Mensa am Park"] * 2
    assert result.unread == {"location": 1, "price": 2}


def test_all_versions_are_detected_and_read(save):
    old = ('<cafeteria version="1.0"', "</cafeteria>")
    for start, end in [
        (f'<openmensa version="2.0" xmlns="{V2}"><version>5.02-4</version><canteen>', "</canteen></openmensa>"),
        (f'<om:openmensa xmlns:om="{V2}" xmlns="{V2}"><canteen>', "</canteen></om:openmensa>"),
        (f'{old[0]} xmlns="http://openmensa.org/open-mensa-v1">', old[1]),
        (f'<!DOCTYPE cafeteria SYSTEM "http://example.org/open-mensa-v1.dtd">\n{old[0]}>', old[1]),
    ]:
        path = save(f"<?xml version='1.0'?>\n{start}{DAY}{end}", "feed.xml")

        [row] = dining.read([path], PROFILE).records

        assert detect_profile(path.read_text()) == "openmensa", start
        assert (row.date, row.location.id, row.recipe.name) == ("2026-11-20", 2, "Spätzle & Soße"), start


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
    assert (facts.allergens, facts.contains) == (("SENF", "Sellerie"), ("celery", "mustard"))
    assert (facts.without, result.warnings) == ((), {})


def test_the_allergens_of_a_dish_are_those_of_all_rows_unless_a_note_is_unknown(read):
    day_before, breakfast = noted("Sellerie", date="2026-11-19"), noted("Senf").replace("Hauptgericht", "Frühstück")
    unknown = "note 'Insekten' is no known allergen: those of the dish are unknown; [allergens] needs a line"
    differ = "recipe 'Spätzle & Soße' has different allergens: "
    for days, contains, warning in [
        ((day_before, noted("Sellerie", "Insekten")), None, unknown),
        ((day_before, noted("Insekten")), None, unknown),
        ((noted("Sellerie"), breakfast), ("celery", "mustard"), differ),
    ]:
        result = read(NAME, *days)

        [message] = result.warnings
        assert (facts_of(result).contains, message.startswith(warning)) == (contains, True), days


def test_a_dish_whose_notes_are_no_allergens_has_none_only_by_the_profile(read):
    rules = replace(PROFILE.allergens, empty_is_none=True)

    for notes in ((), ("Farbstoff",)):
        assert facts_of(read(NAME, noted(*notes))) is None, notes
        facts = facts_of(read(NAME, noted(*notes), allergens=replace(rules, tracked=("lupin",))))
        assert (facts.allergens, facts.contains, "lupin" in facts.without) == (None, (), True), notes


def test_notes_have_codes_in_a_pattern_of_the_profile(read):
    names = {"a": ("wheat",), "c": ("eggs",), "1": ()}
    rules = replace(PROFILE.allergens, names=names, note_codes=r"kJ[^(]*(?:\(([A-Z0-9, ]+)\))?$")
    no_codes = [("620 kJ (A) (C)",), ("620 kJ" * 50,)]

    for notes, allergens, contains in (
        (("620 kJ / 148 kcal (A, C)",), ("A", "C"), ("eggs", "gluten", "wheat")),
        (("620 kJ (1,C)", "300 kJ"), ("1", "C"), ("eggs",)),
        (("620 kJ (C)", "Milch"), ("C", "Milch"), ("eggs", "milk")),
        (("620 kJ (B)",), ("B",), None),
        *((notes, notes, None) for notes in no_codes),
        *((notes, None, None) for notes in (("620 kJ (1)",), ("620 kJ",))),
    ):
        facts = facts_of(read(NAME, noted(*notes), allergens=rules)) or Facts()
        assert (facts.allergens, facts.contains) == (allergens, contains), notes


TIMES = """<times type="opening"><monday open="11:30-14:00"/><tuesday closed="true"/>
  <friday open="11:30 - 13:30, 17:00-18:00"/></times>"""
HOURS = "Mo 11:30-14:00; Fr 11:30 - 13:30, 17:00-18:00"


def test_times_are_hours_of_the_only_meal_until_the_last_day(read):
    result = read(NAME, TIMES, DAY, DAY.replace("2026-11-20", "2026-11-27"))

    assert result.lists.halls == {1: LocationDetails(hours=(MealHours(1, HOURS, "2026-11-27"),))}
    assert times(result.lists.halls[1].hours[0], "2026-11-23", "2026-11-20") == [("11:30", "14:00")]
    assert (result.unread.keys(), result.warnings) == ({"price"}, {})
    result = read(NAME, TIMES, DAY, DAY.replace("Hauptgericht", "Frühstück"), meals={"frühstück": 0})
    monday = "times of monday '11:30-14:00' is not of one meal: set its hours in [halls] of the profile"
    assert (result.lists.halls, len(result.warnings), next(iter(result.warnings))) == ({}, 2, monday)


def test_a_weekday_has_no_hours_if_it_is_closed_or_else_a_warning(read):
    no_time = "times of tuesday '' has Tu in column 1 without a time, off or 24/7"
    for attributes, warnings in [
        *((f'closed="{closed}"', []) for closed in ("true", "1", " true ")),
        *((attributes, [no_time]) for attributes in ("", 'closed="false"', 'open=""')),
        ('open="noon"', ["times of tuesday 'noon' is not in the syntax of opening_hours from column 4 on"]),
    ]:
        result = read(NAME, TIMES.replace('closed="true"', attributes), DAY)

        assert [hours.expression for hours in result.lists.halls[1].hours] == [HOURS], attributes
        assert [*result.warnings] == warnings, attributes


def test_hours_and_building_of_the_profile_take_precedence_and_closed_days_have_no_hours(read):
    of_profile = {1: LocationDetails(hours=(MealHours(1, "Mo-Fr 11:00-15:00", "2026-12-20"),))}
    assert read(NAME, TIMES, DAY, halls=of_profile).lists.details() == of_profile

    result = read(NAME, TIMES, '<day date="2026-11-27"><closed/></day>', DAY, halls={1: LocationDetails(161)})
    hall = result.lists.details()[1]
    served = [times(hall.hours[0], date, "2026-11-20") for date in ("2026-11-23", "2026-11-27")]
    assert (hall.building, served) == (161, [[("11:30", "14:00")], []])


def test_a_proposed_profile_has_the_codes_of_the_feed_and_unknown_notes_as_comments(save, save_profile):
    days = noted("Sellerie", "vegan", "Insekten"), noted("Sellerie", "Eier (Acme)", date="2026-11-21")
    path = save(feed(f"<canteen>{NAME}{''.join(days)}</canteen>"), "feed.xml")

    proposed = propose.profile(path)

    assert proposed.startswith("# feed.xml: OpenMensa, 2 rows, 2 dates from 2026-11-20 to 2026-11-21, 1 location, ")
    profile = tomllib.loads(proposed)
    assert (profile["locations"].keys(), profile["categories"].keys()) == ({"Mensa am Park"}, {"Hauptgericht"})
    assert profile["allergens"] == {}
    lines = [line for line in proposed.splitlines() if " = " in line and line.startswith("#")]
    assert lines == ['# "Insekten" = "?"  # 1 dish', '# "Acme" = "?"  # 1 dish']
    assert dining.read([path], profiles.load_dining_profile(save_profile(path))).errors == []
