"""The record: what it holds, what it keeps back, and that no change to it goes unseen."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest

from engine.bots import ask, chance_of
from engine.chance import seed_hash, seed_of_number
from engine.fairness import Fairness, Part, commitment_of, seed_of
from engine.journal import Entry, ReplayError, begin, canonical, extend, follow_plans
from engine.leaving import Leaving
from engine.play import complete
from engine.record import BadRecord, decode, encode, export, simulate
from engine.verification import Unfinished, verify
from tests.engine.core.matches import SEED, match
from tests.engine.toy import GAME, ToyGame
from tests.engine.toy.actions import Camp, File, Line, Play, Rest, Watch

GAMES = {GAME.key: GAME}
Plain = dict[str, Any]


def _record() -> Plain:
    plain: Plain = json.loads(_exported())
    return plain


@cache
def _exported() -> bytes:
    setup, entries, _ = match()
    return encode(export(GAME, setup, entries, SEED, ["Ann", "Ben", "Zoé"]))


def _simulated() -> Plain:
    plain: Plain = json.loads(_drawn())
    return plain


@cache
def _drawn() -> bytes:
    return encode(simulate(GAME, 3, SEED, ["random"]))


def _of_version(version: int, record: Plain) -> Plain:
    """The record as it was written before: without orders, it said the same."""
    record["version"] = version
    for entry in record["entries"]:
        del entry["turn"]
    if version < 3:
        del record["fairness"]
    if version < 2:
        del record["leavings"]
    return record


def _running() -> Plain:
    setup, entries, _ = match()
    plain: Plain = json.loads(encode(export(GAME, setup, entries[:-1])))
    return plain


def _check(plain: Plain) -> None:
    verify(decode(json.dumps(plain).encode()), GAMES)


def test_a_record_is_whole_and_verifies() -> None:
    record = _record()
    _check(record)
    assert record["seed"] == SEED.hex()
    assert record["seed_hash"] == seed_hash(SEED)
    assert record["names"] == ["Ann", "Ben", "Zoé"]
    assert record["options"] == {"rounds": 3, "treks": False}
    assert [d["what"] for d in record["setup"]["draws"]] == ["deck", "first player", "tiles"]
    assert record["outcome"]["termination"] == "normal"
    turn = next(e for e in record["entries"] if e["decision"] == "1.turn.0")
    assert turn["text"][0] == f"camp {turn['actions'][0]['place']}"
    assert (turn["cause"], turn["turn"]) == ("bot:random", "1")
    plan = next(e for e in record["entries"] if e["decision"] == "2.file.2")
    assert plan["text"] == ["plan always camp hill / always draw"]
    assert [e["cause"] for e in record["entries"] if e["seat"] == 2].count("plan") == 2


def test_every_public_state_is_there_with_its_digest() -> None:
    _, _, positions = match()
    record = _record()
    for position, written in zip(positions, [record["setup"], *record["entries"]], strict=True):
        state = GAME.view(position.state, None)
        assert canonical(written["state"]) == canonical(state)


def test_a_record_goes_through_json() -> None:
    setup, entries, _ = match()
    record = export(GAME, setup, entries, SEED)
    assert decode(encode(record)) == decode(encode(decode(encode(record))))


def test_a_running_match_keeps_its_secrets() -> None:
    record = _running()
    assert record["seed"] is None
    assert record["setup"]["draws"] is None
    assert record["outcome"] is None
    kept = [e for e in record["entries"] if e["actions"] is None]
    shown = [e for e in record["entries"] if e["actions"] is not None]
    assert {e["events"][0]["kind"] for e in kept} == {"buried", "shown"}
    assert all(e[field] is None for e in kept for field in ("seat", "decision", "cause", "text"))
    assert {e["decision"].split(".")[1] for e in shown} == {"turn", "dig"}
    assert {e["cause"] for e in shown} == {"bot:random", "player"}, "by a plan is as by a player"
    assert [e["n"] for e in record["entries"]] == list(range(1, len(record["entries"]) + 1))
    for entry in record["entries"]:
        assert entry["draws"] is None
        assert (entry["text"] is None) == (entry["actions"] is None)
    told = [e["kind"] for part in (record["setup"], *record["entries"]) for e in part["events"]]
    assert not {"dealt", "drawn", "heaped", "ordered", "filed", "laid"} & set(told)


Move = tuple[int, str, tuple[Any, ...], str]
QUIET = Watch(place="wood")
NEVER = File(lines=(Line(when="late", do=Camp(place="cave")),))


def _moves(first: int, *, orders: bool = False, last: int = 0, by_plan: bool = False) -> list[Move]:
    """The first turn of two and the duel, in which the seat `last` answers last."""
    second = 1 - first
    camp, rest = Camp(place="hill"), Rest()
    given: tuple[Any, ...] = (QUIET, NEVER) if orders else ()
    moves: list[Move] = [
        (first, f"1.turn.{first}", (camp, *given), "player"),
        (first, f"1.dig.{first}", (rest,), "player"),
    ]
    if orders:
        moves.append((second, f"0.watch.{second}", (QUIET,), "player"))
        moves.append((second, f"0.watch.{second}", (Watch(place="cave"),), "player"))
    moves.append((second, f"1.turn.{second}", (camp, rest), "player"))
    if by_plan:
        plan = File(lines=(Line(when="always", do=camp), Line(when="always", do=rest)))
        moves[-1] = (second, f"1.file.{second}", (plan,), "player")
    if orders:
        moves.append((first, f"0.watch.{first}", (Watch(place="none"),), "player"))
    return [*moves, (1 - last, f"1.duel.{1 - last}", (), "default"), _duelled(last)]


def _duelled(seat: int) -> Move:
    return (seat, f"1.duel.{seat}", (), "player")


def _played(moves: Sequence[Move]) -> bytes:
    """The record, while the match runs, after these; of a card to be played the lowest."""
    setup, position = begin(GAME, 2, GAME.options_type(), SEED, seed_hash(SEED))
    entries = []
    for seat, decision, actions, cause in moves:
        cards = (Play(card=min(position.state.hands[seat])),)
        made = extend(GAME, position, seat, decision, actions or cards, cause, SEED)
        for entry, reached, _ in (made, *follow_plans(GAME, made[1], SEED)):
            entries.append(entry)
            position = reached
    leaving = Leaving(seat=0, why="resigned", after=len(entries))
    return encode(export(GAME, setup, entries, None, (), [leaving]))


def _first() -> int:
    return begin(GAME, 2, GAME.options_type(), SEED, seed_hash(SEED))[1].state.first


def test_a_running_record_is_the_same_with_and_without_orders() -> None:
    without = _played(_moves(_first()))
    assert _played(_moves(_first(), orders=True)) == without
    assert _played(_moves(_first(), by_plan=True)) == without


def test_a_running_record_does_not_tell_who_answered_last_or_by_default() -> None:
    assert _played(_moves(_first(), last=0)) == _played(_moves(_first(), last=1))


def test_a_running_record_does_not_tell_that_somebody_has_answered() -> None:
    moves = _moves(_first())
    assert json.loads(_played(moves[:-1])) == json.loads(_played(moves[:-2]))
    assert _played(moves) != _played(moves[:-1])


def test_where_plans_are_told_a_running_record_tells_them() -> None:
    class Telling(ToyGame):
        tells_plans = True

    setup, entries, _ = match()
    record = export(Telling(), setup, entries[:-1])
    assert [e.cause for e in record.entries].count("plan") == 2


def test_what_is_said_to_be_by_a_plan_is_what_the_plan_says() -> None:
    record = _record()
    entry = next(e for e in record["entries"] if e["cause"] == "bot:random" and e["actions"])
    entry["cause"] = "plan"
    with pytest.raises(ReplayError) as caught:
        _check(record)
    assert (caught.value.n, caught.value.place) == (entry["n"], "by plan: actions")
    record = _record()
    order = next(e for e in record["entries"] if e["decision"] == "2.file.2")
    order["actions"][0]["lines"][1]["do"] = {"do": "rest"}
    order["text"] = ["plan always camp hill / always rest"]
    with pytest.raises(ReplayError) as caught:
        _check(record)
    assert caught.value.n > order["n"], "a plan that was changed afterwards does not say this"


def test_orders_stand_before_the_moves_they_came_with() -> None:
    setup, position = begin(GAME, 2, GAME.options_type(), SEED, seed_hash(SEED))
    first = _first()
    turn = (Camp(place="hill"), QUIET)
    entry, _, _ = extend(GAME, position, first, f"1.turn.{first}", turn, "player", SEED)
    assert [action["do"] for action in entry.actions] == ["watch", "camp"]
    plain: Plain = json.loads(encode(export(GAME, setup, [entry], SEED)))
    for field in ("actions", "text"):
        plain["entries"][0][field].reverse()
    with pytest.raises(ReplayError) as caught:
        _check(plain)
    assert caught.value.place.startswith("actions[0]")


@pytest.mark.parametrize("version", [1, 2, 3])
def test_records_of_before_are_read_and_verify_the_same(version: int) -> None:
    record = _of_version(version, _simulated())
    _check(record)
    assert {entry.turn for entry in decode(json.dumps(record).encode()).entries} == {None}
    record["entries"][4]["turn"] = "1"
    with pytest.raises(BadRecord, match="unknown field `turn`"):
        _check(record)
    del record["entries"][4]["turn"]
    for field, value, reason in (
        ("cause", "plan", "'plan' is no cause of a turn yet"),
        ("seat", None, "null in a record of that version"),
    ):
        with pytest.raises(BadRecord, match=reason) as caught:
            _check({**record, "entries": [{**record["entries"][0], field: value}]})
        assert caught.value.place == f"entries[0].{field}"


def test_another_turn_is_found() -> None:
    record = _record()
    record["entries"][4]["turn"] = "7"
    with pytest.raises(ReplayError) as caught:
        _check(record)
    assert (caught.value.n, caught.value.place) == (5, "turn")


def test_the_record_of_a_running_match_is_unfinished() -> None:
    record = _running()
    with pytest.raises(Unfinished) as caught:
        _check(record)
    assert (caught.value.n, caught.value.running) == (len(record["entries"]), True)


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (["outcome"], {"winners": [0], "scores": [1, 1, 1], "termination": "x"}, "outcome"),
        (["setup", "draws"], [], "setup.draws"),
        (["entries", 1, "draws"], [], "entries[1].draws"),
        (["entries", 1, "text"], None, "entries[1].actions"),
        (["entries", 1, "actions"], None, "entries[1].text"),
        (["entries", 1, "digest"], "0" * 64, "digest"),
        (["setup", "state", "deck"], 1, "digest"),
        (["entries", 1, "n"], 3, "n"),
    ],
)
def test_a_running_record_that_contradicts_itself(path: list[Any], value: Any, place: str) -> None:
    record: Any = _running()
    shown = next(k for k, e in enumerate(record["entries"]) if e["text"] is not None)
    path = [shown if step == 1 else step for step in path]
    inner = record
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises((BadRecord, ReplayError)) as caught:
        _check(record)
    assert caught.value.place == place.replace("[1]", f"[{shown}]")  # type: ignore[attr-defined]


def test_a_wrong_seed_is_not_exported() -> None:
    setup, entries, _ = match()
    with pytest.raises(ReplayError):
        export(GAME, setup, entries, seed_of_number(8))


def _duel(record: Plain) -> Plain:
    entry: Plain = next(e for e in record["entries"] if e["draws"])
    return entry


def _rested(record: Plain) -> Plain:
    entry: Plain = next(e for e in record["entries"] if e["text"][1:] == ["rest"])
    return entry


def _at(find: Callable[[Plain], Plain], *path: Any, to: Any) -> Callable[[Plain], int]:
    """Put a value at a place of an entry; gives the entry's number."""

    def tamper(record: Plain) -> int:
        entry: Any = find(record)
        inner = entry
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = to(inner[path[-1]]) if callable(to) else to
        return int(entry.get("n", 0))

    return tamper


