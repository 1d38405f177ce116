"""The text of actions of Hill and Ford."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Mapping
from typing import TypeVar

from engine.chance import SeededChance
from engine.protocol import Ambiguous, IllegalAction, Seat, Unreadable
from tests.engine.toy import flow
from tests.engine.toy.actions import Action, Bury, Camp, Pick, Play, Rest, Watch, Watched
from tests.engine.toy.state import State

K = TypeVar("K")

VERBS: Mapping[type, Mapping[str, str]] = {
    Camp: {"en": "camp", "fr": "campe"},
    Rest: {"en": "rest", "fr": "repos"},
    Pick: {"en": "draw", "fr": "pioche"},
    Bury: {"en": "bury", "fr": "enterre"},
    Play: {"en": "play", "fr": "joue"},
    Watch: {"en": "watch", "fr": "guette"},
}
PLACES: Mapping[Watched, Mapping[str, str]] = {
    "hill": {"en": "hill", "fr": "colline"},
    "ford": {"en": "ford", "fr": "gué"},
    "none": {"en": "none", "fr": "rien"},
}


class ToyNotation:
    """A verb, and a card or a place where it needs one."""

    @property
    def words(self) -> frozenset[str]:
        return frozenset(
            _plain(word) for names in (*VERBS.values(), *PLACES.values()) for word in names.values()
        )

    @property
    def keeps(self) -> frozenset[str]:
        return frozenset()

    def format(self, state: State, seat: Seat, action: Action, lang: str) -> str:
        verb = VERBS[type(action)][lang]
        if isinstance(action, Camp | Watch):
            return f"{verb} {PLACES[action.place][lang]}"
        if isinstance(action, Bury | Play):
            return f"{verb} {action.card}"
        return verb

    def parse(self, state: State, seat: Seat, text: str, lang: str) -> tuple[Action, ...]:
        read: list[Action] = []
        known = True
        for piece in re.split(r"[,;\n]", text):
            if not piece.strip():
                continue
            action = _read(piece, lang)
            if known:
                try:
                    step = flow.apply(state, seat, action, SeededChance(b"reading"))
                except IllegalAction as error:
                    error.index = len(read)
                    raise
                state, known = step.state, not step.reveals
            read.append(action)
        if not read:
            raise Unreadable(text)
        return tuple(read)

    def meaning(self, state: State, seat: Seat, action: Action) -> Hashable:
        return action

    def nearest(
        self, state: State, seat: Seat, action: Action, limit: int = 3
    ) -> tuple[Action, ...]:
        legal = [a for d in flow.decisions(state) if d.seat == seat for a in d.choices]
        return tuple(sorted(legal, key=lambda a: type(a) is not type(action))[:limit])


def _read(piece: str, lang: str) -> Action:
    word, _, rest = _plain(piece).partition(" ")
    kind = _one(piece, word, VERBS, lang)
    if kind in (Rest, Pick):
        if rest:
            raise Unreadable(rest)
        return Rest() if kind is Rest else Pick()
    if kind in (Bury, Play):
        if not re.fullmatch(r"[0-9]{1,3}", rest):
            raise Unreadable(rest or piece)
        return Bury(card=int(rest)) if kind is Bury else Play(card=int(rest))
    place = _one(piece, rest, PLACES, lang)
    if kind is Watch:
        return Watch(place=place)
    if place == "none":
        raise Unreadable(rest)
    return Camp(place=place)


def _one(piece: str, word: str, table: Mapping[K, Mapping[str, str]], lang: str) -> K:
    """The one key whose word, in any language, is or begins with this."""
    if not word:
        raise Unreadable(piece)
    words = {key: [_plain(w) for w in names.values()] for key, names in table.items()}
    found = [key for key, names in words.items() if word in names]
    found = found or [k for k, names in words.items() if any(n.startswith(word) for n in names)]
    if not found:
        raise Unreadable(piece)
    if len(found) > 1:
        raise Ambiguous(piece, [table[key][lang] for key in found])
    return found[0]


def _plain(text: str) -> str:
    marks = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in marks if not unicodedata.combining(c)).split())
