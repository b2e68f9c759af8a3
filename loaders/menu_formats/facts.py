"""What rows say about the recipe that they serve: its nutrition, ingredients, allergens and labels."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, TypeVar, get_type_hints

from campus_api.domain.allergens.vocabulary import diets
from campus_api.domain.models import Facts, ImpliedLabel, Label, NamedEntity, Nutrient, Nutrients
from loaders.documents.facts import FactsCollector
from loaders.errors import DataWarning, InvalidValue
from loaders.menu_formats.allergens import AllergenCollector, split_names
from loaders.menu_formats.common_names import named_unit
from loaders.menu_formats.values import clean_text, require_scalar
from loaders.profiles import DiningProfile
from loaders.profiles.dining_settings import DAILY_VALUES
from loaders.text import is_blank, parse_text, pluralize

# Three digits after a comma may be a part of thousands, unless a zero precedes it.
_NUMBER = r"([0-9]{1,9}(?:(?:\.|(?<=^0),|,(?![0-9]{3}(?![0-9])))[0-9]{1,9})?)"
_AMOUNT = re.compile(rf"{_NUMBER} ?(g|mg|mcg|µg)?", re.IGNORECASE)
_UNSIGNED = re.compile(rf"{_NUMBER}(?: ?k?cal)?", re.IGNORECASE)
_PERCENT = re.compile(rf"{_NUMBER} ?%?")
# A fraction, such as "1 1/2", or a decimal number; and a unit.
_SERVING = re.compile(r"((?:[0-9]{1,9} )?[1-9][0-9]{0,8}/[1-9][0-9]{0,8}|[0-9]{0,9}\.[0-9]{1,9}|[0-9]{1,9}) ?(\S.*)")
_SEPARATORS = re.compile("[,;|]")
# Of labels that are not in upper case.
_MAX_CODE_LENGTH = 3
# https://www.ecfr.gov/current/title-21/section-101.9
_IN_MG = dict.fromkeys(("cholesterol", "sodium", "potassium", "calcium", "iron"), "mg")
_OF_LAW = dict.fromkeys(DAILY_VALUES, "g") | _IN_MG | {"vitamin_d": "mcg"}
_GRAMS = {"g": 1.0, "mg": 1e-3, "mcg": 1e-6, "µg": 1e-6}
_PARTS = {"saturated_fat": "total_fat", "sugars": "total_carbohydrate", "added_sugars": "sugars"}
_MAX_CALORIES = 5000
_UNKNOWN = Facts()
_VEGETARIAN = frozenset({"vegetarian"})

T = TypeVar("T")


class FactsReader:
    """Adds the facts in the rows of a provider, by its profile, to those of a load."""

    def __init__(self, profile: DiningProfile, collector: FactsCollector) -> None:
        self.allergens = AllergenCollector(profile.provider_name, profile.allergens)
        self._profile = profile
        self._collector = collector

    def add_values(
        self, recipe: NamedEntity, day: str, members: Mapping[str, Any], columns: Mapping[str, str]
    ) -> list[DataWarning]:
        """Add the facts of a row, of which `columns` has the names; return a warning for each that is left out."""
        present = {fact: members[name] for fact, name in columns.items() if members.get(name) is not None}
        values = {fact: _as_text(value) for fact, value in present.items()}
        row = _Row(columns, values)
        allergens = row.values.get("allergens")
        denies_allergens = self._profile.allergens.empty_is_none and allergens is not None
        has_values = denies_allergens or not all(map(is_blank, values.values()))
        key = hash((id(self), recipe.name, repr(values))) if has_values else None
        if self._collector.add_row(recipe, day, key) and key is not None:
            parsed = replace(_parse(row, self._profile), **self._parse_allergens(recipe, row))
            row.warnings.extend(_contradictions(recipe, parsed))
            # Allergens that are not understood are unknown, not those of another row.
            self._collector.add(recipe, key, None if parsed == _UNKNOWN and is_blank(allergens) else parsed)
        return row.warnings

    def add(self, recipe: NamedEntity, facts: Facts) -> Iterator[DataWarning]:
        """Add the facts of a list; return a warning for each that cannot be true."""
        key = hash((facts, facts.listings))
        if self._collector.add_row(recipe, facts.as_of or "", key):
            self._collector.add(recipe, key, facts)
        return _contradictions(recipe, facts)

    def _parse_allergens(self, recipe: NamedEntity, row: "_Row") -> dict[str, Any]:
        names = row.get("allergens", split_names)
        text = str(row.values.get("allergens"))
        ingredients = str(row.values.get("ingredients") or "")
        return self.allergens.read(recipe, row.column("allergens"), text, names, ingredients)


class _Row:
    """The values of a row by fact, and warnings about those that are left out."""

    def __init__(self, columns: Mapping[str, str], values: Mapping[str, Any]) -> None:
        self.warnings: list[DataWarning] = []
        self.values = values
        self._columns = columns

    def get(self, fact: str, parse: Callable[[str, Any], T]) -> T | None:
        """Return a parsed value, None with a warning if it is invalid."""
        column, value = self.column(fact), self.values.get(fact)
        try:
            return parse(column, require_scalar(column, value))
        except InvalidValue as error:
            self.warnings.append(DataWarning(error.field, error.value, error.reason))
            return None

    def column(self, fact: str) -> str:
        return self._columns.get(fact, fact)


def _as_text(value: Any) -> Any:
    """Return a list of texts as one, with commas, and "" for a text that stands for an absent one."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        value = ", ".join(value)
    return "" if isinstance(value, str) and is_blank(value) else value