def _setup(record: Plain) -> Plain:
    setup: Plain = record["setup"]
    return setup


def _whole(record: Plain) -> Plain:
    return record


def _next(number: int) -> int:
    return number + 1


def _swap_last(result: list[int]) -> list[int]:
    return [*result[:-2], result[-1], result[-2]]


TAMPERED = [
    (_at(_duel, "draws", 0, "result", 0, to=lambda r: (r + 1) % 3), "draws[0].result[0]"),
    (_at(_duel, "draws", 0, "what", to="loot"), "draws[0].what"),
    (_at(_duel, "draws", 0, "n", to=4), "draws[0].n"),
    (_at(_duel, "draws", to=[]), "draws[0]"),
    (_at(_setup, "draws", 0, "result", to=_swap_last), "draws[0].result["),
    (_at(_rested, "actions", 1, to={"do": "draw"}), "text[1]"),
    (_at(_rested, "actions", 1, to={"do": "camp", "place": "hill"}), "actions[1]"),
    (_at(_rested, "actions", 1, to={"do": "fly"}), "actions[1]"),
    (_at(_rested, "text", 1, to="draw"), "text[1]"),
    (_at(_rested, "seat", to=lambda s: (s + 1) % 3), "decision"),
    (_at(_rested, "decision", to="t9.9"), "decision"),
    (_at(_rested, "events", 0, "data", to={"place": "moon"}), "events[0].data.place"),
    (_at(_rested, "events", to=lambda events: events[:-1]), "events[1]"),
    (_at(_rested, "state", "points", 1, to=_next), "state.points[1]"),
    (_at(_rested, "state", "extra", to=lambda _: 1), "state.extra"),
    (_at(_rested, "digest", to="0" * 64), "digest"),
    (_at(_setup, "state", "deck", to=_next), "state.deck"),
    (_at(_setup, "digest", to="0" * 64), "digest"),
    (_at(_whole, "seed", to=seed_of_number(8).hex()), "seed_hash"),
    (_at(_whole, "seed_hash", to="0" * 64), "seed_hash"),
    (_at(_whole, "options", "rounds", to=4), "draws[0].n"),
    (_at(_whole, "seats", to=2), "draws[0].n"),
]


