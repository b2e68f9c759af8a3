from loaders import profiles
from loaders.inference import propose
from loaders.readers import dining
from tests.factories import foodpro_row, huds_line


def test_a_proposed_profile_has_counts_and_what_is_not_read(save_csv):
    path = save_csv(
        *[foodpro_row(Price="4.20")] * 2,
        foodpro_row(Serve_Date="11/22/2026", Recipe_Number="2"),
        foodpro_row(Meal_Number="2", Meal_Name="Dinnner"),
        foodpro_row(Meal_Number="9"),
    )

    assert propose.profile(path).splitlines() == [
        "# foodpro.csv: foodpro, 5 rows, 2 dates from 2026-11-20 to 2026-11-22, 1 location, 1 category, 2 recipes",
        "# breakfast 2 items, lunch 1 item, dinner 0 items",
        "# Not read: ID, Price.",
        'format = "foodpro"',
    ]


def test_unknown_huds_codes_are_proposed_with_their_ids(save):
    path = save("".join(huds_line(hall=hall, category="26") for hall in ("QUINCY", "ANNENBERG ", "QUINCY", 'A ""B""')))

    assert propose.profile(path).splitlines()[5:] == [
        "[locations]",
        'ANNENBERG = {id = 30, name = "Annenberg Hall"}',
        'QUINCY = {id = 100, name = "QUINCY"} # proposed: check the name',
        '"A \\"B\\"" = {id = 102, name = "A \\"B\\""} # proposed: check the name',
        "",
        "[categories]",
        '26 = {id = 101, name = "26"} # proposed: check the name',
    ]


def test_the_proposed_ids_are_those_of_a_load_without_the_profile(save, save_profile):
    path = save("".join(huds_line(hall=hall, category="77") for hall in ("QUINCY  HS", "²", "008", "30", "000")))

    loaded = map(profiles.load_dining_profile, (save_profile(path), "huds"))
    with_profile, without = (dining.read([(profile, [path])]) for profile in loaded)

    assert (with_profile.records, with_profile.errors, with_profile.warnings) == (without.records, [], {})
    assert len(without.records) == len(without.warnings) - 1 == 5


def test_halls_of_all_formats_have_the_building_that_is_found_by_their_name(save, save_rows, dining_profile):
    def find_buildings(names):
        return {name: 101 for name in names if name == "Annenberg Hall"}

    rows = save_rows(foodpro_row(), foodpro_row(Location_Number="7", Location_Name="Dunster House"))
    for path in (rows, save(huds_line(), "menu.csv")):
        text = propose.profile(path, find_buildings=find_buildings)

        halls = dining_profile(text, None).halls
        assert {id_: hall.building for id_, hall in halls.items()} == {30: 101}, path
    table = save("date,meal,hall,dish\n2026-11-23,lunch,Annenberg Hall,Soup\n", "table.csv")
    assert '[halls."Annenberg Hall"]\nbuilding = 101' in propose.profile(table, find_buildings=find_buildings)
