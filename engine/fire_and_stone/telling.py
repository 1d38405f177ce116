"""The facts that words are made of: points, the map place by place, the gains of a turn."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from engine.fire_and_stone import options, scoring
from engine.fire_and_stone.known import known
from engine.fire_and_stone.map import LAND, NAMES, REGION, SEA, TERRITORIES, members, names
from engine.fire_and_stone.state import NO_EXPLORER, Phase
from engine.kit.presentation import BoardTable, Piece, Plain, Square
from engine.kit.telling import Sentence, sentences
from engine.protocol import Seat


class Place(NamedTuple):
    """A territory in which something is: `huts` by seat, `explorers` by seat with their numbers, 0
    for an only one, `game` in a forest; its neighbours by land are `beside` it.
    """

    id: str
    tile: str
    huts: tuple[tuple[Seat, int], ...]
    explorers: tuple[tuple[Seat, int], ...]
    game: int | None
    beside: tuple[str, ...]


class Region(NamedTuple):
    """A region as it is told. `unseen` are the territories whose tile lies face down; in those that
    are `bare` nothing is.
    """

    number: int
    open: bool
    places: tuple[Place, ...]
    unseen: tuple[str, ...]
    bare: tuple[str, ...]


class Passage(NamedTuple):
    """A sentence of a story. Its events have the place that was named before them as `here`;
    `found` is what lies in the place that they end in, if they have just turned it over, and `won`
    the events of what that has brought. `explorer` is the number of the one that did it, where both
    are told of; 0 if it needs no saying.
    """

    seat: Seat | None
    own: bool
    events: tuple[Plain, ...]
    found: str = ""
    won: tuple[Plain, ...] = ()
    explorer: int = 0


class Step(NamedTuple):
    """Deeds of a turn that are told in a line, in words; `explorer` 0 if it needs no saying."""

    explorer: int
    deeds: list[str]


class Lead(NamedTuple):
    """The seats that had most points before the objectives were shown, and their points."""

    seats: list[Seat]
    points: int


class Margin(NamedTuple):
    """By how many points a winner is ahead of those who come `next`, 0 if by none; the `parts` that
    brought more than to the first of these, the greatest difference first: each with the points of
    both.
    """

    by: int
    next: list[Seat]
    parts: list[tuple[str, int, int]]


class Gain(NamedTuple):
    """The gains of somebody by some events; losses are below zero."""

    food: int
    bags: int
    vp: int
    huts: int
    game: int = 0


def reach(view: Plain) -> tuple[str, ...]:
    """The places that the explorer to move can go to, or all that have not moved (F§5); the fires
    to choose from (F§7.11, F§8.3).
    """
    if view["phase"] not in (Phase.MOVE, Phase.RETURN, Phase.SECOND):
        return ()
    state, found = known(view), 0
    if view["phase"] == Phase.RETURN:
        return names(options.return_fires(state))
    if view["phase"] == Phase.SECOND:
        return names(options.second_fires(state))
    for explorer in range(len(state.mover.explorers)):
        chosen = state.turn.explorer in (NO_EXPLORER, explorer)
        if chosen and not state.turn.moved >> explorer & 1:
            found |= options.reach(state, explorer)
    return names(found)


def is_last(view: Plain) -> bool:
    """True in the last turn of who is to move (F§13.2)."""
    return view["turns_left"] is not None and view["turns_left"] < len(view["players"])


def hunted_in(view: Plain) -> str:
    """The forest a game tile of which is to be kept (F§7.2); "" for none."""
    if view["phase"] != Phase.KEEP:
        return ""
    return str(view["players"][view["to_move"]]["explorers"][view["explorer"] - 1])


def points(view: Plain) -> list[int]:
    """VP, point cards, huts and majorities (F§14.1), and objectives once they are shown."""
    return list(scoring.scores(known(view)))


def parts(view: Plain) -> list[dict[str, int | str]]:
    """The points of each seat by where they come from, once the objectives are shown (F§14.1)."""
    return scoring.parts(known(view))


def by_points(view: Plain) -> list[Seat]:
    """The seats by their points, who has most of them first."""
    total = points(view)
    return sorted(range(len(total)), key=lambda seat: -total[seat])


def ranks(view: Plain) -> list[Seat]:
    """The seats in the order of their rows: at the end who has most points is first (F§14.4)."""
    return by_points(view) if view["phase"] == Phase.OVER else list(range(len(view["players"])))


def all_built(view: Plain) -> list[Seat]:
    """The seats that have no hut left to build (F§13.1)."""
    return [seat for seat, player in enumerate(view["players"]) if not player["huts_left"]]


def lead(view: Plain) -> Lead:
    """The lead before the objectives were shown (F§14.1)."""
    before = [
        total - int(own["objective_vp"])
        for total, own in zip(points(view), parts(view), strict=True)
    ]
    most = max(before)
    return Lead([seat for seat, total in enumerate(before) if total == most], most)


def margin(view: Plain, winner: Seat) -> Margin:
    """The lead of a winner, and where it comes from (F§14.1)."""
    total = points(view)
    others = [seat for seat in range(len(total)) if seat != winner]
    best = max(total[seat] for seat in others)
    following = [seat for seat in others if total[seat] == best]
    own, theirs = (parts(view)[seat] for seat in (winner, following[0]))
    both = [(sort, int(own[sort]), int(theirs[sort])) for sort in own if sort != "objective"]
    more = sorted((each for each in both if each[1] > each[2]), key=lambda each: each[2] - each[1])
    return Margin(max(0, total[winner] - best), following, more)


def passages(
    events: Sequence[Plain], own: Collection[str], quiet: Collection[str]
) -> list[Passage]:
    """The sentences of a story; what a walk turns over is told with the walk, and what each of two
    explorers does is a sentence of its own.
    """
    told: list[Passage] = []
    place, walking = "", None
    for (seat, alone, together), explorer in _by_explorer(sentences(events, own, quiet)):
        first = together[0]
        if first["kind"] == "revealed" and told and place == first["data"]["place"]:
            told[-1] = told[-1]._replace(found=first["data"]["kind"])
            continue
        while told and told[-1].found and together and _brought(together[0], told[-1].found):
            told[-1] = told[-1]._replace(won=(*told[-1].won, together[0]))
            together = together[1:]
        if not alone and seat != walking:
            walking, place = seat, ""
        placed = []
        for event in together:
            placed.append({**event, "here": place})
            if event["kind"] == "moved":
                place = event["data"]["place"]
        if placed:
            found = first["data"]["kind"] if first["kind"] == "revealed" else ""
            told.append(Passage(seat, alone, tuple(placed), found, explorer=explorer))
    return told


def _by_explorer(told: Sequence[Sentence]) -> Iterator[tuple[Sentence, int]]:
    """The sentences, parted where the other explorer of their seat goes on, each with the number of
    its explorer: 0 where nothing tells of a second one.
    """
    two = {each.seat for each in told if any(_number(event) == 2 for event in each.events)}
    numbers: dict[Seat | None, int] = {}
    for seat, alone, together in told:
        if alone or seat not in two:
            yield Sentence(seat, alone, together), 0
            continue
        for number, run in groupby(together, partial(_walking, numbers)):
            yield Sentence(seat, alone, tuple(run)), number


def _walking(numbers: dict[Seat | None, int], event: Plain) -> int:
    """The explorer of this event, or that of the one before it; 0 where one is sent out."""
    if event["kind"] == "second_placed":
        return 0
    numbers[event["seat"]] = _number(event) or numbers.get(event["seat"], 0)
    return numbers[event["seat"]]


def _number(event: Plain) -> int:
    """The explorer that walks by this event; the second if it is one that is sent out."""
    return 2 if event["kind"] == "second_placed" else int(event["data"].get("explorer", 0))


def _brought(event: Plain, found: str) -> bool:
    """True if the tile that was found has brought this, and nothing of it was lost."""
    if event["kind"] == "hut_built":
        return found == "hut"
    return event["data"].get("by") == found and not event["data"].get("lost")


def steps(actions: Sequence[Plain], deeds: Sequence[str], view: Plain) -> list[Step]:
    """The lines of a turn that begins in this view: who has two explorers is told which of them
    walks, and each walk has a line with what is done after it. That all game to cook is named, or
    all tiles to look at, goes without saying.
    """
    said = zip(actions, deeds, strict=True)
    ends = ("done", "look")
    told = [(a, deed) for n, (a, deed) in enumerate(said) if not n or a["do"] not in ends]
    seconds = sum(action["do"] == "second" for action in actions)
    mover = view["to_move"]
    if mover is None or len(view["players"][mover]["explorers"]) + seconds < 2:
        each = [deed for _, deed in told]
        return [Step(0, line) for line in (each[:1], each[1:]) if line]
    found: list[Step] = []
    explorer, gone = view["explorer"] or 1, view["phase"] != Phase.MOVE
    for action, deed in told:
        match action["do"]:
            case "second":
                # After a hut tile the first explorer is on its way back.
                gone = view["explorer"] is not None
                found.append(Step(0, [deed]))
            case "lead":
                explorer, gone = action["explorer"], False
            case "go" if view["phase"] != Phase.TUNNEL:
                explorer, gone = 3 - explorer if gone else explorer, True
                found.append(Step(explorer, [deed]))
            case _ if found and found[-1].explorer:
                found[-1].deeds.append(deed)
            case "return":
                found.append(Step(explorer, [deed]))
            case _:
                found.append(Step(0, [deed]))
    return found


def regions(view: Plain) -> list[Region]:
    """The map, place by place where something is."""
    huts = {village["place"]: village["huts"] for village in view["villages"]}
    game = {forest["place"]: forest["game"] for forest in view["forests"]}
    standing: dict[str, list[tuple[Seat, int]]] = {}
    for seat, player in enumerate(view["players"]):
        for number, where in enumerate(player["explorers"], 1):
            several = len(player["explorers"]) > 1
            standing.setdefault(where, []).append((seat, number if several else 0))
    found = []
    for number in (1, 2, 3):
        places, unseen, bare = [], [], []
        for n, name in enumerate(NAMES):
            if REGION[n] != number:
                continue
            tile = "fire" if TERRITORIES[n].has == "fire" else view["tiles"][n]
            tile = "village" if name in huts and not tile else tile
            if tile == "down":
                unseen.append(name)
            elif tile or name in standing:
                owned = tuple((s, count) for s, count in enumerate(huts.get(name, ())) if count)
                there = tuple(standing.get(name, ()))
                beside = names(LAND[n])
                places.append(Place(name, tile or "empty", owned, there, game.get(name), beside))
            else:
                bare.append(name)
        opened = number <= view["regions"]
        found.append(Region(number, opened, tuple(places), tuple(unseen), tuple(bare)))
    return found


def gain(events: Sequence[Plain]) -> Gain:
    """The gains of the seat of the first event, after all of them."""
    seat = next((event["seat"] for event in events if event["seat"] is not None), None)
    food = bags = vp = huts = game = 0
    for event in events:
        if event["seat"] != seat:
            continue
        data = event["data"]
        match event["kind"]:
            case "food":
                food += data["gained"]
            case "paid":
                food -= data["food"]
            case "bag":
                bags += data["gained"]
            case "vp":
                vp += data["vp"]
            case "vp_card":
                vp += data["value"]
            case "hut_built":
                huts += 1
            case "kept":
                game -= len(data["pieces"])  # Who sees which it is is told that.
            case "took_game":
                game += data["number"]
    return Gain(food, bags, vp, huts, max(0, game))


def board_tables(view: Plain) -> tuple[BoardTable, ...]:
    """The open regions as a table, a territory to a row: what lies there, and its neighbours."""
    rows = [n for n, of in enumerate(REGION) if of <= view["regions"]]
    there = {place.id: place for region in regions(view) for place in region.places}
    return (
        BoardTable(
            columns=("here",),
            rows=tuple(NAMES[n] for n in rows),
            squares=tuple((_square(view, n, there.get(NAMES[n])),) for n in rows),
        ),
    )


def _square(view: Plain, territory: int, there: Place | None) -> Square:
    lies = [Piece(kind="shore")] if TERRITORIES[territory].has == "shore" else []
    if there is not None:
        lies += [Piece(kind="game", look=str(there.game))] if there.game is not None else []
        lies += [Piece(kind=f"huts{count}", look=str(seat)) for seat, count in there.huts]
        lies += [Piece(kind="explorer", look=str(seat)) for seat, _ in there.explorers]
    for kind, others in (("trail", LAND[territory]), ("route", SEA[territory])):
        lies += [Piece(kind=kind, look=NAMES[other]) for other in members(others)]
    ground = there.tile if there else "down" if view["tiles"][territory] == "down" else "empty"
    return Square(place=NAMES[territory], ground=ground, lies=tuple(lies))
