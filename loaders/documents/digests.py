"""Digests: whether two documents are the same, told without comparing them field by field."""

from hashlib import blake2b


def digest_of(kind: str, document: bytes) -> bytes:
    """Return 16 bytes that differ for documents that differ in anything or are of different kinds."""
    return blake2b(document, digest_size=16, person=kind.encode("ascii")).digest()
