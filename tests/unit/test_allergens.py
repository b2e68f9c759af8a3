"""Allergens as providers write them: what is listed, and what ingredients name."""

import html
import tomllib
from collections import Counter
from itertools import chain, combinations
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from campus_api.domain.allergens import ingredients, listed
from campus_api.domain.allergens.spellings import all_words, find, normalize_name, spellings, tokens, with_names
from campus_api.domain.allergens.vocabulary import Allergens, Labels, contradicted_diets, diets

TABLE = tomllib.loads(Path(listed.__file__).with_name("spellings.toml").read_text(encoding="utf-8"))
# Written from the regulations and from exports, most of it before the code that reads them.
ORACLE = tomllib.loads(Path(__file__).with_name("allergen_texts.toml").read_text(encoding="utf-8"))
MILK = sorted(" ".join(name) for name, each in spellings().listed.meanings.items() if each.contained == {"milk"})
WITH = ("with", "and", "&", "mit", "und", "au", "aux", "et", "con", "al", "alla", "allo", "alle", "ai", "e", "y")
FOODS = ("food", "generic")
# With none of these, a spelling of milk is another name.
OTHERS = st.sampled_from(["Eggs", "Wheat", "Soy", "Gluten", ""])
STRANGE = st.sampled_from(["Nobody knows", "None", "Sans gluten,", "  ", "•", "é", "<p>", "&amp;"])
SEPARATORS = [",", ";", "|", "/", " • ", "(", ")", "]", "\n", "\r\n", "\u2028", "<br>", "<BR/>", "</p><p>", "&#44;"]
SEPARATORS += [" and ", " & ", " und ", " et ", " y ", " e ", "，"]
MARKUP = ["<img alt=x>", "<!-- -->", "&lt;br&gt;", "<s>", "</s>", "<span title='", "'></span>"]
JOINTS = ["", " ", "\t", ".", ": ", "-", "\u200b", "_"]
FORMS = [
    str,
    str.upper,
    str.title,
    lambda text: f"<b>{text}</b>",
    lambda text: f"<img alt='{text}'>",
    lambda text: f"<!-- {text} -->",
    lambda text: f"&lt;{text}&gt;",
    lambda text: f"Contains: {text}",
    lambda text: "".join(f"&#{ord(char)};" for char in text),
    lambda text: html.escape(f"<i>{text}</i>"),
    lambda text: text.replace(" ", "\N{NO-BREAK SPACE}"),
    lambda text: "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text),
]


def names(result):
    return "" if result.unknown else ", ".join(sorted(result.named.contained))


def test_lists_are_those_of_the_regulations():
    for text, words in ORACLE["listed"].items():
        assert names(listed.parse(text)) == words, text


def test_ingredients_are_those_of_the_regulations():
    for text, words in ORACLE["ingredients"].items():
        assert ", ".join(sorted(ingredients.named(text).contained)) == words, text


def test_what_is_unknown_is_reported_as_it_is_written():
    assert listed.parse("") == listed.parse(" \n") == listed.Listed()
    assert listed.parse("Milk, Foo， Egg-Cup; TBD,TBD").unknown == ("Foo", "Egg-Cup", "TBD")
    assert listed.parse(" Contains:\n").unknown == ("Contains:",)
    assert listed.parse("None, Nobody").unknown == ("Nobody",)
    assert listed.parse("Foo {Bar}").unknown == ("Foo", "Bar")
    assert listed.parse("Free milk, eggs a) soy, wheat E471").unknown == ("Free milk", "eggs a", "wheat E471")


def test_only_words_for_allergens_and_an_explicit_none_make_a_list():
    lists = ["Milk", "All top 9 allergens", "Milk, Eggs. Fried in shared oil with fish", "🥛 Milk, 🥚 Eggs", "No."]
    none = ["Sans allergène", "keine kennzeichnungspflichtigen Allergene", "Contains: Nothing", "Allergens: no"]
    none += ["Does not contain any of the 14 major allergens", "Aucun allergène à signaler", "Sin alérgenos conocidos"]
    for text in [*lists, *none, "Keine", "Assenza di allergeni", "Lachsfilet, Roggenflocken, Magermilchpulver"]:
        assert listed.parse(text)[1:3] == ((), True), text
    others = ["Lactose Free", "Caffeine", "Pesto", "Beef", "May contain nuts", "No information about allergens"]
    for text in [*others, "Vegan: no", "Allergens not listed", "We cannot guarantee no allergens"]:
        assert not listed.parse(text).is_list, text
    # Nobody explains several codes, what stands between a denial and its food, or a dish with fish.
    for text in ("Pasta (1,3,7,9)", "Glutine 1, 9", "No local milk", "Milk, Fish tacos"):
        assert listed.parse(text).unknown, text


