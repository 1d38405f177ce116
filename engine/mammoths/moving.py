"""The lines of a move: what is legal, and what each does (M§8, M§9, M§14.5, M§16.2).

A move is made line by line on a table; the lines before are in the state (`Moving`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise
from operator import itemgetter
from typing import Any, Final

from msgspec.structs import replace

from engine.mammoths.actions import Card, Found, Line, Move, TakeFire
from engine.mammoths.components import PALISADES, TRICKS, Board, Hex
from engine.mammoths.errors import illegal
from engine.mammoths.state import Camp, Track
from engine.mammoths.table import Table
from engine.protocol import IllegalAction, Seat

STEPS: Final = 2
RAFT: Final = 4
MARCH: Final = 5
MARCH_WITH_FIRE: Final = 7


def play_line(table: Table, seat: Seat, line: Line) -> None:
    """Do one line. Raises IllegalAction, and then nothing is to be kept of the table."""
    table.breath()
    match line:
        case Move():
            _move(table, seat, line)
        case Found(hex=at):
            check_known(table.board, at)
            _found(table, seat, at, quick=False)
        case TakeFire():
            _take_fire(table, seat, line)
        case Card():
            _card(table, seat, line)
    moving = table.state.moving
    table.set(moving=replace(moving, lines=moving.lines + 1))


def finish(table: Table, seat: Seat, *, skipped: bool = False) -> None:
    """The move is whole: camps left without a woman are abandoned (M§8.6)."""
    moving = table.state.moving
    for at in table.camps_of(seat):
        if not table.at(at, seat)[1]:
            table.remove_camp(at, "abandoned")
    table.breath()
    table.tell("move_done", seat, lines=moving.lines, skipped=skipped)
    track = Track(seat=seat, starts=moving.starts, ends=moving.ends)
    table.set(moving=type(moving)(), tracks=(*table.state.tracks, track))


# Pawns


def unmoved(table: Table, at: Hex, seat: Seat) -> tuple[int, int]:
    """The warriors and women there that are in no line yet and need not stay."""
    w, f = table.at(at, seat)
    for where, gone_w, gone_f in (*table.state.moving.moved, *table.state.moving.pinned):
        if where == at:
            w, f = w - gone_w, f - gone_f
    return w, f


def route(table: Table, seat: Seat, path: tuple[Hex, ...]) -> tuple[int, IllegalAction | None]:
    """The number of pawns that may go this way, and the rule that more would break (M§8.3 to
    M§8.5). Raises IllegalAction if none may."""
    board, event, moving = table.board, table.state.event, table.state.moving
    start, end = path[0], path[-1]
    marches = dict(moving.marches).get(start, 0)
    most = 1 if event == "N06" else STEPS + 1 if marches else STEPS
    if len(path) - 1 > most:
        raise illegal("path_too_long", steps=len(path) - 1, most=most)
    if start in table.closed:
        raise illegal("start_closed", hex=start)
    if start in table.frozen:
        raise illegal("start_frozen", hex=start)
    rafts, floats = dict(moving.rafts).get(start, 0), False
    for number, (one, other) in enumerate(pairwise(path)):
        place = board.places[other]
        if other not in board.places[one].sides:
            raise illegal("bad_path", one=one, other=other)
        if other in path[: number + 1]:
            raise illegal("visited_twice", hex=other)
        if other in table.closed:
            raise illegal("hex_closed", hex=other)
        if place.terrain == "lake":
            if not rafts:
                raise illegal("into_lake", hex=other)
            if other == end:
                raise illegal("ends_on_lake", hex=other)
        if _floats(table, one, other):
            if not rafts:
                raise illegal("across_river", one=one, other=other)
            floats = True
        if place.terrain == "mountain":
            if event == "N07":
                raise illegal("mountains_barred", hex=other)
            if other != end and start not in moving.goats:
                raise illegal("mountain_stops", hex=other)
        opponents = table.opponents(other, seat)
        if other != end and opponents and table.count(other, seat) < opponents:
            left = table.count(other, seat)
            raise illegal("must_stay", hex=other, needed=opponents, left=left)
    limits: list[tuple[int, IllegalAction | None]] = [(99, None)]
    if floats:
        limits.append((rafts, illegal("across_river", one=start, other=end)))
    if len(path) - 1 > STEPS:
        limits.append((marches, illegal("path_too_long", steps=len(path) - 1, most=STEPS)))
    if opponents := table.opponents(start, seat):
        may_go = table.count(start, seat) - opponents
        left = max(0, may_go)
        limits.append((may_go, illegal("must_stay", hex=start, needed=opponents, left=left)))
    limit, error = min(limits, key=itemgetter(0))
    if limit < 1 and error is not None:
        raise error
    return limit, error


def _floats(table: Table, one: Hex, other: Hex) -> bool:
    """True for a step that takes a raft: into the lake, or over a river that is not frozen."""
    frozen = table.state.event == "N01"
    over = not frozen and table.board.river_between(one, other)
    return over or table.board.places[other].terrain == "lake"


def _move(table: Table, seat: Seat, line: Move) -> None:
    if line.w < 0 or line.f < 0 or line.w + line.f < 1:
        raise illegal("nobody_moves")
    check_known(table.board, *line.path)
    if len(line.path) < 2:
        raise illegal("bad_path", one=line.path[0] if line.path else 0, other=0)
    start, end = line.path[0], line.path[-1]
    w, f = unmoved(table, start, seat)
    if line.w > w or line.f > f:
        raise illegal("too_few_pawns", hex=start, w=w, f=f)
    limit, error = route(table, seat, line.path)
    number = line.w + line.f
    if number > limit and error is not None:
        raise error
    table.shift(seat, start, end, line.w, line.f)
    moving = table.state.moving
    floats = any(_floats(table, one, other) for one, other in pairwise(line.path))
    table.set(
        moving=replace(
            moving,
            moved=_added(moving.moved, end, line.w, line.f),
            rafts=_used(moving.rafts, start, number if floats else 0),
            marches=_used(moving.marches, start, number if len(line.path) - 1 > STEPS else 0),
            starts=tuple(sorted({*moving.starts, start})),
            ends=tuple(sorted({*moving.ends, end})),
        )
    )
    table.tell("pawns_moved", seat, (start, end), w=line.w, f=line.f, path=line.path)


def _added(
    pawns: tuple[tuple[Hex, int, int], ...], at: Hex, w: int, f: int
) -> tuple[tuple[Hex, int, int], ...]:
    counts = {where: (a, b) for where, a, b in pawns}
    a, b = counts.get(at, (0, 0))
    counts[at] = (a + w, b + f)
    return tuple((where, *counts[where]) for where in sorted(counts))


def _used(left: tuple[tuple[Hex, int], ...], at: Hex, number: int) -> tuple[tuple[Hex, int], ...]:
    return tuple((where, n - number if where == at else n) for where, n in left)


def _pin(table: Table, at: Hex, w: int, f: int) -> None:
    moving = table.state.moving
    table.set(moving=replace(moving, pinned=_added(moving.pinned, at, w, f)))


# Camps, fire


def _check_found(table: Table, seat: Seat, at: Hex, *, quick: bool) -> None:
    if not table.is_free(at, seat):
        raise illegal("not_free", hex=at)
    if at in table.camps:
        raise illegal("camp_there", hex=at)
    if min(table.at(at, seat) if quick else unmoved(table, at, seat)) < 1:
        raise illegal("no_pair", hex=at)
    if not table.camp_markers(seat):
        raise illegal("no_camp_marker")


def ready(table: Table, seat: Seat) -> list[Hex]:
    """The hexes on which a tribe may found a camp now (M§9.1)."""
    here = table.hexes_of(seat)
    return [at for at in here if allows(_check_found, table, seat, at, quick=False)]


def _found(table: Table, seat: Seat, at: Hex, *, quick: bool) -> None:
    """One warrior and one woman settle; `quick` though they moved (M§9.1, T19)."""
    _check_found(table, seat, at, quick=quick)
    there, resting = table.at(at, seat), unmoved(table, at, seat)
    # Of a pair that settles quickly, those that have moved stay anyway.
    pinned = [1 if not quick or there[kind] == resting[kind] else 0 for kind in (0, 1)]
    if any(pinned):
        _pin(table, at, pinned[0], pinned[1])
    table.camps[at] = Camp(hex=at, seat=seat)
    table.tell("camp_founded", seat, (at,), kind=table.board.camp_on(at), quick=quick)


def fire_at(table: Table, seat: Seat, at: Hex) -> bool:
    """True if a pawn there may take fire now (M§16.2)."""
    if not table.count(at, seat) or table.opponents(at, seat):
        return False
    volcano = table.board.places[at].volcano and at not in table.closed
    return _burns(table, at) or (volcano and any(unmoved(table, at, seat)))


def _burns(table: Table, at: Hex) -> bool:
    """True where lava glows, and beside a burning forest."""
    near = table.board.places[at].neighbours
    return at in table.state.embers or any(table.closed.get(side) == "burn" for side in near)


def _take_fire(table: Table, seat: Seat, line: TakeFire) -> None:
    check_known(table.board, line.hex)
    if not table.options.fire_rules:
        raise illegal("no_fire_rules")
    if table.has_fire(seat):
        raise illegal("has_fire")
    if not table.camps_of(seat):
        raise illegal("no_camp_for_fire")
    if line.camp and not table.owns_camp(line.camp, seat):
        raise illegal("not_own_camp", hex=line.camp)
    if not fire_at(table, seat, line.hex):
        raise illegal("no_fire_there", hex=line.hex)
    burning = _burns(table, line.hex)
    if not burning:
        # Who takes it on a volcano does not move this turn.
        w, f = unmoved(table, line.hex, seat)
        _pin(table, line.hex, int(w >= f), int(w < f))
    table.give_fire(seat, "burning" if burning else "volcano", line.camp)


# Tricks of the window M


def _card(table: Table, seat: Seat, card: Card) -> None:
    check_card(table, seat, card)
    title, moving, fire = card.title, table.state.moving, table.has_fire(seat)
    target = card.hexes if card.tribe is None else card.tribe
    table.play_card(seat, title, card.hexes, target, card.drop)
    at = card.hexes[0] if card.hexes else 0
    match title:
        case "T01":
            table.camps[at] = replace(table.camps[at], palisade=True)
            table.tell("palisade_built", seat, (at,))
        case "T02" | "T03":
            kind, sex = (0, "w") if title == "T02" else (1, "f")
            table.add(at, seat, w=1 - kind, f=kind)
            table.neutral[kind] = (seat, at)
            table.tell("pawn_joined", seat, (at,), sex=sex)
            if title == "T03" and table.options.fire_rules and not fire:
                table.give_fire(seat, "T03")
        case "T05":
            table.set(moving=replace(moving, rafts=(*moving.rafts, (at, RAFT))))
        case "T06":
            number = MARCH_WITH_FIRE if fire else MARCH
            table.set(moving=replace(moving, marches=(*moving.marches, (at, number))))
        case "T07":
            table.set(moving=replace(moving, goats=(*moving.goats, at)))
        case "T16":
            _rob(table, seat, card)
        case "T18":
            _seed(table, seat, card.hexes)
        case "T19":
            _found(table, seat, at, quick=True)


def check_named(hand: Sequence[str], card: Card) -> None:
    """Raises IllegalAction for a trick that is not in this hand, or a target that it never has."""
    title, robs = card.title, card.title == "T16"
    if title not in TRICKS:
        raise illegal("no_such_title", title=title)
    if TRICKS[title].window != "M":
        raise illegal("wrong_window", title=title, window=TRICKS[title].window)
    if title not in hand:
        raise illegal("not_in_hand", title=title)
    most = 0 if robs else 2 if title == "T18" else 1
    named = bool(card.hexes) != robs and len(card.hexes) <= most and (card.tribe is None) != robs
    if not named or (card.fire and not robs):
        raise illegal("wrong_target", title=title)


def check_card(table: Table, seat: Seat, card: Card) -> None:
    """Raises IllegalAction for a trick that may not be played now."""
    title, state = card.title, table.state
    check_named(table.tribes[seat].hand, card)
    check_known(table.board, *card.hexes)
    _check_drop(table, seat, card)
    if title == "T16":
        _check_robbing(table, seat, card)
    elif title == "T18":
        # With fire T18 works on the last winter turn, too.
        late = state.last_turn and table.options.fire_rules and table.has_fire(seat)
        if state.season != "summer" and not late:
            raise illegal("wrong_season", title=title)
        ascending = list(card.hexes) == sorted(set(card.hexes))
        if not ascending or not set(card.hexes) <= set(sowable(table, seat)):
            raise illegal("wrong_target", title=title)
    elif title == "T19":
        _check_found(table, seat, card.hexes[0], quick=True)
    else:
        _check_on_hex(table, seat, title, card.hexes[0])


def _check_drop(table: Table, seat: Seat, card: Card) -> None:
    if not card.drop:
        return
    if not table.options.extra_discard:
        raise illegal("no_extra_discard")
    needed = 2 if card.drop == card.title else 1
    if table.tribes[seat].hand.count(card.drop) < needed:
        raise illegal("not_in_hand", title=card.drop)


def _check_on_hex(table: Table, seat: Seat, title: str, at: Hex) -> None:
    moving, own = table.state.moving, table.owns_camp(at, seat)
    used: dict[str, tuple[Hex, ...]] = {
        "T05": tuple(where for where, _ in moving.rafts),
        "T06": tuple(where for where, _ in moving.marches),
        "T07": moving.goats,
    }
    if title == "T06" and table.state.event == "N06":
        raise illegal("blizzard", title=title)
    if title in used:
        if not any(unmoved(table, at, seat)):
            raise illegal("wrong_target", title=title)
        if at in used[title]:
            raise illegal("used_here", title=title)
    elif not own and not (title == "T02" and _near_volcano(table, seat, at)):
        raise illegal("not_own_camp", hex=at)
    elif title == "T01":
        if table.camps[at].palisade:
            raise illegal("used_here", title=title)
        if sum(camp.palisade for camp in table.camps.values()) == PALISADES:
            raise illegal("no_marker", title=title)


def _near_volcano(table: Table, seat: Seat, at: Hex) -> bool:
    """With fire rules the lone hunter may come here, too (M§14.5)."""
    near = any(table.board.places[side].volcano for side in table.board.places[at].neighbours)
    return near and table.options.fire_rules and table.is_free(at, seat)


def victims(table: Table, seat: Seat) -> list[Seat]:
    """The tribes that T16 reaches: with a pawn on or beside a hex of the player's."""
    own = table.hexes_of(seat)
    reach = {near for at in own for near in (at, *table.board.places[at].neighbours)}
    found = {who for at in reach for who in table.pawns.get(at, ())}
    return sorted(found - {seat} - {*table.state.moving.robbed})


