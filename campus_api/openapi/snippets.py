"""Examples of code that ask an endpoint and run as they stand."""

HOST = "http://localhost:6543"

_CURL = "curl '{url}'"
_PYTHON = """\
{imports}from urllib.request import urlopen

with urlopen("{url}") as answer:
    print({read})"""
_JAVASCRIPT = """\
fetch("{url}")
  .then((answer) => answer.{read}())
  .then((found) => console.log(found));"""


def of(example: str, media_type: str) -> list[dict[str, str]]:
    """Return the examples of code for a URL whose answer has a media type; what reads them replaces the host."""
    url, is_json = HOST + example, media_type.endswith("json")
    python = {"imports": "import json\n", "read": "json.load(answer)"} if is_json else _TEXT_IN_PYTHON
    javascript = {"read": "json" if is_json else "text"}
    return [
        {"lang": "Shell", "label": "Command line", "source": _CURL.format(url=url)},
        {"lang": "Python", "label": "Python", "source": _PYTHON.format(url=url, **python)},
        {"lang": "JavaScript", "label": "JavaScript", "source": _JAVASCRIPT.format(url=url, **javascript)},
    ]


_TEXT_IN_PYTHON = {"imports": "", "read": 'answer.read().decode("utf-8")'}
