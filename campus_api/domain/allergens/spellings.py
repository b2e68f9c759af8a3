"""The words for allergens and their spellings, from `spellings.toml`."""

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, NamedTuple, TypeVar

from campus_api.domain.text import fold

Words = frozenset[str]
Phrase = tuple[str, ...]
# A phrase, or the pattern of a stem.
Key = TypeVar("Key", str, Phrase)

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
Phrases = Mapping[str, list[tuple[Phrase, Meaning]]]


@dataclass(frozen=True)
class Spellings:
    """The vocabulary: the fifteen `words` of the laws, and `others`; `implied` has a word that another one implies.

    `names` are the words of spellings. `listed` are the phrases of lists, `ingredients` those of ingredients and names
    of dishes, and `stems` those within one token of these. `excluded` are the words that contradict a diet, `labels`
    the phrases of diets, and `codes` those of labels.
    """

    words: tuple[str, ...]
    others: tuple[str, ...]
    implied: Mapping[str, str]
    names: Mapping[Phrase, Words]
    listed: Phrases
    ingredients: Phrases
    stems: Mapping[str, Meaning]
    stem: re.Pattern[str]
    second_part: re.Pattern[str]
    excluded: Mapping[str, Words]
    labels: Phrases
    codes: Mapping[Phrase, Words]


@cache
def spellings() -> Spellings:
    """Return the spellings, which are read once."""
    table = tomllib.loads(files(__package__).joinpath("spellings.toml").read_text(encoding="utf-8"))
    roles = [(tokens(name), Meaning(role=role)) for role, names in table["roles"].items() for name in names]
    common = [*roles, *_forms(table, "names", "typical")]
    stems = _union(("".join(stem), each) for stem, each in _forms(table, "stems", "typical_stems"))
    unclear = ((name, Meaning(role="other")) for name, _ in _forms(table, "ingredients"))
    ingredients = _union([*common, *_forms(table, "ingredients", "vegan", "vegetal")])
    names = _union(_forms(table, "names", "listed"))
    diets = _diets(table["labels"], "phrases", "vegan", "vegetal")
    return Spellings(
        words=tuple(table["words"]),
        others=tuple(table["others"]),
        implied=table["implies"],
        names={name: meaning.contained for name, meaning in names.items() if meaning.contained},
        listed=_by_first_token(_union([*unclear, *common, *_forms(table, "listed", "remarks")])),
        ingredients=_by_first_token(_with_inner(ingredients, tuple)),
        stems=_union((stem.strip("^$"), each) for stem, each in _with_inner(stems, "^{}$".format).items()),
        stem=re.compile("|".join(sorted(stems, key=len, reverse=True)).replace("$", _ENDING)),
        second_part=re.compile(f"({'|'.join(map(normalize_name, table['second_parts']))}){_ENDING}"),
        excluded={diet: frozenset(words) for diet, words in table["excluded"].items()},
        labels=_by_first_token({name: Meaning(words) for name, words in diets}),
        codes=dict(_diets(table["labels"], "codes")),
    )


def all_words() -> list[str]:
    """Return all words of the vocabulary, sorted."""
    return sorted((*spellings().words, *spellings().others))


def find(name: str) -> Words:
    """Return the words that a name is a spelling of, none if it is in no row of the table."""
    return without_implied(spellings().names.get(tokens(name), frozenset()))


def with_implied(words: Iterable[str], implied: Mapping[str, str] | None = None) -> Words:
    """Return words and those that they imply: what has wheat has gluten."""
    implied = implied or spellings().implied
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


def tokens(text: str) -> Phrase:
    """Return the normalized words, numbers and punctuation marks of a text; those within a word are left out."""
    return tuple(_TOKEN.findall(_JOINERS.sub(" ", _FREE.sub(" free", _normalize_letters(text)))))


def _normalize_letters(text: str) -> str:
    return fold(text).translate(_SAME_LETTERS)


def with_names(names: Mapping[str, Collection[str]]) -> Phrases:
    """Return the phrases of lists with the words of a profile by its names, none if a name is about something else."""
    table, own = spellings().listed, ((tokens(name), with_implied(words)) for name, words in names.items())
    phrases = _by_first_token({name: Meaning(words, role="food" if words else "nothing") for name, words in own})
    both = ((first, [*each, *table.get(first, ())]) for first, each in phrases.items())
    return {**table, **{first: sorted(each, key=lambda phrase: -len(phrase[0])) for first, each in both}}


def _by_first_token(meanings: Mapping[Phrase, Meaning]) -> Phrases:
    """Return phrases by their first token, the longest first; foods of several words also as one: "icecream"."""
    in_one_word = {("".join(phrase),): each for phrase, each in meanings.items() if each.role == "food"}
    phrases: dict[str, list[tuple[Phrase, Meaning]]] = {}
    for phrase, meaning in sorted((in_one_word | {**meanings}).items(), key=lambda item: len(item[0]), reverse=True):
        phrases.setdefault(phrase[0], []).append((phrase, meaning))
    return phrases


def _forms(table: Mapping[str, Any], *keys: str) -> Iterator[tuple[Phrase, Meaning]]:
    """Yield each spelling of the rows with its meaning, which the key decides, and with implied words."""
    dietary, generic = frozenset(table["dietary"]), {*table["generic"]}
    for key, row in product(keys, [*table["spellings"], *table["labels"]]):
        words = with_implied(row.get("words", ()), table["implies"])
        meaning = _MEANINGS.get(key, Meaning._replace)(Meaning(words - dietary, dietary=words & dietary))
        for spelling in row.get(key, ()):
            each = meaning._replace(is_generic=True) if spelling in generic else meaning
            for form in dict.fromkeys((spelling, spelling.casefold().translate(_UMLAUTS))):
                yield tokens(form), each


def _union(forms: Iterable[tuple[Key, Meaning]]) -> dict[Key, Meaning]:
    """Return what each spelling stands for in all of its rows; the role is that of the last one."""
    meanings: dict[Key, Meaning] = {}
    for name, meaning in forms:
        meanings[name] = joined(meanings[name], meaning) if name in meanings else meaning
    return meanings


def joined(meaning: Meaning, other: Meaning) -> Meaning:
    """Return the words of both meanings, with the role of the other one."""
    return other._replace(**{each: getattr(meaning, each) | getattr(other, each) for each in Meaning._fields[:4]})


def _diets(labels: Iterable[Mapping[str, Any]], *keys: str) -> Iterator[tuple[Phrase, Words]]:
    """Yield each code or phrase of the rows of labels with its diets."""
    for key, label in product(keys, labels):
        for name in label.get(key, ()):
            yield tokens(name), frozenset(label["diets"])


def _with_inner(meanings: Mapping[Key, Meaning], whole: Callable[[Key], Key]) -> dict[Key, Meaning]:
    """Return meanings with what the foods within their spellings typically have: "light soy sauce", "Sauerteig"."""
    completed = {**meanings}
    for key, meaning in meanings.items():
        text = whole(key)
        parts = (text[start:end] for start in range(len(text)) for end in range(start + 1, len(text) + 1))
        inner = (meanings[each] for each in parts if each in meanings)
        # Others are about something else.
        if meaning.role == "food" and any(meaning[:4]):
            typical = meaning.typical.union(*(each.typical for each in inner if each.role == "food"))
            completed[key] = meaning._replace(typical=typical - meaning.contained)
    return completed
