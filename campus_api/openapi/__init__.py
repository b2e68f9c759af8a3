"""The OpenAPI document: openapi.yaml, completed with what depends on the version, the host and the date."""

from functools import lru_cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

import yaml

# The date of the examples in openapi.yaml; the sample data has the same menus for every today.
_EXAMPLE_DATE = "2026-11-20"

# The docs page replaces the host.
_HOST = "http://localhost:6543"
_PYTHON = {
    "json": 'import json\nfrom urllib.request import urlopen\n\nwith urlopen("{url}") as response:\n'
    "    print(json.load(response))",
    "text": 'from urllib.request import urlopen\n\nwith urlopen("{url}") as response:\n'
    '    print(response.read().decode("utf-8"))',
}
_JAVASCRIPT = 'fetch("{url}")\n  .then((response) => response.{kind}())\n  .then((data) => console.log(data));'

JsonObject = dict[str, Any]


@lru_cache(maxsize=4)
def document(base: str, today: str, data_license: str = "", attribution: str = "") -> JsonObject:
    """Return the document of the service at the path `base`, with examples for the date `today`."""
    text = (files(__name__) / "openapi.yaml").read_text(encoding="utf-8")
    document = yaml.load(text.replace(_EXAMPLE_DATE, today), yaml.CSafeLoader)
    document["info"]["version"] = version("campus-api")
    document["info"] |= _licence(data_license)
    document["info"]["description"] += f"\n{attribution}\n" if attribution else ""
    document["servers"] = [{"url": base}]
    for path, item in document["paths"].items():
        item["get"]["x-codeSamples"] = _code_samples(path, item["get"], document["components"]["parameters"])
    return document


def _licence(data_license: str) -> JsonObject:
    url = {"url": data_license} if data_license.startswith(("http://", "https://")) else {}
    return {"license": {"name": data_license} | url} if data_license else {}


def _code_samples(path: str, operation: JsonObject, components: JsonObject) -> list[dict[str, str]]:
    """Return code that requests the operation with the example values of its parameters."""
    parameters = [components.get(each.get("$ref", "").rpartition("/")[2], each) for each in operation["parameters"]]
    examples = {each["name"]: each["example"] for each in parameters if "example" in each}
    url = f"{_HOST}{path.format(id=examples.pop('id', None))}{'?' if examples else ''}{urlencode(examples, doseq=True)}"
    kind = "json" if any("json" in media_type for media_type in operation["responses"]["200"]["content"]) else "text"
    return [
        {"lang": "Shell", "label": "Command line", "source": f"curl '{url}'"},
        {"lang": "Python", "label": "Python", "source": _PYTHON[kind].format(url=url)},
        {"lang": "JavaScript", "label": "JavaScript", "source": _JAVASCRIPT.format(url=url, kind=kind)},
    ]
