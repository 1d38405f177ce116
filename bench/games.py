"""A turn of each game, and all that it sends."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from bench.players import open_site, turn_cost
from bench.table import Row
from bench.tables import Table
from engine.games import games
from tests.support.draws import Draws
from workers.runtime import warm_up

TURNS, LATER = 60, 120
"""The turns of each game with which a process begins, and as many after them."""
SEATS, BOT = 3, "greedy"


def rows() -> list[Row]:
    """A turn of each game against one of the first: stored, played, and all that it has to send
    written and handed over. Three people sit at each table, who play as a bot does, the same deals
    in each run, in a process that has warmed up as the mailer does; and once more of the turns
    after those, when what pictures share has been drawn.
    """
    warm_up()
    Draws("bench").begin()
    with tempfile.TemporaryDirectory() as folder:
        _, service = open_site(Path(folder))
        spent: dict[str, list[float]] = {key: [] for key in games()}
        tables = {key: Table(service, SEATS, key, BOT) for key in spent}
        for number in range(TURNS + LATER + 1):
            for key, found in spent.items():
                if tables[key].next_turn() is None:
                    tables[key] = Table(service, SEATS, key, BOT)
                seconds = turn_cost(service, tables[key])
                if number:
                    found.append(seconds)
        service.database.dispose()
    begun = {key: each[:TURNS] for key, each in spent.items()}
    later = {key: each[TURNS:] for key, each in spent.items()}
    return [*_against_first(begun, ""), *_against_first(later, f", after {TURNS} of each")]


def _against_first(spent: dict[str, list[float]], when: str) -> list[Row]:
    """The seconds of each game's turns against those of the first game."""
    (first, anchor), *others = ((key, statistics.median(each)) for key, each in spent.items())
    return [
        Row(
            what=f"{key}: a turn and all that it sends{when}, CPU",
            ours=seconds * 1e3,
            anchor=anchor * 1e3,
            unit="ms",
            against=f"the same of {first}",
            most=1.3,
            stretch=1.0,
        )
        for key, seconds in others
    ]
