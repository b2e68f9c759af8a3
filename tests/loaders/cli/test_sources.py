"""Several providers in one load, each with a profile."""

import json
from itertools import chain, islice, permutations
from pathlib import Path

import pytest

from tests.factories import RING, feature, foodpro_row
from tests.loaders.live import live_buildings, live_collection

NORTH = 'format = "geojson"\n[fields]\nid = "id"\nname = "name"\n'
SOUTH = 'format = "geojson"\n[fields]\nid = "ref"\nname = "TITLE"\n[defaults]\ncity = "Boston"\n'
NEEDS_NAMESPACE = 'the profile of one needs a line such as namespace = "south"'
ASSIGNED = 'format = "geojson"\n[fields]\nid = {assign = "code"}\nname = "name"\n'
FEEDS = Path(__file__).parents[1] / "feeds"
BUILT_IN = [
    f"{Path(file).stem}={FEEDS / file}"
    for file in ("eatec.xml", "bonappetit.json", "studierendenwerk.xml", "eat-api.json")
]


@pytest.fixture
def source(save, save_features):
    """Save a profile and features, and return the source."""

    def source(name, profile, *features):
        return f"{save(profile, f'{name}.toml')}={save_features(*features, name=f'{name}.geojson')}"

    return source


def options(*sources):
    return [*chain.from_iterable(("--source", each) for each in sources)]


def names(database, collection):
    return {each["_id"]: each["name"] for each in live_collection(database, collection).find()}


def menu_of(hall):
    return f"date,hall,dish\n2026-11-21,{hall},Soup\n"


def coded(code, id_, name, namespace=""):
    """Return a profile with the code of a hall."""
    columns = '[columns]\ndate = "date"\ndish = "dish"\nlocation_id = "hall"\n'
    return f'format = "menu-table"\n{namespace}{columns}[locations]\n"{code}" = {{id = {id_}, name = "{name}"}}\n'


def test_each_source_is_read_with_its_profile_its_corrections_and_its_area(campus_load, database, source, save, web):
    save('[2]\nname = "Lamont Library"\n', "corrections.toml")
    far = {"type": "Point", "coordinates": [-70, 41]}
    url = web.add("/north.geojson", json.dumps({"type": "FeatureCollection", "features": [feature(3)]}))
    north = source("north", f"{NORTH}[limits]\narea = [42, -72, 43, -71]\n", feature(1, name="Widener"), feature("x"))
    corrected = f'corrections = "corrections.toml"\n{SOUTH}[limits]\narea = [40, -71, 42, -69]\n'
    south = source("south", corrected, feature("x", far, ref=2, TITLE="Lamont"))
    east = source("east", ASSIGNED, feature("y", code="E"))
    arguments = *options(north, south, east, f"{north.partition('=')[0]}={url}"), "--max-errors", 1, "--json"

    check, result = (campus_load(command, *arguments) for command in ("check", "buildings"))

    report = json.loads(check.stdout)
    assert (check.exit_code, report["collections"]["buildings"]["added"], len(report["problems"])) == (0, 4, 1)
    assert [each.get("url") for each in json.loads(result.stdout)["sources"]] == [None, None, url, None]
    live = [(document["_id"], document["name"], document["city"]) for document in live_buildings(database)]
    assert live == [(1, "Widener", ""), (2, "Lamont Library", "Boston"), (3, None, ""), (10**9, None, "")]


def test_one_id_in_two_sources_is_an_error_of_both_records(campus_load, database, source):
    north = source("north", NORTH, feature(3), feature(1, name="Widener"))
    south = source("south", SOUTH, feature("x", ref=1, TITLE="Widener"))

    result = campus_load("buildings", *options(north, south))

    rows = "north.geojson", "line 1 (record 2)", "south.geojson", "line 1 (record 1)"
    conflict = "id 1 is the id of 2 different buildings, in {}: {} and in {}: {}: {}".format(*rows, NEEDS_NAMESPACE)
    errors = [f"{file}, {record}: {conflict}" for file, record in (rows[:2], rows[2:])]
    assert (result.exit_code, result.stderr.splitlines()[:2]) == (2, errors)

    south = source("south", f'namespace = "south"\n{SOUTH}', feature("x", ref=1, TITLE="Widener"))
    for sources in ([south], [south, north]):
        assert campus_load("buildings", *options(*sources)).exit_code == 0, sources
    assert sorted(each["_id"] for each in live_buildings(database)) == [1, 3, 10**9]


