"""Bytes as text that JSON can hold: compressed, in base64."""

from __future__ import annotations

from base64 import b64decode, b64encode
from zlib import compress, decompress


def pack(data: bytes) -> str:
    """The bytes as text."""
    return b64encode(compress(data, 1)).decode()


def unpack(text: str) -> bytes:
    """The bytes of `pack`. `zlib.error` where the text was damaged, which its checksum tells.

    >>> unpack(pack(b"abc"))
    b'abc'
    """
    return decompress(b64decode(text))
