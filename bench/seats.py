"""What each seat is worth, how long games last and how they end, with bots at mixed tables.

    python -m bench.seats GAME [--bots NAMES] [--seats 2 3 4] [--games 200] [--first-seed 0]

The bots sit down one after the other, again and again, and move on a seat with each game. Every
second seat files the orders and plans it is invited to, the even ones and the odd ones in turn.
Each game has a seed of its own. The same arguments give the same numbers.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from typing import NamedTuple

from engine import waits
from engine.chance import seed_of_number
from engine.games import games
from engine.journal import replay
from engine.record import Record, journal_of, simulate


class Played(NamedTuple):
    """One game: who won, of which bots, why it ended, its player turns and waits, and how many
    seats were not eliminated at its end.
    """

    winners: tuple[int, ...]
    bots: tuple[str, ...]
    termination: str
    turns: int
    waits: int
    left: int


def play(key: str, seats: int, number: int, names: list[str]) -> Played:
    """Play the game of a number: it decides the seed, who sits where and who files. Raises KeyError
    for a game or bot there is none of.
    """
    game = games()[key]
    bots = tuple(names[(seat + number) % len(names)] for seat in range(seats))
    files = range(number % 2, seats, 2)
    record: Record = simulate(game, seats, seed_of_number(number), bots, files=files)
    setup, entries, _ = journal_of(record)
    counted = waits.count(game, setup, entries)
    *_, last = replay(game, setup, entries)
    outcome = game.outcome(last.state)
    assert outcome is not None
    return Played(
        winners=outcome.winners,
        bots=bots,
        termination=outcome.termination,
        turns=counted.turns,
        waits=counted.waits,
        left=len(game.in_play(last.state)),
    )


def row(seats: int, found: list[Played], names: list[str]) -> str:
    """The line of one number of players; a shared victory counts for each who shares it."""
    by_bot = Counter(one.bots[seat] for one in found for seat in one.winners)
    sat = Counter(name for one in found for name in one.bots)
    by_seat = Counter(seat for one in found for seat in one.winners)
    ends = Counter(one.termination for one in found)
    turns = [one.turns for one in found]
    waited = waits.percent(sum(one.waits for one in found), sum(turns))
    return " | ".join(
        [
            f"{seats:2}",
            f"{len(found):4}",
            ", ".join(f"{name} {by_bot[name]}/{sat[name]}" for name in names),
            ", ".join(str(by_seat[seat]) for seat in range(seats)),
            f"{min(turns)}, {statistics.median(turns):.0f}, {max(turns)}",
            f"{waited}",
            ", ".join(f"{end} {count}" for end, count in ends.most_common()),
            ", ".join(f"{n}: {c}" for n, c in sorted(Counter(o.left for o in found).items())),
        ]
    )


def main() -> None:
    """Play the games and print one row for each number of players."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=sorted(games()))
    parser.add_argument("--bots", help="names with commas; default: all")
    parser.add_argument("--seats", type=int, nargs="+", help="numbers of players; default: all")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first-seed", type=int, default=0)
    given = parser.parse_args()
    game = games()[given.game]
    names = given.bots.split(",") if given.bots else list(game.bots)
    if not set(names) <= set(game.bots):
        parser.error(f"there are {', '.join(game.bots)}")
    if given.seats and not set(given.seats) <= set(game.seats):
        parser.error(f"for {game.seats[0]} to {game.seats[-1]} players")
    print("players | games | won/sat by bot | won by seat | turns: least, median, most | waits in")
    print("a hundred turns | ended | games by seats left")
    for seats in given.seats or game.seats:
        numbers = range(given.first_seed, given.first_seed + given.games)
        found = [play(given.game, seats, number, names) for number in numbers]
        print(row(seats, found, names), flush=True)


if __name__ == "__main__":
    main()
