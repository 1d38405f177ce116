"""The facts that words are made of: sentences of a story, the valley hex by hex, orders as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import msgspec

from engine.kit.plans.alternatives import If
from engine.kit.presentation import BoardTable, Piece, Plain, Square
from engine.kit.telling import Sentence, sentences
from engine.mammoths import actions as do
from engine.mammoths.components import CAMPS_TO_WIN, Hex, board
from engine.mammoths.notation.grammar import write_condition
from engine.mammoths.notation.writing import write
from engine.mammoths.presentation.valley import standing
from engine.protocol import Seat

LISTED: Final = frozenset(
    ("herd_arrived", "herd_moved", "herd_held", "hex_closed", "hex_frozen", "field_lost",
     "herd_returned", "counter_returned", "child_born")
)  # fmt: skip
"""Events of which one sentence tells several, of one tribe if they are a tribe's."""


_UNSAID: Final = frozenset(
    ("move_began", "season_turned", "fight_began", "round_rolled", "birth_rolled")
)
"""Events that what follows them says better."""
_CAUSED: Final = frozenset(
    (("animal_killed", "combat"), ("field_lost", "harvest"), ("camp_lost", "conquered"))
)
"""Events with the causes that what goes before them tells."""
_AT_HOME: Final = frozenset(("survival", "births", "dusk"))
"""Chapters in which each tribe is by itself."""


def _is_said(event: Plain) -> bool:
    """False for what another event of the same moment says better."""
    kind, data = event["kind"], event["data"]
    if kind == "move_done":
        return not data["lines"]
    cause = data.get("cause")
    pack = kind == "event_hit" and data["card"] == "N03" and not data["protected"]
    return kind not in _UNSAID and (kind, cause) not in _CAUSED and not pack


def repeated(events: Sequence[Plain]) -> list[tuple[Plain, bool]]:
    """The deeds of a sentence, each with whether the one before it has the same verb. Of losses
    with one cause the last tells it; camps of one kind are one deed."""
    found: list[tuple[Plain, bool]] = []
    for before, event, after in zip(({}, *events), events, (*events[1:], {}), strict=False):
        lost = _verb(event) == _verb(after) == "lost"
        if lost and event["data"]["cause"] == after["data"]["cause"]:
            event = {**event, "data": {**event["data"], "cause": ""}}
        camps = event["kind"] == "camp_founded" == before.get("kind")
        if camps and before["data"]["kind"] == event["data"]["kind"]:
            hexes = (*found.pop()[0]["data"]["hexes"], *event["data"]["hexes"])
            event = {**event, "data": {**event["data"], "hexes": hexes}}
        found.append((event, _verb(before) == _verb(event)))
    return found


def _verb(event: Plain) -> object:
    return "lost" if event.get("kind") in _LOSSES else event.get("kind")


def _with_blows(events: Sequence[Plain]) -> list[Plain]:
    """The events with who is gone told by what took their last pawn: its `sex`, where, and a tribe
    (`by`) or herd (`herd`) in a fight. Where the game has ended nobody comes back (M§15.9)."""
    over = any(event["kind"] == "game_ended" for event in events)
    found: list[Plain] = []
    last: dict[Seat, Plain] = {}
    sides: Plain = {}
    for event in events:
        kind, seat, data = event["kind"], event["seat"], event["data"]
        if kind == "fight_began":
            sides = data
        elif kind == "women_captured":
            last[data["victim"]] = {"sex": "f", "by": seat, "captured": True, **data}
        elif kind == "pawn_lost" and data["cause"] == "combat" and sides:
            herd = [(sides["against"], number) for who, number in sides["sides"] if who is None]
            by = next((who for who, _ in sides["sides"] if who not in (None, seat)), None)
            last[seat] = {"by": by, "herd": herd[0] if herd else None, **data}
        elif kind == "pawn_lost":
            last.pop(seat, None)
        elif kind == "tribe_out":
            blow = {"blow": last[seat]} if seat in last else {}
            event = {**event, "data": {**blow, **data, "due": data["due"] and not over}}
        found.append(event)
    return found


_CLOSING: Final = {"S05": "closed", "S06": "closed", "S07": "closed", "N04": "frozen"}
"""What becomes of every hex that such an event strikes."""
_LOSSES: Final = ("pawn_lost", "camp_lost")
_SHUT: Final = ("hex_closed", "hex_frozen")
_GONE: Final = (*_SHUT, "herd_returned")


