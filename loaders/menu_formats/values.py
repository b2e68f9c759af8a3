"""Values of dining exports: codes, ids, names without HTML, and the meals that names stand for."""

import html
import re
from functools import lru_cache
from typing import Any

from campus_api.domain import ids
from campus_api.domain.models import MEALS, NamedEntity, meal_name
from loaders.errors import NOT_SCALAR, InvalidValue
from loaders.text import in_one_language, is_blank, parse_text

# How words of meal names begin, as they occur: "Dinnner", "LUNCH ENTREES", but not "Pudding" or "Dining".
_MEAL_WORDS = (
    (0, r"breakf|brk|bkf|frühst|desayuno|petit[s\W]*d.?j|colazion|café da|pequeno|ontbijt|ochtend|frukost|śniada"),
    (1, r"lunch|brunch|mittag|(?<!petit.)d[ée]jeuner|almuerzo|lun\b|pranzo|(?<!pequeno.)almoço|obiad|oběd|öğle|noon"),
    (2, r"din(n|er|\b)|supper|abend|dîner|souper|cena|jantar|avond|kolacj|večeř|akşam|vacsora|päivällinen"),
    *((0, "reggeli|snídan|aamiai|kahvalt|завтрак|сніданок"), (1, "ebéd|lounas|обед|обід"), (2, "ужин|вечер")),
    *((0, "πρωιν|朝|早|아침|조식"), (1, "μεσημερ|昼|午|中餐|점심|중식"), (2, "βραδιν|夕|晚|저녁|석식")),
    (3, r"late[\W_]*night"),
)
# Halls. Diner is the dinner of Dutch menus only if it is the whole name.
_PLACE = re.compile(
    r"(?<!menu)(?<=[^\W\d_])[\W_]+diners?\b|\bdiners?(?=[\W_]+(?!menu|week)[^\W\d_]{3})"
    r"|(?<![^\W_])(breakfast|brunch|lunch|dinner|supper)[\W_]*(room|box|bar|club|hall|house|caf[eé]|kitchen|nook|spot)"
)
# Times, codes, and what is lunch in Dutch or Danish, but no lunch in Swedish or Norwegian: only a profile says more.
NO_MEAL_NAME = re.compile(r"[\W\d]+|[a-z]{1,2}|middag|frokost")
_SCALARS = (str, int, float, type(None))
# Those of text in pages, and whatever has attributes; "<contains nuts>" is text.
_ELEMENTS = (
    "a|abbr|article|aside|b|base|big|body|br|button|center|cite|code|dd|del|dfn|div|dl|dt|em|embed|figure|font|footer|form"
    "|frame|frameset|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main|mark|math|meta|nav|nobr"
    "|noscript|object|ol|option|p|plaintext|pre|q|s|script|section|select|small|span|strike|strong|style|sub|sup|svg|table"
    "|tbody|td|template|textarea|tfoot|th|thead|time|title|tr|tt|u|ul|video|wbr|xmp"
)
_TAG = re.compile(rf"</?(?:(?:{_ELEMENTS})(?=[\s/>])[^<>]*|[a-z][^<>=]*=[^<>]*)>", re.IGNORECASE)
# Those around a part of a word or a sentence; the texts of two such elements in a row are separate.
_INLINE = r"(?:b|em|i|span|strong|u)\b[^<>]*>"
_INLINE_TAG = re.compile(f"</?{_INLINE}", re.IGNORECASE)
_ADJACENT_TAGS = re.compile(rf"</{_INLINE}\s*<{_INLINE}", re.IGNORECASE)
_LINE_BREAK = re.compile(r"[\n\v\f\r\x85\u2028\u2029]")
# Require the semicolon: a bare & may be text.
_ENTITY = re.compile(r"&(#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")
# Some providers escape more than once.
_UNESCAPE_PASSES = 3


def require_scalar(field: str, value: Any) -> Any:
    """Return a value that is text, a number or absent, or that of one language; InvalidValue for any other."""
    text = value if type(value) in _SCALARS else in_one_language(value)
    if type(text) not in _SCALARS:
        raise InvalidValue(field, value, NOT_SCALAR)
    return text


@lru_cache(maxsize=1024)
def meals_meant(name: str) -> frozenset[int]:
    """Return the meals that a name stands for; brunch is a lunch, late night meal 3, and "The Diner" a hall."""
    folded = _PLACE.sub("", name.casefold())
    return frozenset(meal for meal, words in _MEAL_WORDS if re.search(rf"(?<![^\W\d_])({words})", folded))


def first_meal(meals: frozenset[int]) -> str:
    """Return a name that stands for the first of some meals, "" for none."""
    return meal_name(min(meals), MEALS | {3: "Late Night"}) if meals else ""


@lru_cache(maxsize=65536, typed=True)
def parse_id(field: str, value: str | int | float | None) -> int:
    """Return an integer id; InvalidValue if it is missing or malformed."""
    if is_blank(value):
        raise InvalidValue(field, None, "is missing")
    try:
        return ids.from_export(value)
    except ValueError as error:
        raise InvalidValue(field, value, str(error)) from None


def clean_text(field: str, value: str | int | float | None, line_break: str = " ") -> str:
    """Return a text without HTML and with whitespace collapsed, "" if empty; InvalidValue if unprintable.

    Line breaks, tags but those within a sentence, and boundaries of two elements are replaced by `line_break`.
    """
    text = parse_text(field, _LINE_BREAK.sub(line_break, value) if isinstance(value, str) else value)
    for _ in range(_UNESCAPE_PASSES):
        text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    text = _INLINE_TAG.sub("", _ADJACENT_TAGS.sub(line_break, text))
    return parse_text(field, _LINE_BREAK.sub(line_break, _TAG.sub(line_break, text)))


@lru_cache(maxsize=65536, typed=True)
def clean_name(field: str, value: str | int | float | None) -> str:
    """Return a clean text, "" if it stands for an absent one."""
    text = clean_text(field, value)
    return "" if is_blank(text) else text


@lru_cache(maxsize=65536)
def named_entity(id_: int, field: str, name: str) -> NamedEntity:
    """Return an id with its name, one shared object for all rows; InvalidValue if the name is empty."""
    if not name:
        raise InvalidValue(field, None, "is missing")
    return NamedEntity(id_, name)
