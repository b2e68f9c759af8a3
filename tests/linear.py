"""How processor time grows with the size of an input: for a quadratic algorithm by the square."""

import time

from hypothesis import strategies

_SIGNIFICANT = b'\t \r\n\x00\x7f"\\,;:=/?#%&*+-.09aAz[]()<@_\x80\xff'
# Below this, noise exceeds growth; quadratic algorithms take seconds.
_NEGLIGIBLE_SECONDS = 0.01

_significant = strategies.sampled_from([bytes([byte]) for byte in _SIGNIFICANT])
repeated_bytes = strategies.one_of(
    strategies.binary(min_size=1, max_size=1), strategies.tuples(_significant, _significant).map(b"".join)
)


def assert_linear(function, size):
    """Call `function` with a quarter of the size and with the size; fail when that takes over eight times as long."""
    small, large = _seconds(function, size // 4), _seconds(function, size)
    assert large < 8 * small + _NEGLIGIBLE_SECONDS


def _seconds(function, size):
    """Return the processor time of this thread, the least of three calls."""
    times = []
    for _ in range(3):
        start = time.thread_time()
        function(size)
        times.append(time.thread_time() - start)
    return min(times)
