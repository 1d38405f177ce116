"""Gains and places that events bring and fill, and tiles of a board sorted as they are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from engine.kit.presentation import Plain, Points
from engine.protocol import Seat
from engine.sapiens.presentation.layout import covered, scenes

_USED_BY: Final = {
    "picked": "picking",
    "token_recalled": "ritual",
    "fight_placed": "fight",
    "swapped": "water",
    "camped": "camp",
    "hunted": "hunt",
    "bear_put": "fire",
    "bear_removed": "fire",
}
"""The scene whose bonus an event is the use of (S§8)."""


_OWN_SENTENCE: Final = frozenset({"begun", "out", "revealed", "end_triggered", "over"})
"""The kinds of events that are told by themselves; all others are deeds of who acts."""

_WHOM: Final = {
    "fight_paid": "owner",
    "fight_unpaid": "owner",
    "fight_placed": "pool",
    "fight_retrieved": "pool",
    "swapped": "pool",
    "bear_put": "board",
}
"""Where an event names the seat that it is done to; a pool may be the common one."""


def concerned(event: Plain) -> Collection[Seat]:
    """The seat whose board, pool or fight token an event is about."""
    seat = event["data"].get(_WHOM.get(event["kind"], ""))
    return () if seat is None else (seat,)


class Sentence(NamedTuple):
    """Events that one sentence tells: one that has a sentence of its `own`, or what somebody did
    without a break.
    """

    own: bool
    events: list[Plain]


def sentences(events: Iterable[Plain]) -> list[Sentence]:
    """The sentences of a story: all that somebody did in a turn is one."""
    found: list[Sentence] = []
    for event in events:
        own = event["kind"] in _OWN_SENTENCE
        last = found[-1] if found else None
        goes_on = last and not (own or last.own) and last.events[0]["seat"] == event["seat"]
        if last and goes_on:
            last.events.append(event)
        else:
            found.append(Sentence(own, [event]))
    return found


class Deed(NamedTuple):
    """One event of a turn as it is told: the effect of a `token` with that token, and a camp used
    `again` as another.
    """

    event: Plain
    token: bool
    again: bool


_OF_A_TOKEN: Final = frozenset({*_USED_BY, "token_claimed", "plains_opened", "laid"})
"""The kinds of events that are the effect of a mountain token right after it."""


def deeds(events: Iterable[Plain]) -> list[Deed]:
    """The deeds of a turn: what a mountain token brings is told as one with it."""
    found: list[Deed] = []
    before, camped = None, False
    for event in events:
        token = before == "token_played" and event["kind"] in _OF_A_TOKEN
        if token:
            found.pop()
        found.append(Deed(event, token, camped and event["kind"] == "camped"))
        before, camped = event["kind"], camped or event["kind"] == "camped"
    return found


class Gain(NamedTuple):
    """Gains of who acts by events: points, steaks, the scenes of tokens claimed and of those spent,
    but for one that is both, and of bonuses that are still to be used. A step that is but to play
    a token tells by itself which one it spends, one that is but a hunt its steaks.
    """

    fp: int
    sp: int
    steaks: int
    claimed: list[str]
    spent: list[str]
    open: list[str]


def gain(events: Sequence[Plain]) -> Gain:
    """Sum up what events bring who acts."""
    fp = sp = steaks = 0
    claimed: list[str] = []
    spent: list[str] = []
    still_open: list[str] = []
    for event in events:
        kind, data = event["kind"], event["data"]
        used: list[str] = []
        if kind in ("laid", "picked", "hunted"):
            fp += data["fp"]
        elif kind == "fight_paid":
            fp -= 1
        if kind == "hunted":
            steaks += data["taken"] - data["converted"]
        if kind in ("cave_scored", "camped", "bear_put"):
            sp += data["sp"]
        if kind == "token_claimed":
            claimed.append(data["scene"])
        elif kind == "token_played":
            spent.append(data["scene"])
        if kind == "laid" and data["how"] != "feast":
            still_open = [each["scene"] for each in data["connected"]]
        elif kind == "laid":
            used = ["feast"]
        elif kind == "token_claimed":
            used = ["ritual"] if data["by"] == "ritual" else []
        elif kind == "declined":
            used = data["scenes"]
        elif kind in _USED_BY:
            used = [_USED_BY[kind]]
        still_open = [scene for scene in still_open if scene not in used]
    kinds = [event["kind"] for event in events]
    if kinds and kinds[0] in ("token_played", "hunted") and "took" not in kinds:
        spent, steaks = [], 0
    for scene in (Counter(claimed) & Counter(spent)).elements():
        claimed.remove(scene)
        spent.remove(scene)
    return Gain(fp, sp, steaks, claimed, spent, still_open)


def brought(events: Iterable[Plain]) -> Points:
    """Food that the places of these events bring, or else shelter."""
    fp = sp = 0
    for event in events:
        kind, data = event["kind"], event["data"]
        if kind == "laid":
            fp += data["fp"]
        elif kind == "fight_paid":
            fp -= 1
        elif kind in ("cave_scored", "bear_put"):
            sp += data["sp"]
    return Points(count=fp or sp, kind="fp" if fp else "sp" if sp else "")


def filled(events: Iterable[Plain]) -> Iterator[tuple[Seat, str]]:
    """The places that events have filled: tiles on one's own board, bears on others'."""
    for event in events:
        data = event["data"]
        if event["kind"] == "laid":
            yield event["seat"], data["first"]
            yield event["seat"], data["second"]
        elif event["kind"] == "bear_put":
            yield data["board"], data["square"]


class BoardFacts(NamedTuple):
    """All that is told of a board: tiles filled last, of the tribe that lives there (`whole`: all
    of them), of those before it; bears put there last; caves that no tile covers; the waterfalls
    with a token, each with it.
    """

    new: list[Plain]
    tribe: list[Plain]
    abandoned: list[Plain]
    whole: bool
    new_bears: list[str]
    open_caves: list[Plain]
    waterfalls: list[tuple[str, str]]


def facts(board: Plain, last: Collection[str], *, once: bool = False) -> BoardFacts:
    """Sort what is told of a board. `once` lists a new tile as such only."""
    tiles, under = board["tiles"], covered(board)
    new = [tile for tile in tiles if tile["first"] in last or tile["second"] in last]
    tribe = [tile for tile in tiles if tile["tribe"] == board["tribe"]]
    abandoned = [tile for tile in tiles if tile["tribe"] != board["tribe"]]
    whole = not once or not any(tile in new for tile in tribe)
    if once:
        tribe = [tile for tile in tribe if tile not in new]
        abandoned = [tile for tile in abandoned if tile not in new]
    return BoardFacts(
        new,
        tribe,
        abandoned,
        whole,
        [place for place in board["bears"] if place in last],
        [cave for cave in board["caves"] if cave["name"] not in under],
        [(place, token) for place, token in board["waterfalls"].items() if token],
    )


class Lead(NamedTuple):
    """The seats in front, with the score each of them has, and how many points more that is than
    the best of the others has, who are `next` (0 and none where nobody else plays).
    """

    seats: list[Seat]
    score: int
    by: int
    next: list[Seat]


def lead(view: Plain, winners: Collection[Seat] = ()) -> Lead:
    """Compare the scores (S§12.2). Those in front are the `winners` where a match has some."""
    scores = [min(player["fp"], player["sp"]) for player in view["players"]]
    seats = sorted(winners) or [seat for seat, score in enumerate(scores) if score == max(scores)]
    others = [seat for seat in range(len(scores)) if seat not in seats]
    best = max((scores[seat] for seat in others), default=0)
    score = scores[seats[0]]
    behind = [seat for seat in others if scores[seat] == best]
    return Lead(seats, score, score - best if others else 0, behind)


class Numbers(NamedTuple):
    """A whole match of one player."""

    tiles: int
    caves: int
    tokens: int
    bears: int
    tribes_left: int


def kinds(tiles: Sequence[str]) -> frozenset[str]:
    """The tiles without the numbers of their copies."""
    return frozenset(tile.partition(".")[0] for tile in tiles)


def likely_cave(view: Plain, seat: Seat, turn: Sequence[Plain] = ()) -> Plain | None:
    """An open cave of the seat with a token: the one that this `turn` enters, else one that a tile
    of its pool may enter where there is one, of those the one that shelters most. None if it has
    no such cave.
    """
    player = view["players"][seat]
    entered = {each["first"] for each in turn if "first" in each}
    entered |= {each["second"] for each in turn if "second" in each}
    pairs = [scenes(item["tile"]) for item in player["pool"]]
    ways = {*pairs, *((other, one) for one, other in pairs)}
    caves = [cave for cave in facts(player["board"], ()).open_caves if cave["token"]]

    def enters(cave: Plain) -> bool:
        bars = "picking" if _is_plain(player["board"], cave["entrance"]) else ""  # S§5.4
        return any(inside == cave["token"] and before != bars for inside, before in ways)

    return max(
        caves,
        key=lambda cave: (cave["name"] in entered, enters(cave), cave["high"]),
        default=None,
    )


def _is_plain(board: Plain, square: str) -> bool:
    row: str = board["rows"][int(square[1]) - 1]
    return row.split()["ABCDEFGH".index(square[0])].startswith("p")


def numbers(view: Plain, seat: Seat) -> Numbers:
    """Count what a player has done in a match."""
    player = view["players"][seat]
    board, under = player["board"], covered(player["board"])
    return Numbers(
        len(board["tiles"]),
        sum(cave["name"] in under for cave in board["caves"]),
        len(player["claimed"]) + len(player["used"]),
        len(board["bears"]),
        board["tribe"],
    )


def shown_seat(view: Plain, reader: Seat | None, asked: Seat | None = None) -> Seat:
    """The seat whose valley is the big one: as asked for, the reader's, or whose turn it is."""
    for seat in (asked, reader, view["to_move"]):
        if seat is not None:
            return int(seat)
    return 0


