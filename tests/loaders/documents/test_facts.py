"""The facts of recipes in all rows of a load."""

from hypothesis import given
from hypothesis import strategies as st

from campus_api.domain.models import Facts, Label, Listing, NamedEntity
from loaders.documents.evidence import with_denied
from loaders.documents.facts import FactsCollector, combine_facts

_ALLERGENS = [(None, None), (("Milk",), ("milk",)), (("Egg",), ("eggs",)), (("?",), None), (None, ())]
_LABELS = [None, (Label("VGN"),), (Label("GF"), Label("VGN"))]
_FACTS = [
    Facts(calories=calories, allergens=allergens, contains=contains, labels=labels)
    for calories in (1, 2)
    for allergens, contains in _ALLERGENS
    for labels in _LABELS
]
_ROWS = st.tuples(
    st.sampled_from(["Soup", "SOUP", "Stew"]),
    st.sampled_from(["2026-11-20", "2026-11-21"]),
    st.none() | st.integers(0, len(_FACTS) - 1),
)


def collect(rows):
    collector = FactsCollector()
    for name, day, key in rows:
        recipe = NamedEntity(1, name)
        values = None if key is None else hash((name, key))
        if collector.add_row(recipe, day, values):
            collector.add(recipe, values, _FACTS[key])
    return collector.by_recipe, list(map(str, collector.conflicts)), collector.ingredient_characters


@given(st.lists(_ROWS, max_size=6).flatmap(lambda rows: st.tuples(st.just(rows), st.permutations(rows))))
def test_the_order_of_rows_makes_no_difference(orders):
    first, second = orders

    assert collect(first) == collect(second)


def test_two_facts_list_and_leave_open_what_either_does_and_state_what_both_state():
    facts = Facts(listings=(Listing("own", ("milk",), ("soy",), ("eggs", "fish")),))
    other = Facts(listings=(Listing("own", ("wheat",), ("celery",), ("fish", "sesame")),))

    both = Listing("own", ("milk", "wheat"), ("celery", "soy"), ("fish",))
    assert combine_facts(facts, other).listings == (both,)
    # A list alone states what it denies.
    assert combine_facts(facts, Facts(without=("fish",))).listings == (Listing("", stated=("fish",)), *facts.listings)
    # What two providers state is denied if both do.
    third = Facts(contains=(), listings=(both, Listing("third", stated=("eggs", "fish", "milk"))))
    assert with_denied(third, {"own": frozenset({"milk"})}).without == ("fish", "milk")
