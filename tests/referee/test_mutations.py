"""A few thousand changes to records: verify and the referee refuse each, or both have a reason."""

from __future__ import annotations

import json
from collections.abc import Callable
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
from engine.record import BadRecord, Unfinished, decode, encode, export, verify
from tests.referee.document import Unfinished as RefereeUnfinished
from tests.referee.document import read
from tests.referee.draws import Wrong
from tests.referee.mutations import Mutation, mutations, ways
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
            turn = ask(SAPIENS, "random", position.state, seat, chance_of(seed, seat, n))
        entry, position, _ = extend(SAPIENS, position, seat, decision, turn, cause, seed)
        entries.append(entry)
    fairness = Fairness(commitment=commitment_of(secret), secret=secret.hex(), parts=parts)
    record = export(SAPIENS, setup, entries, seed, names, leavings, fairness)
    verify(record, games())
    plain: Plain = json.loads(encode(record))
    return plain


# Records whose every change is tried: short, as each is played again for each change.
RECORDS: dict[str, Callable[[], Plain]] = {
    "left": lambda: made(
        3,
        5,
        Leaving(seat=2, why="dropped", after=2),
        Leaving(seat=1, why="resigned", after=5),
    ),
    "begun": lambda: made(2, 3, Leaving(seat=0, why="removed", after=3)),
}


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

UNDEALT = "options.halves"
"""What is printed on a half that nobody was dealt has no effect; the referee does not look."""

NOT_BY_THE_REFEREE = ("entries.*.text", UNDEALT)
"""The referee reads no notation: what is done stands in `actions`."""

PARTS = 6


def name(mutation: Mutation) -> str:
    return ".".join(map(str, mutation.kind))


def is_undealt(record: Plain, mutation: Mutation) -> bool:
    """Whether only a half was changed that nobody was dealt."""
    if mutation.where[:2] != ("options", "halves") or len(mutation.where) < 3:
        return False
    half = record["options"]["halves"][mutation.where[2]]["id"]
    players = record["setup"]["state"]["players"]
    return half not in {p["board"][side] for p in players for side in ("left", "right")}


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("key", RECORDS)
def test_every_change_is_refused_or_has_a_reason(key: str, part: int) -> None:
    record = RECORDS[key]()
    seen = 0
    for mutation in islice(mutations(record), part, None, PARTS):
        ours, theirs = engine_says(mutation.data), referee_says(mutation.data)
        told = f"{mutation.where} {mutation.how}: {ours}, the referee: {theirs}"
        assert ours != "accepted" or name(mutation) in TRUSTED or is_undealt(record, mutation), told
        assert ours == theirs or name(mutation).startswith(NOT_BY_THE_REFEREE), told
        assert ours != "accepted" or theirs == "accepted", told
        seen += 1
    assert seen > 100


def test_the_changes_are_of_every_kind() -> None:
    made_of = [mutation for key in RECORDS for mutation in mutations(RECORDS[key]())]
    assert len(made_of) > 2000
    kinds = {name(mutation) for mutation in made_of}
    record = RECORDS["left"]()
    every = {".".join("*" if isinstance(s, int) else s for s in way) for way in ways(record)}
    assert every <= kinds
    assert len({mutation.data for mutation in made_of}) > 0.95 * len(made_of)


def test_the_record_itself_is_accepted_however_it_is_laid_out() -> None:
    for key in RECORDS:
        record = RECORDS[key]()
        back = dict(reversed(record.items()))
        for data in (
            json.dumps(record).encode(),
            json.dumps(back, indent=4, ensure_ascii=False).encode(),
            b" \r\n\t" + encode(decode(json.dumps(record).encode())) + b"\n",
        ):
            assert engine_says(data) == referee_says(data) == "accepted"
