"""Values of building exports: empty ones, URLs of photos, texts in a wrong encoding."""

import re
from collections.abc import Iterator
from urllib.parse import quote

from campus_api.domain.models import Building
from loaders.text import repair_mojibake

# What exports write for an empty value.
_NULLS = ("", "null", "<null>")
# "%" is safe so that URLs that are already percent-encoded stay unchanged.
_URL_SAFE = "/%:?#[]@!$&'()*+,;=~"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_WEB_URL = re.compile(r"https?://[^/?#]", re.IGNORECASE)
_MAX_SHOWN = 60


def is_null(value: object) -> bool:
    """Return whether a value is absent: None, blank text or the word "Null"."""
    return value is None or (isinstance(value, str) and value.strip().casefold() in _NULLS)


def image_url(text: str, base: str) -> str | None:
    """Return the percent-encoded http or https URL of a photo, None if it is none; file names are appended to `base`.

    Pages link to it: a browser would run a `javascript:` URL.
    """
    if _WEB_URL.match(text):
        return quote(text, safe=_URL_SAFE)
    url = base + quote(text)
    return url if text and not _SCHEME.match(text) and _WEB_URL.match(url) else None


def value_warnings(building: Building, image: str) -> Iterator[str]:
    """Yield a warning for an image that is no URL, and for each text in a wrong encoding."""
    if image and building.image is None:
        yield f"image {image[:_MAX_SHOWN]!r} is not an http or https URL and is left out"
    for field in ("name", "address", "city"):
        text = getattr(building, field) or ""
        if repaired := repair_mojibake(text):
            yield f"{field} {text[:_MAX_SHOWN]!r} looks like {repaired[:_MAX_SHOWN]!r} in a wrong encoding"