@pytest.mark.parametrize(("tamper", "place"), TAMPERED)
def test_every_change_is_found_where_it_is(tamper: Callable[[Plain], int], place: str) -> None:
    record = _record()
    if "extra" in place:
        _rested(record)["state"]["extra"] = 0
    record["names"] = []
    n = tamper(record)
    with pytest.raises(ReplayError) as caught:
        _check(record)
    assert caught.value.n == n
    assert caught.value.place.startswith(place)
    assert caught.value.expected != caught.value.found


@pytest.mark.parametrize(
    "outcome", [None, {"winners": [0, 1], "scores": [1, 1], "termination": "x"}]
)
def test_another_outcome_is_found(outcome: Any) -> None:
    record = _record()
    record["outcome"] = outcome
    with pytest.raises(ReplayError) as caught:
        _check(record)
    assert caught.value.place.startswith("outcome")


def test_a_missing_and_an_added_entry_are_found() -> None:
    record = _record()
    del record["entries"][3]
    with pytest.raises(ReplayError) as caught:
        _check(record)
    assert (caught.value.n, caught.value.place) == (4, "n")
    record = _record()
    last = record["entries"][-1]
    record["entries"].append({**last, "n": last["n"] + 1})
    with pytest.raises(ReplayError) as caught:
        _check(record)
    assert (caught.value.n, caught.value.place) == (last["n"] + 1, "decision")


