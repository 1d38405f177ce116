"""A few thousand changes to records: verify and the referee refuse each, or both have a reason."""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from typing import Any

import pytest

from engine.bots import ask, chance_of
from engine.chance import SeededChance, seed_hash
from engine.fairness import Fairness, Part, commitment_of, seed_of
from engine.games import games
from engine.journal import Entry, ReplayError, begin, extend
from engine.leaving import Leaving
from engine.play import complete
from engine.record import BadRecord, decode, encode, export
from engine.verification import Unfinished, verify
from tests.referee.document import Unfinished as RefereeUnfinished
from tests.referee.document import read
from tests.referee.draws import Wrong
from tests.referee.mutations import Mutation, mutations, of_entries, put, ways, written
from tests.referee.sapiens import referee

SAPIENS = games()["sapiens"]
Plain = dict[str, Any]


def made(seats: int, upto: int | None, *leavings: Leaving) -> Plain:
    """A match of players, bots and the clock, with a seed made of parts, that these left; broken
    off after `upto` entries.
    """
    secret = bytes(range(seats, seats + 32))
    names = ["Ana", "Ben", "Zoé", "Dan"][:seats]
    parts = tuple(
        Part(seat=seat, name=names[seat], part=f"{seat:02x}" * 32) for seat in range(seats - 1)
    )
    seed = seed_of(secret, parts)
    setup, position = begin(SAPIENS, seats, SAPIENS.options_type(), seed, seed_hash(seed))
    entries: list[Entry] = []
    while (decisions := SAPIENS.decisions(position.state)) and len(entries) != upto:
        seat, decision, n = decisions[0].seat, decisions[0].id, len(entries) + 1
        left = any(each.seat == seat and each.after < n for each in leavings)
        cause = "bot:greedy" if left else ("player", "default", "bot:random")[n % 3]
        if cause == "default":
            spare = SeededChance(seed, position.next_draw)
            turn = complete(SAPIENS, position.state, seat, decision, spare)
        else:
            turn = ask(SAPIENS, "random", position.state, decisions[0], chance_of(seed, seat, n))
        entry, position, _ = extend(SAPIENS, position, seat, decision, turn, cause, seed)
        entries.append(entry)
    fairness = Fairness(commitment=commitment_of(secret), secret=secret.hex(), parts=parts)
    record = export(SAPIENS, setup, entries, seed, names, leavings, fairness)
    verify(record, games())
    plain: Plain = json.loads(encode(record))
    return plain


@cache
def left() -> Plain:
    """A short match that ended when somebody left: each change of it is played from its start."""
    return made(
        3,
        3,
        Leaving(seat=2, why="dropped", after=1),
        Leaving(seat=1, why="resigned", after=3),
    )


@cache
def whole() -> Plain:
    """A match that the rules ended."""
    return made(2, None)


def engine_says(data: bytes) -> str:
    try:
        verify(decode(data), games())
    except (BadRecord, ReplayError):
        return "refused"
    except Unfinished:
        return "unfinished"
    return "accepted"


def referee_says(data: bytes) -> str:
    try:
        referee(read(data))
    except RefereeUnfinished:
        return "unfinished"
    except Wrong:
        return "refused"
    return "accepted"


TRUSTED = {
    "names": "who played is not in the rules",
    "names.*": "who played is not in the rules",
    "fairness.parts.*.name": "who played is not in the rules",
    "fairness": "a seed may be said to be made of nothing; whoever has the commitment sees it",
    "entries.*.cause": "who decided is not in the rules, unless it is the clock",
    "leavings": "who left, and when, is not in the rules",
    "leavings.*": "who left, and when, is not in the rules",
    "leavings.*.seat": "who left, and when, is not in the rules",
    "leavings.*.after": "who left, and when, is not in the rules",
    "leavings.*.why": "who left, and when, is not in the rules",
}
"""Where a change may go unseen, and why (docs/record.md, "What nobody can verify")."""

NOT_BY_THE_REFEREE = "entries.*.text"
"""The referee reads no notation: what is done stands in `actions`."""

PARTS = range(7)
"""Parts of the changes, for processes to share."""


def name(mutation: Mutation) -> str:
    return ".".join(map(str, mutation.kind))


def judge(mutation: Mutation) -> None:
    ours, theirs = engine_says(mutation.data), referee_says(mutation.data)
    told = f"{mutation.where} {mutation.how}: {ours}, the referee: {theirs}"
    assert ours != "accepted" or name(mutation) in TRUSTED, told
    assert ours != "accepted" or theirs == "accepted", told
    assert ours == theirs or name(mutation).startswith(NOT_BY_THE_REFEREE), told


@pytest.mark.rarely
@pytest.mark.parametrize("part", PARTS)
def test_every_change_is_refused_or_has_a_reason(part: int) -> None:
    for mutation in islice(mutations(left()), part, None, len(PARTS)):
        judge(mutation)


@pytest.mark.rarely
@pytest.mark.parametrize("part", PARTS)
def test_every_change_of_order_and_causes_is_refused_or_has_a_reason(part: int) -> None:
    for mutation in islice(of_entries(whole()), part, None, len(PARTS)):
        judge(mutation)


@pytest.mark.rarely
def test_the_changes_are_of_every_kind() -> None:
    made_of = list(mutations(left()))
    assert len(made_of) > 2500
    every = {".".join("*" if isinstance(s, int) else s for s in way) for way in ways(left())}
    assert every <= {name(mutation) for mutation in made_of}
    assert len({mutation.data for mutation in made_of}) > 0.95 * len(made_of)


def test_what_is_printed_on_halves_that_nobody_was_dealt_is_not_seen() -> None:
    """Both pass over a value there; verify asks besides that it is a half at all."""
    record = whole()
    players = record["setup"]["state"]["players"]
    dealt = {player["board"][side] for player in players for side in ("left", "right")}
    halves = record["options"]["halves"]
    place = next(n for n, half in enumerate(halves) if half["id"] not in dealt)
    way = ("options", "halves", place)
    high, low = halves[place]["caves"][0]["shelter"]
    other = written(put(record, (*way, "caves", 0, "shelter"), [high + 1, low]))
    assert engine_says(other) == referee_says(other) == "accepted"
    none = written(put(record, (*way, "rows"), []))
    assert (engine_says(none), referee_says(none)) == ("refused", "accepted")


def test_the_record_itself_is_accepted_however_it_is_laid_out() -> None:
    for record in (left(), whole()):
        back = dict(reversed(record.items()))
        for data in (
            json.dumps(record).encode(),
            json.dumps(back, indent=4, ensure_ascii=False).encode(),
            b" \r\n\t" + encode(decode(json.dumps(record).encode())) + b"\n",
        ):
            assert engine_says(data) == referee_says(data) == "accepted"
