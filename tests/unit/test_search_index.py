"""Search over names: what matches, and in which order."""

from campus_api.domain.hours import Serving
from campus_api.domain.search.index import Entry, SearchIndex
from campus_api.domain.search.moment import Moment

MOMENT = Moment("2026-11-20T12:00", "2026-11-21", frozenset(), False, {})
SOON = (Serving("2026-11-21", 1, 30),)


def building(id_, name, address="", *aliases):
    return Entry("building", id_, name, aliases, address)


def dish(id_, name, servings=SOON):
    return Entry("dish", id_, name, servings=servings)


NAMES = (
    Entry("location", 30, "Annenberg Hall"),
    building(1, "Memorial Hall", "45 Quincy St", "Annenberg Hall"),
    building(3, "Café Gato Rojo (Lehman Hall)", "Harvard Yard"),
    building(7, "St. Mary's Chapel", "Bow Street"),
    building(8, "Mensa Nord", "Hauptstr. 5"),
    dish(12, "Käsespätzle"),
    dish(13, "Blueberry Pie"),
    dish(16, "Tomato Soup"),
    dish(17, "Kuechle"),
    dish(18, "Smørrebrød"),
    dish(19, "Cheeseburger Deluxe"),
)


def search(query, entries=NAMES, **options):
    index = SearchIndex(entries)
    return [entry.name for entry in index.search(query, index.timings(MOMENT), **options)]


def ids(query, *entries):
    index = SearchIndex(entries)
    return [entry.id for entry in index.search(query, index.timings(MOMENT))]


def test_letters_numbers_and_signs_are_those_of_any_spelling():
    for name, queries in {
        "Café Gato Rojo (Lehman Hall)": ["gato café", "CAFÉ  GATO", "cafe\u0301"],
        "St. Mary's Chapel": ["st marys", "saint mary", "St Mary’s", "maryschapel"],
        "Käsespätzle": ["kasespatzle", "kaesespaetzle", "KÄSESPÄTZLE", "käsespätzl", "kasespaetzel"],
        "Kuechle": ["küchle", "kuchle"],
        "Smørrebrød": ["smorrebrod", "smoerrebroed"],
        "Blueberry Pie": ["blueberries pies", "pie blueberry", "blue berry pie", "bluebery"],
        "Tomato Soup": ["tomatoes soups", "soup tomato", "tomatoe"],
        "Mensa Nord": ["hauptstrasse 5", "hauptstraße", "hauptstr 5"],
    }.items():
        for query in queries:
            assert search(query)[:1] == [name], query


def test_a_building_is_listed_by_its_halls():
    for query in ("annenberg", "anneberg", "anenb", "hall annenberg"):
        assert search(query)[:2] == ["Annenberg Hall", "Memorial Hall"], query
    assert ids("commons", building(1, "Commons"), Entry("location", 2, "Commons")) == [2, 1]


def test_nothing_matches_a_query_without_words_or_with_others():
    for query in ("", " ", "(", "́", "xyzzy", "anenb physics", "law school", "qqqq", "q7", "rr", "tosou", "choesa"):
        assert search(query) == [], query
    assert ids("go to", building(1, "To Go")) == [1]


def test_of_several_things_each_is_found_the_rarest_first():
    entries = [building(1, "Coffee Bar"), *(building(id_, f"Library {id_}") for id_ in (2, 3)), dish(4, "Library Cake")]

    assert ids("coffee near the library", *entries) == [1, 2, 3, 4]
    assert ids("library 3 coffee", *entries) == [3, 1]
    # Of what matches only the rest, the first one alone precedes dishes that are not served soon.
    tacos = [dish(id_, name, servings=()) for id_, name in ((1, "Vegan Tacos"), (2, "Vegan Taco Salad"))]
    assert ids("vegan tacos near gym", *tacos, building(3, "Gym"), building(4, "Gym Annex")) == [1, 3, 2, 4]


