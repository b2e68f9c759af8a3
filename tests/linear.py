"""Detect algorithms whose CPU time grows faster than linearly."""

import time

from hypothesis import strategies

_SIGNIFICANT = b'\t \r\n\x00\x7f"\\,;:=/?#%&*+-.09aAz[]()<@_\x80\xff'
# Below this, noise exceeds growth; quadratic algorithms take seconds.
_NEGLIGIBLE_SECONDS = 0.01

_significant = strategies.sampled_from([bytes([byte]) for byte in _SIGNIFICANT])
repeated_bytes = strategies.one_of(
    strategies.binary(min_size=1, max_size=1), strategies.tuples(_significant, _significant).map(b"".join)
)


def reordered_marks(size):
    """Return combining marks of which normalization moves the second half before the first."""
    return "\N{COMBINING ACUTE ACCENT}" * (size // 2) + "\N{COMBINING TILDE OVERLAY}" * (size // 2)


def assert_linear(function, size):
    """Call `function` with a quarter of `size` and with `size`; fail if the latter takes over eight times as long."""
    small, large = _seconds(function, size // 4), _seconds(function, size)
    assert large < 8 * small + _NEGLIGIBLE_SECONDS


def _seconds(function, size):
    """Return the minimum CPU time of three calls, in this thread."""
    times = []
    for _ in range(3):
        start = time.thread_time()
        function(size)
        times.append(time.thread_time() - start)
    return min(times)
