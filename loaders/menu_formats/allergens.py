"""What rows say about the allergens of recipes, and what a load reports about it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, repeat
from typing import Any

from campus_api.domain.allergens import listed
from campus_api.domain.allergens.ingredients import named, spelled
from campus_api.domain.allergens.spellings import normalize_name, spellings, with_implied
from campus_api.domain.allergens.vocabulary import contradicted_codes
from campus_api.domain.models import Facts, Spelling
from loaders.errors import DataWarning
from loaders.menu_formats.values import clean_text
from loaders.profiles.allergens import AllergenRules

_PREFIX = re.compile(r"\A(contains|enthält|contient|contiene)\b\s*:?", re.IGNORECASE)
# What is in parentheses belongs to a name.
_NAME = re.compile(r"(?:\([^()]*\)|[^,;|/•])+")
_CONTRADICTED = "is contradicted by the allergens of the dish, which `label` does not match"


class AllergenCollector:
    """The allergens in the rows of a provider by the rules of its profile; `listed` has the words of each recipe."""

    def __init__(self, rules: AllergenRules) -> None:
        self._rules = rules
        self.listed: dict[int, set[str]] = {}
        # The field, the text and the recipes of each text that is not known, whatever its letter case.
        self._unknown: dict[str, tuple[str, str, set[int]]] = {}

    def lists_any(self, text: str) -> bool:
        """Return whether a text lists allergens, or what may be some."""
        return listed.parse(text, self._rules.names) != listed.Listed()

    def read(
        self, recipe: int, field: str, names: Iterable[str], texts: Iterable[str] | None, ingredients: str = ""
    ) -> dict[str, Any]:
        """Return the facts about allergens of a row: of the names of its field, and of the texts that have them.

        The row has no such field, or none that can be read, if `texts` is None.
        """
        written = _sorted(frozenset(names))
        parsed = [listed.parse(text, self._rules.names) for text in texts or ()]
        words = frozenset().union(*(each.words for each in parsed))
        unknown = dict.fromkeys(chain.from_iterable(each.unknown for each in parsed))
        for text in unknown:
            _, _, recipes = self._unknown.setdefault(normalize_name(text), (field, text, set()))
            recipes.add(recipe)
        self.listed.setdefault(recipe, set()).update(words)
        is_known = texts is not None and not unknown and bool(words or self._rules.empty_is_none)
        return {
            "allergens": written or None,
            "contains": _sorted(with_implied(words) | named(ingredients)) if is_known else None,
            "spellings": tuple(self._spellings(written)),
        }

    def _spellings(self, names: Iterable[str]) -> Iterator[Spelling]:
        for name in names:
            if words := self._rules.names.get(normalize_name(name)):
                yield Spelling(name, words)

    @property
    def stated(self) -> frozenset[str]:
        """Return the words that the provider states, after all rows have been read."""
        tracked = chain.from_iterable(self.listed.values()) if self._rules.tracked is None else self._rules.tracked
        return _with_implying(tracked)

    @property
    def warnings(self) -> Iterator[DataWarning]:
        """Yield a warning for each text that is not known, once per recipe."""
        for field, text, recipes in self._unknown.values():
            reason = f"is no known allergen: those of the dish are unknown; [allergens] needs a line {_line(text)}"
            yield from repeat(DataWarning(field, text, reason), len(recipes))

    @property
    def lines(self) -> list[tuple[str, int]]:
        """Return the lines of [allergens] that a profile needs, with the number of recipes of each."""
        return [(_line(text), len(recipes)) for _, text, recipes in self._unknown.values()]


def finish_allergens(sources: Sequence[AllergenCollector], by_recipe: Mapping[int, Facts]) -> dict[int, Facts]:
    """Return facts with the words that their recipes are known not to contain: those that all of its sources state."""
    stated: dict[int, frozenset[str]] = {}
    for source in sources:
        words = source.stated
        stated |= {recipe: stated.get(recipe, words) & words for recipe in source.listed}
    return {recipe: _with_denied(facts, stated.get(recipe, frozenset())) for recipe, facts in by_recipe.items()}


def unlisted_allergens(
    sources: Iterable[AllergenCollector], by_recipe: Mapping[int, Facts]
) -> Iterator[tuple[int, list[str]]]:
    """Yield the stated words that the ingredients of a recipe name, and its lists do not."""
    for source in sources:
        words = source.stated
        for recipe in by_recipe.keys() & source.listed.keys():
            if unlisted := words.intersection(by_recipe[recipe].contains or ()) - with_implied(source.listed[recipe]):
                yield recipe, sorted(unlisted)


def contradicted_labels(by_recipe: Mapping[int, Facts]) -> Iterator[DataWarning]:
    """Yield a warning for each label that the allergens of a recipe contradict."""
    for facts in by_recipe.values():
        for code in sorted(contradicted_codes(facts.labels or (), facts.contains or ())):
            yield DataWarning("label", code, _CONTRADICTED)


def parse_field(field: str, value: Any) -> tuple[list[str], list[str]] | None:
    """Return the names that a field lists and its text; None if it is absent, InvalidValue if it is unprintable."""
    return None if value is None else (split_names(field, value), [str(value)])


def split_names(field: str, value: Any) -> list[str]:
    """Return the names that a text lists, without HTML; InvalidValue if it is unprintable."""
    text = _PREFIX.sub("", clean_text(field, value, line_break=","))
    return list(filter(None, (name.strip().removesuffix(".") for name in _NAME.findall(text))))


def _with_implying(words: Iterable[str]) -> frozenset[str]:
    """Return words and those that imply them: what has no gluten has no wheat."""
    stated = frozenset(words)
    return stated | {word for word, implied in spellings().implied.items() if implied in stated}


def _with_denied(facts: Facts, stated: frozenset[str]) -> Facts:
    """Return facts with the stated words that they do not contain; gluten leaves open whether it is that of wheat."""
    if facts.contains is None:
        return facts
    is_open = {word for word, implied in spellings().implied.items() if implied in facts.contains}
    denied = stated - is_open - {*facts.contains}
    return replace(facts, without=_sorted(denied.union(facts.without)))


@lru_cache(maxsize=65536)
def _sorted(names: frozenset[str]) -> tuple[str, ...]:
    """Return names, sorted, as one shared object: most recipes have common ones."""
    return tuple(sorted(names))


def _line(text: str) -> str:
    """Return the line of [allergens] that explains a text, with its words if it consists of spellings."""
    words = sorted(spelled(text)) or ["?"]
    return f"{_quote(text)} = {_quote(words if len(words) > 1 else words[0])}"


def _quote(value: str | list[str]) -> str:
    """Return a text or a list of texts as TOML."""
    return json.dumps(value, ensure_ascii=False)