def _check_robbing(table: Table, seat: Seat, card: Card) -> None:
    victim = card.tribe
    if victim is None or victim not in range(len(table.tribes)):
        raise illegal("no_such_tribe", seat=-1 if victim is None else victim)
    if victim in table.state.moving.robbed:
        raise illegal("used_here", title="T16")
    if card.fire:
        has = table.options.fire_rules and table.has_fire(victim)
        worth_it = has and bool(table.camps_of(seat)) and not table.has_fire(seat)
    else:
        worth_it = table.tribes[victim].all_food > 0
    if victim not in victims(table, seat) or not worth_it:
        raise illegal("wrong_target", title="T16")


def _rob(table: Table, seat: Seat, card: Card) -> None:
    victim = card.tribe
    assert victim is not None
    moving = table.state.moving
    table.set(moving=replace(moving, robbed=tuple(sorted({*moving.robbed, victim}))))
    if card.fire:
        table.give_fire(seat, "T16")
        return
    food, farm = table.lose_food(victim, 3, "T16", (), seat)
    table.gain_told("food_gained", seat, food, farm, cause="T16", gained=food + farm)


def _seed(table: Table, seat: Seat, hexes: tuple[Hex, ...]) -> None:
    for at in hexes:
        table.sow(at, seat, 0)
    if table.state.season == "winter":
        table.set(sown=(*table.state.sown, seat))