@pytest.mark.parametrize("outcome", [True, False])
def test_a_record_cut_short_is_unfinished(outcome: bool) -> None:
    whole = _record()
    for kept in (0, 1, 7, len(whole["entries"]) - 1):
        record = {**whole, "entries": whole["entries"][:kept]}
        if not outcome:
            record["outcome"] = None
        with pytest.raises(Unfinished) as caught:
            _check(record)
        assert (caught.value.n, caught.value.running) == (kept, False)


@pytest.mark.parametrize(
    ("path", "value", "place", "reason"),
    [
        (["format"], "chess", "format", "chess"),
        (["version"], 5, "version", "5 cannot be read here, only 1 to 4"),
        (["version"], 0, "version", "0 cannot be read here"),
        (["version"], "one", "version", "Expected `int`"),
        (["game"], "chess", "game", "'chess' is not known"),
        (["rules_version"], 9, "rules_version", "9 cannot be checked by 1"),
        (["seats"], "three", "seats", "Expected `int`"),
        (["names"], ["Ann"], "names", "1 names for 3 seats"),
        (["seed"], None, "outcome", "stands there though `seed` does not"),
        (["seed"], "xyz", "seed", "not 64 hexadecimal digits"),
        (["seed"], SEED.hex().upper(), "seed", "in lower case"),
        (["seed"], f" {SEED.hex()}", "seed", "not 64 hexadecimal digits"),
        (["setup", "draws"], None, "setup.draws", "null though `seed` is told"),
        (["entries", 2, "text"], None, "entries[2].text", "null though `seed` is told"),
        (["seats"], 9, "seats", "9 cannot play"),
        (["setup", "draws", 0, "extra"], 1, "setup.draws[0]", "unknown field `extra`"),
        (["outcome", "extra"], 1, "outcome", "unknown field `extra`"),
        (["seats"], True, "seats", "Expected `int`, got `bool`"),
        (["entries", 2, "seat"], 2.0, "entries[2].seat", "2.0 is no whole number"),
        (["entries", 2, "cause"], "bot:Random", "entries[2].cause", "is no cause"),
        (["entries", 2, "cause"], "Player", "entries[2].cause", "is no cause"),
        (["entries", 2, "cause"], "", "entries[2].cause", "'' is no cause"),
        (["entries", 2, "cause"], "players", "entries[2].cause", "'players' is no cause"),
        (["entries", 2, "cause"], "bot:", "entries[2].cause", "'bot:' is no cause"),
        (["extra"], 1, "record", "unknown field `extra`"),
        (["entries", 2, "seat"], "Ann", "entries[2].seat", "Expected `int | null`"),
        (["entries", 2, "seat"], None, "entries[2].seat", "null though `seed` is told"),
        (["entries", 2, "cause"], None, "entries[2].cause", "null though `seed` is told"),
        (["entries", 2, "surprise"], 1, "entries[2]", "unknown field `surprise`"),
        (["setup", "draws", 0, "kind"], "toss", "setup.draws[0].kind", "Invalid enum"),
    ],
)
def test_what_is_no_record_of_ours(path: list[Any], value: Any, place: str, reason: str) -> None:
    record: Any = _record()
    inner = record
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(BadRecord, match=reason) as refused:
        _check(record)
    assert refused.value.place == place


