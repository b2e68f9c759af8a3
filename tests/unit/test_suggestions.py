from itertools import product

from campus_api.validation.suggestions import suggest

PARAMETERS = dict.fromkeys(["date", "meal", "location", "category", "recipe"])


def test_values_and_names_have_their_suggestions():
    november = ["2026/11/20", "20261120", "11/20/2026", "11-20-2026", "2026-11-20T12:30:00", " 2026-11-20 "]
    integers = ["7", " 7", "7 ", "7.", "7.0", "7.000", "007"]
    lists = ["1,2", "1;2", "1|2", "1 2", "1, 2", ",1,,2,", "1\t2", "Lunch,2.0"]
    for names, texts, expected in (
        (["date"], november, [("date", "2026-11-20")]),
        (["date"], ["2026-1-5", "2026/1/5", "1/5/2026", "01-05-2026"], [("date", "2026-01-05")]),
        (["Dates"], ["20261120,11/21/2026"], [("date", "2026-11-20"), ("date", "2026-11-21")]),
        (["meal"], ["breakfast", "Breakfast"], [("meal", "0")]),
        (["meal"], ["lunch", "LUNCH"], [("meal", "1")]),
        (["meal"], ["dinner"], [("meal", "2")]),
        (["meal"], lists, [("meal", "1"), ("meal", "2")]),
        (["meal"], ["", " ", ",", ";;"], []),
        (["meal", "meals", "Meal", "MEAL"], integers, [("meal", "7")]),
        (["location", "locations", "loction"], integers, [("location", "7")]),
        (["category", "categories"], integers, [("category", "7")]),
        (["recipe", "Recipes"], integers, [("recipe", "7")]),
        (["", "q", "id", "page", "name", "format", "callback", "mealtime", "d\udcff"], ["7"], None),
    ):
        for name, text in product(names, texts):
            assert suggest(name, text, PARAMETERS) == expected, (name, text)


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