def test_a_profile_has_names_of_parts_and_of_whole_texts():
    words = {"a": {"wheat"}, "pork": {"pork"}, "may contain: milk": (), "nuts": {"tree nuts"}, "soja (bio)": {"soy"}}
    own = with_names(words)

    for text, words in {
        "A, pork": {"gluten", "pork", "wheat"},
        "PORK & Milk": {"milk", "pork"},
        "May contain:  Milk": set(),
        "Nuts": {"tree nuts"},
        "Nuts and products thereof": {"peanuts", "tree nuts"},
        "Soja  (BIO), A": {"gluten", "soy", "wheat"},
    }.items():
        result = listed.parse(text, own)
        assert (result.named.contained, result.unknown) == (words, ()), text


def test_no_spelling_stands_for_two_rows():
    for kinds in (("names", "listed"), ("names", "ingredients"), ("stems",)):
        others = [row for row in TABLE["spellings"] if not row["words"] or not {*row["words"]} <= {*TABLE["dietary"]}]
        rows = [{normalize_name(each) for kind in kinds for each in row.get(kind, ())} for row in others]
        assert {name for name, times in Counter(chain(*rows)).items() if times > 1} == set(), kinds


def test_no_phrase_hides_what_a_part_of_it_contains():
    rows = spellings().ingredients.meanings
    for phrase, meaning in [each for each in rows.items() if not each[1].contained]:
        parts = [rows.get(phrase[slice(*ends)]) for ends in combinations(range(len(phrase) + 1), 2)]
        words = {word for part in parts if part and part.role in FOODS for word in part.contained - meaning.typical}
        is_other = phrase[-1] in ("cabbage", "coco", "cevizi", "dijon")
        assert is_other or words.isdisjoint({"soy", "celery", "mustard", "sesame", "coconut"}), phrase
    for phrase, meaning in rows.items():
        tails = [rows.get(phrase[end:]) for end in range(2, len(phrase)) if phrase[end - 1] in WITH]
        words = {word for tail in tails if tail and tail.role in FOODS for word in tail.contained}
        is_in_the_sun = phrase[-2:] == ("al", "sole")
        assert is_in_the_sun or words <= meaning.contained | meaning.typical, phrase


def test_a_name_stands_for_words_whatever_its_letter_case_and_accents_and_every_word_for_itself():
    for name, words in {
        **{word: {word} for word in all_words()},
        "DAIRY": {"milk"},
        "nuts": {"peanuts", "tree nuts"},
        "Céleri": {"celery"},
        "Milk, Eggs": set(),
    }.items():
        assert find(name) == words, name
    assert normalize_name("Œufs  DURS") == "oeufs durs"


def mixed(joints, others):
    """Return texts of a spelling of milk among others."""
    forms = st.just(str) | st.sampled_from(FORMS)
    milk, other = (st.builds(lambda name, form: form(name), each, forms) for each in (st.sampled_from(MILK), others))
    joint = st.sampled_from(SEPARATORS) | st.sampled_from(SEPARATORS + joints)
    before, after = st.lists(st.tuples(other, joint), max_size=3), st.lists(st.tuples(joint, other), max_size=3)
    return st.tuples(before, milk, after).map(lambda parts: "".join([*chain(*parts[0]), parts[1], *chain(*parts[2])]))