def test_the_best_match_of_each_thing_is_among_the_first():
    libraries = [building(id_, f"Library {id_}") for id_ in range(1, 30)]
    entries = [*libraries, *(dish(id_, f"Coffee {id_}") for id_ in range(30, 60)), building(60, "Gymnasium")]

    assert ids("library or coffee", *entries)[:3] == [1, 30, 2]
    assert ids("gym near library or coffee", dish(61, "Coffee")._replace(tags="library"), *entries)[:3] == [60, 61, 30]


def test_a_name_is_found_by_its_initials():
    entries = [building(1, "National Center for Supercomputing Applications"), building(2, "Nice Hall")]

    assert ids("NCSA", *entries) == ids("ncsa building", *entries) == [1]
    assert ids("nh", *entries) == []


def test_tags_are_found_like_the_words_of_a_type():
    hall = Entry("location", 1, "Annenberg Hall", tags="lunch dinner")
    cake = Entry("dish", 2, "Carrot Cake", servings=SOON, tags="Desserts VGT végétarien")
    entries = [hall, cake, dish(3, "Bread"), Entry("location", 4, "Fly-By", tags="lunch")]

    assert ids("dinner tonight", *entries) == [1]
    assert ids("lunch", *entries) == [1, 4]
    for query in ("dessert", "vegetarien", "vgt", "desserts today", "carrot foad"):
        assert ids(query, *entries) == [2], query
    assert ids("cake", dish(5, "Cake Lunch"), Entry("dish", 6, "Pie", tags="Cake")) == [5, 6]


def test_a_kind_is_also_found_by_tags_next_to_names():
    entries = [building(1, "Book Store West"), Entry("building", 2, "Campus Corner", tags="books;shop")]

    assert ids("gift shop", *entries) == [1, 2]


def test_words_that_sound_alike_resemble_each_other():
    names = ["Quiche Lorraine", "Couscous", "Cheese Quesadilla"]
    entries = [dish(id_, name) for id_, name in enumerate(names)]

    for query, name in {"keesh": names[0], "keesh lorane": names[0], "kuskus": names[1], "kesadilla": names[2]}.items():
        assert search(query, entries)[:1] == [name], query


def test_what_people_say_is_what_a_sign_or_a_menu_says():
    for queries, name in {
        "gym, palestra, 🏋️": "Fitness Center",
        "doctor, hospital, 🏥": "Health Services",
        "mail, correos, 📮": "Post Office",
        "car park, parkplatz, parcheggio, 🅿️, where can I park": "Broadway Garage",
        "theater, concert hall, kino, 🎬": "Concert Hall",
        "study, where can i study, 📚": "Library",
        "biscuit, keks, cookies, 🍪": "Oatmeal Cookie",
        "toilet, bathroom, baño, 🚻": "Restroom",
        "poulet, pollo, 🍗": "Roast Chicken",
        "bar, bier, 🍺": "The Pub",
        "mosque, moschee, 🕌": "Muslim Prayer Space",
    }.items():
        for word in queries.split(", "):
            assert search(word, [building(1, name), building(2, "Widener")]) == [name], word


def test_of_a_kind_those_without_a_name_come_last():
    entries = [Entry("building", id_, name, tags="dormitory") for id_, name in ((1, None), (2, "Adams House"))]

    assert search("dorm", entries) == search("building", entries) == ["Adams House", None]
    assert ids("building", Entry("building", 3, None)) == [3]


def test_a_long_word_may_have_three_typos_and_any_may_lack_a_letter():
    assert search("capachino", [dish(1, "Cappuccino Muffin"), dish(2, "Spinach")]) == ["Cappuccino Muffin"]
    assert ids("pasa salad", dish(1, "Bean Salad"), dish(2, "Pasta Salad"))[:1] == [2]


def test_numbers_have_no_typos():
    entries = [building(1, "1520", "1230 Oxford Street"), building(2, "1530", "1240 Oxford Street")]

    assert ids("1530", *entries) == [2]
    assert ids("1240 oxford", *entries)[0] == 2


