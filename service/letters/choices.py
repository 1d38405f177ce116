"""The strongest choices of a decision, as a letter offers them: in words, notation and a link."""

from __future__ import annotations

from typing import Any

import msgspec

from engine import play
from engine.chance import NoChance
from engine.protocol import Game
from service import journal
from service.letters.table import Table

OFFERED = 4


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
    game = journal.game_of(table.match)
    state = table.position.state
    own = [d for d in game.decisions(state) if d.seat == table.seat and d.blocking]
    if not own or own[0].id != decision:
        return []
    return [
        _choice(table, game, state, decision, actions)
        for actions in game.suggestions(state, table.seat, OFFERED)
    ]


def _choice(
    table: Table, game: Game[Any, Any], state: Any, decision: str, actions: tuple[Any, ...]
) -> Choice:
    seat, lang, links = table.seat, table.desk.lang, table.desk.links
    plan = ", ".join(play.texts(game, state, seat, actions, "en"))
    spoken = plan if lang == "en" else ", ".join(play.texts(game, state, seat, actions, lang))
    preview = play.preview(game, state, seat, decision, actions)
    return Choice(
        deeds=_deeds(table, game, state, actions),
        events=[
            {"kind": e.kind, "seat": e.seat, "data": e.data}
            for e in preview.events
            if e.is_for(seat)
        ],
        notation=spoken,
        link=links.turn(table.match, seat, decision, plan),
    )


def _deeds(table: Table, game: Game[Any, Any], state: Any, actions: tuple[Any, ...]) -> list[Deed]:
    found = []
    for index, action in enumerate(actions):
        view = table.sight.view if index == 0 else msgspec.to_builtins(game.view(state, table.seat))
        found.append(Deed(action=msgspec.to_builtins(action), view=view))
        if index + 1 < len(actions):
            state = game.apply(state, table.seat, action, NoChance()).state
    return found
