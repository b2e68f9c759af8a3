"""How many texts about allergens, as dining services write them, are understood: within limits."""

import json
from collections import defaultdict
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from campus_api.domain.allergens.ingredients import named
from campus_api.domain.allergens.vocabulary import served_labels, valid_codes
from loaders import profiles
from loaders.documents.evidence import find_evidence, with_denied
from loaders.readers import dining
from tests.factories import foodpro_row

CASES = Path(__file__).parents[4] / "shared/data/dining/allergens"
US = ("milk", "eggs", "fish", "crustaceans", "molluscs", "tree nuts", "peanuts", "wheat", "soy", "sesame")
ALL = (*US, "gluten", "celery", "mustard", "lupin", "sulphites")
EU = tuple(word for word in ALL if word != "wheat")
RULES = {
    "lists_us": {"tracked": US},
    "lists_eu": {"tracked": EU},
    "ingredients": {"tracked": ALL, "empty_is_none": True},
}


def row(number, case):
    return foodpro_row(
        Recipe_Number=str(number),
        Recipe_Print_As_Name=case.get("name") or f"Dish {number}",
        Allergens=case.get("allergens") or "",
        Ingredient_List=case.get("ingredients") or "",
        Recipe_Web_Codes="",
        web_codes_fullnames="",
    ) | ({"Recipe_Web_Codes": case["labels"]} if case.get("labels") else {})


def shares(cases, facts):
    """Return the wrong ones, and the number, of each kind of statement about the cases."""
    wrong, total = defaultdict(list), defaultdict(int)

    def count(kind, case, word, is_wrong):
        total[kind] += 1
        texts = filter(None, map(case.get, ("name", "ingredients", "allergens", "labels")))
        wrong[kind] += [(" | ".join(texts), word)] * is_wrong

    for case in cases:
        fact = facts[id(case)]
        without, contains = (fact.without, fact.contains) if fact else ((), None)
        listed = {"list": "lists", "ingredients": f"ingredients {case['grade']}", "name": "names"}[case["kind"]]
        for word in case["contains"]:
            count(f"{listed}: shown without", case, word, word in without)
        for word in case.get("maybe", ()) if case.get("hedge") == "explicit" else ():
            count("hedged: shown without", case, word, word in without)
        for word in case.get("free") or ():
            count("denied, but contained", case, word, word in (contains or ()))
        if case["kind"] == "list" and case["rest"] == "absent":
            count("plain lists: unknown", case, "", contains is None)
        if case.get("labels") and case["labels"] != "Halal":
            count("labels: matched", case, "", bool(valid_codes(served_labels(fact) or ())))
    return {kind: (len(wrong[kind]), total[kind], wrong[kind]) for kind in total}


def read(save_rows, cases):
    facts = {}
    for name, rules in RULES.items():
        group = [case for case in cases if case["profile"] == name]
        profile = profiles.load_dining_profile("foodpro")
        profile = replace(profile, allergens=replace(profile.allergens, **rules))
        by_recipe = dining.read([(profile, [save_rows(*(row(*each) for each in enumerate(group, 1)))])]).lists.facts
        evidence = find_evidence(by_recipe.values())
        known = {number: with_denied(each, evidence) for number, each in by_recipe.items()}
        facts |= {id(case): known.get(number) for number, case in enumerate(group, 1)}
    return facts


@pytest.mark.skipif(not CASES.exists(), reason="the cases are not there")
@pytest.mark.parametrize("name", ["cases.json", "cases2.json"])
def test_texts_of_dining_services_are_understood_within_limits(save_rows, name):
    cases = json.loads((CASES / name).read_text(encoding="utf-8"))

    counted = shares(cases, read(save_rows, cases))

    limits = {
        "lists: shown without": 0,
        "hedged: shown without": 0,
        "plain lists: unknown": 0.06,
        "ingredients named: shown without": 0.02,
        "ingredients typical: shown without": 0.05,
        "names: shown without": 0.02,
        "labels: matched": 0,
        "denied, but contained": 0.04,
    }
    assert {kind: each for kind, each in counted.items() if each[0] > limits.get(kind, 1) * each[1]} == {}


@pytest.mark.skipif(not CASES.exists(), reason="the cases are not there")
def test_foods_of_whole_families_are_known():
    foods = json.loads((CASES / "foods.json").read_text(encoding="utf-8"))
    meanings = {(word, food): named(food) for word in foods for food in chain.from_iterable(foods[word].values())}

    unknown = [each for each, words in meanings.items() if each[0] not in words.contained | words.typical]

    assert len(unknown) <= 0.06 * len(meanings), unknown
