"""Documents for people who write clients, rendered from Markdown."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True)
class Document:
    """A document as HTML, its title, and the texts of its sections by the ids of their headings."""

    title: str
    sections: Mapping[str, str]
    html: str


@cache
def read() -> dict[str, Document]:
    """Return all documents by file name."""
    paths = sorted((files("campus_api") / "pages/documents").iterdir(), key=lambda path: path.name)
    names = {path.name for path in paths}
    return {path.name: _render(path.read_text(encoding="utf-8"), names) for path in paths}


def _render(text: str, names: Collection[str]) -> Document:
    tokens = _MARKDOWN.parse(text)
    headings: dict[str, list[tuple[str, str]]] = {"h1": [], "h2": [], "h3": []}
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", _slug(inline.content))
            headings[opening.tag].append((_slug(inline.content), inline.content))
    for token in tokens:
        token.children = list(_link(token.children or (), names))
    [(_, title)] = headings["h1"]
    return Document(title, dict(headings["h2"]), _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


def _slug(heading: str) -> str:
    """Return the anchor of a heading, as on GitHub."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _link(tokens: Sequence[Token], names: Collection[str]) -> Iterator[Token]:
    """Yield the tokens of a text, of links to other files than these documents only their text."""
    is_linked = True
    for token in tokens:
        if token.type == "link_open":
            file = str(token.attrGet("href")).partition("#")[0]
            is_linked = not file or "://" in file or file in names
        if is_linked or token.type not in ("link_open", "link_close"):
            yield token
