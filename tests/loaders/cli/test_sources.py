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


@pytest.fixture
def source(save, save_features):
    """Save a profile and features, and return the options that load them."""

    def source(name, profile, *features):
        return "--source", f"{save(profile, f'{name}.toml')}={save_features(*features, name=f'{name}.geojson')}"

    return source


def test_each_source_is_read_with_its_profile_its_corrections_and_its_area(campus_load, database, source, save, web):
    save('[2]\nname = "Lamont Library"\n', "corrections.toml")
    far = {"type": "Point", "coordinates": [-70, 41]}
    url = web.add("/north.geojson", json.dumps({"type": "FeatureCollection", "features": [feature(3)]}))
    north = source("north", f"{NORTH}[limits]\narea = [42, -72, 43, -71]\n", feature(1, name="Widener"), feature("x"))
    south = f'corrections = "corrections.toml"\n{SOUTH}[limits]\narea = [40, -71, 42, -69]\n'
    sources = *north, *source("south", south, feature("x", far, ref=2, TITLE="Lamont"))
    sources += *source("east", ASSIGNED, feature("y", code="E")), "--source", f"{north[1].partition('=')[0]}={url}"

    check, result = (campus_load(command, *sources, "--max-errors", 1, "--json") for command in ("check", "buildings"))

    report = json.loads(check.stdout)
    assert (check.exit_code, report["collections"]["buildings"]["added"], len(report["problems"])) == (0, 4, 1)
    assert [each.get("url") for each in json.loads(result.stdout)["sources"]] == [None, None, url, None]
    live = [(document["_id"], document["name"], document["city"]) for document in live_buildings(database)]
    assert live == [(1, "Widener", ""), (2, "Lamont Library", "Boston"), (3, None, ""), (10**9, None, "")]


def test_one_id_in_two_sources_is_an_error_of_both_records(campus_load, database, source):
    north = source("north", NORTH, feature(3), feature(1, name="Widener"))
    south = source("south", SOUTH, feature("x", ref=1, TITLE="Widener"))

    result = campus_load("buildings", *north, *south)

    rows = "north.geojson", "line 1 (record 2)", "south.geojson", "line 1 (record 1)"
    conflict = "id 1 is the id of 2 different buildings, in {}: {} and in {}: {}: {}".format(*rows, NEEDS_NAMESPACE)
    errors = [f"{file}, {record}: {conflict}" for file, record in (rows[:2], rows[2:])]
    assert (result.exit_code, result.stderr.splitlines()[:2]) == (2, errors)

    south = source("south", f'namespace = "south"\n{SOUTH}', feature("x", ref=1, TITLE="Widener"))
    assert campus_load("buildings", *south, *north).exit_code == 0
    assert sorted(each["city"] for each in live_buildings(database)) == ["", "", "Boston"]


