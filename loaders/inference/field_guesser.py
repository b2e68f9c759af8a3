"""Which field of an unknown map export holds the id, the name, the address, the city and the image, by all signs."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from loaders.inference.field_stats import ADDRESSES, IMAGES, INTEGERS, TEXT, URLS, Tallies, Tally, counted
from loaders.inference.toml_text import is_writable, quoted

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORDS = re.compile(r"[^\W\d_]+|[0-9]+")

# What stands in the names of fields, the best signs first.
_SIGNS = {
    "id": (
        r"id|ref|root",
        r"(.* )?(building|bldg|facility|structure|site) ?(id|ref|root|number|num|no|nr|code)",
        r"(.* )?(id|ref|root|number|num|no|nr|code)",
        r"object ?id( \d)?|fid|oid|gid",
        r".*",
    ),
    "name": (
        r"name",
        r"(.* )?(building|bldg|facility|structure|site|hall|historic|landmark) ?name",
        r"(.* )?\w*name",
        r"title|label",
    ),
    "address": (r"(full |street )?address|addr full", r"(.* )?\w*addr(ess)?( 1| line 1)?", r"(.* )?street( name)?"),
    "city": (r"(addr )?city", r"(.* )?(city|town|municipality)( name)?"),
    "image": (r"image|photo|picture", r"(?!.*thumb).*(image|photo|picture|pic|img).*", r".*(thumb|image|photo|pic).*"),
}
_WRONG = {
    "id": r"year|date|area|length|width|height|elevation|floors?|stories|units|zip|postal|phone|lat|latitude|lon|lng"
    r"|longitude|x|y|z|count|global|layer|lot|block|street|address|addr|house|housenumber|level|stroke|opacity",
    "name": r"street|file|filename|user|username|owner|editor|creator|city|town|county|state|country|zone|layer|type"
    r"|department|dept|architect|contact|first|last|alt|old|short|streetname",
    "address": r"e|email|mail|mailing|web|ip|owner",
    "city": r"id|code|council|ward",
    "image": r"date|credit|caption|id",
}
_WRONG_WORDS = {field: re.compile(rf"\b({words})\b") for field, words in _WRONG.items()}
_ROW_NUMBER = re.compile(_SIGNS["id"][3])
_HOUSE_NUMBER = re.compile(r"(.* )?(house|street|addr|address) ?(number|num|no|nr)")
# Shapefiles cut names off after so many letters: HISTORIC_N is a name.
_SHAPEFILE = 10
_CUT_OFF = {"n": "name", "na": "name", "nam": "name", "addre": "address", "addres": "address"}
_NEARLY_ALL = 0.9


@dataclass(frozen=True)
class Guess:
    """What a profile may say of a field, the fields of the export that it uses, and what speaks against it."""

    source: str
    tallies: tuple[Tally, ...]
    doubts: tuple[str, ...] = ()


def guesses(tallies: Tallies, aliases: Mapping[str, object], records: int) -> dict[str, Guess]:
    """Return what the fields of a profile for these tallies of so many records may be, best guess each."""
    found: dict[str, Guess] = {}
    left = [tally for tally in tallies.values() if _can_be_named(tally.name)]
    for field in _SIGNS:
        ranks = [(_rank(field, tally, aliases.get(tally.name), records), tally) for tally in left]
        rank, best = max(ranks, key=lambda ranked: ranked[0], default=((), None))
        if rank:
            found[field] = _guess(field, best, left, records)
            left = [tally for tally in left if tally not in found[field].tallies]
    return found


def label_of(name: str) -> str:
    """Return the words in a field's name, without the name of its table: "BLDG_No" is "bldg no"."""
    cut = name.rpartition(".")[2]
    words = _WORDS.findall(_CAMEL.sub(" ", cut).casefold())
    if words and len(cut) == _SHAPEFILE:
        words[-1] = _CUT_OFF.get(words[-1], words[-1])
    return " ".join(words)


def _can_be_named(name: str) -> bool:
    """Tell whether a profile can name a field: braces are those of a template."""
    return bool(name.strip()) and not set("{}") & set(name) and is_writable(name)


def _rank(field: str, tally: Tally, alias: object, records: int) -> tuple[float, ...]:
    """Return how well a tally fits a field, empty for not at all; the larger the better."""
    labels = [label_of(tally.name), *([label_of(alias)] if isinstance(alias, str) else [])]
    sign = max(_sign(field, label) for label in labels)
    if field == "id":
        share = _share(tally, records)
        return (share >= _NEARLY_ALL, sign, share) if sign and share >= 0.5 else ()
    if field == "image" and not tally.mostly(URLS, IMAGES):
        return ()
    if field != "image" and not tally.mostly(TEXT, ADDRESSES):
        return ()
    by_value = {"image": IMAGES, "address": ADDRESSES}.get(field)
    if not sign and not (by_value and tally.mostly(by_value) and not _is_wrong(field, labels)):
        return ()
    return sign, tally.given


def _sign(field: str, label: str) -> int:
    """Return how good a sign the name of a field is, 0 for none."""
    signs = _SIGNS[field]
    if _WRONG_WORDS[field].search(label):
        return 0
    return next((len(signs) - place for place, sign in enumerate(signs) if re.fullmatch(sign, label)), 0)


def _is_wrong(field: str, labels: list[str]) -> bool:
    return any(_WRONG_WORDS[field].search(label) for label in labels)


def _share(tally: Tally, records: int) -> float:
    """Return in which share of the records an integer of its own stands, at least."""
    others = tally.given - tally.kinds[INTEGERS]
    different = tally.given if tally.distinct.is_over else len(tally.distinct)
    return (different - others) / records


def _guess(field: str, best: Tally, tallies: list[Tally], records: int) -> Guess:
    if field == "id":
        return Guess(best.name, (best,), tuple(_doubts(best, records)))
    number = next((tally for tally in tallies if _HOUSE_NUMBER.fullmatch(label_of(tally.name))), None)
    if field == "address" and number and not best.mostly(ADDRESSES):
        return Guess(f"{{{number.name}}} {{{best.name}}}", (best, number))
    return Guess(best.name, (best,))


def _doubts(tally: Tally, records: int) -> Iterator[str]:
    """Yield what speaks against a field as the id."""
    lacking = records - tally.kinds[INTEGERS]
    if lacking:
        features = counted(lacking, "feature has", "features have")
        yield f"{features} no integer in {quoted(tally.name)} and cannot be loaded."
    if not tally.is_all_different:
        yield "Some features have the same id: they cannot be loaded, unless they are equal."
    if _ROW_NUMBER.fullmatch(label_of(tally.name)) or _counts_records(tally, records):
        yield "The id looks like a row number: is it the same in the next export?"


def _counts_records(tally: Tally, records: int) -> bool:
    return records > 2 and tally.integers in ((0, records - 1), (1, records)) and tally.is_all_different
