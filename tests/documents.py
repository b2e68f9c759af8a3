"""Parse the documents of the project: code blocks, commands and their output."""

import json
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])

_BLOCK = re.compile(r"^```(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
_PROGRAM = re.compile(r"(?:#|//) (\w+\.(?:py|toml))\n")
_STEP = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


class Block(NamedTuple):
    """A fenced code block and its language."""

    language: str
    text: str


class Step(NamedTuple):
    """A command and its documented output; `...` matches any text, and alone on a line any lines."""

    command: str
    shown: str


def blocks(document):
    """Return the fenced blocks of a document."""
    return [Block(*groups) for groups in _BLOCK.findall(document.read_text(encoding="utf-8"))]


def programs(document):
    """Return the blocks that begin with a comment with a file name, by this name."""
    named = [(_PROGRAM.match(block.text), block.text) for block in blocks(document)]
    return {match[1]: text for match, text in named if match}


def prose(document):
    """Return the text outside of the fenced blocks."""
    return _BLOCK.sub("", document.read_text(encoding="utf-8"))


def steps(document):
    """Return the commands of a document in order, including each line for mongosh.

    A backslash at the end of a line continues a command.
    """
    texts = {"console": str, "javascript": lambda text: re.sub("^", "$ ", text, flags=re.MULTILINE).removesuffix("$ ")}
    commands = [block for block in blocks(document) if block.language in texts and not _PROGRAM.match(block.text)]
    text = "".join(texts[block.language](block.text) for block in commands)
    return [Step(*groups) for groups in _STEP.findall(text)]


def agrees(shown, printed, varies=False):
    """Return whether output is what a document shows; of JSON that varies, only the shape is compared."""
    expected, actual = _parsed(shown), _parsed(printed)
    if expected is None or actual is None:
        return bool(re.fullmatch(_pattern(shown), printed if printed.endswith("\n") or not printed else f"{printed}\n"))
    return shape(actual) == shape(expected) if varies else actual == expected


def shape(value):
    """Return the keys and types of a JSON value; for an array, the distinct shapes of its items."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return sorted({json.dumps(shape(each), sort_keys=True) for each in value})
    return type(value).__name__


def _parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def _pattern(shown):
    lines = shown.splitlines()
    return "".join(r"(?:.*\n)*?" if line == "..." else _line_pattern(line) for line in lines)


def _line_pattern(line):
    return ".*".join(map(re.escape, line.split("..."))) + "\n"
