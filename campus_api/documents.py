"""Documents for people who write clients, rendered from Markdown."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True)
class Document:
    """A document as HTML, its title, and the texts of its sections by the ids of their headings."""

    title: str
    sections: Mapping[str, str]
    html: str


@cache
def read() -> dict[str, Document]:
    """Return all documents by file name; they link no other file of the repository."""
    paths = sorted((files("campus_api") / "pages/documents").iterdir(), key=lambda path: path.name)
    return {path.name: _render(path.read_text(encoding="utf-8")) for path in paths}


def _render(text: str) -> Document:
    tokens = _MARKDOWN.parse(text)
    headings: dict[str, dict[str, str]] = {"h1": {}, "h2": {}, "h3": {}}
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            slug = _slug(inline.content)
            opening.attrSet("id", slug)
            headings[opening.tag][slug] = inline.content
    [title] = headings["h1"].values()
    return Document(title, headings["h2"], _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


def _slug(heading: str) -> str:
    """Return the anchor of a heading, as on GitHub."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