def sowable(table: Table, seat: Seat) -> list[Hex]:
    """Own villages on plain without a field, ascending (M§13.1)."""
    places = table.board.places
    return [
        at
        for at in table.camps_of(seat)
        if places[at].terrain == "plain" and at not in table.fields and at not in table.closed
    ]


def check_known(board: Board, *hexes: Hex) -> None:
    """Raises IllegalAction for a hex that is not on the board."""
    for at in hexes:
        if at not in board.places:
            raise illegal("no_such_hex", hex=at)


# Everything that is legal


def legal_lines(table: Table, seat: Seat) -> Iterator[Line]:
    """Every legal line from here, in a fixed order."""
    for at in table.hexes_of(seat):
        w, f = unmoved(table, at, seat)
        if w + f:
            for path, limit in _routes(table, seat, at):
                for number_f in range(min(f, limit) + 1):
                    for number_w in range(not number_f, min(w, limit - number_f) + 1):
                        yield Move(w=number_w, f=number_f, path=path)
    yield from (Found(hex=at) for at in ready(table, seat))
    camps = table.camps_of(seat) if table.options.fire_rules and not table.has_fire(seat) else []
    for at in table.hexes_of(seat) if camps else ():
        if fire_at(table, seat, at):
            yield from (TakeFire(hex=at, camp=camp) for camp in (0, *camps))
    for title in sorted(set(table.tribes[seat].hand)):
        if TRICKS[title].window == "M":
            for card in _targets(table, seat, title):
                yield card
                for drop in _drops(table, seat, title):
                    yield replace(card, drop=drop)


