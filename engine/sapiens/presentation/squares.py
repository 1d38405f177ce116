"""A valley as a table: its squares in their rim, and what lies on each (S§1.3-5)."""

from __future__ import annotations

from engine.kit.presentation import BoardTable, Piece, Plain, Square
from engine.protocol import Seat
from engine.sapiens.presentation.layout import COLUMNS, FRAME, ROWS, covered

_GROUNDS = {"f": "forest", "p": "plain"}


def board_tables(view: Plain) -> tuple[BoardTable, ...]:
    """The valleys of all players, by seat."""
    return tuple(_table(player["board"], seat) for seat, player in enumerate(view["players"]))


def _table(board: Plain, seat: Seat) -> BoardTable:
    squares = _bare(board)
    for place, half in covered(board).items():
        lying = [half.tile["first"], half.tile["second"]]
        lying.remove(place)
        abandoned = half.tile["tribe"] != board["tribe"]
        kind = "abandoned" if abandoned else "tile"
        _put(squares, place, Piece(kind=kind, look=half.scene, beside=lying[0]))
    for place in board["bears"]:
        _put(squares, place, Piece(kind="bear"))
    return BoardTable(
        seat=seat,
        columns=("W", *COLUMNS, "E"),
        rows=("N", *ROWS, "S"),
        squares=tuple(tuple(squares.get(place) for place in row) for row in FRAME),
    )


def _bare(board: Plain) -> dict[str, Square]:
    """The places of a valley, and the mountain tokens on them; nothing for mere rock."""
    found = {}
    for row, grounds in zip(FRAME[1:], board["rows"], strict=False):
        for place, ground in zip(row[1:], grounds.split(), strict=False):
            found[place] = Square(
                place=place, ground=_GROUNDS[ground[0]], points=(int(ground[1:]),)
            )
    for cave in board["caves"]:
        found[cave["name"]] = Square(
            place=cave["name"],
            ground="cave",
            points=(cave["high"], cave["low"]),
            lies=_token(cave["token"]),
        )
    for place, token in board["waterfalls"].items():
        found[place] = Square(place=place, ground="waterfall", lies=_token(token))
    return found


def _token(scene: str | None) -> tuple[Piece, ...]:
    return (Piece(kind="token", look=scene),) if scene else ()


def _put(squares: dict[str, Square], place: str, piece: Piece) -> None:
    bare = squares[place]
    squares[place] = Square(
        place=place, ground=bare.ground, points=bare.points, lies=(piece, *bare.lies)
    )
