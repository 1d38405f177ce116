"""The default turn of Sapiens (S§14), which `"default"` entries have to be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.referee.sapiens_board import SQUARES, around, scenes
from tests.referee.sapiens_match import STEAK_FP, Action, Match

STEPS = ("east", "west", "south", "north")


def default(match: Match) -> Action:
    """The next action of the default turn in this position."""
    player = match.mover
    if match.phase in ("start", "lay"):
        return tile(match)
    if match.phase == "stuck":
        return {"do": "out"}
    if match.phase == "remove":
        return {"do": "remove", "tile": match.common[0]}
    if match.phase == "bonus":
        if "picking" in match.bonuses:
            return {"do": "picking"}
        if "camp" in match.bonuses:
            return {"do": "camp"}
        if "hunt" in match.bonuses:
            owned = player.steaks + min(1, match.steaks)
            return {"do": "hunt", "convert": min(owned, len(STEAK_FP) - 1)}
    return {"do": "take", "tiles": match.common[: min(4 - len(player.pool), len(match.common))]}


def tile(match: Match) -> Action:
    """The first of the best ways to lay a tile, or to open a tribe where none can be laid."""
    board = match.mover.board
    how = "start" if match.phase == "start" else "turn"
    kind, found = "lay", list(placements(match, how))
    if found:
        best = max(found, key=lambda placed: gain(match, *placed))
    else:
        kind, found = "abandon", list(placements(match, "abandon"))
        low = {cave["name"]: cave["low"] for cave in board.caves}
        best = max(found, key=lambda placed: low.get(placed[1]) or low[placed[2]])
    name, first, second = best
    return {"do": kind, "tile": name, "first": first, "second": second, "order": order(match, name)}


def placements(match: Match, how: str) -> Iterator[tuple[str, str, str]]:
    """Every legal way to lay an own tile: the tiles in the order of the pool, for each those on two
    squares, then those on caves.
    """
    board = match.mover.board
    for name in match.mover.pool:
        for first, second in (*open_pairs(), *cave_pairs(board)):
            if board.problem(name, first, second, how, match.plains) is None:
                yield name, first, second


def open_pairs() -> Iterator[tuple[str, str]]:
    """The second scene east of the first, west, south, north; by the left or upper square."""
    for step in STEPS:
        for square in SQUARES:
            right = f"{chr(ord(square[0]) + 1)}{square[1]}"
            below = f"{square[0]}{int(square[1]) + 1}"
            other = right if step in ("east", "west") else below
            if other in around(square):
                yield (square, other) if step in ("east", "south") else (other, square)


def cave_pairs(board: Any) -> Iterator[tuple[str, str]]:
    for cave in board.caves:
        yield cave["name"], cave["entrance"]
        yield cave["entrance"], cave["name"]


def rivals(match: Match, name: str) -> list[int]:
    return sorted(o for marked, o in match.fights if marked == name and o != match.seat)


def order(match: Match, name: str) -> list[int]:
    """The fight tokens on the tile by ascending seat, where their order matters."""
    owners = rivals(match, name)
    return owners if len(set(owners)) > 1 and 0 < match.mover.fp < len(owners) else []


def gain(match: Match, name: str, first: str, second: str) -> int:
    """FP and SP at once: fight tokens, food, `picking` and `camp`, the cave."""
    player, board = match.mover, match.mover.board
    cave = board.cave(first) or board.cave(second)
    worth = -min(player.fp, len(rivals(match, name)))
    if cave is not None:
        worth += cave["low"] if cave["token"] is None else cave["high"]
    covers = board.covers()
    for place, scene in zip((first, second), scenes(name), strict=True):
        if place in SQUARES and any(
            square in covers
            and covers[square][0] == scene
            and covers[square][1]["tribe"] == board.tribe
            for square in around(place)
        ):
            worth += board.ground(place)[1] + {"picking": 1, "camp": 3}.get(scene, 0)
    return worth