def _parse(row: _Row, profile: DiningProfile) -> Facts:
    nutrients = {name: _parse_nutrient(row, name, daily_value) for name, daily_value in DAILY_VALUES.items()}
    if (salt := nutrients["salt"]) and nutrients["sodium"] is None:
        # Salt is 2.5 times the sodium (Regulation (EU) 1169/2011, annex I).
        nutrients["sodium"] = Nutrient(_number(f"{salt.amount * _GRAMS[salt.unit] * 400:.1f}"), "mg")
    parsers = _PARSERS | {"serving_size": partial(_parse_serving, profile.units)}
    facts: dict[str, Any] = {fact: row.get(fact, parse) for fact, parse in parsers.items()}
    return Facts(**facts, nutrients=Nutrients(**nutrients), labels=_parse_labels(row, profile.labels))


def _parse_nutrient(row: _Row, name: str, daily_value: str) -> Nutrient | None:
    amount, percent = row.get(name, _parse_amount), row.get(daily_value, _parse_percent)
    if amount is None:
        return None
    number, unit = amount
    if not unit:
        unit = _OF_LAW[name]
        reason = f"has numbers without a unit, which are read as {unit}"
        row.warnings.append(DataWarning(row.column(name), None, reason))
    return _intern(Nutrient(number, unit, percent))


def _contradictions(recipe: NamedEntity, facts: Facts) -> Iterator[DataWarning]:
    """Yield warnings of what cannot be true of a serving; amounts may be rounded to grams."""
    if (facts.calories or 0) > _MAX_CALORIES:
        yield DataWarning("recipe", recipe.name, f"has {facts.calories:,} kcal in a serving")
    for part, whole in _PARTS.items():
        amounts = [getattr(facts.nutrients, name) for name in (part, whole)]
        grams = [each.amount * _GRAMS[each.unit] for each in amounts if each and each.unit in _GRAMS]
        if len(grams) == len(amounts) and grams[0] > grams[1] + 1:
            yield DataWarning("recipe", recipe.name, f"has more {part} than {whole}".replace("_", " "))


@lru_cache(maxsize=4096, typed=True)
def _parse_amount(field: str, value: Any) -> tuple[float, str] | None:
    """Return a number and its unit, or else that in the name of the column, "" if there is none."""
    match = _match(_AMOUNT, field, value, "is not a number with the unit g, mg or mcg")
    return (_number(match[1]), (match[2] or named_unit(field)).lower()) if match else None


