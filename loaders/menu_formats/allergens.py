"""What rows say about the allergens of recipes, and what a load reports about it."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, repeat
from typing import Any

from campus_api.domain.allergens import listed
from campus_api.domain.allergens.ingredients import named
from campus_api.domain.allergens.phrases import total
from campus_api.domain.allergens.spellings import (
    Meaning,
    Words,
    joined,
    normalize_name,
    spellings,
    with_implied,
    with_implying,
)
from campus_api.domain.allergens.vocabulary import contradicted_diets, served_labels
from campus_api.domain.models import Facts, NamedEntity, Spelling
from loaders.errors import DataWarning
from loaders.menu_formats.values import clean_text
from loaders.profiles.allergens import AllergenRules

_PREFIX = re.compile(r"\A(contains|enthält|contient|contiene)\b\s*:?", re.IGNORECASE)
# What is in parentheses belongs to a name, and "10 mg/kg" is one.
_NAME = re.compile(r"(?:\([^()]*\)|(?<=mg)/(?=k?[gl]\b)|[^,;|/•])+")
_CONTRADICTED = "is contradicted by what the dish lists or names: `label` does not match it"


class AllergenCollector:
    """The allergens in the rows of a provider, by its profile.

    `listed` has the words that each recipe lists, and `open` those that it may contain by what it hedges or names.
    """

    def __init__(self, provider: str, rules: AllergenRules) -> None:
        self.provider = provider
        self._rules = rules
        self._table = listed.with_names(rules.names)
        self.listed: dict[int, set[str]] = {}
        self.open: dict[int, set[str]] = {}
        # The field, the text and the recipes of each text that is not known, whatever its letter case.
        self._unknown: dict[str, tuple[str, str, set[int]]] = {}
        # The name of each recipe whose name or ingredients name words that its list lacks, and these.
        self._unlisted: dict[tuple[int, str], tuple[str, Words]] = {}

    def read(
        self, recipe: NamedEntity, field: str, text: str, names: Iterable[str] | None, ingredients: str
    ) -> dict[str, Any]:
        """Return the facts about allergens of a row: of the text of its field, and the names in it.

        The row has no such field, or none that can be read, if `names` is None.
        """
        written = _sorted(frozenset(names or ()))
        parsed = listed.Listed() if names is None else listed.parse(text, self._table)
        for each in parsed.unknown:
            _, _, recipes = self._unknown.setdefault(normalize_name(each), (field, each, set()))
            recipes.add(recipe.id)
        is_known = names is not None and not parsed.unknown and (parsed.is_list or self._rules.empty_is_none)
        contained, typical, hedged = map(with_implied, parsed.named[:3])
        in_list = Meaning(contained, typical, hedged, parsed.named.dietary)
        dish = total([in_list, self._named(recipe, ingredients, in_list if is_known else None)])
        self.listed.setdefault(recipe.id, set()).update(parsed.named.contained)
        self.open.setdefault(recipe.id, set()).update(with_implying(dish.typical | dish.hedged))
        return {
            "allergens": written or None,
            "contains": _sorted(dish.contained) if is_known else None,
            "spellings": tuple(self._spellings(written)),
            "contradicts": _sorted(contradicted_diets(dish.contained | dish.dietary, dish.hedged)),
        }

    def _named(self, recipe: NamedEntity, ingredients: str, in_list: Meaning | None) -> Meaning:
        """Return what the name and the ingredients of a dish name, and note what its list lacks of that."""
        name, others = named(recipe.name), named(ingredients)
        for text, each in (("name", name), ("ingredients", others)):
            if in_list and (unlisted := each.contained.difference(*in_list[:3])):
                dish, others_unlisted = self._unlisted.get((recipe.id, text), (recipe.name, frozenset()))
                self._unlisted[recipe.id, text] = (min(dish, recipe.name), others_unlisted | unlisted)
        return joined(name, others)

    def _spellings(self, names: Iterable[str]) -> Iterator[Spelling]:
        for name in names:
            if words := self._rules.names.get(normalize_name(name)):
                yield Spelling(name, words)

    def stated(self, live: Collection[str]) -> Words:
        """Return the words that the provider states, after all rows have been read, with those of its live recipes."""
        return with_implying(chain(self._rules.tracked, live, *self.listed.values()))

    @property
    def warnings(self) -> Iterator[DataWarning]:
        """Yield warnings about texts that are not known, names that lists lack, and words that no list has."""
        for field, text, recipes in self._unknown.values():
            reason = f"is no known allergen: those of the dish are unknown; [allergens] needs a line {_line(text)}"
            yield from repeat(DataWarning(field, text, reason), len(recipes))
        stated = self.stated(()) if self._rules.tracked else {*spellings().words}
        for (_, text), (name, words) in self._unlisted.items():
            if unlisted := ", ".join(sorted(words & stated)):
                yield DataWarning("recipe", name, f"names {unlisted} in its {text}, and not in its list")

    def unstated(self, stated: Words) -> Iterator[DataWarning]:
        """Yield a warning about the words that no recipe lists, unless the profile says what it would list."""
        unstated = sorted({*spellings().words} - stated)
        if unstated and any(self.listed.values()) and not self._rules.tracked:
            reason = "are never listed: `without` matches no dish, unless the profile says that they would be, with"
            yield DataWarning("allergens", ", ".join(unstated), f"{reason} tracked_allergens = {_quote(unstated)}")

    def last_dates(self, dates: Mapping[int, str]) -> dict[str, str]:
        """Return the last date of a recipe that lists each word, by those of recipes."""
        last: dict[str, str] = {}
        for recipe, words in self.listed.items():
            last |= {word: max(last.get(word, ""), dates.get(recipe, "")) for word in words}
        return last

    @property
    def lines(self) -> list[tuple[str, int]]:
        """Return the lines of [allergens] that a profile needs, with the number of recipes of each."""
        return [(_line(text), len(recipes)) for _, text, recipes in self._unknown.values()]


def finish_allergens(
    sources: Sequence[AllergenCollector], by_recipe: Mapping[int, Facts], live: Mapping[str, Collection[str]]
) -> tuple[dict[int, Facts], list[DataWarning]]:
    """Return facts with the words that their recipes are known not to contain, and warnings about those never listed.

    All sources of a recipe state these words; `live` has those that live recipes of a provider list.
    """
    by_source = [(source, source.stated(live.get(source.provider, ()))) for source in sources]
    without: dict[int, Words] = {}
    for source, stated in by_source:
        without |= {id_: without.get(id_, stated) & stated - source.open[id_] for id_ in source.listed}
    facts = {id_: _with_denied(each, without.get(id_, frozenset())) for id_, each in by_recipe.items()}
    return facts, [warning for source, stated in by_source for warning in source.unstated(stated)]


def contradicted_labels(by_recipe: Mapping[int, Facts]) -> Iterator[DataWarning]:
    """Yield a warning for each label that a recipe contradicts."""
    for facts in by_recipe.values():
        for label in served_labels(facts) or ():
            if label.contradicted:
                yield DataWarning("label", label.code, _CONTRADICTED)


def split_names(field: str, value: Any) -> list[str] | None:
    """Return the names that a field lists, without HTML; None if it is absent, InvalidValue if it is unprintable."""
    if value is None:
        return None
    text = _PREFIX.sub("", clean_text(field, value, line_break=","))
    return list(filter(None, (name.strip().removesuffix(".") for name in _NAME.findall(text))))


def _with_denied(facts: Facts, stated: frozenset[str]) -> Facts:
    """Return facts with the stated words that they do not contain; gluten leaves open whether it is that of wheat."""
    if facts.contains is None:
        return facts
    denied = stated - with_implying(facts.contains)
    return replace(facts, without=_sorted(denied.union(facts.without)))


@lru_cache(maxsize=65536)
def _sorted(names: frozenset[str]) -> tuple[str, ...]:
    """Return names, sorted, as one shared object: most recipes have common ones."""
    return tuple(sorted(names))


def _line(text: str) -> str:
    """Return the line of [allergens] that explains a text, to be filled in."""
    return f'{_quote(text)} = "?"'


def _quote(value: str | list[str]) -> str:
    """Return a text or a list of texts as TOML."""
    return json.dumps(value, ensure_ascii=False)
