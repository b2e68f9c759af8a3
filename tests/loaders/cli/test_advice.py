"""What is printed as advice is not printed where following it would do harm."""

IN_METRES = "5215000,-7915000"
MEALS = "date,meal,hall,dish"


def test_advice_is_only_for_exports_that_it_suits(campus_load, save):
    valid = "".join(f"{number},42.37,-71.{number}\n" for number in range(10, 29))
    wrong, dinner, none = "1,42375,-71106\n", "2026-11-30,Dinner,North,Stew\n", "2026-11-30,,North,Soup\n"
    for text, advice, is_printed in [
        (f"id,lat,lon\n{valid}{wrong}", "--max-errors 1 publishes the rest", True),
        (f"id,lat,lon\n{valid[13:]}{wrong}", "--max-errors", False),
        (f"id,lat,lon\n1,{IN_METRES}\n2,{IN_METRES}\n", "--wkid, the EPSG number that", True),
        (f"id,lat,lon\n{valid}{wrong}", "wkid", False),
        (f"{MEALS}\n{none}", '[defaults] meal = "lunch"', True),
        (f"{MEALS}\n{none}{dinner}", '[defaults] meal = "lunch"', False),
    ]:
        path = save(text)
        for command in ("check", "profile"):
            result = campus_load(command, path)
            is_expected = is_printed and not (command == "profile" and "max" in advice)
            assert (result.exit_code, advice in result.output) == (2, is_expected), (command, text)


def test_a_file_named_after_another_meal_than_lunch_needs_a_default(campus_load, save):
    rows = "date,hall,dish\n2026-11-30,North,Pie\n"
    dinner, breakfast = save(rows, "dinner.csv"), save(rows, "breakfast.csv")
    own = save(campus_load("profile", dinner).stdout, "own.toml")

    refused, other = campus_load("check", dinner), campus_load("check", breakfast, "--profile", own)
    halls = [save("date,hall,dish\n2026-11-30,North,Pie\n", f"{hall}.csv") for hall in ("The Diner", "Dinner Club 2")]

    assert 'needs meal = "dinner" in [defaults], or "lunch" if it is the name of a hall' in refused.stderr
    assert not any("inner" in campus_load("profile", hall).stdout.split("[columns]")[1] for hall in halls)
    assert "meal 'dinner' is the meal of [defaults], but that of the file is breakfast by its name" in other.stderr
    assert [refused.exit_code, other.exit_code, "meal dinner: check [defaults]" in own.read_text()] == [2, 0, True]
