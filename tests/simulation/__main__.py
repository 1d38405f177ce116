"""`python -m tests.simulation`: many seeds, one of them, or what is found without a safeguard."""

from __future__ import annotations

import argparse
import sys

from engine.games import games
from tests.engine import nim
from tests.simulation import safeguards
from tests.simulation.many import many, see

MINUTES = 30.0


def main() -> int:
    """Do what was asked for; 1 if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--seed", type=int, help="see this one")
    parser.add_argument("--steps", type=int, help="no more than its first so many")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seeds", type=int, help="how many")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--game", choices=[*games(), nim.GAME.key])
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--safeguards", action="store_true")
    parser.add_argument("--only", help="one safeguard")
    parser.add_argument("--most", type=int, default=400, help="seeds for each safeguard")
    given = parser.parse_args()
    if given.safeguards:
        return safeguards.report(given.only, given.most)
    if given.seed is not None:
        return see(given.seed, given.game, given.database, given.steps)
    return min(1, many(given.first, given.seeds, given.minutes, given.game, given.database))


if __name__ == "__main__":
    sys.exit(main())