def test_a_missing_part_is_named() -> None:
    record = _record()
    del record["entries"][0]["digest"]
    with pytest.raises(BadRecord, match="missing required field `digest`") as refused:
        _check(record)
    assert refused.value.place == "entries[0]"


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[]", b"null", b'"text"', b"{}"])
def test_what_is_no_json_object_at_all(data: bytes) -> None:
    with pytest.raises(BadRecord):
        decode(data)


@pytest.mark.parametrize("cause", ["player", "bot:somebody"])
def test_who_decided_is_taken_on_trust(cause: str) -> None:
    record = _record()
    record["entries"][2]["cause"] = cause
    _check(record)


def _of_defaults() -> Plain:
    """A match that nobody played: every turn is the default one."""
    setup, position = begin(GAME, 2, GAME.options_type(), SEED, seed_hash(SEED))
    entries: list[Entry] = []
    while decisions := [d for d in GAME.decisions(position.state) if d.blocks]:
        seat, decision = decisions[0].seat, decisions[0].id
        turn = complete(GAME, position.state, seat, decision, chance_of(SEED, seat, 1))
        entry, position, _ = extend(GAME, position, seat, decision, turn, "default", SEED)
        entries.append(entry)
    plain: Plain = json.loads(encode(export(GAME, setup, entries, SEED)))
    return plain


def test_the_default_turn_is_the_default_turn() -> None:
    _check(_of_defaults())


def test_another_turn_is_not_the_default_turn() -> None:
    record = _record()
    n = next(e["n"] for e in record["entries"] if e["text"][-1] != "rest" and e["n"] > 1)
    record["entries"][n - 1]["cause"] = "default"
    with pytest.raises(ReplayError) as caught:
        _check(record)
    assert caught.value.n == n
    assert caught.value.place.startswith("default turn: actions[0]")


