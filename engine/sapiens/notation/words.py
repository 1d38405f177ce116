"""The keywords of the notation in both languages."""

from __future__ import annotations

from collections.abc import Mapping

from engine.kit.notation.words import Vocabulary, words_of
from engine.sapiens.components import PLACES

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

WATERFALLS: Mapping[str, str] = {"wl": "WL", "wr": "WR", "cg": "WL", "cd": "WR"}
"""Written WL and WR in both languages; CG and CD (cascade gauche, droite) are read as well."""

SIDES: Mapping[str, str] = {"n": "N", "s": "S", "e": "E", "w": "W", "o": "W"}
"""Sides of the caves (S§1.4); `O` (ouest) is read for W."""

VERB_WORDS = Vocabulary(VERBS)
# In the order of the alphabet: that of the readings of an ambiguous scene.
SCENE_WORDS = Vocabulary(dict(sorted(SCENES.items())))
COLOUR_WORDS = Vocabulary(COLOURS)
PAY = Vocabulary({"pay": {"en": "pay", "fr": "paie"}})
FROM = Vocabulary({"from": {"en": "from", "fr": "depuis"}})
FOR = Vocabulary({"for": {"en": "for", "fr": "contre"}})

WORDS = words_of(VERB_WORDS, COLOUR_WORDS, PAY, FROM, FOR) | {
    *WATERFALLS,
    *(place.lower() for place in PLACES),
    *("steak", "steaks", "bear", "bears"),
}
"""Every word of the notation but numbers, and things that sentences name
(`engine.sapiens.notation.sentences`).
"""