def test_a_hedge_leaves_its_words_open_and_no_others():
    for text, (words, maybe) in {
        "Milk, may contain milk, peanuts and soy": ({"milk"}, {"peanuts", "soy"}),
        "Contains: Milk. May contain: Tree Nuts.": ({"milk"}, {"tree nuts"}),
        "May contain soy. Milk": ({"milk"}, {"soy"}),
        "(May contain soy) Milk": ({"milk"}, {"soy"}),
        "May contain nuts, contains milk": ({"milk"}, {"peanuts", "tree nuts"}),
        "Milk, may contain pesto": ({"milk"}, {"tree nuts"}),
        "Milk. Cannot guarantee egg or nut free": ({"milk"}, {"eggs", "peanuts", "tree nuts"}),
        "Dairy free, fish free may contain tuna": (set(), {"fish"}),
        "Milch. Kann Spuren von Allergenen enthalten": ({"milk"}, {*spellings().words} - {"milk"}),
        "Lait, traces possibles de noix": ({"milk"}, {"tree nuts"}),
        "Lait et traces de noix": ({"milk"}, {"tree nuts"}),
        "Milk, Eggs (traces), Fish (contains traces)": ({"milk"}, {"eggs", "fish"}),
        "Milk. Served with or without tuna": ({"milk"}, {"fish"}),
        "Lait. Peut contenir des traces d'arachides": ({"milk"}, {"peanuts"}),
        "Produced in a facility that also processes peanuts": (set(), {"peanuts"}),
        "Milk. Prepared in a kitchen where nuts are used": ({"milk"}, {"peanuts", "tree nuts"}),
        "Milk, Caesar Dressing": ({"milk"}, {"eggs", "fish", "mustard"}),
    }.items():
        named, unknown, *_ = listed.parse(text)
        assert (named.contained, named.typical | named.hedged, unknown) == (words, maybe, ()), text


def test_what_a_food_typically_has_is_open():
    for text, words in ORACLE["typical"].items():
        assert ", ".join(sorted(ingredients.named(text).typical)) == words, text


def test_no_spelling_of_what_most_recipes_have_hides_a_food_in_it():
    others = [row for row in TABLE["spellings"] if not row["words"]]
    about_others = [tokens(normalize_name(name)) for row in others for name in row.get("ingredients", ())]
    for phrase, meaning in spellings().ingredients.meanings.items():
        is_other = meaning.contained or meaning.dietary or "vegan" in phrase or phrase in about_others
        parts = [" ".join(part) for part in (phrase[1:], phrase[:-1]) if meaning.typical and not is_other]
        named = [ingredients.named(part) for part in parts]
        words = frozenset().union(*(each.contained | each.dietary & {"meat"} for each in named))
        assert words <= meaning.typical, phrase


def test_a_denial_denies_its_own_phrase():
    for text, words in ORACLE["denials"].items():
        assert ", ".join(sorted(ingredients.named(text).contained)) == words, text


def test_where_the_grammar_of_a_denial_is_not_sure_its_words_are_unknown():
    for text, typical in {
        "Veganer Burger Käse. Toast vegan egg": {"eggs", "milk"},
        "rice cheese, vegan. egg vegan salmon": {"fish", "milk"},
        "Burger no bun, cheddar or egg": {"eggs", "milk"},
        "sin gluten y atún, mozzarella and gluten free pasta": {"fish", "milk"},
        "gluten- und laktosefrei. sans lactose, gluten ou soja": {"milk", "soy"},
        "no nuts / milk. ohne Ei, Soja und Sesam. celery, nut and soy free": {"celery", "milk", "sesame", "soy"},
        "nut-free almond cookies": {"tree nuts"},
        "not free from nuts. cannot guarantee celery free. mit oder ohne Ei": {"celery", "eggs", "tree nuts"},
        "with or without butter. con o sin pescado": {"fish", "milk"},
        "Cheese pizza without dairy": {"milk"},
        "without dairy cheese pizza": {"milk"},
        "Egg free, not guaranteed": {"eggs"},
    }.items():
        named = ingredients.named(text)
        assert (named.contained & typical, (named.typical | named.hedged) & typical) == (set(), typical), text


def test_a_meat_dish_is_of_meat_unless_it_is_of_a_plant():
    for text, is_of_meat in ORACLE["of meat"].items():
        assert bool(ingredients.named(text).dietary) == is_of_meat, text


def test_a_diet_is_contradicted_by_what_it_excludes():
    for text, expected in {
        "Honey": {"vegan"},
        "Milk": {"milk free", "vegan"},
        "Egg": {"vegan"},
        "Gelatine": {"vegan", "vegetarian"},
        "Beef": {"vegan", "vegetarian"},
        "Gulasch": {"vegan", "vegetarian"},
        "Salmon": {"vegan", "vegetarian"},
        "Shrimp": {"kosher", "vegan", "vegetarian"},
        "Mussels": {"kosher", "vegan", "vegetarian"},
        "Ham": {"halal", "kosher", "vegan", "vegetarian"},
        "Wine": {"halal"},
        "Rice cheese, vegan. Pizza mozzarella fromage végétal": set(),
        "Vegan bacon, jackfruit pulled pork, jambon végétal, Beyond Burger": set(),
    }.items():
        named = ingredients.named(text)
        contradicted = contradicted_diets(named.contained | named.dietary)
        assert contradicted & {"halal", "kosher", "milk free", "vegan", "vegetarian"} == expected, text


