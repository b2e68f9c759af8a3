"""Facts of recipes in loads: stored, compared, retained, undone and guarded."""

from datetime import date, timedelta

from campus_api.domain.models import Label, Nutrients
from loaders.documents.serving import DiningLists
from loaders.profiles.thresholds import Thresholds
from loaders.publishing.dining_plan import plan_dining
from tests.factories import TODAY, TOMORROW, YESTERDAY, facts, foodpro_row, serving
from tests.loaders.live import live_collection


def plan(database, *servings, facts):
    return plan_dining(database, servings, lists=DiningLists(facts=facts))


def stored(database, id_=31001):
    return live_collection(database, "recipes").find_one({"_id": id_})


def test_facts_are_stored_and_changed_ones_listed_and_equal_ones_or_none_are_unchanged(database, load_dining):
    load_dining(serving(), serving(2, "Soup"), facts={31001: facts()})

    assert (stored(database)["facts"]["calories"], stored(database, 2)) == (167, {"_id": 2, "name": "Soup"})
    for none in ({31001: facts()}, {}):
        assert plan(database, serving(), serving(2, "Soup"), facts=none).is_empty, none
    changed = plan(database, serving(), facts={31001: facts(allergens=None, calories=170)})
    [change] = changed.differences["recipes"].changes
    fields = "calories; allergens 'Sesame, Wheat' -> None; contains 'gluten, sesame, wheat' -> None; without"
    assert str(change) == f"changed 31001 Kashi Pilaf: {fields}"
    assert plan(database, serving(2, "Soup"), facts={2: facts()}).differences["recipes"].changed == 1


def test_an_export_that_does_not_speak_of_facts_keeps_them(database, load_dining):
    load_dining(serving(), facts={31001: facts()})
    before = stored(database)["facts"]

    for name in ("Kashi Pilaf", "KASHI  pilaf"):
        load_dining(serving(name=name), serving(2))

        assert (stored(database)["name"], stored(database)["facts"]) == (name, before), name
        load_dining(serving(2), facts={2: facts()})
        assert stored(database)["facts"] == before, name
    load_dining(serving(3))
    load_dining(serving(3, date=TOMORROW), facts={3: facts()})
    assert stored(database, 3)["facts"] == before


def test_a_reused_number_does_not_have_the_facts_of_the_other_dish(database, load_dining, empty):
    for live_date in (YESTERDAY, TODAY):
        empty()
        load_dining(serving(date=live_date), facts={31001: facts()})

        load_dining(serving(name="Chicken Parmesan"))

        assert stored(database) == {"_id": 31001, "name": "Chicken Parmesan"}, live_date
    load_dining(serving(name="Soup", date=TOMORROW), facts={31001: facts()})
    assert stored(database)["facts"]["contains"] is None


def test_a_recipe_has_the_allergens_of_all_live_dates_and_lacks_only_what_all_lack(database, load_dining, empty):
    labels = Label("XYZ"), Label("GF")
    exported = facts(allergens=("Fish", "Wheat"), contains=("fish",), without=("eggs", "milk", "soy"), labels=labels)
    milk = {"allergens": ("Milk", "Wheat"), "contains": ("milk",), "without": ("eggs", "fish", "soy", "wheat")}
    for live, expected in [
        (milk, (["Fish", "Milk", "Wheat"], ["fish", "milk"], ["eggs", "soy"])),
        ({"allergens": None, "contains": None, "without": ()}, (None, None, [])),
    ]:
        empty()
        load_dining(serving(date=TOMORROW), facts={31001: facts(**live)})

        load_dining(serving(), facts={31001: exported})

        document = stored(database)["facts"]
        assert (document["allergens"], document["contains"], document["without"]) == expected, live
        assert [label["code"] for label in document["labels"]] == ["XYZ"], live
        assert plan(database, serving(), facts={31001: exported}).is_empty, live


