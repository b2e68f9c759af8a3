"""Evidence: the words for allergens that recipes of a provider list, and what others deny by not listing them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from campus_api.domain.allergens.spellings import Words, spellings, with_implying
from campus_api.domain.models import Facts, Listing
from loaders.errors import DataWarning

Evidence = Mapping[str, Words]


def find_evidence(recipes: Iterable[Facts]) -> Evidence:
    """Return the words that recipes list, by provider."""
    words: dict[str, set[str]] = {}
    for listing in chain.from_iterable(facts.listings for facts in recipes):
        words.setdefault(listing.provider, set()).update(listing.words)
    return {provider: frozenset(each) for provider, each in words.items()}


def with_denied(facts: Facts, evidence: Evidence) -> Facts:
    """Return facts with the words that all providers of the recipe state, and that it does not contain.

    Facts without listings stay as they are. Gluten leaves open whether it is that of wheat.
    """
    if not facts.listings:
        return facts
    stated = [_stated(each, evidence.get(each.provider, frozenset())) for each in facts.listings]
    denied = frozenset.intersection(*stated) - with_implying(facts.contains or ())
    return replace(facts, without=() if facts.contains is None else tuple(sorted(denied)))


def merge_listings(facts: Facts, other: Facts) -> tuple[Listing, ...]:
    """Return what each provider lists and leaves open in either of two facts, and states in both.

    Facts without listings, such as those of a list, state what they deny.
    """
    if facts.listings == other.listings:
        return facts.listings
    merged: dict[str, Listing] = {}
    for each in chain.from_iterable(one.listings or (Listing("", stated=one.without),) for one in (facts, other)):
        first = merged.get(each.provider, each)
        words, left_open = frozenset((*first.words, *each.words)), frozenset((*first.open, *each.open))
        stated = frozenset(first.stated).intersection(each.stated)
        merged[each.provider] = make_listing(each.provider, words, left_open, stated)
    return tuple(merged[provider] for provider in sorted(merged))


@lru_cache(maxsize=65536)
def make_listing(provider: str, words: Words, left_open: Words, stated: Words) -> Listing:
    """Return a listing, one shared object for equal ones: most recipes have common ones."""
    return Listing(provider, *(tuple(sorted(each)) for each in (words, left_open, stated)))


def unstated(providers: Iterable[str], recipes: Iterable[Facts], evidence: Evidence) -> Iterator[DataWarning]:
    """Yield a warning about the words that no recipe lists for each of the providers that list others."""
    listings = chain.from_iterable(facts.listings for facts in recipes if facts.allergens and facts.contains)
    with_lists = {each.provider for each in listings}
    for provider in sorted(with_lists.intersection(providers)):
        stated = with_implying(evidence.get(provider, frozenset()))
        if words := sorted({*spellings().words} - stated):
            reason = "are never listed: `without` matches no dish, unless the profile says that they would be, with"
            yield DataWarning("allergens", ", ".join(words), f"{reason} tracked_allergens = {json.dumps(words)}")


@lru_cache(maxsize=65536)
def _stated(listing: Listing, words: Words) -> Words:
    """Return the words that a provider states of a recipe: those of its profile, and those that recipes list."""
    return with_implying((*listing.stated, *words)) - {*listing.open}