def _with_strokes(events: Iterable[Plain], me: Seat | None) -> list[Plain]:
    """The events with what each event card did told together: what it cost the reader (`loud`)
    before the others. Its name has been told: it is no `cause`. A camp is lost with its pawns.
    """
    found: list[Plain] = []
    rest = list(events)
    while rest:
        event = rest.pop(0)
        found.append(event)
        if event["kind"] != "event_hit":
            continue
        card = event["data"]["card"]
        closing = _CLOSING.get(card, "")
        done: list[Plain] = []
        while rest and (rest[0]["kind"] in _GONE or rest[0]["data"].get("cause") == card):
            done.append(rest.pop(0))
        took = any(each["seat"] == me or each["kind"] == "field_lost" for each in done)
        facts = {"closing": closing, "spared": me is not None and not took}
        found[-1] = {**event, "data": {**facts, **event["data"]}}
        done = _gathered(each for each in done if not closing or each["kind"] not in _SHUT)
        for each in sorted(done, key=lambda e: (e["seat"] is None, e["seat"] != me, e["seat"])):
            data, last = dict(each["data"]), found[-1]
            if data.get("cause") == card:
                data["cause"] = ""
            pawns = each["kind"] == "camp_lost" and last["kind"] == "pawn_lost"
            if pawns and (last["seat"], last["data"]["hexes"]) == (each["seat"], data["hexes"]):
                data = {**found.pop()["data"], **data}
            found.append({**each, "data": data, "loud": each["seat"] == me is not None})
    return found


def _gathered(events: Iterable[Plain]) -> list[Plain]:
    """The pawns that a tribe loses one after the other to one cause, and those born to it, as an
    event a hex: `w`, `f`."""
    found: list[Plain] = []
    pawns: dict[tuple[Any, ...], Plain] = {}
    for event in events:
        kind, data = event["kind"], event["data"]
        if kind not in ("pawn_lost", "child_born") or "w" in data:
            pawns.clear()
            found.append(event)
            continue
        them = (kind, event["seat"], data.get("cause"), *data["hexes"])
        if them not in pawns:
            pawns[them] = {**event, "data": {**data, "w": 0, "f": 0}}
            found.append(pawns[them])
        pawns[them]["data"][data["sex"]] += 1
    return found


def concerned(event: Plain) -> Collection[Seat]:
    """The seats that an event names, or that have somebody on or beside its hexes (M§25.2); of
    what a tribe does at home only those that it is announced to. Who settles where explains the
    wish that others get, and all ask where an event struck."""
    if event["kind"] in ("turn_began", "tribe_announced", "event_hit", "settled_down"):
        return range(6)
    if event.get("chapter") in _AT_HOME and event["seat"] is not None:
        return ()
    return tuple(event["data"].get("concerns", ()))


_NEWS: Final = frozenset(("begun", "event_drawn", "camp_conquered", "tribe_out", "tribe_reentered"))
"""Events that everybody is told, wherever they are."""


class Change(NamedTuple):
    """The changes of a tribe: pawns gained, born and lost by sex, with the `causes` of losses, of
    fights with their hexes, hexes of camps founded and lost, and where it has `moved`. Its food
    stands in its row of the picture."""

    seat: Seat
    gained: Counter[str]
    born: Counter[str]
    lost: Counter[str]
    causes: Counter[tuple[str, tuple[Hex, ...]]]
    founded: list[Hex]
    abandoned: list[Hex]
    moved: list[Plain]


def summary(events: Iterable[Plain]) -> tuple[list[Plain], list[Change]]:
    """The story as it is told to somebody whom it does not concern: the events that everybody is
    told, and what became of each tribe."""
    news: list[Plain] = []
    found: dict[Seat, Change] = {}

    def of(seat: Seat) -> Change:
        gained, born, lost = (Counter[str]() for _ in range(3))
        return found.setdefault(seat, Change(seat, gained, born, lost, Counter(), [], [], []))

    for event in events:
        kind, seat, data = event["kind"], event["seat"], event["data"]
        news += [event] if kind in _NEWS else []
        match kind:
            case "pawn_lost":
                of(seat).lost[data["sex"]] += 1
                where = tuple(data["hexes"]) if data["cause"] == "combat" else ()
                of(seat).causes[data["cause"], where] += 1
            case "child_born":
                of(seat).born[data["sex"]] += 1
            case "pawn_joined":
                of(seat).gained[data["sex"]] += 1
            case "women_captured":
                of(seat).gained["f"] += data["joined"]
                of(data["victim"]).lost["f"] += data["joined"] + data["died"]
                of(data["victim"]).causes["captured", ()] += 1
            case "pawns_moved":
                of(seat).moved.append(data)
            case "camp_founded":
                of(seat).founded.append(data["hexes"][0])
            case "camp_lost":
                of(seat).abandoned.append(data["hexes"][0])
    return news, [found[seat] for seat in sorted(found)]


