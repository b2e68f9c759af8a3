"""The words for allergens and their spellings, from `spellings.toml`."""

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import chain, combinations, groupby
from typing import Any, NamedTuple

from campus_api.domain.text import SAME_LETTERS, fold

Words = frozenset[str]
Phrase = tuple[str, ...] | str  # its tokens, or the letters of a stem

# What another word implies: all wheat has gluten.
_IMPLIED = {"wheat": "gluten"}
_ROLES = {key: key for key in ("vegan", "vegetal", "of", "remark", "part", "codes")}
# How German umlauts are written without them.
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
# Within words, as in "d'œuf" and "skim-milk", and at the end of one: "Milch- und Eifrei".
_JOINERS = re.compile(r"(?<=\w)(?:[-'\N{HYPHEN}](?=\w)|-(?=[\s,/]))")
# As in "glutenfreies", "eggless" and "egg-less", not in "less sugar".
_FREE = re.compile(r"(?<=[^\W\d_]{2})[-\N{HYPHEN}]?(?:frei(?:e[mnrs]?)?|free|less|fritt?|vrije?)\b")
# Letters, digits, or what ends a phrase: a punctuation mark but for quotes, or a line break.
_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s\"'«»“”„‘]|[_\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")


class Meaning(NamedTuple):
    """What a phrase stands for: a food with words that it contains, or typically has, or another role in a text.

    `hedged` are those that a text says it may contain, `dietary` those that count for diets only: meat, and what a
    denial leaves in doubt.
    """

    contained: Words = frozenset()
    typical: Words = frozenset()
    hedged: Words = frozenset()
    dietary: Words = frozenset()
    role: str = "food"


class Phrases:
    """What phrases stand for, and the length of the longest one by its first token."""

    def __init__(self, meanings: Mapping[Phrase, Meaning]) -> None:
        self.meanings = meanings
        self.longest = {phrase[0]: len(phrase) for phrase in sorted(meanings, key=len)}


class Spellings(NamedTuple):
    """The vocabulary: the fifteen `words` of the laws, and `others`.

    `listed` are the phrases of lists, `ingredients` those of ingredients and names of dishes, and `stems` those within
    one token of these. `excluded` are the words that contradict a diet. `labels` are the phrases and codes of diets.
    """

    words: tuple[str, ...]
    others: tuple[str, ...]
    listed: Phrases
    ingredients: Phrases
    stems: Mapping[Phrase, Meaning]
    stem: re.Pattern[str]
    second_part: re.Pattern[str]
    excluded: Mapping[str, Words]
    labels: Phrases


@cache
def spellings() -> Spellings:
    """Return the spellings, which are read once."""
    table = tomllib.loads(files(__package__).joinpath("spellings.toml").read_text(encoding="utf-8"))
    roles = {name: Meaning(role=role) for role, names in table["roles"].items() for name in _tokens_of_all(names)}
    common = _merged(roles.items(), _forms(table, "names", "typical"))
    rows = [*_forms(table, "ingredients")]
    unclear = Meaning(role="ingredient")
    # What no list says, or only a part of it: "fish tacos" typically have wheat.
    others = [(key, unclear) for key, row in rows if key not in common or row.contained.difference(*common[key][:2])]
    ingredients = _merged(common.items(), rows, _forms(table, "vegan", "vegetal", "of"))
    stems = _merged(("".join(stem), each) for stem, each in _forms(table, "stems", "typical_stems"))
    doubts = [each for each in roles.items() if each[1].role in ("doubt", "hedge", "offer", "without")]
    return Spellings(
        words=tuple(table["words"]),
        others=tuple(table["others"]),
        listed=Phrases(_merged(common.items(), others, _forms(table, "listed", "remark", "part"))),
        ingredients=Phrases(_with_inner(ingredients)),
        stems=_merged(("".join(stem).strip("^$"), each) for stem, each in _with_inner(stems).items()),
        stem=_any_of(map("".join, stems)),
        second_part=_any_of(f"{normalize_name(each)}$" for each in table["second_parts"]),
        excluded={diet: frozenset(words) for diet, words in table["excluded"].items()},
        labels=Phrases(_merged(doubts, *map(_diets, table["labels"]))),
    )