def test_a_fact_that_most_recipes_change_is_refused(database, load_dining):
    servings = [serving(id_, f"Soup {id_}") for id_ in range(6)]
    load_dining(*servings, facts=dict.fromkeys(range(6), facts()))

    for new, fields in [
        (facts(calories=0), ["calories"]),
        (facts(calories=None, calories_from_fat=None), ["calories", "calories from fat"]),
        (facts(calories=699), ["calories"]),
        (facts(ingredients="See label", serving_size=None), ["serving size", "ingredients"]),
        (facts(labels=None), ["labels"]),
        (facts(labels=(Label("XYZ"),)), ["labels"]),
        (facts(nutrients=Nutrients()), ["sodium", "total fat"]),
        (facts(allergens=None), ["allergens"]),
        (facts(allergens=("Milk",)), ["allergens"]),
        (facts(allergens=("SESAME", "wheat")), []),
        (facts(calories=170, labels=(Label("VGN"), Label("XYZ", "new")), as_of="2026-11-21"), []),
    ]:
        refused = plan(database, *servings, facts=dict.fromkeys(range(6), new)).check_changes(Thresholds())

        starts = sorted(each.reason.partition(",")[0].partition(":")[0] for each in refused)
        assert starts == sorted(f"6 of 6 recipes would change their {name}" for name in fields), fields


def test_a_later_date_of_the_same_facts_is_counted_and_not_listed(campus_load, save_rows):
    row = foodpro_row(Calories="1")
    campus_load("dining", save_rows(row))

    result = campus_load("dining", save_rows(row, row | {"Serve_Date": "11/21/2026"}))

    assert "recipes         0        1        0          0" in result.stdout
    assert "recipes: changed" not in result.stdout + campus_load("diff", "dining", 2).stdout


def test_words_that_live_recipes_of_the_provider_list_are_stated(
    campus_load, save, save_rows, database, empty, monkeypatch
):
    own = save('format = "foodpro"', "own.toml")
    (own.parent / "moved").mkdir()
    moved = save('format = "foodpro"', "moved/own.toml")
    monkeypatch.chdir(own.parent)
    future, last = (f"{date.today() + timedelta(days):%m/%d/%Y}" for days in (2, 3))
    milk = foodpro_row(Recipe_Number="1", Recipe_Print_As_Name="Soup", Serve_Date=last, Allergens="Milk")
    for listed, live_profile, profile, without in [
        ("Fish", "foodpro", "foodpro", ["fish"]),
        ("Fish", own, "foodpro", []),
        ("May contain fish", "foodpro", "foodpro", []),
        ("Fish", own, "own.toml", ["fish"]),
        ("Fish", "own.toml", "./own.toml", ["fish"]),
        ("Fish", own, moved, ["fish"]),
    ]:
        empty()
        live = foodpro_row(Serve_Date=future, Allergens=listed)
        assert campus_load("dining", "--profile", live_profile, save_rows(live)).exit_code == 0, listed

        result = campus_load("dining", "--profile", profile, save_rows(milk))

        assert stored(database, 1)["facts"]["without"] == without, (listed, live_profile, profile, result.output)


def test_evidence_ends_with_the_dishes_that_list_it(campus_load, save_rows, database):
    first, second, third = (f"{date.today() + timedelta(days):%m/%d/%Y}" for days in (1, 2, 3))
    tahini, soup, cod = (
        foodpro_row(Recipe_Number=str(number), Recipe_Print_As_Name=name, Serve_Date=day, Allergens=words)
        for number, (name, day, words) in enumerate(
            [("Tahini", first, "Sesame"), ("Soup", first, "Milk"), ("Cod", second, "Fish")]
        )
    )

    both = [["fish", "milk"], ["fish", "sesame"], ["milk", "sesame"]]
    for rows, without, state in [
        ((cod, soup, tahini), both, "published"),
        ((soup,), [["fish", "milk"], ["fish"], ["milk"]], "published"),
        ((soup,), [["fish", "milk"], ["fish"], ["milk"]], "unchanged"),
        ((), both, "published"),
        # On another day, too.
        ((tahini | {"Serve_Date": third},), both, "published"),
        ((soup,), both, "published"),
    ]:
        result = campus_load("dining", "--override", "all", save_rows(*rows)) if rows else campus_load("undo", "dining")

        recipes = live_collection(database, "recipes").find(sort=[("_id", 1)])
        assert [each["facts"]["without"] for each in recipes] == without, (rows, result.output)
        assert state in result.stdout, (rows, result.output)
