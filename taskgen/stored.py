"""Bytes as JSON data: compressed, in base64, with a checksum."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256
from zlib import compress, decompress


def pack(data: bytes) -> dict[str, str]:
    """The bytes as text, with their sha256."""
    return {"sha256": sha256(data).hexdigest(), "zlib": b64encode(compress(data, 6)).decode()}


def unpack(packed: Mapping[str, str]) -> bytes:
    """The bytes of `pack`. ValueError where they do not fit their checksum.

    >>> unpack(pack(b"abc"))
    b'abc'
    """
    data = decompress(b64decode(packed["zlib"]))
    if sha256(data).hexdigest() != packed["sha256"]:
        raise ValueError("the state's checksum does not fit its content")
    return data
