"""Digests: whether two documents are the same, told without comparing them field by field."""

import marshal
from hashlib import blake2b

# Of the versions of the format that write floats exactly, the one in which equal values are equal bytes.
_FORMAT = 2


def digest_of(kind: str, values: tuple | list) -> bytes:
    """Return 16 bytes that differ for values that differ in anything, and for different kinds of documents."""
    return blake2b(marshal.dumps(values, _FORMAT), digest_size=16, person=kind.encode("ascii")).digest()
