"""What rows say about the allergens of recipes, and what a load reports about it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from campus_api.domain.allergens import listed
from campus_api.domain.allergens.ingredients import named
from campus_api.domain.allergens.phrases import total
from campus_api.domain.allergens.spellings import Meaning, Words, normalize_name, spellings, with_implying, with_names
from campus_api.domain.allergens.vocabulary import contradicted_diets, served_labels
from campus_api.domain.models import Facts, NamedEntity, Spelling
from loaders.documents.evidence import make_listing
from loaders.errors import DataWarning
from loaders.menu_formats.values import clean_text
from loaders.profiles.allergens import AllergenRules

_PREFIX = re.compile(r"\A(contains|enthält|contient|contiene)\b\s*:?", re.IGNORECASE)
# What is in parentheses belongs to a name, and "10 mg/kg" is one.
_NAME = re.compile(r"(?:\([^()]*\)|(?<=mg)/(?=k?[gl]\b)|[^,;|/•])+")
_CONTRADICTED = "is contradicted by what the dish lists or names: `label` does not match it"


class AllergenCollector:
    """The allergens in the rows of a provider, by its profile."""

    def __init__(self, provider: str, rules: AllergenRules) -> None:
        self._provider = provider
        self._rules = rules
        self._table = with_names(rules.names)
        self._listed: set[str] = set()
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
            self._unknown.setdefault(normalize_name(each), (field, each, set()))[-1].add(recipe.id)
        is_known = names is not None and not parsed.unknown and (parsed.is_list or self._rules.empty_is_none)
        texts = {"name": named(recipe.name), "ingredients": named(ingredients)}
        dish = total([parsed.named, *texts.values()])
        if is_known:
            self._compare(recipe, parsed.named, texts)
        self._listed.update(parsed.stated)
        left_open, tracked = with_implying(dish.typical | dish.hedged), frozenset(self._rules.tracked)
        words = ((name, self._rules.names.get(normalize_name(name))) for name in written)
        return {
            "allergens": written or None,
            "contains": _sorted(dish.contained) if is_known else None,
            "spellings": tuple(Spelling(name, each) for name, each in words if each),
            "contradicts": _sorted(contradicted_diets(dish.contained | dish.dietary, dish.hedged)),
            "listings": (make_listing(self._provider, parsed.stated, left_open, tracked),),
        }

    def _compare(self, recipe: NamedEntity, in_list: Meaning, texts: Mapping[str, Meaning]) -> None:
        """Note what the texts of a dish name, and its list lacks."""
        for text, each in texts.items():
            if unlisted := each.contained.difference(*in_list[:3]):
                name, others = self._unlisted.get((recipe.id, text), (recipe.name, frozenset()))
                self._unlisted[recipe.id, text] = (min(name, recipe.name), others | unlisted)

    @property
    def warnings(self) -> Iterator[DataWarning]:
        """Yield warnings about texts that are not known, names that lists lack, and words that no list has."""
        for field, text, recipes in self._unknown.values():
            reason = f"is no known allergen: those of the dish are unknown; [allergens] needs a line {_line(text)}"
            yield from [DataWarning(field, text, reason)] * len(recipes)
        tracked = self._rules.tracked
        stated = with_implying((*tracked, *self._listed)) if tracked else {*spellings().words}
        for (_, text), (name, words) in self._unlisted.items():
            if unlisted := ", ".join(sorted(words & stated)):
                yield DataWarning("recipe", name, f"names {unlisted} in its {text}, and not in its list")

    @property
    def lines(self) -> list[tuple[str, int]]:
        """Return the lines of [allergens] that a profile needs, with the number of recipes of each."""
        return [(_line(text), len(recipes)) for _, text, recipes in self._unknown.values()]


def contradicted_labels(by_recipe: Mapping[int, Facts]) -> Iterator[DataWarning]:
    """Yield a warning for each label that a recipe contradicts."""
    labels = (label for facts in by_recipe.values() for label in served_labels(facts) or ())
    yield from (DataWarning("label", label.code, _CONTRADICTED) for label in labels if label.contradicted)


def split_names(field: str, value: Any) -> list[str] | None:
    """Return the names that a field lists, without HTML; None if it is absent, InvalidValue if it is unprintable."""
    if value is None:
        return None
    text = _PREFIX.sub("", clean_text(field, value, line_break=","))
    return list(filter(None, (name.strip().removesuffix(".") for name in _NAME.findall(text))))


@lru_cache(maxsize=65536)
def _sorted(names: frozenset[str]) -> tuple[str, ...]:
    """Return names, sorted, as one shared object: most recipes have common ones."""
    return tuple(sorted(names))


def _line(text: str) -> str:
    """Return the line of [allergens] that explains a text, to be filled in."""
    return f'{json.dumps(text, ensure_ascii=False)} = "?"'
