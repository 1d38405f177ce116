"""The text of actions of Hill and Ford."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterator, Mapping
from typing import TypeVar

from engine.chance import SeededChance
from engine.protocol import Ambiguous, IllegalAction, Seat, Unreadable
from tests.engine.toy import flow
from tests.engine.toy.actions import (
    Action,
    Bury,
    BuryLow,
    Camp,
    Carry,
    File,
    Line,
    Pick,
    Play,
    Rest,
    Tile,
    Watch,
    Watched,
    When,
    Wish,
)
from tests.engine.toy.state import State

K = TypeVar("K")

VERBS: Mapping[type, Mapping[str, str]] = {
    Camp: {"en": "camp", "fr": "campe"},
    Rest: {"en": "rest", "fr": "repos"},
    Pick: {"en": "draw", "fr": "pioche"},
    Bury: {"en": "bury", "fr": "enterre"},
    Play: {"en": "play", "fr": "joue"},
    Watch: {"en": "watch", "fr": "guette"},
    File: {"en": "plan", "fr": "plan"},
    BuryLow: {"en": "low", "fr": "petite"},
    Carry: {"en": "carry", "fr": "porte"},
    Wish: {"en": "wish", "fr": "souhaite"},
}
TILES: Mapping[Tile, Mapping[str, str]] = {
    "berries": {"en": "berries", "fr": "baies"},
    "wolf": {"en": "wolf", "fr": "loup"},
    "grass": {"en": "grass", "fr": "herbe"},
}
PLACES: Mapping[Watched, Mapping[str, str]] = {
    "hill": {"en": "hill", "fr": "colline"},
    "ford": {"en": "ford", "fr": "gué"},
    "wood": {"en": "wood", "fr": "bois"},
    "cave": {"en": "cave", "fr": "grotte"},
    "none": {"en": "none", "fr": "rien"},
}
WRITTEN = [verb for names in VERBS.values() for verb in names.values()]
CONDITIONS: Mapping[When, Mapping[str, str]] = {
    "always": {"en": "always", "fr": "toujours"},
    "alone": {"en": "alone", "fr": "seul"},
    "berries": {"en": "berries", "fr": "baies"},
    "wolf": {"en": "wolf", "fr": "loup"},
    "grass": {"en": "grass", "fr": "herbe"},
    "late": {"en": "late", "fr": "tard"},
    "then": {"en": "then", "fr": "puis"},
}


_ELSE = {"en": "else", "fr": "sinon"}
"""Read as "always", which the last line of a plan usually is."""


class ToyNotation:
    """A verb, and a card, a place or the lines of a plan where it needs them."""

    @property
    def words(self) -> frozenset[str]:
        return frozenset(
            _plain(word)
            for names in (*VERBS.values(), *PLACES.values(), *CONDITIONS.values(), _ELSE)
            for word in names.values()
        )

    @property
    def keeps(self) -> frozenset[str]:
        return _KEPT

    def format(self, state: State, seat: Seat, action: Action, lang: str) -> str:
        return _written(action, lang)

    def parse(self, state: State, seat: Seat, text: str, lang: str) -> tuple[Action, ...]:
        read: list[Action] = []
        for piece in _pieces(text):
            try:
                read.append(_read(piece, lang))
            except (Unreadable, Ambiguous) as error:
                error.begun = tuple(read)
                raise
        if not read:
            raise Unreadable(text)
        orders = [index for index, action in enumerate(read) if isinstance(action, File | Watch)]
        moves = [index for index in range(len(read)) if index not in orders]
        for index in (*orders, *moves):
            try:
                step = flow.apply(state, seat, read[index], SeededChance(b"reading"))
            except IllegalAction as error:
                error.index = index
                error.begun = tuple(read[:index])
                near = self.nearest(state, seat, read[index])
                error.context["nearest"] = tuple(_written(action, lang) for action in near)
                raise
            if step.reveals:
                break
            state = step.state
        return tuple(read)

    def meaning(self, state: State, seat: Seat, action: Action) -> Hashable:
        return action

    def nearest(
        self, state: State, seat: Seat, action: Action, limit: int = 3
    ) -> tuple[Action, ...]:
        legal = [a for d in flow.decisions(state) if d.seat == seat for a in d.choices]
        return tuple(sorted(legal, key=lambda a: type(a) is not type(action))[:limit])


def _written(action: Action | BuryLow, lang: str) -> str:
    verb = VERBS[type(action)][lang]
    match action:
        case Camp(place=place) | Watch(place=place):
            return f"{verb} {PLACES[place][lang]}"
        case Bury(card=card) | Play(card=card):
            return f"{verb} {card}"
        case Carry(stones=stones, place=place):
            return f"{verb} {stones} {PLACES[place][lang]}"
        case Wish(tiles=tiles):
            return f"{verb} {', '.join(TILES[tile][lang] for tile in tiles)}"
        case File(lines=()):
            return f"{verb} {PLACES['none'][lang]}"
        case File(lines=lines):
            written = [f"{CONDITIONS[x.when][lang]} {_written(x.do, lang)}" for x in lines]
            return f"{verb} {' / '.join(written)}"
    return verb


def _whole_lines(text: str) -> list[str]:
    """The lines of a text. Those of a plan may stand below one another, each with its condition."""
    found: list[str] = []
    for line in filter(str.strip, re.split(r"[;\n]", text)):
        words = _plain(line).split()
        if found and words[0] in _CONDITIONAL and _plain(found[-1]).startswith("plan"):
            begun = " / " if " " in found[-1].strip() else " "
            found[-1] = found[-1].strip() + begun + line.strip()
        else:
            found.append(line)
    return found


def _pieces(text: str) -> Iterator[str]:
    """The texts of actions. The tiles of a wish have commas between them, too."""
    for line in _whole_lines(text):
        held = ""
        for piece in filter(str.strip, line.split(",")):
            word = _plain(piece).partition(" ")[0]
            if held and not any(verb.startswith(word) for verb in WRITTEN):
                held += f",{piece}"
                continue
            if held:
                yield held
            held = piece if _plain(piece).startswith(tuple(VERBS[Wish].values())) else ""
            if not held:
                yield piece
        if held:
            yield held


def _read(piece: str, lang: str) -> Action:
    word, _, rest = _plain(piece).partition(" ")
    kind = _one(piece, word, VERBS, lang)
    if kind is File:
        return File(lines=tuple(_lines(rest, lang)))
    if kind in (Bury, Play):
        if not re.fullmatch(r"[0-9]{1,3}", rest):
            raise Unreadable(rest or piece)
        return Bury(card=int(rest)) if kind is Bury else Play(card=int(rest))
    if kind is Carry:
        stones, _, place = rest.partition(" ")
        if not re.fullmatch(r"[0-9]{1,3}", stones):
            raise Unreadable(rest or piece)
        where = _one(piece, place, PLACES, lang)
        if where == "none":
            raise Unreadable(place)
        return Carry(stones=int(stones), place=where)
    if kind is Wish:
        named = [tile.strip() for tile in rest.split(",")]
        return Wish(tiles=tuple(_one(tile or piece, tile, TILES, lang) for tile in named))
    if kind is Watch:
        return Watch(place=_one(piece, rest, PLACES, lang))
    wish = _wish(piece, lang)
    if isinstance(wish, BuryLow):
        raise Unreadable(piece)
    return wish


def _lines(text: str, lang: str) -> Iterator[Line]:
    if text in [_plain(word) for word in PLACES["none"].values()]:
        return
    for part in text.split("/"):
        word, _, rest = part.strip().partition(" ")
        when: When = "always" if word in _ELSE.values() else _one(part, word, CONDITIONS, lang)
        yield Line(when=when, do=_wish(rest, lang))


def _wish(piece: str, lang: str) -> Camp | Rest | Pick | BuryLow:
    word, _, rest = _plain(piece).partition(" ")
    kind = _one(piece, word, VERBS, lang)
    if kind is Camp:
        place = _one(piece, rest, PLACES, lang)
        if place != "none":
            return Camp(place=place)
    elif not rest and kind in (Rest, Pick, BuryLow):
        return Rest() if kind is Rest else Pick() if kind is Pick else BuryLow()
    raise Unreadable(rest or piece)


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


_KEPT = frozenset(
    _plain(word) for names in (CONDITIONS["then"], _ELSE, VERBS[Play]) for word in names.values()
)
"""A line of a plan, or "play 2", looks like politeness or like the number of a choice."""
_CONDITIONAL = frozenset(
    _plain(word) for names in (*CONDITIONS.values(), _ELSE) for word in names.values()
)
