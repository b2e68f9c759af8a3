"""URLs of exports, and how they are shown without credentials."""

import re
from urllib.parse import SplitResult, unquote, urlsplit

_SECRET_PARAMETER = re.compile(
    r"([^=]*(token|key|secret|password|signature|credential)|auth|code|pwd|sig)(=|$)", re.IGNORECASE
)


def is_url(text: str) -> bool:
    """Return whether a text is an http or https URL."""
    return text.casefold().startswith(("http://", "https://"))


def redact(url: str) -> str:
    """Return a URL without its user name, its password and parameters such as tokens."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        # An unescaped password may contain a slash, which ends the host.
        return url.partition("://")[0] + "://..."
    query = "&".join(each for each in parts.query.split("&") if not _SECRET_PARAMETER.match(unquote(each)))
    return parts._replace(netloc=host(parts), query=query, fragment="").geturl()


def host(parts: SplitResult) -> str:
    """Return the host and the port, without user name and password."""
    return parts.netloc.rpartition("@")[2]