def told(events: Sequence[Plain], own: Collection[str], me: Seat | None = None) -> list[Sentence]:
    """The sentences of a story. Kinds in `own` are sentences by themselves, or lists; of others
    those of one seat that follow each other go together."""
    said = _gathered(filter(_is_said, _with_strokes(_with_blows(events), me)))
    found: list[Sentence] = []
    for lists, run in groupby(said, lambda event: event["kind"] in LISTED):
        if lists:
            kinds: dict[tuple[str, Seat | None], list[Plain]] = {}
            for event in run:
                kinds.setdefault((event["kind"], event["seat"]), []).append(event)
            found += (Sentence(None, False, tuple(some)) for some in kinds.values())
        else:
            found += sentences(run, own)
    return found


_ROLLED: Final = frozenset(("fight_began", "round_rolled"))
_THERE: Final = frozenset(("trick_played", "camp_conquered", "women_captured", "hunt_paid"))
"""Deeds of a fight that are told without its hex, which is told first."""


class Rolls(NamedTuple):
    """A fight with dice, against animals or of tribes: its sides with their fighters, None the
    animals, and the rounds rolled."""

    hex: Hex
    against: str
    sides: Sequence[tuple[Seat | None, int]]
    rounds: list[Plain]

    @property
    def left(self) -> list[Seat | None]:
        """The sides that did not lose the last round."""
        last = self.rounds[-1]
        return [side["seat"] for side in last["sides"] if side["seat"] not in last["losers"]]


def dice(events: Iterable[Plain]) -> list[Rolls]:
    """Every number that was rolled in fights (M§25.4)."""
    found: list[Rolls] = []
    for event in events:
        data = event["data"]
        if event["kind"] == "fight_began":
            found.append(Rolls(data["hexes"][0], data["against"], data["sides"], []))
        elif event["kind"] == "round_rolled":
            found = found or [Rolls(data["hexes"][0], "", (), [])]
            found[-1].rounds.append(data)
    return [fight for fight in found if fight.rounds]


class Place(NamedTuple):
    """The story of one place: the `hex` of a whole fight with how it `opened`, the outcome as its
    `events` and the `rolled` dice; or 0, and events as they are, `loud` if they hurt the reader."""

    hex: Hex
    events: list[Plain]
    rolled: list[Rolls]
    loud: bool = False
    opened: Plain | None = None


def places(events: Sequence[Plain], me: Seat | None = None) -> list[Place]:
    """A story place by place. Who is gone is not told the end of a fight."""
    runs: list[list[Plain]] = [[]]
    for event in _with_strokes(_with_blows(events), me):
        if event["kind"] == "location_opened":
            runs.append([])
        runs[-1].append(event)
        if event["kind"] == "location_closed":
            runs.append([])
    found = []
    for run in filter(None, runs):
        if run[0]["kind"] == "location_opened":
            at = run[0]["data"]["hexes"][0]
            found.append(Place(at, _outcome(run), dice(run), opened=run[0]))
        else:
            parts = groupby(run, lambda event: bool(event.get("loud")))
            found += [Place(0, list(some), [], loud) for loud, some in parts]
    return found


