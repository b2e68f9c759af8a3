"""Exports at http and https URLs, downloaded to temporary files."""

import base64
import math
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException, HTTPMessage, HTTPResponse, InvalidURL
from importlib.metadata import version
from pathlib import Path
from ssl import SSLCertVerificationError
from typing import IO, NoReturn
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from loaders.errors import MissingFileError, UnavailableFileError, UnreadableFileError
from loaders.sources.files import CHUNK_SIZE
from loaders.sources.urls import host, is_url, redact

# "%" is safe so that URLs that are already percent-encoded stay unchanged.
_URL_SAFE = "/%:?@!$&'()*+,;=~"
_TEMPORARY = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS}
_UNSAFE_IN_FILE_NAMES = re.compile(r"[^\w.-]+")
_MAX_NAME_LENGTH = 100


@dataclass(frozen=True)
class DownloadLimits:
    """Limits of the downloads of a load: seconds to wait for the next bytes, seconds and bytes of all downloads.

    `max_page_bytes` is for each response that is read as a whole: JSON takes up to 40 times its size in memory.
    """

    timeout: float = 60
    total_seconds: float = 3600
    max_bytes: int = 2 * 1024**3
    max_page_bytes: int = 8 * 1024**2


DEFAULT_LIMITS = DownloadLimits()


class _Stopped(Exception):
    """The client does not go on with a download, for the reason of the message."""


class _DeadlineExceeded(_Stopped):
    """The downloads of a load take too long."""


class HttpClient:
    """Client whose requests have a timeout, and are redirected to https only, or from http to http on the same host.

    The limits are for all downloads of a client, which begin when it is created. It is for the main thread only.
    Its methods raise UnreadableFileError, which names the URL without credentials, if the response has another status
    than 200; UnavailableFileError if the server is down, slow or overloaded, or the response is incomplete.
    """

    def __init__(self, limits: DownloadLimits = DEFAULT_LIMITS) -> None:
        self._limits = limits
        self._deadline = time.monotonic() + limits.total_seconds
        self._bytes_left = limits.max_bytes
        self._opener = build_opener(_RedirectHandler)
        self._opener.addheaders = [("User-Agent", f"campus-load/{version('campus-api')}")]

    def get(self, url: str) -> bytes:
        """Return the content of a URL, which has a lower limit than a download."""
        with self._open(url) as response:
            return b"".join(self._chunks(response, self._limits.max_page_bytes))

    def download(self, url: str, folder: Path) -> Path:
        """Download a URL into a folder."""
        with self._open(url) as response:
            path = folder / _file_name(response.headers, url)
            with path.open("xb") as file:
                file.writelines(self._chunks(response))
            return path

    @contextmanager
    def _open(self, url: str) -> Iterator[HTTPResponse]:
        # urllib would open file: and ftp:, too.
        if not is_url(url):
            raise download_error(url, "it is not an http or https URL")
        try:
            request = _request(url)
            with self._alarm(), self._opener.open(request, timeout=self._limits.timeout) as response:
                if response.status != HTTPStatus.OK:
                    raise _status_error(url, response.status, response.reason)
                yield response
        except _Stopped as error:
            raise download_error(url, str(error), is_temporary=isinstance(error, _DeadlineExceeded)) from None
        except HTTPError as error:
            error.close()
            raise _status_error(url, error.code, error.reason) from None
        except (ValueError, InvalidURL):
            # Their messages may have parts of the password.
            raise download_error(url, "the URL is invalid") from None
        except (OSError, HTTPException) as error:
            reason = error.reason if isinstance(error, URLError) else error
            is_temporary = not isinstance(reason, SSLCertVerificationError)
            raise download_error(url, _describe(reason), is_temporary=is_temporary) from None

    @contextmanager
    def _alarm(self) -> Iterator[None]:
        """Raise _DeadlineExceeded from the deadline on, whatever waits or catches it.

        The timeout of a socket is for each piece of a header or a chunk size, however small it is.
        """
        before = signal.signal(signal.SIGALRM, self._exceed_deadline)
        try:
            # Zero would be no alarm.
            signal.setitimer(signal.ITIMER_REAL, max(self._deadline - time.monotonic(), 1e-6), 0.1)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _exceed_deadline(self, *_: object) -> NoReturn:
        raise _DeadlineExceeded(f"the downloads of the load take over {self._limits.total_seconds:g} seconds")

    def _chunks(self, response: HTTPResponse, max_bytes: float = math.inf) -> Iterator[bytes]:
        """Yield the body; HTTPException if it is incomplete, _Stopped if it is too large."""
        expected, size = response.length, 0
        self._spend(0, expected or 0)
        # read() would wait for a whole chunk, however slowly it arrives.
        while size != expected and (chunk := response.read1(CHUNK_SIZE)):
            size += len(chunk)
            self._spend(len(chunk))
            if size > max_bytes:
                raise _Stopped(f"the response is larger than {max_bytes:,} bytes")
            yield chunk
        if expected is not None and size < expected:
            raise HTTPException(f"the response ends after {size} of {expected} bytes")

    def _spend(self, size: int, announced: int = 0) -> None:
        self._bytes_left -= size
        if self._bytes_left < announced:
            raise _Stopped(f"the downloads of the load are larger than {self._limits.max_bytes:,} bytes")


