"""What every game promises to those who play it for somebody: defaults, suggestions, bots."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import msgspec

from engine.bots import ask, chance_of
from engine.chance import SeededChance, seed_hash, seed_of_number
from engine.games import games
from engine.journal import Entry, Position, Setup, begin, extend, replay
from engine.kit.bots import chancer, lines
from engine.play import complete, submit
from engine.protocol import Decision, seats_to_wait_for
from tests.engine.contract.walks import GAMES, Moment, at_every_table, frozen, sample, walk

pytestmark = at_every_table
SHORT_OF_ENDLESS = 600
"""Entries after which a game by defaults that has not ended is taken to go on for ever."""
SPARE = b"drawn and thrown away"


def _blocking(key: str, moment: Moment) -> list[Decision[Any]]:
    return [d for d in GAMES[key].decisions(moment.state) if d.blocks]


def test_the_default_is_legal_and_makes_the_decision(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in sample(key, seats, 0, 40):
        for decision in _blocking(key, moment):
            actions = complete(game, moment.state, decision.seat, decision.id, SeededChance(SPARE))
            assert actions[0] in decision.choices
            submit(game, moment.state, decision.seat, decision.id, actions, SeededChance(SPARE))


def test_defaults_alone_reach_the_end_or_come_to_nothing_new(key: str, seats: int) -> None:
    """Where the rules owe absent players no end, the service puts a match that they left to sleep:
    but nothing more may come to light then."""
    game = GAMES[key]
    seed = seed_of_number(5)
    _, position = begin(game, seats, game.options_type(), seed, seed_hash(seed))
    since_reveal = 0
    for _ in range(SHORT_OF_ENDLESS):
        decision = next((d for d in game.decisions(position.state) if d.blocks), None)
        if decision is None:
            return
        spare = SeededChance(SPARE)
        actions = complete(game, position.state, decision.seat, decision.id, spare)
        _, position, played = extend(
            game, position, decision.seat, decision.id, actions, "default", seed
        )
        since_reveal = 0 if played.revealed else since_reveal + 1
    assert since_reveal > SHORT_OF_ENDLESS // 2, "the defaults never end the game"


def test_suggestions_are_different_whole_submissions(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in sample(key, seats, 1, 40):
        for decision in _blocking(key, moment):
            suggested = game.suggestions(moment.state, decision.seat, 4)
            assert 1 <= len(suggested) <= 4
            assert len({frozen(actions) for actions in suggested}) == len(suggested)
            assert list(game.suggestions(moment.state, decision.seat, 1)) == list(suggested[:1])
            for actions in suggested:
                assert actions[0] in decision.choices
                spare = SeededChance(SPARE)
                played = submit(game, moment.state, decision.seat, decision.id, actions, spare)
                assert played.revealed or not played.unplayed


def test_every_bot_plays_a_whole_match(key: str, seats: int) -> None:
    game = GAMES[key]
    names = sorted(game.bots)
    assert "random" in names
    for turn in range(len(names) if seats == min(game.seats) else 1):
        seated = list(itertools.islice(itertools.cycle(names[turn:] + names[:turn]), seats))
        setup, entries, live = _bot_match(key, seats, seated, turn)
        assert game.outcome(live[-1].state) is not None
        _fold_equals_live(key, setup, entries, live)


def test_a_bot_can_be_asked_for_what_does_not_block(key: str, seats: int) -> None:
    """It files a whole order, or none."""
    game = GAMES[key]
    for n, moment in enumerate(sample(key, seats, 2, 20)):
        for decision in game.decisions(moment.state):
            if decision.blocks:
                continue
            for name in game.bots:
                seed = seed_of_number(n)
                pondering = chance_of(seed, decision.seat, n)
                actions = ask(game, name, moment.state, decision, pondering)
                if actions:
                    spare = SeededChance(SPARE)
                    submit(game, moment.state, decision.seat, decision.id, actions, spare)


def test_a_line_leads_where_its_submission_leads(key: str, seats: int) -> None:
    """A random line of every open decision: turns, the rest of turns, orders, plans."""
    game, whim = GAMES[key], SeededChance(SPARE)
    for n, moment in enumerate(sample(key, seats, 3, 20)):
        seed = seed_of_number(n)
        for decision in game.decisions(moment.state):
            line = lines.begin(game, moment.state, decision, SeededChance(seed))
            drawn = chancer.draw(line, whim)
            if not drawn.actions:
                assert not decision.blocks
                continue
            played = submit(
                game, moment.state, decision.seat, decision.id, drawn.actions, SeededChance(seed)
            )
            assert drawn.made
            assert (played.state, played.actions) == (drawn.state, drawn.actions)
            assert (played.revealed, played.remaining) == (drawn.revealed, None)


def _bot_match(
    key: str, seats: int, names: Sequence[str], number: int
) -> tuple[Setup, list[Entry], list[Position[Any]]]:
    game = GAMES[key]
    seed = seed_of_number(number)
    setup, position = begin(game, seats, game.options_type(), seed, seed_hash(seed))
    entries, live = [], [position]
    while waiting := seats_to_wait_for(game.decisions(position.state)):
        seat = waiting[-1]
        decision = next(d for d in game.decisions(position.state) if d.seat == seat and d.blocks)
        pondering = chance_of(seed, seat, position.n + 1)
        actions = ask(game, names[seat], position.state, decision, pondering)
        entry, position, _ = extend(
            game, position, seat, decision.id, actions, f"bot:{names[seat]}", seed
        )
        entries.append(msgspec.json.decode(frozen(entry), type=Entry))
        live.append(position)
    return msgspec.json.decode(frozen(setup), type=Setup), entries, live


def _fold_equals_live(
    key: str, setup: Setup, entries: Sequence[Entry], live: Sequence[Position[Any]]
) -> None:
    """The journal, from its JSON, gives the positions that were met in play, digests and all."""
    replayed = list(replay(GAMES[key], setup, entries))
    assert [p.n for p in replayed] == [p.n for p in live]
    for again, once in zip(replayed, live, strict=True):
        assert again == once


def test_the_order_of_sealed_submissions_does_not_matter(key: str, seats: int) -> None:
    """What is sealed and open at once may come in any order and leads to one position."""
    game = GAMES[key]
    for number in range(3):
        for moment in walk(key, seats, number)[:-1]:
            sealed = [d for d in _blocking(key, moment) if d.sealed]
            if len(sealed) < 2:
                continue
            reached = set()
            for order in itertools.islice(itertools.permutations(sealed), 6):
                state, chance = moment.state, SeededChance(seed_of_number(number))
                for decision in order:
                    action = min(decision.choices, key=frozen)
                    played = submit(game, state, decision.seat, decision.id, [action], chance)
                    state = played.state
                reached.add(frozen(state))
            assert len(reached) == 1


def test_only_real_games_are_offered(key: str, seats: int) -> None:
    assert ("toy" in games()) is False
    assert all(game.key == name for name, game in games().items())
