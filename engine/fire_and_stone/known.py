"""The position as far as a view shows it, for rules that depend on nothing that is hidden."""

from __future__ import annotations

from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.map import INDEX
from engine.fire_and_stone.state import NO_EXPLORER, Phase, Player, State, Turn
from engine.fire_and_stone.view import DOWN
from engine.kit.presentation import Plain
from engine.protocol import Seat

_LETTERS = {kind: letter for letter, kind in box.KINDS.items()}


def known(view: Plain) -> State:
    """The position without what lies face down, in piles and in hands; an objective is "" until it
    is shown.
    """
    explorer = view["explorer"]
    return State(
        players=tuple(_player(view, seat) for seat in range(len(view["players"]))),
        tiles="".join(_LETTERS.get(kind, box.NO_TILE) for kind in view["tiles"]),
        down=land.mask(place for place, kind in enumerate(view["tiles"]) if kind == DOWN),
        track=view["track"],
        cave=view["cave"] or "",
        cave_up=view["cave"] is not None,
        first=view["first"],
        second_fires=land.mask(INDEX[place] for place in view["second_fires"]),
        turn=Turn(
            number=view["turn"],
            seat=view["to_move"] or 0,
            phase=Phase(view["phase"]),
            explorer=NO_EXPLORER if explorer is None else explorer - 1,
            moved=land.mask(number - 1 for number in view["moved"]),
        ),
        stacks=(),
        expert=False,
        row=(),
        pile=(),
        bag_tokens=0,
        undealt=(),
        card_spaces=(),
    )


def _player(view: Plain, seat: Seat) -> Player:
    player = view["players"][seat]
    huts = ((INDEX[village["place"]],) * village["huts"][seat] for village in view["villages"])
    return Player(
        objective=player["objective"] or "",
        vp=player["vp"],
        explorers=tuple(INDEX[place] for place in player["explorers"]),
        huts=tuple(sorted(place for places in huts for place in places)),
        inventions=tuple(each["card"] for each in player["inventions"]),
        covered=tuple(each["covered"] for each in player["inventions"]),
    )
