"""The default turn of Fire & Stone (F§17), which `"default"` entries have to be."""

from __future__ import annotations

from tests.referee.fire_and_stone_columns import Columns
from tests.referee.fire_and_stone_match import Action
from tests.referee.fire_and_stone_names import PLACES, REGION


def default(match: Columns, seat: int) -> Action:
    """The next action of the default turn in this position."""
    phase = match.phase
    if phase == "rank":
        return {"do": "rank", "cards": match.starting}
    if phase == "second":
        start = match.mover.explorers[0]
        return {"do": "second", "fire": nearest(match, start, match.second_fires)}
    if phase == "return":
        return {"do": "return", "fire": nearest(match, match.here, match.fires())}
    if phase == "move":
        return move(match)
    if phase == "tunnel":
        return {"do": "go", "place": match.tunnel_ends()[0]}
    if phase == "keep":
        return {"do": "keep", "pieces": match.forests[match.here][:1]}
    if phase == "card":
        cards = match.takeable()
        return {"do": "invent", "card": cards[0]} if cards else {"do": "decline"}
    if phase == "arrange":
        return {"do": "arrange", "tiles": [match.hidden[place] for place in match.looked()]}
    if phase == "look":
        return {"do": "look"}
    if phase in ("basket", "council"):
        return {"do": "hold"}
    if match.pieces:
        return {"do": "done"}
    return {"do": "food" if phase == "action" and "food" in match.options() else "pass"}


def nearest(match: Columns, start: str, fires: list[str]) -> str:
    """F§17.5: own region, fewest steps by land, then file order."""
    steps = match.by_land(start)
    near = [fire for fire in fires if REGION[fire] == REGION[start]]
    return min(near, key=lambda fire: (steps.get(fire, 99), PLACES.index(fire)))


def move(match: Columns) -> Action:
    """F§17.1-2."""
    if match.explorer is None:
        return {"do": "lead", "explorer": 1}
    if match.mover.has("fur_boots"):
        return {"do": "go", "place": match.here}
    steps = match.by_land(match.here)
    reached = [place for place, away in steps.items() if 0 < away <= 2]
    place = min(reached, key=lambda p: (p in match.hidden, steps[p], PLACES.index(p)))
    return {"do": "go", "place": place}
