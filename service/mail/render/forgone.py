"""Things a turn has left unused though they would have cost nothing (`HasForgone`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from engine.chance import SeededChance
from engine.kit.presentation import HasForgone
from engine.play import Incomplete, NotYourDecision, Preview, submit
from engine.protocol import Game, IllegalAction, NotationError, Seat
from service.core.models import EntryRow, Match
from service.mail.render.choices import OFFERED
from service.matches import journal
from service.matches.plans import plain
from service.render.templating import presentation_of


class Forgone(msgspec.Struct, frozen=True, kw_only=True):
    """Things that a turn has left, as codes that the game has a sentence for; `open` if the turn
    can be taken back by a word as long as nobody else has seen it.
    """

    names: tuple[str, ...]
    open: bool


def of_entry(session: Session, match: Match, n: int, *, newest: bool) -> Forgone:
    """The things that a played turn has left; `newest` if nothing has been played after it."""
    row = session.get_one(EntryRow, (match.id, n))
    game = journal.game_of(match)
    state = journal.position(session, match, n - 1).state
    if row.seat is None:
        return Forgone(names=(), open=False)
    raw = journal.entry_of(row).actions
    done = [msgspec.convert(action, game.action_type) for action in raw]
    names = _left(game, state, row.seat, done)
    return Forgone(names=names, open=newest and not row.revealed)


def of_text(session: Session, match: Match, seat: Seat, text: str, lang: str) -> Forgone:
    """The things that a turn would leave that waits to be played on the newest position."""
    game = journal.game_of(match)
    state = journal.position(session, match).state
    try:
        actions = game.notation.parse(state, seat, text, lang)
        return Forgone(names=_left(game, state, seat, actions), open=True)
    except (NotationError, IllegalAction):
        return Forgone(names=(), open=True)  # another position by now


def taken_up(
    game: Game[Any, Any], state: Any, seat: Seat, decision: str, actions: Sequence[Any]
) -> tuple[Any, ...]:
    """The actions of a legal turn, with those between them that use what it would leave and that
    can be done in one way: nobody is offered a turn that leaves a gift nobody has refused.
    """
    turn, left = tuple(actions), len(_left(game, state, seat, actions))
    while left:
        fuller = ((each, len(_left(game, state, seat, each)))
                  for each in _with_one_more(game, state, seat, decision, turn))  # fmt: skip
        turn, now = next((found for found in fuller if found[1] < left), (turn, left))
        if now == left:
            break
        left = now
    return turn


def _with_one_more(
    game: Game[Any, Any], state: Any, seat: Seat, decision: str, turn: tuple[Any, ...]
) -> Iterator[tuple[Any, ...]]:
    """The legal turns with one more action, of a kind of which there is one choice there."""
    preview = Preview(game, state, seat)
    for at, action in enumerate(turn):
        here = (each for each in game.decisions(state) if each.seat == seat)
        choices = [choice for each in here for choice in each.choices]
        kinds = Counter(map(type, choices))
        for choice in choices:
            if kinds[type(choice)] == 1 and type(choice) is not type(action):
                more = (*turn[:at], choice, *turn[at:])
                with suppress(IllegalAction, Incomplete, NotYourDecision):
                    submit(game, preview.start, seat, decision, more, SeededChance(b"forgone"))
                    yield more
        step = preview.step(state, action)
        if step.reveals:
            break
        state = step.state


def _left(game: Game[Any, Any], state: Any, seat: Seat, actions: Sequence[Any]) -> tuple[str, ...]:
    shown = presentation_of(game.key)
    if not isinstance(shown, HasForgone):
        return ()
    preview, at = Preview(game, state, seat), state
    found: dict[str, None] = {}
    for action in actions:
        here = [each for each in game.decisions(at) if each.seat == seat]
        step = preview.step(at, action)
        choices = [choice for decision in here for choice in decision.choices]
        found |= dict.fromkeys(shown.forgone(plain(step.events), choices))
        if step.reveals:
            break
        at = step.state
    if found and tuple(actions) in map(tuple, game.suggestions(state, seat, OFFERED)):
        return ()  # our own advice
    return tuple(found)
