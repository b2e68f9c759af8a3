"""The OpenAPI document: openapi.yaml, completed with what depends on the version, the host and the date."""

from functools import lru_cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import yaml

# The date of the examples in openapi.yaml; the sample data has the same menus for every today.
_EXAMPLE_DATE = "2026-11-20"


@lru_cache(maxsize=4)
def document(
    base: str, today: str, data_license: str | None, attribution: str | None, contact: str | None
) -> dict[str, Any]:
    """Return the document of the service at the path `base`, with examples for the date `today`."""
    text = (files(__name__) / "openapi.yaml").read_text(encoding="utf-8")
    result = yaml.load(text.replace(_EXAMPLE_DATE, today), yaml.CSafeLoader)
    result["info"]["version"] = version("campus-api")
    if data_license:
        url = {"url": data_license} if data_license.startswith(("http://", "https://")) else {}
        result["info"]["license"] = {"name": data_license, **url}
    if contact:
        kind = "email" if contact.startswith("mailto:") else "url"
        result["info"]["contact"][kind] = contact.removeprefix("mailto:")
    if attribution:
        result["info"]["description"] += f"\n{attribution}\n"
    result["servers"] = [{"url": base}]
    return result