def _outcome(fight: Sequence[Plain]) -> list[Plain]:
    """The deeds of a fight without its hex, each thing once, and who has `fallen`; last, who is
    gone. Who holds the hex is not said where a deed of theirs tells it."""
    paid = {event["data"]["species"] for event in fight if event["kind"] == "hunt_paid"}
    won = {each["seat"] for each in fight if each["kind"] in ("hunt_paid", "camp_conquered")}
    fallen: dict[Seat, Counter[str]] = {}
    rest: list[Plain] = []
    for event in fight[1:]:
        kind, data = event["kind"], event["data"]
        cause = data.get("cause")
        if (kind, cause) == ("pawn_lost", "combat"):
            fallen.setdefault(event["seat"], Counter())[data["sex"]] += 1
        elif kind == "animal_killed" and data["species"] in paid:
            continue
        elif kind not in (*_ROLLED, "location_closed") and cause != "loot":
            hexes = () if kind in _THERE else data["hexes"]
            rest.append({**event, "data": {**data, "hexes": hexes}})
    dead = [(seat, fallen[seat]["w"], fallen[seat]["f"]) for seat in sorted(fallen)]
    holder = fight[-1]["data"].get("holder")
    held = fight[-1]["kind"] == "location_closed" and holder not in won
    data = {"hexes": (), "holder": holder, "fallen": dead, "held": held}
    rest += [{**fight[-1], "kind": "location_closed", "seat": None, "data": data}] * bool(
        dead or held
    )
    return sorted(rest, key=lambda event: bool(event["kind"] == "tribe_out"))


_WEIGHTY: Final = (
    "tribe_out", "camp_conquered", "tribe_announced", "tribe_reentered", "camp_founded",
)  # fmt: skip


def weightiest(events: Iterable[Plain]) -> Plain | None:
    """The event that an inbox shows of a turn; None if there is none that is news."""
    news = [event for event in events if event["kind"] in _WEIGHTY]
    return min(news, key=lambda event: _WEIGHTY.index(event["kind"]), default=None)


class Deciding(NamedTuple):
    """The seats with four camps twice, the winner first; which of camps, pawns and food tells the
    second apart (None: nothing, or there is no second), and these two numbers."""

    seats: list[Seat]
    by: int | None = None
    one: int = 0
    other: int = 0


def deciding(view: Plain) -> Deciding:
    """The number that decided a match that ended by camps (M§15.4, M§15.5)."""
    tribes, fire_rules = view["tribes"], view["options"]["fire_rules"]
    held = [
        row
        for row in view["rows"]
        if row["score"][0] >= CAMPS_TO_WIN
        and tribes[row["seat"]]["announced"]
        and (tribes[row["seat"]]["fire"] or not fire_rules)
    ]
    seats = [row["seat"] for row in held]
    scores = [row["score"] for row in held[:2]]
    for by, (one, *others) in enumerate(zip(*scores, strict=True)):
        if others and one != others[0]:
            return Deciding(seats, by, one, others[0])
    return Deciding(seats)


def contenders(view: Plain) -> list[tuple[Seat, int, bool]]:
    """Tribes that may win by camps: how many each has, whether this turn decides (M§15.4)."""
    tribes = () if view["rows"] else view["tribes"]
    return [
        (seat, tribe["camps"], tribe["announced"])
        for seat, tribe in enumerate(tribes)
        if tribe["camps"] >= CAMPS_TO_WIN
    ]


def out_of_reach(view: Plain, me: Seat, actions: Iterable[Plain]) -> list[Seat]:
    """Other tribes that may win by camps, and none of whose camps one of these moves ends on."""
    camps = {camp["hex"]: camp["seat"] for camp in view["camps"]}
    reached = {camps.get(each["path"][-1]) for each in actions if each["do"] == "move"}
    return [seat for seat, *_ in contenders(view) if seat not in (me, *reached)]


def is_dry(view: Plain, at: Hex) -> bool:
    """True if there is no fish this turn where there is some without an event (M§11.1)."""
    place = board(view["board"]).places[at]
    return place.has_water and view["event"] in (("N02",) if place.lakeside else ("N01", "N02"))


def runs(letters: str) -> list[tuple[str, int]]:
    """The letters of a plan of losses as they follow each other: `wwf` is two w, then an f."""
    return [(letter, len(list(run))) for letter, run in groupby(letters)]


def told_hexes(view: Plain) -> list[Hex]:
    """All hexes on which something is, or that are closed, by their number; all land as long as
    everybody looks for a first camp."""
    if view["phase"] == "setup":
        return list(board(view["board"]).land)
    return sorted({*standing(view), *view["frozen"], *(each["hex"] for each in view["closed"])})


def squares(view: Plain) -> list[Square]:
    """Those hexes one by one."""
    return [_square(view, at) for at in told_hexes(view)]