def test_new_ids_of_a_later_load_are_none_of_those_that_live_records_brought(campus_load, database, save, save_rows):
    assert campus_load("dining", save_rows(foodpro_row())).exit_code == 0
    brought = {name: names(database, name) for name in ("categories", "locations", "recipes")}
    feed = save(menu_of("North"), "feed.csv")

    for _ in range(2):
        result = campus_load("dining", feed, "--profile", "menu-table", "--override", "all")

        assert result.exit_code == 0, result.stderr
        for name, own in brought.items():
            live = names(database, name)
            assert live.items() >= own.items(), name
            assert {id_ // 10**9 for id_ in live.keys() - own.keys()} == {1}, name


def test_ids_that_a_provider_brings_later_are_none_of_those_that_the_database_has_assigned(
    campus_load, database, save, save_rows
):
    feed = save(menu_of("North"), "feed.csv")
    assert campus_load("dining", feed, "--profile", "menu-table").exit_code == 0
    [hall], [dish] = names(database, "locations"), names(database, "recipes")
    rows = save_rows(foodpro_row(Location_Number=hall, Recipe_Number=dish))

    refused = campus_load("dining", rows)

    reason = "refused by new-ids: 2 ids of the export are assigned to others"
    assert (refused.exit_code, reason in refused.stderr) == (3, True)
    assert f"location {hall} 'Annenberg Hall', 'location/north' in the database" in refused.stderr
    profile = save('format = "foodpro"\nnamespace = "harvard"\n', "harvard.toml")
    dump = save(campus_load("dump", "dining").stdout, "dump.json")
    for arguments in ([dump], [save(feed.read_text().upper(), "feed.csv")], [rows, "--profile", profile]):
        assert campus_load("dining", *arguments).exit_code == 0, arguments
    assert sorted(names(database, "locations").values()) == ["Annenberg Hall", "NORTH"]


def test_codes_of_a_profile_have_no_id_that_the_database_has_assigned_to_another_hall(campus_load, database, save):
    feed = save(menu_of("South"), "feed.csv")
    for namespace, text in [("", "location/south"), ('namespace = "a/b"\n', "a/b/location/south")]:
        named = save(f'format = "menu-table"\n{namespace}', "named.toml")
        assert campus_load("dining", feed, "--profile", named, "--override", "all").exit_code == 0, namespace
        id_ = database["dining_ids"].find_one({"_id": text})["id"]
        assert id_ < 10**9, (namespace, "the database has no native ids")
        for code, name, status in [("N", "North", 3), ("SOUTH", "South Dining Hall", 0)]:
            profile, rows = save(coded(code, id_, name, namespace), "coded.toml"), save(menu_of(code), "coded.csv")

            result = campus_load("check", rows, "--profile", profile, "--override", "lost-items")

            assert result.exit_code == status, (namespace, code, result.output)
            is_refused = f"location {id_} 'North', '{text}' in the database" in result.stderr
            assert is_refused == (status == 3), (namespace, code)
        profile = save(coded("SOUTH", id_, "North", namespace), "coded.toml")
        result = campus_load("check", *options(f"{profile}={rows}", f"{named}={feed}"))
        assert (result.exit_code, ", or other ids in its tables" in result.stderr) == (2, True), namespace


def test_ids_of_codes_in_one_profile_are_none_of_those_that_another_source_gets(campus_load, database, save):
    north, south = save(menu_of("N"), "north.csv"), save(menu_of("South"), "south.csv")
    for first, second in ("ab", "ba"):
        codes, table = save(coded("N", 1, "North"), f"{first}.toml"), save('format = "menu-table"\n', f"{second}.toml")

        result = campus_load("dining", *options(f"{codes}={north}", f"{table}={south}"), "--override", "all")

        assert result.exit_code == 0, (first, result.stderr)
        assert {*names(database, "locations").values()} == {"North", "South"}, first


def test_sources_are_merged_if_both_profiles_merge(campus_load, database, source):
    point = {"type": "Point", "coordinates": [-71.1171, 42.3741]}
    for merging, status in [(["north"], 2), (["south"], 2), (["north", "south"], 0)]:
        merge = {name: "merge = true\n" if name in merging else "" for name in ("north", "south")}
        north = source("north", merge["north"] + NORTH, feature(1, name="Widener"))
        south = source("south", merge["south"] + SOUTH, feature("x", point, ref=1, TITLE="Widener"))

        assert campus_load("buildings", *options(north, south)).exit_code == status, merging
    [document] = live_buildings(database)
    assert (document["city"], document["polygons"]) == ("Boston", [[list(position) for position in RING]])


def test_the_order_of_sources_makes_no_difference(campus_load):
    # Any two of three in both orders, and every eighth order of four.
    for number, step in ((3, 2), (4, 8)):
        dumps = []
        for order in islice(permutations(BUILT_IN[:number]), 0, None, step):
            result = campus_load("dining", *options(*order), "--override", "all")
            assert result.exit_code == 0, (order, result.stderr)
            dumps.append(campus_load("dump", "dining").stdout)
        assert len(set(dumps)) == 1, number


def test_a_dish_number_of_two_sources_with_two_names_is_an_error_without_a_namespace(campus_load, save, save_rows):
    curry = foodpro_row(Recipe_Number="100", Recipe_Print_As_Name="Tofu Curry", Allergens="Soy")
    stew = foodpro_row(Recipe_Number="100", Recipe_Print_As_Name="Beef Stew", Allergens="Milk", Location_Number="7")
    files = save_rows(curry, name="a.json"), save_rows(stew, name="b.json")

    results = []
    for namespace in ("", 'namespace = "south"\n'):
        profile = save(f'{namespace}format = "foodpro"\n', "south.toml")
        results.append(campus_load("dining", *options(f"foodpro={files[0]}", f"{profile}={files[1]}")))

    assert [result.exit_code for result in results] == [2, 0]
    error = "a.json, line 1 (record 1): recipe id 100 is 'Tofu Curry' here, and 'Beef Stew' in b.json: "
    assert f"{error}line 1 (record 1), of another provider; {NEEDS_NAMESPACE[:40]}" in results[0].stderr
    facts = json.loads(campus_load("dump", "dining").stdout)["facts"]
    assert {each["name"]: each["allergens"] for each in facts} == {"Tofu Curry": ["Soy"], "Beef Stew": ["Milk"]}


def test_a_hall_without_a_column_is_named_by_its_file_without_dates_and_weeks(campus_load, database, save, tmp_path):
    halls = """[locations]
east = {id = 70, name = "East Hall"}
[halls."north HALL"]
building = 7
[halls."Far Hall"]
"""
    own = save(f'format = "menu-table"\n{halls}', "own.toml")
    for folder in ("a", "b", "kw49", "kw50", "west/2026"):
        (tmp_path / folder).mkdir(parents=True)
    warnings = ""
    for date, names in {
        "2026-11-16": "north hall-20261116T060001|south_uge47|east-week-47-48|kw49/w|west/2026/47|W47 menu|oak-w47",
        "2026-11-23": "north hall 2026-11-23_2026-11-27|South (2)|east Nov 23|kw50/w|west/2026/48|menu-48|oak-w48",
    }.items():
        files = ["a/menu", "b/menu", "W20 Dining", *names.split("|")]
        paths = [save(f"date,dish\n{date},Soup\n", f"{name}.csv") for name in files]

        result = campus_load("dining", "--profile", own, *paths)

        assert result.exit_code == 0, (date, result.stderr)
        warnings += result.stderr
    assert "its hall is 'a menu', of the name of its file or folder; [locations] may give it another one" in warnings
    assert "halls.Far Hall is no location of the export" in warnings
    locations = {each["name"].casefold(): each for each in live_collection(database, "locations").find()}
    assert "|".join(sorted(locations)) == "a menu|b menu|east hall|menu|north hall|oak|south|w|w20 dining|west"
    assert (locations["east hall"]["_id"], locations["north hall"]["building"]) == (70, 7)


def test_files_without_a_profile_are_each_read_by_the_one_that_fits(campus_load, database, save, save_rows):
    paths = save(menu_of("North"), "a.csv"), save_rows(foodpro_row(), name="b.json"), save(menu_of("West"), "c.csv")

    result = campus_load("dining", *paths, "--json")

    assert result.exit_code == 0
    assert {each["file"] for each in json.loads(result.stdout)["sources"]} == {"a.csv", "b.json", "c.csv"}
    assert sorted(names(database, "locations").values()) == ["Annenberg Hall", "North", "West"]


def test_a_dish_of_two_providers_has_the_allergens_of_both_and_lacks_only_what_both_state(
    campus_load, database, save, save_rows
):
    stated = {"north": ["milk", "eggs", "lupin"], "south": ["milk", "eggs"]}
    for allergens, contains in (("Soy", ["fish", "soy"]), ("Fish", ["fish"])):
        sources = []
        for hall, (name, words) in enumerate(stated.items()):
            text = f'format = "foodpro"\ntracked_allergens = {words}\n'
            row = foodpro_row(Location_Number=hall, Location_Name=name, Allergens=allergens if hall else "Fish")
            sources.append(f"{save(text, f'{name}.toml')}={save_rows(row, name=f'{name}.json')}")

        campus_load("dining", *options(*sources), "--override", "all")

        facts = live_collection(database, "recipes").find_one(31001)["facts"]
        assert (facts["contains"], facts["without"]) == (contains, ["eggs", "milk"]), allergens
