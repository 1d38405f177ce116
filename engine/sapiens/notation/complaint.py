"""Complaints about a text that gives no action: data for the wording."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.protocol import Ambiguous, Choices, IllegalAction, Seat, Unreadable
from engine.sapiens import actions as do
from engine.sapiens.components import TILES
from engine.sapiens.notation.grammar import Reader
from engine.sapiens.notation.naming import kind as kind_of
from engine.sapiens.notation.naming import scope_of
from engine.sapiens.notation.nearest import nearest
from engine.sapiens.notation.text import Plain
from engine.sapiens.notation.words import SCENES
from engine.sapiens.notation.writing import colour_text, tile_text, verb_of, verb_text, write
from engine.sapiens.state import State

MOST_LISTED = 12
"""As many readings or expected words as an answer lists."""

_KINDS = ("verb", "tile", "other tile", "place", "scene", "colour", "number", "end")
"""What can be missing, the most telling first."""


class Asker:
    """The position a text is read in: whose it is, and what is offered there."""

    def __init__(
        self, state: State, seat: Seat, choices: Choices[do.Action] | tuple[()], lang: str
    ) -> None:
        self.state = state
        self.seat = seat
        self.choices = choices
        self.lang = lang

    def write(self, action: do.Action) -> str:
        return write(self.state, self.seat, action, self.lang)

    def stuck(self, text: str) -> Unreadable:
        """The error for a text that no reading fits; the fragment is the word it fails at."""
        plain = Plain(text)
        reader = Reader(plain)
        reader.orders()
        if Reader(plain).begins_with_tile():
            return self.unreadable(text, text, "verb", "")
        kind = next((kind for kind in _KINDS if kind in reader.wanted), "verb")
        return self.unreadable(text, plain.typed_at(reader.stuck_at) or text, kind, reader.verb)

    def unreadable(self, text: str, fragment: str, kind: str, verb: str) -> Unreadable:
        """`kind` could have stood there; `expected` are texts of that kind."""
        expected = dict.fromkeys(self._expected(kind, verb))
        return Unreadable(
            fragment,
            text=text,
            kind=kind.removeprefix("other "),
            expected=tuple(expected)[:MOST_LISTED],
        )

    def ambiguous(self, text: str, readings: Sequence[do.Action]) -> Ambiguous:
        texts = dict.fromkeys(self.write(action) for action in readings[:MOST_LISTED])
        return Ambiguous(text, tuple(texts), text=text, total=len(readings))

    def illegal(self, error: IllegalAction, text: str, action: do.Action) -> IllegalAction:
        """The error with the text and the nearest legal choices added to its context."""
        legal = nearest(self.state, self.seat, action)
        error.context["text"] = text
        error.context["nearest"] = tuple(self.write(other) for other in legal)
        return error

    def _expected(self, kind: str, verb: str) -> Iterable[str]:
        lang = self.lang
        if kind == "verb":
            return (verb_text(verb_of(action), lang) for action in self.choices)
        effects = [effect for effect in self._effects(verb) if verb in ("token", verb_of(effect))]
        match kind:
            case "tile" | "other tile":
                place = int(kind != "tile")
                scope = scope_of(self.state, self.seat, verb, place)
                firsts = {kind_of(self.state, tile): tile for tile in reversed(scope)}
                tiles = (TILES[tile] for tile in scope if tile in firsts.values())
                return (tile_text(self.state, tile, scope, lang) for tile in tiles)
            case "place":
                fields = ("first", "second", "place", "square")
                places = (getattr(effect, name, "") for effect in effects for name in fields)
                return sorted({place for place in places if place})
            case "scene" if verb == "token":
                return (verb_text(verb_of(effect), lang) for effect in effects)
            case "scene":
                return (SCENES[e.scene][lang] for e in effects if isinstance(e, do.Recall))
            case "colour":
                seats = range(len(self.state.players))
                return (colour_text(seat, lang) for seat in seats if seat != self.seat)
            case "number":
                return (str(effect.convert) for effect in effects if isinstance(effect, do.Hunt))
            case _:
                return ()

    def _effects(self, verb: str) -> Iterable[do.Action]:
        for action in self.choices:
            if isinstance(action, do.Token):
                yield action.effect
            elif verb != "token":
                yield action
