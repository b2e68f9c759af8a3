"""The texts of the pages: none says that a dish is free of something, which nobody has checked.

What dishes list, or that none lists something, is only what the provider says.
"""

import re
from pathlib import Path

import campus_api

PAGES = Path(campus_api.__file__).parent / "pages"
# The guide for language models, llms.txt, forbids such sentences in these very words.
FILES = sorted(path for path in PAGES.rglob("*") if path.suffix in (".js", ".jinja2") and path.stem != "llms.txt")
ABSENCE = re.compile(
    r"""
    \b(?:contain|have|has|list|include)s?\ no\b
    | \bno\ (?:dish|meal|recipe)(?:es|s)?\b(?!\ name)[^.]*\b(?:contain|has|have|include)s?\b
    | (?:\bnot|n['’]t)\ (?:contain|include|list)
    | \bfree\ (?:of|from)\b | [a-z]-free\b | \bsafe\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)


def test_sentences_about_absence_are_recognised():
    for text in (
        *("No dish of this day contains “milk”.", "This dish contains no milk.", "It does not contain nuts"),
        *("It doesn’t contain nuts", "free of gluten", "gluten-free", "Safe for you"),
    ):
        assert ABSENCE.search(text), text


def test_no_page_says_that_a_dish_does_not_contain_something():
    for path in FILES:
        text = COMMENT.sub("", path.read_text())
        assert [match[0] for match in ABSENCE.finditer(text)] == [], path.name
