"""Heuristics mapping export fields to profile fields."""

import re
from collections.abc import Iterable, Sequence

from campus_api.domain.building_fields import TEXT_FIELDS
from loaders.inference.field_names import Guess, Target, names_of, split_words
from loaders.inference.field_stats import ADDRESSES, IMAGES, TEXT, URLS, FieldStats
from loaders.inference.id_guesser import MAX_LENGTH, TEXT_ID, guess_id

# What a profile can name: no blank text, none with the braces of a template or a lone surrogate.
_NAMEABLE = re.compile(r"(?=.*\S)[^{}\ud800-\udfff]+", re.DOTALL)
_HOUSE_NUMBER = re.compile(r"(.* )?(house|street|addr|address) ?(number|num|no|nr)")
_ENGLISH = re.compile(r"[\W_](en|eng|english)$", re.IGNORECASE)
# A field of a better name is the name even if it has codes.
_MIN_SCORE_OF_CODES = 3
_NO_NICKNAME = r"(?!.*\b(nick|code|abbr|common|call))"
_KNOWN_TARGETS = {
    "name": Target(
        names=(
            r"name",
            rf"{_NO_NICKNAME}(.* )?(building|bldg|facility|structure|site|hall|full|long) ?name",
            rf"{_NO_NICKNAME}(.* )?\w*name",
            r"title|label",
            r"building|bldg|facility|hall",
            r"(.* )?\w*name",
        ),
        excluded_words="street|file|filename|user|username|owner|editor|creator|city|town|county|state|country|zone"
        "|layer|type|department|dept|architect|contact|first|last|alt|old|short|streetname",
        types=(TEXT, ADDRESSES),
    ),
    "address": Target(
        names=(
            r"(full |street )?address|addr full",
            r"(.* )?\w*addr(ess)?( 1| line 1)?",
            r"(.* )?street( name)?",
            r"adresse|anschrift|straße|strasse",
        ),
        excluded_words="e|email|mail|mailing|web|ip|owner|speed|maxspeed|lanes|width|height|length|hours|area|capacity"
        "|levels?|floors?|stories|phone|fax|date",
        types=(TEXT, ADDRESSES),
        sufficient_type=ADDRESSES,
    ),
    "city": Target(
        names=(r"(addr )?city", r"(.* )?(city|town|municipality)( name)?", r"ort|stadt|ville|ciudad"),
        excluded_words="id|code|council|ward",
        types=(TEXT, ADDRESSES),
    ),
    "image": Target(
        names=(
            r"image|photo|picture",
            r"(?!.*thumb).*(image|photo|picture|pic|img).*",
            r".*(thumb|image|photo|pic).*",
        ),
        excluded_words="date|credit|caption|id",
        types=(URLS, IMAGES),
        sufficient_type=IMAGES,
    ),
    "aliases": Target(
        names=(r"alias(es)?|nicknames?|aka|also known as", r"(.* )?(alt|alternat(e|ive)|other|old|short|nick) ?names?"),
        excluded_words="id|code|street",
        types=(TEXT, ADDRESSES),
    ),
    "tags": Target(
        names=(r"tags?|keywords?", r"((.* )?(building|bldg|facility|primary) ?)?(type|category|use|usage|function)"),
        excluded_words="id|code|date|address|geometry|roof|fuel|layer|feature",
        types=(TEXT,),
    ),
}
_TARGETS = {name: _KNOWN_TARGETS.get(name, Target((name,), "id", (TEXT, ADDRESSES))) for name in TEXT_FIELDS}


def guess_fields(fields: Iterable[FieldStats], records: int) -> dict[str, Guess]:
    """Return the best guess for each field of a profile; each export field is used once."""
    guesses: dict[str, Guess] = {}
    named = (stats for stats in fields if _NAMEABLE.fullmatch(stats.name))
    candidates = sorted(named, key=lambda stats: not _ENGLISH.search(stats.name))
    names = [each for target in ("name", "address") for each in _best(target, candidates)]
    if guess := guess_id(candidates, records, names):
        guesses["id"] = guess
        if not guess.is_assigned or TEXT_ID.best_score(guess.fields[0]):
            candidates = [stats for stats in candidates if stats not in guess.fields]
    for target_name in _TARGETS:
        if best := _best(target_name, candidates):
            guesses[target_name] = _guess(target_name, best[0], candidates)
            candidates = [stats for stats in candidates if stats not in guesses[target_name].fields]
    if "name" not in guesses and (others := [stats for stats in candidates if _may_be_name(stats, records)]):
        guesses["name"] = Guess(others[0].name, (others[0],))
    return guesses


def _may_be_name(stats: FieldStats, records: int) -> bool:
    """Return whether a text of most features is different in nearly all, and no address, code, kind or description."""
    is_distinct = 10 * len(stats.distinct) >= 9 * stats.filled and 2 * stats.filled >= records
    is_text = stats.max_length <= MAX_LENGTH and 2 * stats.names > stats.filled
    return is_distinct and is_text and not _TARGETS["name"].excludes(split_words(stats.name))


def _best(target_name: str, fields: Sequence[FieldStats]) -> list[FieldStats]:
    """Return the fields that fit, the best one first."""
    scores = {stats.name: _score(target_name, stats) for stats in fields}
    fitting = [stats for stats in fields if scores[stats.name]]
    return sorted(fitting, key=lambda stats: scores[stats.name], reverse=True)


def _score(target_name: str, stats: FieldStats) -> tuple[float, ...]:
    """Return how well a field fits, to be compared; empty if it does not."""
    target = _TARGETS[target_name]
    name_score = target.best_score(stats)
    sufficient = target.sufficient_type and stats.is_mostly(target.sufficient_type)
    if not stats.is_mostly(*target.types) or (target_name == "name" and _is_no_name(stats, name_score)):
        return ()
    if not name_score and not (sufficient and not any(map(target.excludes, names_of(stats)))):
        return ()
    return name_score, stats.filled


def _is_no_name(stats: FieldStats, name_score: int) -> bool:
    """Return whether a field, such as "bldg", has codes, or the name of the campus or the kind of all features."""
    has_codes = name_score < _MIN_SCORE_OF_CODES and 2 * stats.names <= stats.filled
    return has_codes or (stats.filled > 2 and len(stats.distinct) == 1)


def _guess(target_name: str, best: FieldStats, candidates: list[FieldStats]) -> Guess:
    house_number = next((stats for stats in candidates if _HOUSE_NUMBER.fullmatch(split_words(stats.name))), None)
    if target_name == "address" and house_number and not best.is_mostly(ADDRESSES):
        return Guess(f"{{{house_number.name}}} {{{best.name}}}", (best, house_number))
    return Guess(best.name, (best,))
