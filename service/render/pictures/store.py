"""Finished pictures, kept by what was asked for: a letter sent again has its picture at once."""

from __future__ import annotations

from collections import OrderedDict
from hashlib import sha256
from threading import Lock
from typing import Any

import msgspec


def key_of(*asked: Any) -> bytes:
    """The key of what was asked for, given as built-in types: short, however much it is."""
    return sha256(msgspec.msgpack.encode(asked)).digest()


class PictureStore:
    """Bytes by key, at most `most` of them in sum; those not asked for longest go first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, key: bytes) -> bytes | None:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def put(self, key: bytes, picture: bytes) -> None:
        with self._lock:
            self._size += len(picture) - len(self._kept.pop(key, b""))
            self._kept[key] = picture
            while self._size > self._most:
                _, gone = self._kept.popitem(last=False)
                self._size -= len(gone)
