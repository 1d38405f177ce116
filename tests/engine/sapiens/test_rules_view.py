"""S§2.4: what may be known of a position is everything but the stack and the tiles set aside."""

from __future__ import annotations

import msgspec

from engine.sapiens.components import TILES
from engine.sapiens.state import BONUS, OVER
from engine.sapiens.view import PoolTile, view
from tests.engine.sapiens.positions import board, position

COMMON = ("feast-picking.1", "feast-ritual.1", "feast-fight.1", "feast-water.1", "feast-hunt.1")


def test_s2_4_a_position_as_everybody_sees_it() -> None:
    state = position(
        board(
            ["camp-hunt.1 H5 H5S"],
            abandoned=[["ritual-camp.1 C4 C3"]],
            pool=["hunt-fire.1", "hunt-fire.2"],
            bears=["E2", "A1"],
            tokens={"C1N": "fire", "WR": "ritual"},
            claimed=["hunt", "camp"],
            used=["feast"],
            fights=["hunt-fire.2", "feast-water.1"],
            fp=3,
            sp=8,
            steaks=2,
        ),
        board(fights=["hunt-fire.2", "hunt-fire.2"], out=True, halves=("L2b", "R3a")),
        common=COMMON,
        stack=7,
        phase=BONUS,
        bonuses=1 << 5 | 1 << 6,
        picking_on_plains=True,
        token_played=True,
    )
    shown = msgspec.json.decode(msgspec.json.encode(view(state)))
    mine, other = shown.pop("players")
    assert shown == {
        "common": [
            {"tile": tile, "tokens": [0] if tile == "feast-water.1" else []} for tile in COMMON
        ],
        "stack": 7,
        "aside": 63 - 2 - 2 - 4 - 5 - 7,
        "steaks": 16,
        "bears": 16,
        "first": 0,
        "to_move": 0,
        "turn": 20,
        "round": 3,
        "phase": "bonus",
        "bonuses": ["camp", "hunt"],
        "token_played": True,
        "picking_on_plains": True,
        "ending": False,
    }
    ground = mine.pop("board")
    assert mine == {
        "fp": 3,
        "sp": 8,
        "pool": [
            {"tile": "hunt-fire.1", "tokens": []},
            {"tile": "hunt-fire.2", "tokens": [0, 1, 1]},
        ],
        "claimed": ["camp", "hunt"],
        "used": ["feast"],
        "lost": ["picking", "fight", "water"],
        "steaks": 2,
        "fight_tokens": 1,
        "out": False,
    }
    caves = ground.pop("caves")
    assert [(cave["name"], cave["token"]) for cave in caves] == [
        ("C1N", "fire"),
        ("A2W", None),
        ("C5S", None),
        ("E1N", None),
        ("H2E", None),
        ("H5S", None),
    ]
    assert caves[5] == {"name": "H5S", "entrance": "H5", "high": 7, "low": 5, "token": None}
    assert ground == {
        "left": "L1a",
        "right": "R1a",
        "rows": [
            "f3 f2 p1 p1 f3 p1 p1 p1",
            "f2 p1 f3 f2 p1 f2 f2 p1",
            "f2 p1 p1 p1 p1 f2 f2 f3",
            "f3 p1 f2 f2 f2 p1 f2 f2",
            "f2 p1 f2 f2 p1 p1 f3 f2",
        ],
        "waterfalls": {"WL": None, "WR": "ritual"},
        "tiles": [
            {"tile": "ritual-camp.1", "first": "C4", "second": "C3", "tribe": 0, "turn": 1},
            {"tile": "camp-hunt.1", "first": "H5", "second": "H5S", "tribe": 1, "turn": 2},
        ],
        "bears": ["A1", "E2"],
        "tribe": 1,
    }
    assert (other["out"], other["fight_tokens"]) == (True, 1)
    assert (other["board"]["left"], other["board"]["right"]) == ("L2b", "R3a")


def test_nobody_is_to_move_when_the_game_is_over() -> None:
    shown = view(position(board(), board(), phase=OVER))
    assert shown.to_move is None
    assert shown.phase == "over"


def test_two_copies_are_told_apart() -> None:
    shown = view(position(board(pool=TILES[-2:]), board()))
    assert shown.players[0].pool == (
        PoolTile(tile="hunt-fire.1"),
        PoolTile(tile="hunt-fire.2"),
    )
