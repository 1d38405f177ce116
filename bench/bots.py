"""How strong the bots of a game are, and how long they think: a tournament of each against each.

    python -m bench.bots GAME [ONE OTHER] [--seats 2 3 4] [--games 100] [--first-seed 0]

One seat is played by ONE, the others by OTHER, and the seat rotates: as many games in a row as
there are seats are dealt from one seed, the first from --first-seed. Without names every pair of
the game's bots meets. The same arguments give the same games; only the times differ.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from engine.bots import ask, chance_of
from engine.chance import SeededChance, seed_of_number
from engine.games import games
from engine.play import submit
from engine.protocol import Game, Outcome, Seat


class Duel(NamedTuple):
    """One bot against others of one kind over some games.

    `tied` are victories it shared. Scores are means: its own and the best of the others. Times are
    CPU milliseconds of one of its turns.
    """

    seats: int
    one: str
    other: str
    games: int
    won: int
    tied: int
    score: float
    best_other: float
    mean_ms: float
    most_ms: float


def duel(key: str, one: str, other: str, count: int, seats: int, first_seed: int = 0) -> Duel:
    """Play `count` games. Raises KeyError for a game or bot there is none of."""
    game = games()[key]
    won = tied = 0
    own_scores: list[int] = []
    other_scores: list[int] = []
    spent: list[float] = []
    for number in range(count):
        seat = number % seats
        names = [one if each == seat else other for each in range(seats)]
        outcome, times = _play(game, names, seed_of_number(first_seed + number // seats))
        won += outcome.winners == (seat,)
        tied += seat in outcome.winners and len(outcome.winners) > 1
        own_scores.append(outcome.scores[seat])
        other_scores.append(max(s for each, s in enumerate(outcome.scores) if each != seat))
        spent += times[seat]
    return Duel(
        seats=seats,
        one=one,
        other=other,
        games=count,
        won=won,
        tied=tied,
        score=statistics.mean(own_scores),
        best_other=statistics.mean(other_scores),
        mean_ms=statistics.mean(spent) * 1e3,
        most_ms=max(spent) * 1e3,
    )


def _play(
    game: Game[Any, Any], names: Sequence[str], seed: bytes
) -> tuple[Outcome, dict[Seat, list[float]]]:
    """How one game ends, and the CPU seconds of each turn by seat."""
    chance = SeededChance(seed)
    state = game.setup(len(names), game.options_type(), chance).state
    times: dict[Seat, list[float]] = defaultdict(list)
    entry = 0
    while decisions := game.decisions(state):
        decision = next(each for each in decisions if each.blocks)
        entry += 1
        begin = time.process_time()
        pondering = chance_of(seed, decision.seat, entry)
        actions = ask(game, names[decision.seat], state, decision, pondering)
        times[decision.seat].append(time.process_time() - begin)
        state = submit(game, state, decision.seat, decision.id, actions, chance).state
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome, times


_HEADINGS = (
    f"{'seats':>5}  {'one':10} {'other':10} {'games':>5} {'won':>5} {'tied':>5} {'even':>5}"
    f" {'score':>6} {'best other':>10} {'ms a turn':>9} {'at most':>7}"
)


def _row(found: Duel) -> str:
    even = found.games / found.seats
    return (
        f"{found.seats:5}  {found.one:10} {found.other:10} {found.games:5} {found.won:5}"
        f" {found.tied:5} {even:5.0f} {found.score:6.1f} {found.best_other:10.1f}"
        f" {found.mean_ms:9.1f} {found.most_ms:7.0f}"
    )


def main() -> None:
    """Run the tournament and print one row for each pair and number of players."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=sorted(games()))
    parser.add_argument("bots", nargs="*", metavar="ONE OTHER")
    parser.add_argument("--seats", type=int, nargs="+", help="numbers of players; default: all")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first-seed", type=int, default=0)
    given = parser.parse_args()
    game = games()[given.game]
    if len(given.bots) not in (0, 2) or not set(given.bots) <= set(game.bots):
        parser.error(f"give no bots or two of {', '.join(game.bots)}")
    if given.seats and not set(given.seats) <= set(game.seats):
        parser.error(f"for {game.seats[0]} to {game.seats[-1]} players")
    pairs = [given.bots] if given.bots else combinations(reversed(list(game.bots)), 2)
    print(_HEADINGS)
    for one, other in pairs:
        for seats in given.seats or game.seats:
            found = duel(given.game, one, other, given.games, seats, given.first_seed)
            print(_row(found), flush=True)


if __name__ == "__main__":
    main()