def test_a_word_is_stated_if_all_recipes_have_it_or_one_is_known_to_lack_it():
    for recipes, stated in [
        ([{"contains": ["milk", "pork"]}, {"contains": ["pork"], "without": ["eggs"]}], {"eggs", "pork"}),
        ([{"contains": ["milk"]}, {"contains": []}], set()),
        ([{"contains": ["milk"]}, {"contains": None}], {"milk"}),
        ([{"contains": [], "without": ["corn"]}], {"corn"}),
    ]:
        allergens = Allergens()
        for facts in recipes:
            allergens.add(facts)
        assert allergens.stated == stated, recipes
        assert [allergens.get(word) for word in stated] == [{word} for word in stated], recipes
        assert stated <= allergens.known_texts.keys(), recipes


def test_labels_stand_for_diets():
    vegan = {"vegan", "vegetarian"}
    for (code, name), expected in {
        ("VGN/EF", None): {*vegan, "eggs free"},
        ("X", "100% Vegan"): vegan,
        ("Vegan (V)", None): vegan,
        ("Vegan*", None): vegan,
        ("rein pflanzlich", None): vegan,
        ("plato vegano", None): vegan,
        ("V", "Végétal"): vegan,
        ("V", None): {"vegetarian"},
        ("VGN", "Vegetarian"): {"vegetarian"},
        ("sans viande", None): {"vegetarian"},
        ("X", "Avoiding Gluten / Dairy Free"): {"gluten free", "milk free"},
        ("X", "Avoiding Gluten"): {"gluten free"},
        ("X", "Free from: milk"): {"milk free"},
        ("X", "Made without Nuts"): {"peanuts free", "tree nuts free"},
        ("No wheat", None): {"wheat free"},
        ("No nuts / soy", None): {"peanuts free", "soy free", "tree nuts free"},
        ("X", "Fuer Zoeliakie geeignet"): {"gluten free"},
        ("Vegan & laktosefrei", None): {*vegan, "milk free"},
        ("Halal", None): {"halal"},
        ("HL", "Halal & koscher, pork free"): {"halal", "kosher", "pork free"},
        ("GF/DF/SF/K/HL", None): {"gluten free", "halal", "kosher", "milk free", "soy free"},
        ("VGT WF PF LF NF", None): {"vegetarian", "milk free", "peanuts free", "tree nuts free", "wheat free"},
        ("Non-Vegan", "Vegan: no"): set(),
        ("Vegan auf Anfrage, kann glutenfrei sein", "Not suitable for vegans"): set(),
        ("Local GF", "Vegan? Ask"): set(),
        ("Vegan option", "Vegan auf Wunsch"): set(),
        ("fast vegan", "Vegan: N (TBC)"): set(),
    }.items():
        assert diets(code, name) == expected, (code, name)
    assert len(diets("Top 9 Free")) == 9
    for codes in (("vgn", "VGN"), ("VGN", "vgn")):
        labels = Labels()
        for code in codes:
            labels.add(code, "Vegan")
        assert (labels.known_texts, labels.name("Vgn")) == ({"vgn": "VGN", "vegan": "Vegan"}, "Vegan"), codes


@given(mixed(MARKUP + JOINTS, OTHERS | OTHERS | OTHERS | STRANGE | st.text(max_size=8)))
@example("Eggs,WheatEggsabondance")
@example("Sans gluten,,Eggs and abbaye de belloc")
def test_no_list_with_a_spelling_of_milk_is_known_without_milk(text):
    result = listed.parse(text)

    # After a denial it may be denied, too: "sans gluten, eggs and milk".
    assert result.unknown or "milk" in result.named.contained | result.named.typical


@given(mixed(MARKUP, OTHERS))
def test_no_ingredients_with_a_spelling_of_milk_are_without_milk(text):
    assert "milk" in ingredients.named(text).contained
