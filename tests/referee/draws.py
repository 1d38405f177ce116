"""Chance, digests and comparison as docs/record.md describes them, with nothing of the product."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any


class Wrong(Exception):
    """The record is not what the rules give."""


def words(seed: bytes, index: int) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(
            seed + b"paleopost draw" + index.to_bytes(8, "big") + block.to_bytes(4, "big")
        ).digest()
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in (0, 8, 16, 24))
        block += 1


def below(stream: Iterator[int], n: int) -> int:
    limit = 2**64 // n * n
    word = next(stream)
    while word >= limit:
        word = next(stream)
    return word % n


class Draws:
    """The draws of a record, taken one by one and checked against the seed."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.index = 0
        self.recorded: list[dict[str, Any]] = []

    def give(self, recorded: Sequence[dict[str, Any]]) -> None:
        self.recorded = list(recorded)

    def all_used(self) -> None:
        if self.recorded:
            raise Wrong(f"draws that nothing asks for: {self.recorded}")

    def shuffled(self, what: str, items: Sequence[Any]) -> list[Any]:
        stream = words(self.seed, self.index)
        result = list(range(len(items)))
        for k in range(len(items) - 1, 0, -1):
            j = below(stream, k + 1)
            result[k], result[j] = result[j], result[k]
        self._check(what, "shuffle", len(items), result)
        return [items[k] for k in result]

    def number(self, what: str, n: int) -> int:
        result = below(words(self.seed, self.index), n)
        self._check(what, "below", n, [result])
        return result

    def _check(self, what: str, kind: str, n: int, result: list[int]) -> None:
        made = {"index": self.index, "what": what, "kind": kind, "n": n, "result": result}
        same("draw", made, self.recorded.pop(0) if self.recorded else None)
        self.index += 1


def digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def same(where: str, ours: Any, theirs: Any) -> None:
    """Raise Wrong at the first place where two JSON values differ."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(ours.keys() | theirs.keys()):
            if key not in ours or key not in theirs:
                raise Wrong(f"{where}: {key!r} is in one only")
            same(f"{where}.{key}", ours[key], theirs[key])
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for k, pair in enumerate(zip(ours, theirs, strict=True)):
            same(f"{where}[{k}]", *pair)
    elif type(ours) is not type(theirs) or ours != theirs:
        raise Wrong(f"{where}: the rules give {ours}, the record has {theirs}")
