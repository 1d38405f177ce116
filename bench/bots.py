"""How strong the bots are: a tournament of two against each other, seats rotated.

    python -m bench.bots GAME ONE OTHER [--games 100] [--seats 2] [--first-seed 0]

The seats rotate over games of the same seed. A shared victory counts half.
"""

from __future__ import annotations

import argparse
import statistics
import time

from engine.bots import ask, chance_of
from engine.chance import SeededChance, seed_of_number
from engine.games import games


def duel(key: str, one: str, other: str, count: int, seats: int, first: int) -> dict[str, float]:
    """The share of games `one` wins at a table of otherwise `other`, scores, and thinking time.

    With more than two seats `one` has a single seat, which rotates.
    """
    game = games()[key]
    won = 0.0
    scores: dict[str, list[int]] = {one: [], other: []}
    spent: dict[str, list[float]] = {one: [], other: []}
    for number in range(count):
        seat_of_one = number % seats
        names = [one if seat == seat_of_one else other for seat in range(seats)]
        seed = seed_of_number(first + number // seats)
        chance = SeededChance(seed)
        state = game.setup(seats, game.options_type(), chance).state
        entry = 0
        while decisions := game.decisions(state):
            seat, entry = decisions[0].seat, entry + 1
            begin = time.process_time()
            turn = ask(game, names[seat], state, seat, chance_of(seed, seat, entry))
            spent[names[seat]].append(time.process_time() - begin)
            for action in turn:
                state = game.apply(state, seat, action, chance).state
        outcome = game.outcome(state)
        assert outcome is not None
        if seat_of_one in outcome.winners:
            won += 1 / len(outcome.winners)
        for seat, score in enumerate(outcome.scores):
            scores[names[seat]].append(score)
    return {
        "won": won / count,
        "score": statistics.mean(scores[one]),
        "score of the other": statistics.mean(scores[other]),
        "ms a turn": statistics.mean(spent[one]) * 1e3,
        "ms at most": max(spent[one]) * 1e3,
    }


def main() -> None:
    """Run one duel and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--first-seed", type=int, default=0)
    given = parser.parse_args()
    found = duel(given.game, given.one, given.other, given.games, given.seats, given.first_seed)
    print(f"{given.one} v {given.other}, {given.seats} seats, {given.games} games")
    for name, value in found.items():
        print(f"  {name:20} {value:8.2f}")


if __name__ == "__main__":
    main()
