from campus_api.validation.suggestions import suggest, suggest_path

PARAMETERS = ["date", "meal", "location", "category", "recipe"]


def test_dates_in_other_formats_are_converted():
    november = ("2026/11/20", "20261120", "11/20/2026", "11-20-2026", "2026-11-20T12:30:00", " 2026-11-20 ")
    january = ("2026-1-5", "2026/1/5", "1/5/2026", "01-05-2026")

    for texts, date in ((november, "2026-11-20"), (january, "2026-01-05")):
        for text in texts:
            assert suggest("date", text, PARAMETERS) == [("date", date)], text


def test_the_names_of_meals_become_numbers():
    for text, meal in (("breakfast", "0"), ("lunch", "1"), ("dinner", "2"), ("Breakfast", "0"), ("LUNCH", "1")):
        assert suggest("meal", text, PARAMETERS) == [("meal", meal)], text


def test_what_is_ambiguous_gets_no_suggestion():
    for parameter, texts in {
        "date": "today tomorrow 2026-02-30 20/11/2026 11/20/26 2026-11 2026112 112026 1120 0000-01-01 lunch",
        "meal": "brunch lunches dinn b 1,soup,2",
        "location": "lunch",
        "category": "lunch",
        "recipe": f"lunch 7.5 7.0.0 7e3 0x7 seven ٧ --7 #7 7th {'7' * 19}",
    }.items():
        for text in texts.split():
            assert suggest(parameter, text, PARAMETERS) is None, (parameter, text)


def test_integers_are_normalized():
    for text in ("7", " 7", "7 ", "7.", "7.0", "7.000", "007"):
        for parameter in ("meal", "location", "category", "recipe"):
            assert suggest(parameter, text, PARAMETERS) == [(parameter, "7")], (parameter, text)


def test_each_part_of_a_list_in_one_value_is_corrected():
    for text in ("1,2", "1;2", "1|2", "1 2", "1, 2", ",1,,2,", "1\t2", "Lunch,2.0"):
        assert suggest("meal", text, PARAMETERS) == [("meal", "1"), ("meal", "2")], text
    for text in ("", " ", ",", ";;"):
        assert suggest("meal", text, PARAMETERS) == [], text


def test_misspelled_names_are_corrected():
    for parameter, names in {
        "meal": ("meals", "Meal", "MEAL"),
        "location": ("locations", "loction"),
        "category": ("categories",),
        "recipe": ("Recipes",),
    }.items():
        for name in names:
            assert suggest(name, "7", PARAMETERS) == [(parameter, "7")], name


def test_a_name_and_its_value_are_corrected_together():
    pairs = suggest("Dates", "20261120,11/21/2026", PARAMETERS)

    assert pairs == [("date", "2026-11-20"), ("date", "2026-11-21")]


def test_unknown_names_get_no_suggestion():
    for name in ("", "q", "id", "page", "name", "format", "callback", "mealtime", "d\udcff"):
        assert suggest(name, "7", PARAMETERS) is None, name


ROUTES = ["/", "/map/buildings", "/map/buildings/{id}", "/dining/menus", "/dining/recipes/{id}/facts", "/docs"]


def test_a_similar_path_is_suggested():
    for path, suggested in (
        ("/map/building", "/map/buildings"),
        ("/MAP/Buildings", "/map/buildings"),
        ("/menus", "/dining/menus"),
        ("/api/v1/menu", "/dining/menus"),
        ("/buildings/0012", "/map/buildings/0012"),
        ("/map/buildings/12", "/map/buildings"),
        ("/dining/recipe/7/facts", "/dining/recipes/7/facts"),
        ("/dining/recipes/7/facts", "/dining/recipes"),
    ):
        assert suggest_path(path, ROUTES) == suggested, path


def test_a_path_without_a_similar_one_gets_no_suggestion():
    for path in ("", "/nowhere", "/map", "/dining/menus/1", "/1/2", "/facts", "/%FF"):
        assert suggest_path(path, ROUTES[1:]) is None, path