def _any_of(stems: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of the longest stem at a position, which looks only at those with the letter there."""
    anchored = (re.sub(r"\^(.)", r"\1(?<=^\1)", stem) for stem in sorted(stems, key=len, reverse=True))
    by_letter = groupby(sorted(anchored, key=lambda stem: stem[0]), lambda stem: stem[0])
    pattern = "|".join(f"{letter}(?:{'|'.join(stem[1:] for stem in group)})" for letter, group in by_letter)
    # What may follow a stem at the end of a German word.
    return re.compile(pattern.replace("$", "(?=(?:e[mnrs]?|n|s)?$)"))


def all_words() -> list[str]:
    """Return all words of the vocabulary, sorted."""
    return sorted((*spellings().words, *spellings().others))


def find(name: str) -> Words:
    """Return the words that a name is a spelling of, none if it is in no row of the table."""
    return without_implied(spellings().listed.meanings.get(tokens(name), Meaning()).contained)


def with_implied(words: Iterable[str]) -> Words:
    """Return words and those that they imply: what has wheat has gluten."""
    return frozenset({*words, *(_IMPLIED[word] for word in words if word in _IMPLIED)})


def without_implied(words: Words) -> Words:
    """Return words without those that others of them imply."""
    return words - {implied for word, implied in _IMPLIED.items() if word in words}


def with_implying(words: Collection[str]) -> Words:
    """Return words and those that imply them: what has no gluten has no wheat."""
    return frozenset({*words, *(word for word, implied in _IMPLIED.items() if implied in words)})


def normalize_name(text: str) -> str:
    """Return a name without differences of letter case, accents, width and the length of spaces."""
    return " ".join(fold(text).translate(SAME_LETTERS).split())


def tokens(text: str) -> Phrase:
    """Return the normalized words, numbers and punctuation marks of a text; those within a word are left out."""
    return tuple(_TOKEN.findall(_JOINERS.sub(" ", _FREE.sub(" free", fold(text).translate(SAME_LETTERS)))))


def with_names(names: Mapping[str, Collection[str]]) -> Phrases:
    """Return the phrases of lists with the words of a profile by its names, none if a name is about something else."""
    rows = {tokens(name): Meaning(with_implied(own), role="food" if own else "nothing") for name, own in names.items()}
    return Phrases({**spellings().listed.meanings, **rows})


def _forms(table: Mapping[str, Any], *keys: str) -> Iterator[tuple[Phrase, Meaning]]:
    """Yield the spellings of some keys, each with what it stands for in its row, with implied words."""
    dietary, generic = frozenset(table["dietary"]), _tokens_of_all(table["generic"])
    rows = [*table["spellings"], *table["labels"]]
    for key, row in ((key, row) for key in keys for row in rows if key in row):
        words = with_implied(row.get("words", ()))
        meaning = Meaning(words - dietary, dietary=words & dietary, role=_ROLES.get(key, "food"))
        if key.startswith("typical"):
            meaning = Meaning(typical=meaning.contained)
        for name in _tokens_of_all(row[key]):
            yield name, meaning._replace(role="generic") if name in generic else meaning


def _diets(label: Mapping[str, Any]) -> Iterator[tuple[Phrase, Meaning]]:
    """Yield the spellings of a label with its diets."""
    for key in ("codes", "phrases", "vegan", "vegetal"):
        for name in _tokens_of_all(label.get(key, ())):
            yield name, Meaning(frozenset(label["diets"]), role=_ROLES.get(key, "food"))


def _tokens_of_all(names: Collection[str]) -> Collection[Phrase]:
    """Return the tokens of spellings, with and without umlauts, which are normalized as one text: that is faster."""
    without_umlauts = (each.casefold().translate(_UMLAUTS) for each in names if not each.isascii())
    groups = groupby(tokens("\n".join((*names, *without_umlauts))), "\n".__ne__)
    return dict.fromkeys(tuple(name) for is_name, name in groups if is_name)


def _merged(*forms: Iterable[tuple[Phrase, Meaning]]) -> dict[Phrase, Meaning]:
    """Return what each spelling stands for in all of several tables; the role is that of the last one."""
    merged: dict[Phrase, Meaning] = {}
    for name, each in chain(*forms):
        merged[name] = joined(merged[name], each) if name in merged else each
    return merged


def joined(meaning: Meaning, other: Meaning) -> Meaning:
    """Return the words of both meanings, in sets of theirs where one has none, with the role of the other one."""
    words = (own | more if own and more else own or more for own, more in zip(meaning[:4], other[:4], strict=True))
    return Meaning._make((*words, other.role))


def _with_inner(meanings: Mapping[Phrase, Meaning]) -> dict[Phrase, Meaning]:
    """Return foods that have words with what those within their spellings typically have: "light soy sauce"."""
    foods = {key: each for key, each in meanings.items() if each.role in ("food", "generic") and any(each[:4])}
    completed = {**meanings}
    # Within one token or letter is nothing else.
    for key in (each for each in foods if len(each) > 1):
        text = f"^{key}$" if isinstance(key, str) else key
        parts = (text[slice(*ends)] for ends in combinations(range(len(text) + 1), 2))
        typical = (foods[part].typical for part in parts if part in foods)
        completed[key] = joined(Meaning(typical=frozenset().union(*typical)), foods[key])
    return completed