def _fair(*parts: tuple[int, str]) -> Plain:
    """A match whose seed was made of a secret and parts."""
    secret = bytes(range(32))
    given = tuple(Part(seat=seat, name=name, part=f"{seat:02x}" * 32) for seat, name in parts)
    seed = seed_of(secret, given)
    setup, position = begin(GAME, 3, GAME.options_type(), seed, seed_hash(seed))
    entries: list[Entry] = []
    while decisions := [d for d in GAME.decisions(position.state) if d.blocks]:
        seat, decision = decisions[0].seat, decisions[0].id
        turn = ask(GAME, "steady", position.state, decisions[0], chance_of(seed, seat, 1))
        entry, position, _ = extend(GAME, position, seat, decision, turn, "player", seed)
        entries.append(entry)
    fairness = Fairness(commitment=commitment_of(secret), secret=secret.hex(), parts=given)
    plain: Plain = json.loads(encode(export(GAME, setup, entries, seed, fairness=fairness)))
    return plain


def test_a_seed_made_of_parts_verifies() -> None:
    record = _fair((0, "Ann"), (2, "Zoé"))
    assert record["fairness"]["parts"][1] == {"seat": 2, "name": "Zoé", "part": "02" * 32}
    _check(record)
    _check(_fair())


def test_a_running_match_tells_the_parts_and_not_the_secret() -> None:
    setup, entries, _ = match()
    fairness = Fairness(commitment="c", secret="s", parts=())
    made = export(GAME, setup, entries[:5], fairness=fairness)
    assert made.fairness == Fairness(commitment="c", secret=None, parts=())


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (["commitment"], "0" * 64, "fairness.commitment"),
        (["secret"], "0" * 64, "fairness.commitment"),
        (["secret"], None, "fairness.secret"),
        (["secret"], bytes(range(32)).hex().upper(), "fairness.secret"),
        (["parts", 0, "part"], "11" * 32, "seed"),
        (["parts", 0, "part"], "00" * 31, "fairness.parts[0].part"),
        (["parts", 0, "seat"], 1, "seed"),
        (["parts", 1, "seat"], 0, "fairness.parts[1].seat"),
        (["parts", 1, "seat"], 3, "fairness.parts[1].seat"),
        (["parts"], [], "seed"),
        (["parts", 0, "extra"], 1, "fairness.parts[0]"),
        (["extra"], 1, "fairness"),
    ],
)
def test_another_making_of_the_seed_is_found(path: list[Any], value: Any, place: str) -> None:
    record = _fair((0, "Ann"), (2, "Zoé"))
    inner: Any = record["fairness"]
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises((BadRecord, ReplayError)) as caught:
        _check(record)
    assert caught.value.place == place  # type: ignore[attr-defined]


def test_options_are_written_in_full() -> None:
    record = _record()
    record["options"] = {}
    with pytest.raises(ReplayError, match=r"options\.rounds"):
        _check(record)
    record = _of_version(2, _simulated())
    record["options"] = {}
    _check(record)
    record["options"] = {"rounds": 3, "more": 1}
    with pytest.raises(ReplayError, match=r"more"):
        _check(record)
    record = _of_version(3, _simulated())
    record["options"] = {}
    with pytest.raises(ReplayError, match=r"options\.rounds"):
        _check(record)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b'"seats": 3', b'"seats": 3, "seats": 3', "`seats` comes twice"),
        (b'"seats": 3', b'"seats": 3.0', "3.0 is no whole number"),
        (b'"seats": 3', b'"seats": 3e0', "3e0 is no whole number"),
        (b'"seats": 3', b'"seats": 03', "not JSON"),
        (b'"seats": 3', b'"seats": +3', "not JSON"),
        (b'"seats": 3', b'"seats": NaN', "NaN is no number"),
        (b'"seats": 3', b'"seats": -Infinity', "-Infinity is no number"),
        (b'"seats": 3', b'"seats": 3' + b"0" * 5000, "too long a number"),
        (b'"seats": 3', b'"seats": 99999999999999999999', "out of range"),
        (b'"seat": 0', b'"seat": -0', "-0 is to be written 0"),
        (b'"seats": 3', b'"seats": "3"', "Expected `int`, got `str`"),
        (b'"Ann"', b'"\\ud800"', "half a character"),
        (b'"Ann"', b'"\xff"', "not UTF-8"),
        (b'"Ann"', b'"A\nn"', "not JSON"),
        (b'"names": [', b'"names": [,', "not JSON"),
    ],
)
def test_loose_spellings_are_refused(old: bytes, new: bytes, reason: str) -> None:
    data = json.dumps(_record()).encode()
    assert old in data
    with pytest.raises(BadRecord, match=reason):
        verify(decode(data.replace(old, new, 1)), GAMES)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (b"\xef\xbb\xbf", b"", "byte order mark"),
        (b"", b"{}", "Extra data"),
        (b"", b"\0", "Extra data"),
        (b"// a note\n", b"", "not JSON"),
    ],
)
def test_nothing_stands_around_a_record(before: bytes, after: bytes, reason: str) -> None:
    data = json.dumps(_record()).encode()
    with pytest.raises(BadRecord, match=reason):
        decode(before + data + after)
    assert decode(b"\n " + data + b"\r\n") == decode(data)
    with pytest.raises(BadRecord, match=r"not UTF-8|not JSON"):
        decode(data.decode().encode("utf-16"))


