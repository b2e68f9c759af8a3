from loaders import profiles
from loaders.readers import buildings, dining
from tests.factories import feature, foodpro_row


def warnings(result):
    return [(error.location.line, error.message, error.times) for error in result.warnings.values()]


def test_a_name_that_differs_in_case_or_spaces_from_that_of_another_id_is_a_warning(save_features):
    alike = ["CABOT STRASSE", "cabot straße", "CabotStraße", "Ca bot Straße"]
    for name in (*alike, "Cabot Straße", "Cabot", "Cabot Straße 2", "Cabot-Straße", " "):
        path = save_features(feature(1, name="Cabot Straße"), feature(2, name=name), feature(3))

        result = buildings.read([(profiles.load_building_profile("geojson"), [path])])

        message = f"name {name!r} (id 2) differs from 'Cabot Straße' (id 1) only in letter case or spaces"
        assert (warnings(result), result.errors) == ([(1, message, 1)] * (name in alike), []), name


def test_all_kinds_of_names_in_menus_are_compared_once(save_rows):
    for kind, field in [("Location", "location"), ("Menu_Category", "category"), ("Recipe", "recipe")]:
        # The default name of a category is none of a hall or a recipe.
        texts = {"Menu_Category_Name": "RICE BAR", "Recipe_Print_As_Name": ""}
        first = foodpro_row(**texts | {f"{kind}_Number": 1, f"{kind}_Name": "Rice Bar"})
        second = first | {f"{kind}_Number": 2, f"{kind}_Name": "RiceBar"}
        rows = save_rows(first, second, second | {"Serve_Date": "11/21/2026"})

        result = dining.read([(profiles.load_dining_profile("foodpro"), [rows])])

        assert [(text.split()[0], times) for _, text, times in warnings(result)] == [(field, 1)], kind


def test_another_name_of_the_same_hall_or_category_is_a_warning(save_rows):
    north = foodpro_row(Location_Name="North Hall", Recipe_Number="1", Recipe_Print_As_Name="Soup")
    south = foodpro_row(Location_Name="South Hall", Recipe_Number="1", Serve_Date="11/21/2026")
    north_path = save_rows(north, north | {"Location_Name": "NORTH HALL"}, name="north.json")
    south_path = save_rows(south, south | {"Menu_Category_Name": "Salads"}, name="south.json")

    result = dining.read([(profiles.load_dining_profile("foodpro"), [north_path, south_path])])

    assert [(error.file, error.message) for error in result.warnings.values()] == [
        ("south.json", "location 'South Hall' (id 30) differs from 'North Hall', its name in another row"),
        ("south.json", "category 'Salads' (id 23) differs from 'Make Your Own Bar', its name in another row"),
    ]


def test_buildings_of_which_none_has_a_name_are_a_warning(save_features):
    for names, shown in (((None, ""), ""), (("B101", "7"), " but 'B101'"), (("7", "Cabot House"), None), ([], "")):
        path = save_features(*(feature(id_, name=name) for id_, name in enumerate(names)), feature(9))

        result = buildings.read([(profiles.load_building_profile("geojson"), [path])])

        expected = [] if shown is None else [f"buildings have no name{shown}: a profile can name them"]
        assert [text for _, text, _ in warnings(result)] == expected, names


def test_halls_or_dishes_that_all_have_codes_for_names_are_a_warning(save_rows):
    uuids = ["8f14e45f-ceea-467f-a8b3-000000000001", "8f14e45f-ceea-467f-a8b3-000000000002"]
    for field, number, names, noun in [
        ("Location_Name", "Location_Number", ["4850", "r135"], "halls"),
        ("Location_Name", "Location_Number", ["4850", "North Hall"], None),
        ("Location_Name", "Location_Number", ["1920 Commons"], None),
        ("Recipe_Print_As_Name", "Recipe_Number", uuids, "dishes"),
        ("Recipe_Print_As_Name", "Recipe_Number", [uuids[0], "Soup"], None),
    ]:
        rows = [foodpro_row(**{field: name, number: id_}) for id_, name in enumerate(names)]

        result = dining.read([(profiles.load_dining_profile("foodpro"), [save_rows(*rows)])])

        expected = [f"{noun} have no name but {names[0]!r}: a profile can name them"] if noun else []
        assert [text for _, text, _ in warnings(result)] == expected, names