def allows(check: Callable[..., None], *given: Any, **more: Any) -> bool:
    """True if a check of these raises no IllegalAction."""
    try:
        check(*given, **more)
    except IllegalAction:
        return False
    return True


def _routes(table: Table, seat: Seat, start: Hex) -> Iterator[tuple[tuple[Hex, ...], int]]:
    places = table.board.places

    @cache
    def sides(at: Hex) -> list[Hex]:
        """Hexes without opponents first: what is listed first is an example to beginners."""
        there = (near for near in places[at].neighbours if near not in table.closed)
        return sorted(there, key=lambda near: (table.opponents(near, seat) > 0, near))

    most = STEPS + bool(dict(table.state.moving.marches).get(start))
    paths: list[tuple[Hex, ...]] = [(start,)]
    for _ in range(most):
        longer = [(*path, to) for path in paths for to in sides(path[-1]) if to not in path]
        paths = []
        for path in longer:
            try:
                limit, _ = route(table, seat, path)
            except IllegalAction as error:
                # The others bar what goes on, too.
                if error.code == "ends_on_lake":
                    paths.append(path)
                continue
            paths.append(path)
            yield path, limit


def _drops(table: Table, seat: Seat, title: str) -> Iterable[str]:
    if not table.options.extra_discard:
        return ()
    hand = list(table.tribes[seat].hand)
    hand.remove(title)
    return sorted(set(hand))


def _targets(table: Table, seat: Seat, title: str) -> Iterator[Card]:
    """The plays of a trick that are legal."""
    named: Iterable[Card]
    if title == "T16":
        named = (
            Card(title=title, tribe=victim, fire=fire)
            for victim in victims(table, seat)
            for fire in (False, True)
        )
    elif title == "T18":
        fields = sowable(table, seat)
        pairs = (*((at,) for at in fields), *combinations(fields, 2))
        named = (Card(title=title, hexes=hexes) for hexes in pairs)
    else:
        near = {*table.hexes_of(seat), *table.camps_of(seat)}
        hexes = table.board.hexes if title == "T02" else sorted(near)
        named = (Card(title=title, hexes=(at,)) for at in hexes)
    return (card for card in named if allows(check_card, table, seat, card))
