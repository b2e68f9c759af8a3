"""The words for allergens and their spellings, from `spellings.toml`."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, NamedTuple

from campus_api.domain.text import fold

Words = frozenset[str]

# What Unicode does not decompose, and the apostrophe of typographers.
_SAME_LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "ı": "i", "đ": "d", "’": "'"})
# How German umlauts are written without them.
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
# Within words, as in "d'œuf" and "skim-milk", and at the end of one, as in "Milch- und Eifrei".
_JOINERS = re.compile(r"(?<=\w)(?:[-'\N{HYPHEN}](?=\w)|-(?=[\s,/]))")
# As in "glutenfreies", "eggless" and "egg-less", not in "less sugar".
_FREE = re.compile(r"(?<=[^\W\d_]{2})[-\N{HYPHEN}]?(?:frei(?:e[mnrs]?)?|free|less|fritt?|vrije?)\b")
# Letters, digits, or what ends a phrase: a punctuation mark or a line break.
_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|[_\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")
# What may follow the stem at the end of a German word.
_ENDING = "(?=(?:e[mnrs]?|n|s)?$)"


class Meaning(NamedTuple):
    """What a phrase stands for: a food with words that it contains, or typically has, or another role in a text.

    `hedged` are those that a text says it may contain, `dietary` those that are no allergens, such as meat. It
    `is_generic` if it is called after its words.
    """

    contained: Words = frozenset()
    typical: Words = frozenset()
    hedged: Words = frozenset()
    dietary: Words = frozenset()
    role: str = "food"
    is_generic: bool = False


# What the key of a spelling makes of the meaning of its row.
_MEANINGS: Mapping[str, Callable[[Meaning], Meaning]] = {
    "typical": lambda row: Meaning(typical=row.contained),
    "typical_stems": lambda row: Meaning(typical=row.contained),
    "vegan": lambda row: row._replace(role="vegan"),
    "vegetal": lambda row: row._replace(role="vegetal"),
    "remarks": lambda row: Meaning(role="remark"),
}
# By the first token, the longest phrase first.
Phrases = Mapping[str, list[tuple[list[str], Meaning]]]


@dataclass(frozen=True)
class Spellings:
    """The vocabulary: the fifteen `words` of the laws, and `others`; `implied` has a word that another one implies.

    `names` are the words of spellings, by name as `normalize_name` returns it. `listed` are the phrases of lists,
    `ingredients` those of ingredients and names of dishes, with implied words, and `stems` those within one token of
    these. `excluded` are the words that contradict a diet, `labels` the phrases of diets, and `codes` those of labels.
    """

    words: tuple[str, ...]
    others: tuple[str, ...]
    implied: Mapping[str, str]
    names: Mapping[str, Words]
    listed: Phrases
    ingredients: Phrases
    stems: Mapping[str, Meaning]
    stem: re.Pattern[str]
    second_part: re.Pattern[str]
    excluded: Mapping[str, Words]
    labels: Phrases
    codes: Mapping[str, Words]


@cache
def spellings() -> Spellings:
    """Return the spellings, which are read once."""
    table = tomllib.loads(files(__package__).joinpath("spellings.toml").read_text(encoding="utf-8"))
    roles = [(normalize_name(name), Meaning(role=role)) for role, names in table["roles"].items() for name in names]
    common = [*roles, *_forms(table, "names", "typical")]
    stems = _with_inner_stems(_union(_forms(table, "stems", "typical_stems")))
    unclear = ((name, Meaning(role="other")) for name, _ in _forms(table, "ingredients"))
    ingredients = _with_inner_phrases(_union([*common, *_forms(table, "ingredients", "vegan", "vegetal")]))
    names = _union(_forms(table, "names", "listed"))
    implied = table["implies"]
    return Spellings(
        words=tuple(table["words"]),
        others=tuple(table["others"]),
        implied=implied,
        names={name: meaning.contained for name, meaning in names.items() if meaning.contained},
        listed=by_first_token(_union([*unclear, *common, *_forms(table, "listed", "remarks")])),
        ingredients=by_first_token({name: _with_implied(each, implied) for name, each in ingredients.items()}),
        stems=_union((stem.strip("-"), _with_implied(each, implied)) for stem, each in stems.items()),
        stem=re.compile("|".join(map(_stem_pattern, sorted(stems, key=len, reverse=True)))),
        second_part=re.compile(f"({'|'.join(map(normalize_name, table['second_parts']))}){_ENDING}"),
        excluded={diet: frozenset(words) for diet, words in table["excluded"].items()},
        labels=by_first_token({name: Meaning(words) for name, words in _diets(table["labels"], "names")}),
        codes=dict(_diets(table["labels"], "codes")),
    )


def all_words() -> list[str]:
    """Return all words of the vocabulary, sorted."""
    return sorted((*spellings().words, *spellings().others))


def find(name: str) -> Words:
    """Return the words that a name is a spelling of, none if it is in no row of the table."""
    return spellings().names.get(normalize_name(name), frozenset())


def with_implied(words: Iterable[str]) -> Words:
    """Return words and those that they imply: what has wheat has gluten."""
    implied = spellings().implied
    return frozenset({*words, *(implied[word] for word in words if word in implied)})


def without_implied(words: Words) -> Words:
    """Return words without those that others of them imply."""
    return words - {implied for word, implied in spellings().implied.items() if word in words}


def with_implying(words: Iterable[str]) -> Words:
    """Return words and those that imply them: what has no gluten has no wheat."""
    words = frozenset(words)
    return words | {word for word, implied in spellings().implied.items() if implied in words}


def normalize_name(text: str) -> str:
    """Return a name without differences of letter case, accents, width and the length of spaces."""
    return " ".join(_normalize_letters(text).split())


def tokens(text: str) -> list[str]:
    """Return the normalized words, numbers and punctuation marks of a text; those within a word are left out."""
    return _TOKEN.findall(_JOINERS.sub(" ", _FREE.sub(" free", _normalize_letters(text))))


def _normalize_letters(text: str) -> str:
    return fold(text).translate(_SAME_LETTERS)


def by_first_token(meanings: Mapping[str, Meaning]) -> Phrases:
    """Return phrases by their first token, the longest first; foods of several words also as one: "icecream"."""
    phrases: dict[str, list[tuple[list[str], Meaning]]] = {}
    in_one_word = {name.replace(" ", ""): each for name, each in meanings.items() if each.role == "food"}
    for name, meaning in ({name: each for name, each in in_one_word.items() if name.isalpha()} | {**meanings}).items():
        phrase = tokens(name)
        phrases.setdefault(phrase[0], []).append((phrase, meaning))
    for candidates in phrases.values():
        candidates.sort(key=lambda candidate: len(candidate[0]), reverse=True)
    return phrases


def _forms(table: Mapping[str, Any], *keys: str) -> Iterator[tuple[str, Meaning]]:
    """Yield each spelling of the rows, normalized, with its meaning, which the key of the spelling decides."""
    dietary, generic = frozenset(table["dietary"]), {*table["generic"]}
    for key, row in product(keys, table["spellings"]):
        words = frozenset(row["words"])
        meaning = _MEANINGS.get(key, Meaning._replace)(Meaning(words - dietary, dietary=words & dietary))
        for spelling in row.get(key, ()):
            each = meaning._replace(is_generic=True) if spelling in generic else meaning
            for form in dict.fromkeys((spelling, spelling.casefold().translate(_UMLAUTS))):
                yield normalize_name(form), each


def _union(forms: Iterable[tuple[str, Meaning]]) -> dict[str, Meaning]:
    """Return what each spelling stands for in all of its rows; the role is that of the last one."""
    meanings: dict[str, Meaning] = {}
    for name, meaning in forms:
        meanings[name] = joined(meanings[name], meaning) if name in meanings else meaning
    return meanings


def joined(meaning: Meaning, other: Meaning) -> Meaning:
    """Return the words of both meanings, with the role of the other one."""
    return other._replace(**{each: getattr(meaning, each) | getattr(other, each) for each in Meaning._fields[:4]})


def _diets(labels: Iterable[Mapping[str, Any]], key: str) -> Iterator[tuple[str, Words]]:
    """Yield each code or name of the rows of labels, normalized, with its diets."""
    for label in labels:
        for name in label.get(key, ()):
            yield normalize_name(name), frozenset(label["diets"])


def _with_implied(meaning: Meaning, implied: Mapping[str, str]) -> Meaning:
    contained, typical = (each.union(implied[word] for word in each & implied.keys()) for each in meaning[:2])
    return meaning._replace(contained=contained, typical=typical - contained)


def _with_inner_phrases(meanings: Mapping[str, Meaning]) -> dict[str, Meaning]:
    """Return the meanings of phrases: "light soy sauce" has what soy sauce typically has."""
    phrases = {tuple(tokens(name)): meaning for name, meaning in meanings.items()}
    completed = {}
    for name, meaning in meanings.items():
        phrase = tuple(tokens(name))
        parts = (phrase[start:end] for start in range(len(phrase)) for end in range(start + 1, len(phrase) + 1))
        completed[name] = _with_typical(meaning, (phrases[part] for part in parts if part in phrases))
    return completed


def _with_inner_stems(meanings: Mapping[str, Meaning]) -> dict[str, Meaning]:
    """Return the meanings of stems: "Sauerteig" has what "Teig" typically has."""
    patterns = {stem: re.compile(_stem_pattern(stem)) for stem in meanings}
    return {
        stem: _with_typical(meaning, (meanings[each] for each in meanings if patterns[each].search(stem.strip("-"))))
        for stem, meaning in meanings.items()
    }


def _with_typical(meaning: Meaning, inner: Iterable[Meaning]) -> Meaning:
    """Return a meaning with what the foods within its spelling typically have, unless it is about something else."""
    if meaning.role != "food" or not any(meaning[:4]):
        return meaning
    typical = meaning.typical.union(*(each.typical for each in inner if each.role == "food"))
    return meaning._replace(typical=typical - meaning.contained)


def _stem_pattern(stem: str) -> str:
    """Return a pattern: "-eis" is at the end of a word but for its inflection, "ei-" at its beginning."""
    start, end = "^" if stem.endswith("-") else "", _ENDING if stem.startswith("-") else ""
    return f"{start}{re.escape(stem.strip('-'))}{end}"