def test_new_ids_of_a_later_load_are_none_of_those_that_live_records_brought(campus_load, database, save, save_rows):
    assert campus_load("dining", save_rows(foodpro_row())).exit_code == 0
    brought = {name: dict(names(database, name)) for name in ("categories", "locations", "recipes")}
    feed = save("date,meal,hall,dish\n2030-01-01,lunch,North,Soup\n", "feed.csv")

    for _ in range(2):
        result = campus_load("dining", feed, "--profile", "menu-table", "--override", "all")

        assert result.exit_code == 0, result.stderr
        for name, own in brought.items():
            live = dict(names(database, name))
            assert live.items() >= own.items()
            assert {id_ // 10**9 for id_ in live.keys() - own.keys()} == {1}, name


def test_ids_that_a_provider_brings_later_are_none_of_those_that_the_database_has_assigned(
    campus_load, database, save, save_rows
):
    feed = save("date,meal,hall,dish\n2026-11-21,lunch,North,Soup\n", "feed.csv")
    assert campus_load("dining", feed, "--profile", "menu-table").exit_code == 0
    [(hall, _)], [(dish, _)] = names(database, "locations"), names(database, "recipes")
    rows = save_rows(foodpro_row(Location_Number=hall, Recipe_Number=dish))

    refused = campus_load("dining", rows)

    reason = "refused by new-ids: 2 ids of the export are assigned to others"
    assert (refused.exit_code, reason in refused.stderr) == (3, True)
    assert f"location {hall} 'Annenberg Hall', 'location/north' in the database" in refused.stderr
    profile = save('format = "foodpro"\nnamespace = "harvard"\n', "harvard.toml")
    dump = save(campus_load("dump", "dining").stdout, "dump.json")
    for arguments in ([dump], [save(feed.read_text().upper(), "feed.csv")], [rows, "--profile", profile]):
        assert campus_load("dining", *arguments).exit_code == 0, arguments
    assert sorted(name for _, name in names(database, "locations")) == ["Annenberg Hall", "NORTH"]


def test_codes_of_a_profile_have_no_id_that_the_database_has_assigned_to_another_hall(campus_load, database, save):
    menus = 'format = "menu-table"\n{}\n[columns]\ndate = "date"\nmeal = "meal"\ndish = "dish"\n{} = "hall"\n'
    feed = save("date,meal,hall,dish\n2026-11-21,lunch,South,Soup\n", "feed.csv")
    for namespace, text in [("", "location/south"), ('namespace = "a/b"', "a/b/location/south")]:
        named = save(menus.format(namespace, "location"), "named.toml")
        assert campus_load("dining", feed, "--profile", named, "--override", "all").exit_code == 0
        id_ = database["dining_ids"].find_one({"_id": text})["id"]
        for code, name, status in [("N", "North", 3), ("SOUTH", "South Dining Hall", 0)]:
            codes = f'[locations]\n"{code}" = {{id = {id_}, name = "{name}"}}\n'
            coded = save(menus.format(namespace, "location_id") + codes, "coded.toml")
            rows = save(f"date,meal,hall,dish\n2026-11-21,lunch,{code},Soup\n", "coded.csv")

            result = campus_load("check", rows, "--profile", coded, "--override", "lost-items")

            assert result.exit_code == status, result.output
            assert (f"location {id_} 'North', '{text}' in the database" in result.stderr) == (status == 3)
        coded = save(menus.format(namespace, "location_id") + codes.replace("South Dining", "North"), "coded.toml")
        result = campus_load("check", "--source", f"{coded}={rows}", "--source", f"{named}={feed}")
        assert (result.exit_code, ", or other ids in its tables" in result.stderr) == (2, True), result.stderr


def test_ids_of_codes_in_one_profile_are_none_of_those_that_another_source_gets(campus_load, database, save):
    menus = 'format = "menu-table"\n[columns]\ndate = "date"\nmeal = "meal"\ndish = "dish"\n'
    codes = menus + 'location_id = "hall"\n[locations]\n"N" = {id = 1, name = "North"}\n'
    feeds = {"coded": (codes, "N"), "named": (f'{menus}location = "hall"\n', "South")}
    for order in permutations("ba"):
        sources = []
        for letter, (name, (text, hall)) in zip(order, feeds.items(), strict=True):
            profile = save(text, f"{letter}-{name}.toml")
            feed = save(f"date,meal,hall,dish\n2026-11-21,lunch,{hall},Soup\n", f"{name}.csv")
            sources += "--source", f"{profile}={feed}"

        result = campus_load("dining", *sources, "--override", "all")

        assert result.exit_code == 0, result.stderr
        assert {name for _, name in names(database, "locations")} == {"North", "South"}, order


def names(database, collection):
    return ((each["_id"], each["name"]) for each in live_collection(database, collection).find())


def test_sources_are_merged_if_both_profiles_merge(campus_load, database, source):
    point = {"type": "Point", "coordinates": [-71.1171, 42.3741]}
    for merging, status in [(["north"], 2), (["south"], 2), (["north", "south"], 0)]:
        merge = {name: "merge = true\n" if name in merging else "" for name in ("north", "south")}
        north = source("north", merge["north"] + NORTH, feature(1, name="Widener"))
        south = source("south", merge["south"] + SOUTH, feature("x", point, ref=1, TITLE="Widener"))

        assert campus_load("buildings", *north, *south).exit_code == status, merging
    [document] = live_buildings(database)
    assert (document["city"], document["polygons"]) == ("Boston", [[list(position) for position in RING]])


FEEDS = Path(__file__).parents[1] / "feeds"
BUILT_IN = {
    name: FEEDS / file
    for name, file in [
        ("eatec", "eatec.xml"),
        ("bonappetit", "bonappetit.json"),
        ("studierendenwerk", "studierendenwerk.xml"),
        ("eat-api", "eat-api.json"),
    ]
}


def test_the_order_of_sources_makes_no_difference(campus_load):
    sources = [f"{name}={path}" for name, path in BUILT_IN.items()]
    # All orders of two and three, and every fifth of four.
    for number, step in ((2, 1), (3, 1), (4, 5)):
        dumps = []
        for order in islice(permutations(sources[:number]), 0, None, step):
            options = chain.from_iterable(("--source", each) for each in order)
            result = campus_load("dining", *options, "--override", "all")
            assert result.exit_code == 0, result.stderr
            dumps.append(campus_load("dump", "dining").stdout)
        assert len(set(dumps)) == 1, number


def rows_of(hall, *dishes):
    """Return rows of FoodPro with the numbers and names of dishes."""
    return [foodpro_row(Location_Number=hall, Location_Name=f"Hall {hall}", **dish) for dish in dishes]


def test_a_dish_number_of_two_sources_with_two_names_is_an_error_without_a_namespace(campus_load, save, save_rows):
    curry, stew = (
        {"Recipe_Number": "100", "Recipe_Print_As_Name": name, "Allergens": allergens}
        for name, allergens in (("Tofu Curry", "Soy"), ("Beef Stew", "Milk"))
    )
    files = save_rows(*rows_of("1", curry), name="a.json"), save_rows(*rows_of("2", stew), name="b.json")
    south = 'format = "foodpro"\n'
    for namespace, status, dishes in [
        ("", 2, []),
        ('namespace = "south"\n', 0, [("Beef Stew", ["Milk"]), ("Tofu Curry", ["Soy"])]),
    ]:
        profile = save(f"{namespace}{south}", "south.toml")
        for order in permutations([f"foodpro={files[0]}", f"{profile}={files[1]}"]):
            result = campus_load("dining", *chain.from_iterable(("--source", each) for each in order))

            assert result.exit_code == status, (namespace, result.stderr)
            facts = json.loads(campus_load("dump", "dining").stdout)["facts"] if dishes else []
            assert sorted((each["name"], each["allergens"]) for each in facts) == dishes, namespace
            if not dishes:
                error = "a.json, line 1 (record 1): recipe id 100 is 'Tofu Curry' here, and 'Beef Stew' in b.json: "
                assert f"{error}line 1 (record 1), of another source; {NEEDS_NAMESPACE[:40]}" in result.stderr


def test_a_source_without_halls_is_a_hall_of_its_own(campus_load, database, save):
    menus = "date,meal,dish\n2026-11-20,Lunch,Soup\n"
    paths = save(menus, "north-2026-11-20.csv"), save(menus, "south-2026-11-20.csv")
    own = save('format = "menu-table"\n[halls.1]\nbuilding = 7\n', "east.toml")

    sources = *(f"menu-table={path}" for path in paths), f"{own}={save(menus, 'menus.csv')}"

    result = campus_load("dining", *chain.from_iterable(("--source", each) for each in sources))

    assert (result.exit_code, "location is missing: its hall is 'south'" in result.stderr) == (0, True)
    assert sorted(each["name"] for each in database.locations_1.find()) == ["east", "north", "south"]
    assert len(database.menus_1.find_one("2026-11-20")["items"]) == 3
    assert [each["name"] for each in database.locations_1.find({"building": 7})] == ["east"]


NORTH_MENUS = "date,hall,dish,allergens\n2026-11-20,North,Soup,Milk\n2026-11-20,North,Pie,Wheat\n"


def test_files_without_a_profile_are_each_read_by_the_one_that_fits(campus_load, database, save, save_rows):
    paths = save(NORTH_MENUS, "a.csv"), save_rows(foodpro_row(), name="b.json"), save(NORTH_MENUS, "c.csv")

    result = campus_load("dining", *paths, "--json")

    assert result.exit_code == 0
    assert {each["file"] for each in json.loads(result.stdout)["sources"]} == {"a.csv", "b.json", "c.csv"}
    assert {document["name"] for document in database.recipes_1.find()} == {"Soup", "Pie", "Kashi Pilaf"}


def test_a_dish_of_two_providers_has_the_allergens_of_both_and_lacks_only_what_both_state(
    campus_load, database, save, save_rows
):
    stated = {"north": ["milk", "eggs", "lupin"], "south": ["milk", "eggs"]}
    for allergens, contains in (("Soy", ["fish", "soy"]), ("Fish", ["fish"])):
        sources = []
        for hall, (name, words) in enumerate(stated.items()):
            text = f'format = "foodpro"\ntracked_allergens = {words}\n'
            row = foodpro_row(Location_Number=hall, Location_Name=name, Allergens=allergens if hall else "Fish")
            sources += ["--source", f"{save(text, f'{name}.toml')}={save_rows(row, name=f'{name}.json')}"]

        campus_load("dining", *sources, "--override", "all")

        facts = live_collection(database, "recipes").find_one(31001)["facts"]
        assert (facts["contains"], facts["without"]) == (contains, ["eggs", "milk"]), allergens
