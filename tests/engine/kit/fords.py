"""Fords: a tiny game for alternatives, in the style of games whose moves are filed ahead.

Three tribes on six places in a ring, some with wolves, each with a hand of cards that others do not
see. A move is lines, closed by `done`: walk so many pawns to a neighbouring place, once each; play
a card on a place with two own pawns. Who leaves a place where there are opponents leaves as many
pawns behind.
"""

from __future__ import annotations

from typing import Self, TypeVar

import msgspec
from msgspec.structs import replace

from engine.kit.plans.alternatives import Alternatives
from engine.protocol import IllegalAction

T = TypeVar("T")

PLACES = range(6)
TRIBES = range(3)
CARDS = ("raft", "palisade")


class Walk(msgspec.Struct, frozen=True, tag_field="do", tag="walk"):
    count: int
    start: int
    end: int


class Card(msgspec.Struct, frozen=True, tag_field="do", tag="card"):
    title: str
    place: int


class Done(msgspec.Struct, frozen=True, tag_field="do", tag="done"):
    pass


Action = Walk | Card | Done


class Always(msgspec.Struct, frozen=True, tag_field="if", tag="always"):
    pass


class Free(msgspec.Struct, frozen=True, tag_field="if", tag="free"):
    place: int


class Opponents(msgspec.Struct, frozen=True, tag_field="if", tag="opponents"):
    place: int
    at_most: int


class Same(msgspec.Struct, frozen=True, tag_field="if", tag="same"):
    """The places are as they were on the board that the plan was made on."""

    places: tuple[int, ...]


Condition = Always | Free | Opponents | Same
Plan = Alternatives[Condition, Action]


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """`pawns` and `walked` by tribe and place, those walked being of this move; `wolves` by place;
    `hands` by tribe.
    """

    pawns: tuple[tuple[int, ...], ...]
    wolves: tuple[int, ...] = (0,) * len(PLACES)
    hands: tuple[tuple[str, ...], ...] = ((),) * len(TRIBES)
    walked: tuple[int, ...] = (0,) * len(PLACES)
    done: bool = False

    def opponents(self, tribe: int, place: int) -> int:
        others = sum(self.pawns[other][place] for other in TRIBES if other != tribe)
        return others + self.wolves[place]


def apply(board: Board, tribe: int, action: Action) -> Board:
    """The board after a line of this tribe's move. Raises IllegalAction."""
    if board.done:
        raise IllegalAction("done", "B§1")
    if isinstance(action, Done):
        return replace(board, done=True)
    own = board.pawns[tribe]
    if isinstance(action, Card):
        if action.title not in board.hands[tribe]:
            raise IllegalAction("not_in_hand", "B§3", title=action.title)
        if own[action.place] < 2:
            raise IllegalAction("too_few", "B§3", place=action.place)
        left = list(board.hands[tribe])
        left.remove(action.title)
        return replace(board, hands=_put(board.hands, tribe, tuple(left)))
    count, start, end = action.count, action.start, action.end
    if end not in ((start + 1) % len(PLACES), (start - 1) % len(PLACES)):
        raise IllegalAction("too_far", "B§2", start=start, end=end)
    if not 0 < count <= own[start] - board.walked[start]:
        raise IllegalAction("too_few", "B§2", place=start)
    opponents = board.opponents(tribe, start)
    if own[start] - count < opponents:
        raise IllegalAction("must_stay", "B§2", place=start, number=opponents)
    moved = _put(_put(own, start, own[start] - count), end, own[end] + count)
    walked = _put(board.walked, end, board.walked[end] + count)
    return replace(board, pawns=_put(board.pawns, tribe, moved), walked=walked)


def view(board: Board, tribe: int) -> Board:
    """The board as a tribe knows it: of other hands it sees how many cards they hold."""
    hands = tuple(
        hand if other == tribe else ("?",) * len(hand) for other, hand in enumerate(board.hands)
    )
    return replace(board, hands=hands)


def _put(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])


class Here(msgspec.Struct, frozen=True, kw_only=True):
    """The move of a tribe, with the board that its plan was made on."""

    board: Board
    tribe: int
    shown: Board

    def holds(self, condition: Condition) -> bool:
        match condition:
            case Always():
                return True
            case Free(place=place):
                return not self.board.opponents(self.tribe, place)
            case Opponents(place=place, at_most=most):
                return self.board.opponents(self.tribe, place) <= most
            case Same(places=places):
                return all(_at(self.board, place) == _at(self.shown, place) for place in places)

    def play(self, action: Action) -> Self:
        return replace(self, board=apply(self.board, self.tribe, action))


def _at(board: Board, place: int) -> tuple[int, ...]:
    return (*(pawns[place] for pawns in board.pawns), board.wolves[place])
