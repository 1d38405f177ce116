"""The strongest choices of a decision, as a letter offers them: in words, notation and a link."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.chance import Chance, SeededChance
from engine.protocol import Game
from service import journal
from service.letters.table import Table

OFFERED = 4
CANONICAL = "en"


class Deed(msgspec.Struct, frozen=True, kw_only=True):
    """One action of a choice as plain data for the wording, with the view it is chosen in."""

    action: dict[str, Any]
    view: dict[str, Any]


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A whole submission. `events` are what it brings before the first reveal, as plain dicts."""

    deeds: list[Deed]
    events: list[dict[str, Any]]
    notation: str
    link: str


def choices(table: Table, decision: str) -> list[Choice]:
    """Up to OFFERED strong submissions for the reader's decision, best first; none if another of
    their decisions comes before it.
    """
    game, seat = journal.game_of(table.match), table.seat
    state = table.position.state
    own = [d for d in game.decisions(state) if d.seat == seat and d.blocking]
    if not own or own[0].id != decision:
        return []
    # Played on a guess, as `engine.play.preview`: what the seat does not know cannot come through.
    chance = SeededChance(b"preview")
    guessed = game.guess(state, seat, chance)
    return [
        _choice(table, decision, game, guessed, actions, chance)
        for actions in game.suggestions(state, seat, OFFERED)
    ]


def _choice(
    table: Table,
    decision: str,
    game: Game[Any, Any],
    state: Any,
    actions: tuple[Any, ...],
    chance: Chance,
) -> Choice:
    seat, lang = table.seat, table.desk.lang
    deeds, events, plan, spoken = [], [], [], []
    view = table.sight.view
    for action in actions:
        deeds.append(Deed(action=msgspec.to_builtins(action), view=view))
        plan.append(game.notation.format(state, seat, action, CANONICAL))
        spoken.append(game.notation.format(state, seat, action, lang))
        step = game.apply(state, seat, action, chance)
        if step.reveals:
            break
        events += [e for e in step.events if e.is_for(seat)]
        state = step.state
        view = msgspec.to_builtins(game.view(state, seat))
    return Choice(
        deeds=deeds,
        events=[{"kind": e.kind, "seat": e.seat, "data": e.data} for e in events],
        notation=", ".join(spoken),
        link=table.desk.links.turn(table.match, seat, decision, ", ".join(plan)),
    )