def lying(view: Plain, first: Seat | None) -> list[tuple[Seat, list[tuple[Hex, int, int, str]]]]:
    """The pawns and the kind of the camp of each tribe by hex, those of one of them first."""
    valley = board(view["board"])
    camps = {camp["hex"]: camp["seat"] for camp in view["camps"]}
    there: dict[Seat, list[tuple[Hex, int, int, str]]] = {}
    for group in view["groups"]:
        seat, at = group["seat"], group["hex"]
        camp = valley.camp_on(at) if camps.get(at) == seat else ""
        there.setdefault(seat, []).append((at, group["w"], group["f"], camp))
    seats = sorted(there, key=lambda seat: (seat != first, seat))
    return [(seat, sorted(there[seat])) for seat in seats]


def board_tables(view: Plain) -> tuple[BoardTable, ...]:
    """The valley as a table: what lies on each hex, and its neighbours."""
    hexes = board(view["board"]).hexes
    squares = tuple((_square(view, at),) for at in hexes)
    return (BoardTable(columns=("here",), rows=tuple(map(str, hexes)), squares=squares),)


def _square(view: Plain, at: Hex) -> Square:
    valley = board(view["board"])
    place = valley.places[at]

    def there(things: str) -> list[Plain]:
        return [each for each in view[things] if each["hex"] == at]

    lies = [("tribe", f"{each['seat']}.{each['w']}.{each['f']}") for each in there("groups")]
    for camp in there("camps"):
        lies += [("camp", str(camp["seat"])), *[("palisade", "")] * camp["palisade"]]
    lies += [("fire", "") for tribe in view["tribes"] if tribe["fire"] == at]
    lies += [("field", str(each["ears"])) for each in there("fields")]
    lies += [("herd", f"{each['species']}.{len(each['counters'])}") for each in there("herds")]
    lies += [("neutral", "") for each in view["neutral"] if each and each[1] == at]
    lies += [("closed", each["cause"]) for each in there("closed")]
    lies += [("frozen", "")] * (at in view["frozen"])
    for near in sorted(place.neighbours):
        lies.append(("across" if valley.river_between(at, near) else "beside", str(near)))
    ground = f"{place.terrain}.{place.region}.{place.letter}" if place.region else place.terrain
    pieces = tuple(Piece(kind=kind, look=look) for kind, look in lies)
    return Square(place=str(at), ground=ground, lies=pieces)


_GROUNDS: Final = ("plain", "forest", "mountain", "lake")


def ground(view: Plain) -> list[tuple[str, list[str]]]:
    """The hexes that are not told by terrain, with regions and border letters: "24 (2A)"."""
    valley = board(view["board"])
    told = told_hexes(view)
    found: dict[str, list[str]] = {}
    for place in (valley.places[at] for at in valley.hexes if at not in told):
        region = f" ({place.region}{place.letter})" if place.region else ""
        found.setdefault(place.terrain, []).append(f"{place.hex}{region}")
    return [(terrain, found[terrain]) for terrain in _GROUNDS if terrain in found]


def rivers(view: Plain) -> list[str]:
    """The sides with a river: "33/34"."""
    return [f"{one}/{other}" for one, other in board(view["board"]).rivers()]


def volcanoes(view: Plain) -> list[tuple[Hex, tuple[Hex, ...]]]:
    """Volcanoes with their lava hexes."""
    return sorted(board(view["board"]).lava.items())


def written(action: Plain, lang: str) -> str:
    """An order as its player writes it, on one line."""
    order: Any = do.Action
    return write(msgspec.convert(action, order), lang)


def conditions(plans: Iterable[Plain], lang: str) -> list[tuple[str, Plain]]:
    """Each condition of these plans once, behind how it is written."""
    stated = (one for plan in plans for way in plan["alternatives"] for one in way["conditions"])
    return list({stopper({"why": "unmet", "what": one}, lang): one for one in stated}.items())


def named(lines: Iterable[Plain]) -> list[Hex]:
    """The hexes that lines of a move name, ascending."""
    read: Any = do.Line
    return sorted({at for each in msgspec.convert(lines, list[read]) for at in do.hexes_of(each)})


def stopper(found: Plain, lang: str) -> str:
    """The condition or line of a plan that did not hold, as it is written."""
    if found["why"] == "unmet":
        return write_condition(msgspec.convert(found["what"], If[do.Condition]), lang)
    return written(found["what"], lang)