def test_a_word_that_there_is_stands_for_no_other_one():
    hall = Entry("location", 1, "Annenberg Hall", tags="dinner")
    dishes = [dish(id_, name)._replace(tags="vegan") for id_, name in ((2, "Aloo"), (3, "Ginger Carrots"))]

    assert ids("vegan dinner", hall, *dishes) == ids("vegan supper", hall, *dishes) == [1, 2, 3]


def test_what_is_not_in_a_dish_leads_to_no_dish_with_a_word_like_free():
    toast, wrap = dish(1, "French Toast, Green Beans"), Entry("dish", 2, "Wrap", servings=SOON, tags="nut free")

    assert ids("gluten free", toast) == ids("without sugar", toast, building(3, "Winthrop House")) == []
    assert ids("nut free", toast, wrap) == [2]


def test_what_contains_the_query_precedes_what_resembles_it():
    for exact in (dish(2, "Vegetable Lasagne", servings=()), building(2, None, "7 Lasagne Way")):
        assert ids("lasagne", dish(1, "Lasagna"), exact) == [2, 1], exact


def test_a_whole_word_in_any_number_precedes_the_query_inside_or_at_the_beginning_of_a_word():
    for query, *names in (
        ("egg", "Fried Eggs", "Eggplant"),
        ("coffee", "Café", "Coffeecake"),
        ("pears", "Fresh Pear", "Asparagus Spears"),
        ("nuts", "Mixed Nut Bar", "Coconuts"),
        ("oats", "Oat Milk", "Goat's Cheese"),
        ("rice cakes", "Cake of Rice", "Licorice Cakes", "Torta di Rice"),
        ("olives", "Green Olive", "Jolives"),
        ("kaese", "Käse", "Kaeserolls"),
        ("fries", "Sweet Fries", "Stir Fry"),
        ("french fries", "French Fries", "Fries"),
        ("nuts", "Donuts with a Nut", *(f"Donuts {number}" for number in range(20))),
    ):
        entries = [dish(number, name, SOON if number else ()) for number, name in enumerate(names)]
        assert search(query, entries)[:1] == names[:1], (query, names)


def test_dishes_that_are_served_soon_precede_others_that_match_as_well():
    for query, later in (("chili", "Chili"), ("chilli", "Chilly"), ("con chili", "Chili Con")):
        assert ids(query, dish(1, later, servings=()), dish(2, "Turkey Chili Con Carne")) == [2, 1], query
    dinner = [Serving("2026-11-21", 2, 30)]
    assert ids("soup", dish(1, "Soup A", dinner), dish(2, "Soup B")) == [2, 1]


def test_the_closest_of_equal_matches_is_the_first():
    names = ["Egg", "Eggs", "Egg Noodles", "Fried Egg", "Scrambled Egg", "Veggies"]

    assert search("egg", [dish(id_, name) for id_, name in enumerate(reversed(names))]) == names
    assert ids("noodles egg", dish(1, "Eggs Noodles"), dish(2, "Fried Egg Noodles")) == [2, 1]


def test_a_name_precedes_an_address():
    assert ids("oxford", building(1, "Lab", "Oxford"), building(2, "Museum of Oxford")) == [2, 1]


def test_weak_matches_are_left_out_if_there_are_better_ones():
    assert search("better", [dish(1, "Butter"), dish(2, "Cutter")]) == ["Butter"]
    assert search("better", [dish(2, "Cutter")]) == ["Cutter"]


def test_a_search_has_results_of_the_types():
    entries = [make(id_, f"Hall {id_}") for id_ in range(30) for make in (building, dish)]

    index = SearchIndex(entries)
    results = index.search("hall", index.timings(MOMENT), types=["dish", "bus"])
    assert [entry.type for entry in results] == ["dish"] * 30
    assert search("hall", entries, types=["bus"]) == search("halls 1", entries, types=["bus"]) == []
