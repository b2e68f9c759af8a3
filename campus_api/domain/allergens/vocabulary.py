"""The labels and allergens that recipes have, by what people write for them."""

import re
from collections.abc import Collection, Iterable, Mapping, Set
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from campus_api.domain.allergens import ingredients, listed
from campus_api.domain.allergens.phrases import OTHER, codes_of, mark, phrases, total
from campus_api.domain.allergens.spellings import all_words, find, normalize_name, spellings, tokens, without_implied
from campus_api.domain.models import Facts, ServedLabel
from campus_api.domain.text import fold, normalize_query


class Labels:
    """The labels of recipes, by the folded texts that people write for them, and as a list."""

    def __init__(self) -> None:
        self.known_texts: dict[str, str] = {}
        self._codes: dict[str, set[str]] = {}
        self._names: dict[str, set[str]] = {}
        self._diets: dict[str, frozenset[str]] = {}

    def add(self, code: str, name: str | None = None) -> None:
        """Add a label, which people write by its code or by its name."""
        for text in filter(None, (code, name)):
            self._codes.setdefault(fold(text), set()).add(code)
            # The order of the recipes makes no difference.
            self.known_texts[fold(text)] = min(text, self.known_texts.get(fold(text), text))
        self._names.setdefault(code, set()).update(filter(None, (name,)))
        meant = diets(code, name)
        self._diets[code] = self._diets.get(code, meant) & meant

    def get(self, text: str) -> set[str]:
        """Return the codes that a text stands for, with those of labels for the same diet, none if it is no label."""
        codes = {code for code in self._find(text) if diets(text) <= self._diets[code]}
        meant = frozenset().union(*(self._diets[code] for code in codes)) or diets(text)
        return codes | {code for code, each in self._diets.items() if meant and meant <= each}

    def name(self, text: str) -> str:
        """Return the name of the label that a text stands for, the text itself if that has none."""
        return "/".join(sorted({name for code in self._find(text) for name in self._names[code]})) or text

    def _find(self, text: str) -> Collection[str]:
        return self._codes.get(normalize_query(text) or "", ())

    @cached_property
    def all_names(self) -> str:
        """Return the labels with their names, sorted."""
        codes = sorted((code, "/".join(sorted(names))) for code, names in self._names.items())
        return ", ".join(f"{code} ({names})" if names else code for code, names in codes)


class Allergens:
    """The words of the vocabulary and those of the profiles of recipes, by the names that people write for them.

    `own` are those of the profiles, and `stated` those of which the providers say whether a recipe contains them.
    """

    def __init__(self) -> None:
        self.own: set[str] = set()
        self._words: dict[str, set[str]] = {}
        self._read: set[str] = set()
        self._denied: set[str] = set()
        self._in_all: set[str] | None = None

    def add(self, facts: Mapping[str, Any]) -> None:
        """Add the allergens of stored facts."""
        contains, without = facts.get("contains"), facts.get("without") or ()
        if contains is not None:
            self._in_all = {*contains} if self._in_all is None else self._in_all & {*contains}
        self._denied.update(without)
        self.own.update({*(contains or ()), *without} - {*all_words()})
        for name in {*(facts.get("allergens") or ())} - self._read:
            self._read.add(name)
            parsed = listed.parse(name)
            self._add_name(name, () if parsed.unknown else without_implied(parsed.named.contained))
        for spelling in facts.get("spellings") or ():
            self._add_name(spelling["name"], spelling["words"])

    def _add_name(self, name: str, words: Collection[str]) -> None:
        if words:
            self._words.setdefault(normalize_name(name), set()).update(words)

    @property
    def stated(self) -> frozenset[str]:
        """Return the words that a recipe is known not to contain, and those that all are known to contain."""
        return frozenset(self._denied | (self._in_all or set()))

    def get(self, text: str) -> set[str]:
        """Return the words that a text stands for, whatever its letter case; none if there is no such allergen."""
        name = normalize_name(normalize_query(text) or "")
        return {*find(name), *self._words.get(name, ()), *self.own.intersection({name})}

    @cached_property
    def known_texts(self) -> Mapping[str, str]:
        """Return the words and the normalized names of providers, by themselves."""
        return {name: name for name in (*self._words, *all_words(), *self.own)}

    @cached_property
    def all_names(self) -> str:
        """Return the words, sorted."""
        return ", ".join(sorted({*all_words(), *self.own}))


class Diet(NamedTuple):
    """Codes of labels of which a recipe must have one, and words that it must not contain; None for no filter."""

    label: Set[str] | None = None
    without: Set[str] | None = None


NO_DIET = Diet()


class DietVocabulary(NamedTuple):
    """The labels and the allergens of all recipes of a revision."""

    label: Labels
    without: Allergens

    def states(self, diet: Diet) -> bool:
        """Return whether the providers state all allergens of a diet."""
        return self.without.stated.issuperset(diet.without or ())


def diet_vocabulary(recipes: Iterable[Mapping[str, Any]]) -> DietVocabulary:
    """Return the vocabulary of stored facts; a label that another one implies is one of them."""
    vocabulary = DietVocabulary(Labels(), Allergens())
    for facts in recipes:
        for label in facts.get("labels") or ():
            for each in (label, *label.get("implies", ())):
                vocabulary.label.add(each["code"], each["name"])
        vocabulary.without.add(facts)
    return vocabulary


def served_labels(facts: Facts) -> list[ServedLabel] | None:
    """Return the labels of a recipe as the API returns them, None if it has none."""
    contradicted = contradicted_diets(facts.contains or ()).union(facts.contradicts)
    return [
        ServedLabel(each.code, each.name, each.implies, not contradicted.isdisjoint(diets(each.code, each.name)))
        for each in facts.labels or ()
    ] or None


def valid_codes(labels: Iterable[ServedLabel]) -> set[str]:
    """Return the codes of labels, and of those that they imply, but for those that the recipe contradicts."""
    return {each.code for label in labels if not label.contradicted for each in (label, *label.implies)}


@lru_cache(maxsize=4096)
def contradicted_diets(named: Collection[str], hedged: Collection[str] = ()) -> frozenset[str]:
    """Return the diets that a recipe contradicts: by what it names, or may contain of an allergen that they exclude."""
    excluded = {diet for diet, words in spellings().excluded.items() if not words.isdisjoint(named)}
    return frozenset({*excluded, *(f"{word} free" for word in (*named, *hedged))})


@lru_cache(maxsize=1024)
def diets(code: str, name: str | None = None) -> frozenset[str]:
    """Return the diets that a label stands for by its name, or else by its code: "vegan" is vegetarian, too."""
    return (_diets(name) if name else frozenset()) or _diets(code)


def _diets(text: str) -> frozenset[str]:
    """Return those of the table, of codes if alone, and "eggs free" for what "No eggs" denies; none of an offer."""
    meanings = [each for _, each in phrases(tokens(text), spellings().labels, mark)]
    # "Vegan: no" denies the diet, "vegan, no nuts" another word.
    if re.search("[qHy]|w(?![o:])", codes_of(meanings)):
        return frozenset()
    words = total(each for each in meanings if each.role != "codes" or OTHER not in meanings)
    return words.contained | {f"{word} free" for word in ingredients.denied(text)}
