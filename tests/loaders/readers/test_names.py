from loaders import profiles
from loaders.errors import DataWarning
from loaders.readers import buildings, dining
from loaders.readers.names import NameChecker
from tests.factories import feature, foodpro_row


def warnings(result):
    return [(error.location.line, error.message, times) for error, times in result.warnings.values()]


def test_a_name_with_another_id_that_differs_in_case_or_spaces_is_a_warning_once():
    names = NameChecker()
    for field, id_, name in [
        ("location", 30, "Annenberg Hall"),
        ("location", 31, "Annenberg Hall"),
        ("location", 30, "ANNENBERG HALL"),
        ("category", 31, "ANNENBERG HALL"),
        *(("location", 31, name) for name in ("Annenberg", "Annenberg Hall 2", "Annenberg-Hall", "")),
    ]:
        assert names.check(field, id_, name) is None, (field, id_, name)

    names = NameChecker()
    names.check("location", 30, "Annenberg Hall")
    reason = "(id 31) differs from 'Annenberg Hall' (id 30) only in letter case or spaces"
    for name in ("ANNENBERG HALL", "annenberg hall", "AnnenbergHall", "Annen berg Hall"):
        assert names.check("location", 31, name) == DataWarning("location", name, reason)
        assert names.check("location", 31, name) is None, name
    names.check("recipe", 1, "Straße")
    assert names.check("recipe", 2, "STRASSE") is not None


def test_another_name_of_the_same_hall_or_category_is_a_warning(save_rows):
    north = foodpro_row(Location_Name="North Hall", Recipe_Number="1", Recipe_Print_As_Name="Soup")
    south = foodpro_row(Location_Name="South Hall", Recipe_Number="1", Serve_Date="11/21/2026")
    paths = [
        save_rows(north, north | {"Location_Name": "NORTH HALL"}, name="north.json"),
        save_rows(south, south | {"Menu_Category_Name": "Salads"}, name="south.json"),
    ]

    result = dining.read(paths, profiles.load_dining_profile("foodpro"))

    assert [(error.file, error.message) for error, _ in result.warnings.values()] == [
        ("south.json", "location 'South Hall' (id 30) differs from 'North Hall', its name in another row"),
        ("south.json", "category 'Salads' (id 23) differs from 'Make Your Own Bar', its name in another row"),
    ]


def test_all_kinds_of_names_in_menus_are_compared(save_rows):
    for kind, field in [("Location", "location"), ("Menu_Category", "category"), ("Recipe", "recipe")]:
        rows = [
            foodpro_row(Recipe_Print_As_Name="", **{f"{kind}_Number": number, f"{kind}_Name": name})
            for number, name in [("1", "Rice Bar"), ("2", "RiceBar")]
        ]

        result = dining.read([save_rows(*rows)], profiles.load_dining_profile("foodpro"))

        assert [text.split()[0] for _, text, _ in warnings(result)] == [field], kind


def test_near_duplicate_building_names_are_a_warning(save_features):
    named = [feature(1, name="Cabot House"), feature(2, name="CABOT HOUSE"), feature(3, name="Lamont")]
    path = save_features(*named, feature(4), feature(5, name=" "))

    result = buildings.read([path], profiles.load_building_profile("geojson"))

    message = "name 'CABOT HOUSE' (id 2) differs from 'Cabot House' (id 1) only in letter case or spaces"
    assert (warnings(result), result.errors) == ([(1, message, 1)], [])


def test_buildings_of_which_none_has_a_name_are_a_warning(save_features):
    for names, shown in (((None, ""), ""), (("B101", "7"), " but 'B101'"), (("7", "Cabot House"), None), ([], "")):
        path = save_features(*(feature(id_, name=name) for id_, name in enumerate(names)), feature(9))

        result = buildings.read([path], profiles.load_building_profile("geojson"))

        expected = [] if shown is None else [f"buildings have no name{shown}: a profile can name them"]
        assert [text for _, text, _ in warnings(result)] == expected, names


def test_halls_of_which_none_has_a_name_are_a_warning(save_rows):
    for is_warning, halls in [
        (True, [("4850", "r135"), ("B7",)]),
        (False, [("4850", "North Hall"), ("1920 Commons",)]),
    ]:
        for names in halls:
            rows = [foodpro_row(Location_Number=id_, Location_Name=name) for id_, name in enumerate(names)]

            result = dining.read([save_rows(*rows)], profiles.load_dining_profile("foodpro"))

            expected = [f"halls have no name but {names[0]!r}: a profile can name them"] if is_warning else []
            assert [text for _, text, _ in warnings(result)] == expected, names
