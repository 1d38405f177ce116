"""The keywords of the notation in both languages, and what a word or its beginning can mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from engine.sapiens.components import PLACES

LANGS = ("en", "fr")

SCENES: Mapping[str, Mapping[str, str]] = {
    "feast": {"en": "feast", "fr": "festin"},
    "picking": {"en": "picking", "fr": "cueillette"},
    "ritual": {"en": "ritual", "fr": "rituel"},
    "fight": {"en": "fight", "fr": "baston"},
    "water": {"en": "water", "fr": "eau"},
    "camp": {"en": "camp", "fr": "campement"},
    "hunt": {"en": "hunt", "fr": "chasse"},
    "fire": {"en": "fire", "fr": "feu"},
}
"""Names of the scenes, as on the tiles."""

VERBS: Mapping[str, Mapping[str, str]] = {
    "lay": {"en": "lay", "fr": "pose"},
    "abandon": {"en": "abandon", "fr": "abandonne"},
    "out": {"en": "out", "fr": "sors"},
    **SCENES,
    "token": {"en": "token", "fr": "jeton"},
    "retrieve": {"en": "retrieve", "fr": "reprends"},
    "take": {"en": "take", "fr": "prends"},
    "done": {"en": "done", "fr": "fini"},
    "remove": {"en": "remove", "fr": "retire"},
}
"""First words of the actions. `done` is `take` with nothing named."""

COLOURS: Mapping[int, Mapping[str, str]] = {
    0: {"en": "red", "fr": "rouge"},
    1: {"en": "yellow", "fr": "jaune"},
    2: {"en": "green", "fr": "vert"},
    3: {"en": "blue", "fr": "bleu"},
}
"""Colours of the players, by seat (S§1.2)."""

PAY: Mapping[str, Mapping[str, str]] = {"pay": {"en": "pay", "fr": "paie"}}
FROM: Mapping[str, Mapping[str, str]] = {"from": {"en": "from", "fr": "depuis"}}
FOR: Mapping[str, Mapping[str, str]] = {"for": {"en": "for", "fr": "contre"}}

WATERFALLS: Mapping[str, str] = {"wl": "WL", "wr": "WR", "cg": "WL", "cd": "WR"}
"""Written WL and WR in both languages; CG and CD (cascade gauche, droite) are read as well."""

SIDES: Mapping[str, str] = {"n": "N", "s": "S", "e": "E", "w": "W", "o": "W"}
"""Sides of the caves (S§1.4); `O` (ouest) is read for W."""

WORDS = frozenset(
    word
    for names in (*VERBS.values(), *COLOURS.values(), *PAY.values(), *FROM.values(), *FOR.values())
    for word in names.values()
) | {*WATERFALLS, *(place.lower() for place in PLACES)}
"""Every word of the notation but numbers."""

_SHORTEST_GLUED = 3
"""Letters of the shortest word that may be written without a space after it."""

M = TypeVar("M")


class Vocabulary(Generic[M]):
    """The words that may stand at a place, each with its meaning, in both languages."""

    def __init__(self, names: Mapping[M, Mapping[str, str]]) -> None:
        self._exact: dict[str, frozenset[M]] = {}
        for meaning, by_lang in names.items():
            for word in by_lang.values():
                self._exact[word] = self._exact.get(word, frozenset()) | {meaning}

    def meanings(self, word: str) -> frozenset[M]:
        """The meanings of a word (lower case, no accents): of the whole, else of all it begins."""
        exact = self._exact.get(word)
        if exact is not None:
            return exact
        found: frozenset[M] = frozenset()
        for whole, meanings in self._exact.items():
            if whole.startswith(word):
                found |= meanings
        return found

    def glued(self, run: str) -> list[tuple[frozenset[M], int]]:
        """Whole words that `run` begins with and goes on after, with their lengths ("huntfire")."""
        return [
            (meanings, len(whole))
            for whole, meanings in self._exact.items()
            if _SHORTEST_GLUED <= len(whole) < len(run) and run.startswith(whole)
        ]


VERB_WORDS = Vocabulary(VERBS)
SCENE_WORDS = Vocabulary(SCENES)
COLOUR_WORDS = Vocabulary(COLOURS)
PAY_WORDS = Vocabulary(PAY)
FROM_WORDS = Vocabulary(FROM)
FOR_WORDS = Vocabulary(FOR)
