"""The position of a match of Sapiens: its set-up and its public state."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from tests.referee.draws import Draws, Wrong
from tests.referee.sapiens_board import COLUMNS, SCENES, Board, all_tiles

ASIDE = {2: 12, 3: 18, 4: 6}
SIDES = ("left", "right")


def require(holds: bool, rule: str) -> None:
    if not holds:
        raise Wrong(f"illegal: {rule}")


@dataclass
class Player:
    board: Board
    pool: list[str]
    fp: int = 0
    sp: int = 0
    claimed: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    steaks: int = 0
    out: bool = False

    def lying(self) -> dict[str, str]:
        """The mountain tokens on the board: scene by place."""
        found = {cave["name"]: cave["token"] for cave in self.board.caves}
        found.update(self.board.waterfalls)
        return {place: scene for place, scene in found.items() if scene is not None}

    def lift(self, place: str) -> str:
        """Take the mountain token off a place."""
        scene = self.lying()[place]
        cave = self.board.cave(place)
        if cave is not None:
            cave["token"] = None
        else:
            self.board.waterfalls[place] = None
        return scene


class Position:
    """Everything there is on the table."""

    def __init__(self, seats: int, options: dict[str, Any], draws: Draws) -> None:
        self.events: list[dict[str, Any]] = []
        self.fights: list[tuple[str, int]] = []  # (tile, owner)
        self.steaks = self.bears = 18
        self.turn = self.round = 1
        self.ending = False
        self.termination = ""
        tiles = draws.shuffled("tiles", all_tiles())
        self.aside = ASIDE[seats]
        del tiles[: self.aside]
        self.common, tiles = tiles[:5], tiles[5:]
        boards = deal(seats, options, draws)
        self.players = []
        for seat, board in enumerate(boards):
            pool, tiles = tiles[:4], tiles[4:]
            tokens = draws.shuffled(f"mountain tokens of seat {seat}", SCENES)
            for cave, token in zip(board.caves, tokens, strict=False):
                cave["token"] = token
            board.waterfalls = {"WL": tokens[6], "WR": tokens[7]}
            self.players.append(Player(board=board, pool=pool))
        self.stack = tiles
        chosen = options.get("first")
        self.first = draws.number("first player", seats) if chosen is None else chosen
        self.seat = self.first
        redrawn = list(self.redraw(draws))
        self.tell(
            "begun",
            None,
            first=self.first,
            common=self.common,
            stack=len(self.stack),
            aside=self.aside,
        )
        self.events += redrawn
        self.begin_turn("start")

    def redraw(self, draws: Draws) -> Any:
        """S§2.6: who cannot start draws four others from a reshuffled stack."""
        seats = len(self.players)
        for seat in ((self.first + k) % seats for k in range(seats)):
            player = self.players[seat]
            while not player.board.can(player.pool, "start", False):
                stack = draws.shuffled(f"redraw of seat {seat}", self.stack)
                old, player.pool = player.pool, stack[:4]
                self.stack = stack[4:] + old
                yield {"kind": "redrawn", "seat": seat, "data": {"old": old, "new": player.pool}}

    def tell(self, kind: str, seat: int | None, **data: Any) -> None:
        self.events.append({"kind": kind, "seat": seat, "data": json.loads(json.dumps(data))})

    @property
    def mover(self) -> Player:
        return self.players[self.seat]

    def begin_turn(self, phase: str) -> None:
        self.phase = phase
        self.bonuses: list[str] = []
        self.pending: str | None = None  # the cave of the tile being resolved
        self.token_played = self.plains = False

    def pool_of(self, tile: str) -> int | None:
        for seat, player in enumerate(self.players):
            if tile in player.pool:
                return seat
        require(tile in self.common, "S§8.4 in no pool")
        return None

    def outcome(self) -> dict[str, Any] | None:
        if self.phase != "over":
            return None
        scores = self.scores()
        winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
        return {"winners": winners, "scores": scores, "termination": self.termination}

    def scores(self) -> list[int]:
        return [min(p.fp, p.sp) for p in self.players]

    def view(self) -> dict[str, Any]:
        over = self.phase == "over"
        state = {
            "players": [self.view_of(seat) for seat in range(len(self.players))],
            "common": self.view_pool(self.common),
            "stack": len(self.stack),
            "aside": self.aside,
            "steaks": self.steaks,
            "bears": self.bears,
            "first": self.first,
            "to_move": None if over else self.seat,
            "turn": self.turn,
            "round": self.round,
            "phase": self.phase,
            "bonuses": self.bonuses,
            "token_played": self.token_played,
            "picking_on_plains": self.plains,
            "ending": self.ending,
        }
        return json.loads(json.dumps(state))  # type: ignore[no-any-return]

    def view_of(self, seat: int) -> dict[str, Any]:
        player = self.players[seat]
        return {
            "fp": player.fp,
            "sp": player.sp,
            "board": player.board.view(),
            "pool": self.view_pool(player.pool),
            "claimed": sorted(player.claimed, key=SCENES.index),
            "used": sorted(player.used, key=SCENES.index),
            "lost": sorted(player.lost, key=SCENES.index),
            "steaks": player.steaks,
            "fight_tokens": 3 - sum(owner == seat for _, owner in self.fights),
            "out": player.out,
        }

    def view_pool(self, pool: list[str]) -> list[dict[str, Any]]:
        return [
            {"tile": tile, "tokens": sorted(o for marked, o in self.fights if marked == tile)}
            for tile in pool
        ]


def deal(seats: int, options: dict[str, Any], draws: Draws) -> list[Board]:
    """S§2.3: two halves for each seat, a piece on one face only."""
    dealt = {}
    for side in SIDES:
        pieces: dict[str, list[dict[str, Any]]] = {}
        for half in options["halves"]:
            if half["side"] == side and (not options["faces"] or half["id"] in options["faces"]):
                pieces.setdefault(half["id"][:-1], []).append(half)
        dealt[side] = draws.shuffled(f"{side} halves", list(pieces.values()))
    boards = []
    for seat in range(seats):
        left, right = (
            faces[draws.number(f"face of seat {seat}'s {side} half", len(faces))]
            for side in SIDES
            for faces in [dealt[side][seat]]
        )
        rows = [f"{a} {b}" for a, b in zip(left["rows"], right["rows"], strict=True)]
        caves = [cave_of(cave, 0) for cave in left["caves"]]
        caves += [cave_of(cave, 4) for cave in right["caves"]]
        boards.append(Board(left["id"], right["id"], rows, caves, {}))
    return boards


def cave_of(cave: dict[str, Any], shift: int) -> dict[str, Any]:
    edge, at = cave["edge"], cave["at"]
    column = COLUMNS[at + shift] if edge in "NS" else {"W": "A", "E": "H"}[edge]
    row = {"N": 1, "S": 5}.get(edge, at + 1)
    high, low = cave["shelter"]
    entrance = f"{column}{row}"
    return {"name": entrance + edge, "entrance": entrance, "high": high, "low": low, "token": None}