def test_what_is_nested_too_deeply_is_no_record() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    states = json.dumps(_record()).encode().replace(b'"state": {', b'"state": {"deep": %s, ' % deep)
    for data in (deep, b'{"format": %s}' % deep, states):
        with pytest.raises(BadRecord, match=r"nested too deeply|Expected"):
            decode(data)


@pytest.mark.parametrize("depth", range(800, 1010, 2))
def test_however_deep_it_is_a_fault_of_the_record(depth: int) -> None:
    record = _record()
    record["options"]["rounds"] = "@"
    data = json.dumps(record).encode().replace(b'"@"', b"[" * depth + b"]" * depth)
    with pytest.raises((BadRecord, ReplayError)):
        verify(decode(data), GAMES)


def test_a_simulation_is_a_record_that_verifies() -> None:
    record = simulate(GAME, 3, seed_of_number(42), ["steady", "random", "random"])
    verify(decode(encode(record)), GAMES)
    assert record.outcome is not None
    assert next(e.cause for e in record.entries if e.seat == 0) == "bot:steady"
    assert all(e.cause == "bot:random" for e in record.entries if e.seat)


def test_a_simulation_depends_on_its_arguments_alone() -> None:
    def made(number: int, *bots: str) -> bytes:
        return encode(simulate(GAME, 3, seed_of_number(number), bots))

    assert made(1, "random") == made(1, "random", "random", "random")
    assert made(1, "random") != made(2, "random")
    assert made(1, "random") != made(1, "random", "random", "steady")


def test_the_bots_do_not_touch_the_draws_of_the_game() -> None:
    one = simulate(GAME, 2, SEED, ["random"])
    other = simulate(GAME, 2, SEED, ["steady"])
    assert one.setup == other.setup


def test_who_is_to_file_ahead_does_and_nobody_else() -> None:
    def filing(*files: int) -> set[int | None]:
        record = simulate(GAME, 3, SEED, ["random"], files=files)
        verify(decode(encode(record)), GAMES)
        free = ("watch", "file")
        return {e.seat for e in record.entries if (e.decision or "").split(".")[1] in free}

    assert filing() == set()
    assert filing(2) == {2}
    assert filing(0, 1, 2) == {0, 1, 2}


def test_a_simulation_takes_options() -> None:
    short = simulate(GAME, 2, SEED, ["steady"], GAME.options_type(rounds=1))
    assert short.options == {"rounds": 1, "treks": False}
    assert len(short.entries) < len(simulate(GAME, 2, SEED, ["steady"]).entries)


@pytest.mark.parametrize(
    ("seats", "bots", "reason"),
    [
        (3, ["random", "random"], "2 bots for 3 seats"),
        (3, ["deep"], "no bot deep; there are random, steady"),
        (9, ["random"], "9 seats"),
        (3, [], "0 bots for 3 seats"),
    ],
)
def test_impossible_simulations(seats: int, bots: list[str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        simulate(GAME, seats, SEED, bots)
