"""Points: majorities, objectives, the end (F§11, F§14)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.map import members
from engine.fire_and_stone.state import Phase, Player, State
from engine.protocol import Outcome, Seat

TERMINATION = "normal"


def majority_value(state: State, place: int) -> int:
    """The points of a majority (F§14.3)."""
    if state.rules == "burial_mound" and state.tiles[place] == box.CAVE:
        return 5
    return 2 if state.rules == "rival_clans" and land.REGION[place] == 2 else 1


def majorities(state: State) -> tuple[int, ...]:
    """The points of each seat for majorities."""
    points = [0] * len(state.players)
    for place, holder in _held(tuple([player.huts for player in state.players])):
        points[holder] += majority_value(state, place)
    return tuple(points)


@lru_cache(maxsize=1024)
def _held(huts: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, Seat], ...]:
    """The places where a seat has a majority, by the huts of all: most positions that bots try
    differ in something else.
    """
    most: dict[int, tuple[int, Seat | None]] = {}
    for seat, own in enumerate(huts):
        for place, number in Counter(own).items():
            before = most.get(place, (0, None))[0]
            if number >= before:
                most[place] = number, seat if number > before else None
    return tuple([(place, seat) for place, (_, seat) in most.items() if seat is not None])


def objective_value(state: State, seat: Seat, objective: str) -> int:
    """The points of an objective for a seat as the board lies (F§11)."""
    villages = land.mask(state.players[seat].huts)
    match objective:
        case "woods":
            forests = land.mask(
                place
                for place, tile in enumerate(state.tiles)
                if tile == box.FOREST and not state.down >> place & 1
            )
            points = 2 * sum(1 for v in members(villages) if land.LAND[v] & forests)
        case "hearths":
            fires = state.fires
            beside = [v for v in members(villages) if land.LAND[v] & fires]
            points = len(beside) + sum(state.majority_at(v) == seat for v in beside)
        case "shores":
            points = 2 * (villages & land.SHORE).bit_count()
        case "kin":
            points = 3 * sum(1 for v in members(villages) if land.LAND[v] & villages)
        case "wayfarers":
            counts = Counter(land.REGION[v] for v in members(villages))
            points = 2 * sum(1 for n in counts.values() if n >= 2) + 4 * (len(counts) == 3)
        case _:
            points = 0  # it is not shown yet
    return min(points, box.MOST_FOR_OBJECTIVE)


def known_points(player: Player) -> int:
    """The points that a player has whatever comes: VP, VP cards, huts."""
    return player.vp + sum(player.covered) + len(player.huts)


def score(state: State, seat: Seat) -> int:
    """The points of a seat with its objective (F§14.1)."""
    player = state.players[seat]
    gained = majorities(state)[seat] + objective_value(state, seat, player.objective)
    return known_points(player) + gained


def scores(state: State) -> tuple[int, ...]:
    """The points of all seats."""
    return tuple(score(state, seat) for seat in range(len(state.players)))


def parts(state: State) -> list[dict[str, int | str]]:
    """The parts of each seat's score, as told at the end."""
    points = majorities(state)
    return [
        {
            "vp": player.vp,
            "vp_cards": sum(player.covered),
            "huts": len(player.huts),
            "majorities": points[seat],
            "objective": player.objective,
            "objective_vp": objective_value(state, seat, player.objective),
        }
        for seat, player in enumerate(state.players)
    ]


def winners(points: tuple[int, ...]) -> tuple[Seat, ...]:
    """The seats with the most points share the win (F§14.4)."""
    best = max(points)
    return tuple(seat for seat, score in enumerate(points) if score == best)


def outcome(state: State) -> Outcome | None:
    """The end of the game; None before it."""
    if state.turn.phase != Phase.OVER:
        return None
    points = scores(state)
    return Outcome(winners=winners(points), scores=points, termination=TERMINATION)