def _parse_text(field: str, value: Any) -> str | None:
    return clean_text(field, value) or None


def _parse_serving(units: Mapping[str, tuple[str, str]], field: str, value: Any) -> str | None:
    """Return a serving with a unit of the table as people write it: "2 cups" for "2 CUP"."""
    text = clean_text(field, value)
    match = _SERVING.fullmatch(text)
    if match and (words := units.get(match[2].casefold())):
        amount = sum(map(Fraction, match[1].split()))
        text = f"{match[1]} {words[amount > 1]}".rstrip()
    return _intern(text) or None


@lru_cache(maxsize=4096, typed=True)
def _parse_number(pattern: re.Pattern[str], reason: str, field: str, value: Any) -> float | None:
    match = _match(pattern, field, value, reason)
    return _number(match[1]) if match else None


_parse_unsigned = partial(_parse_number, _UNSIGNED, "is not a number")
_parse_percent = partial(_parse_number, _PERCENT, "is not a number in percent")


def _match(pattern: re.Pattern[str], field: str, value: Any, reason: str) -> re.Match[str] | None:
    """Match a value, None if it is empty; InvalidValue if it does not match."""
    text = parse_text(field, value)
    match = pattern.fullmatch(text)
    if text and not match:
        raise InvalidValue(field, value, reason)
    return match


def _number(text: str) -> float:
    number = float(text.replace(",", "."))
    return int(number) if number.is_integer() else number


def _parse_labels(row: _Row, profile_names: Mapping[str, str]) -> tuple[Label, ...] | None:
    """Return the labels with their names in the export, which are in the same order, or else in the profile."""
    codes = list(_label_codes(row.get("labels", parse_text) or ""))
    text = row.get("label_names", clean_text)
    names = [name.strip() for name in _SEPARATORS.split(text)] if text else []
    if names and len(names) != len(codes):
        reason = f"has {pluralize(len(names), 'name')} of {pluralize(len(codes), 'label')}"
        row.warnings.append(DataWarning(row.column("label_names"), text, reason))
        names = []
    named = {**profile_names, **{code: name for code, name in zip(codes, names, strict=False) if name}}
    labels = tuple(_label(code, named.get(code) or None, profile_names) for code in dict.fromkeys(codes))
    return _intern(labels) or None


def _label_codes(text: str) -> Iterator[str]:
    """Yield codes, such as "GF / VGN", and names of several words, such as "Gluten Free" and "GLUTEN FREE"."""
    for part in _SEPARATORS.split(text):
        words = part.split()
        is_mixed = any(len(word) > _MAX_CODE_LENGTH and word != word.upper() for word in words)
        if is_mixed or (diets(part) and not any(map(diets, words))):
            yield " ".join(words)
        else:
            yield from (word for word in words if any(map(str.isalnum, word)))


def _label(code: str, name: str | None, profile_names: Mapping[str, str]) -> Label:
    """Return a label; that of vegan dishes implies the first one of the profile that is that of vegetarian ones."""
    if not diets(code, name) > _VEGETARIAN:
        return Label(code, name)
    vegetarian = (ImpliedLabel(*each) for each in profile_names.items() if diets(*each) == _VEGETARIAN)
    return Label(code, name, (next(vegetarian, ImpliedLabel("vegetarian")),))


_BY_TYPE: dict[Any, Callable[[str, Any], Any]] = {str | None: _parse_text, int | float | None: _parse_unsigned}
# Of the texts and numbers with a column each; as_of is the date of the row.
_PARSERS = {
    fact: _BY_TYPE[type_] for fact, type_ in get_type_hints(Facts).items() if type_ in _BY_TYPE and fact != "as_of"
}


@lru_cache(maxsize=65536, typed=True)
def _intern(value: T) -> T:
    """Return the first of equal values: most recipes have common ones."""
    return value