def from_stack(view: Plain) -> int:
    """The number of unknown tiles that will come to the common pool: it holds five (S§10.3)."""
    missing: int = min(5 - len(view["common"]), view["stack"])
    return max(0, missing)


def ranked(view: Plain) -> list[int]:
    """The seats from the best on once the match is over, with who is out last (S§12.2); until then
    in their order.
    """
    seats = list(range(len(view["players"])))
    if view["to_move"] is not None:
        return seats

    def rank(seat: int) -> tuple[bool, int, int]:
        player = view["players"][seat]
        return player["out"], -min(player["fp"], player["sp"]), seat

    return sorted(seats, key=rank)


def turns_left(view: Plain) -> int | None:
    """The number of turns yet for everybody who is not out, with the round that is begun; 0 in
    the last round, None at the end. A turn takes a tile out of the stack and the common pool, with
    two players two (S§10, S§12.1, S§13). It is about so many, for a feast takes one more.
    """
    if view["to_move"] is None:
        return None
    tiles: int = view["stack"] + len(view["common"])
    if view["ending"] or not tiles:
        return 0
    count = len(view["players"])
    playing: int = sum(not player["out"] for player in view["players"])
    begun: int = (view["to_move"] - view["first"]) % count
    turns: int = begun + ((tiles + 1) // 2 if count == 2 else tiles)
    return (turns + playing - 1) // playing