class _RedirectHandler(HTTPRedirectHandler):
    """Redirects to https, or from http to http on the same host."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        current, target = urlsplit(req.full_url), urlsplit(newurl)
        is_same_http = target.scheme == current.scheme == "http" and target.hostname == current.hostname
        if target.scheme != "https" and not is_same_http:
            fp.close()
            raise _Stopped(f"redirected to {redact(newurl)}, which is not https")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def download_error(url: str, reason: str, *, is_temporary: bool = False) -> UnreadableFileError:
    """Return the error of a URL that cannot be downloaded; UnavailableFileError if it may be later."""
    error = UnavailableFileError if is_temporary else UnreadableFileError
    return error(redact(url), f"cannot be downloaded: {reason}")


def is_temporary_status(status: object) -> bool:
    """Return whether a later request may have another status, as after those of the server."""
    return isinstance(status, int) and (status in _TEMPORARY or status >= HTTPStatus.INTERNAL_SERVER_ERROR)


def _status_error(url: str, status: int, phrase: str) -> UnreadableFileError:
    reason = f"HTTP {status} {phrase}".rstrip()
    if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        return MissingFileError(redact(url), f"cannot be downloaded: {reason}")
    return download_error(url, reason, is_temporary=is_temporary_status(status))


def _request(url: str) -> Request:
    parts = urlsplit(url)
    path, query = quote(parts.path, safe=_URL_SAFE), quote(parts.query, safe=_URL_SAFE)
    netloc = host(parts).encode("idna").decode("ascii")
    url = parts._replace(netloc=netloc, path=path, query=query, fragment="").geturl()
    request = Request(url)  # noqa: S310 - is_url
    if parts.username is not None:
        credentials = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        # A server to which this one redirects must not see the password.
        request.add_unredirected_header("Authorization", f"Basic {base64.b64encode(credentials.encode()).decode()}")
    return request


def _file_name(headers: HTTPMessage, url: str) -> str:
    """Return the name that the server gives the file, or else the last part of the path."""
    parts = urlsplit(url)
    name = headers.get_filename() or unquote(parts.path.rstrip("/")) or parts.hostname or ""
    return _UNSAFE_IN_FILE_NAMES.sub("_", name.rpartition("/")[2])[-_MAX_NAME_LENGTH:].lstrip(".") or "export"


def _describe(reason: BaseException | str) -> str:
    if isinstance(reason, TimeoutError):
        return "the server does not respond in time"
    return " ".join(str(getattr(reason, "strerror", None) or reason).split()) or type(reason).__name__
