"""A fault for each check of facts."""

from tests.conformance.breaking import change_header, change_json, change_status, without_field

FACTS = "^GET /dining/recipes/[0-9]+/facts$"


def with_amounts_as_text(facts):
    nutrients = {name: each and {**each, "amount": f"{each['amount']}"} for name, each in facts["nutrients"].items()}
    return {**facts, "nutrients": nutrients}


def without_names_of_labels(facts):
    return {**facts, "labels": facts["labels"] and [*map(without_field("name"), facts["labels"])]}


OF_KNOWN_FACTS = {
    "allergens_are_sorted_names": change_json(lambda facts: {**facts, "allergens": facts["allergens"] or []}, FACTS),
    "labels_have_a_code_and_a_name": change_json(without_names_of_labels, FACTS),
    "facts_are_as_of_a_date": change_json(lambda facts: {**facts, "as_of": "11/20/2026"}, FACTS),
}
ALL = {
    **OF_KNOWN_FACTS,
    "facts_have_all_fields": change_json(without_field("serving_size"), FACTS),
    "facts_name_their_recipe": change_json(lambda facts: {**facts, "name": "Rice"}, FACTS),
    "nutrients_have_an_amount_with_a_unit": change_json(with_amounts_as_text, FACTS),
    "unknown_recipes_have_no_facts": change_status(200, "/dining/recipes/1/facts$"),
    "facts_accept_a_trailing_slash": change_status(404, "/facts/$"),
    "facts_support_if_none_match": change_header("ETag", None, FACTS),
}
