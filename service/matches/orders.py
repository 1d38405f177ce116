"""Orders as their own player is shown them: what may be filed, what is on file, why a plan stopped.

Nobody else is told any of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

import msgspec
import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.journal import Position
from engine.play import Preview, orders_among
from engine.protocol import Asks, ExplainsPlans, Filed, Game, Seat
from service.core.models import EntryRow, Match
from service.matches import journal
from service.matches.reading import FiledOrder, filed_orders, order_of

log = structlog.get_logger(__name__)


class OpenOrder(msgspec.Struct, frozen=True, kw_only=True):
    """Something that may be decided or left, and what is on file for it.

    `answered` is true of what had to be decided and can still be changed.
    """

    decision: str
    kind: str
    filed: FiledOrder | None
    answered: bool


class Parted(msgspec.Struct, frozen=True, kw_only=True):
    """A text in two parts, as notation: what it says to the decision it was written for, and the
    orders in it that are filed for others, which are also given in full.
    """

    own: str
    along: str
    orders: tuple[FiledOrder, ...]


def open_orders(
    session: Session, match: Match, seat: Seat, reached: Position[Any]
) -> list[OpenOrder]:
    """The decisions that the seat may make or leave in this position."""
    game = journal.game_of(match)
    decisions = [d for d in game.decisions(reached.state) if d.seat == seat]
    mine = [decision for decision in decisions if not decision.blocks]
    if not mine:
        return []
    kinds = {decision.id: decision.kind for decision in decisions}
    filed = {order.decision: order for order in filed_orders(game, reached.state, seat, kinds)}
    answered = _answered(session, match, reached.n, filed) if filed else set()
    return [
        OpenOrder(
            decision=decision.id,
            kind=decision.kind,
            filed=filed.get(decision.id),
            answered=decision.id in answered,
        )
        for decision in mine
    ]


def _answered(session: Session, match: Match, n: int, decisions: Collection[str]) -> set[str]:
    """Those of these decisions that had to be made, and were, up to entry n."""
    made = select(EntryRow.decision).where(
        EntryRow.match_id == match.id,
        EntryRow.n <= n,
        EntryRow.asks == Asks.MUST,
        EntryRow.decision.in_(list(decisions)),
    )
    return {decision for decision in session.scalars(made) if decision is not None}


def stopped(match: Match, seat: Seat, reached: Position[Any]) -> Any:
    """The reasons why the seat's plan has no answer to what it is asked in this position, as plain
    data for the game's sentences; None if it has no plan for that, or if that fails: a letter is
    not to be stuck for it.
    """
    game = journal.game_of(match)
    if not isinstance(game, ExplainsPlans):
        return None
    try:
        return msgspec.to_builtins(game.stopped(reached.state, seat))
    except Exception:
        log.exception("plan_failed", match=match.id, game=match.game)
        return None


def part(
    game: Game[Any, Any], state: Any, seat: Seat, decision: str, text: str, lang: str
) -> Parted:
    """A text that answers a decision, with the orders for others apart. What is asked of the game
    is asked on a guess of what the seat knows. Raises as `Notation.parse`, and IllegalAction.
    """
    preview = Preview(game, state, seat)
    here = preview.start
    actions = game.notation.parse(here, seat, text, lang)
    takers = orders_among(game, here, seat, actions)
    kinds = {d.id: d.kind for d in game.decisions(here) if d.seat == seat}
    found: dict[str, list[Any]] = {}
    for action, taker in zip(actions, takers, strict=True):
        found.setdefault("" if taker == decision else taker, []).append(action)
    own = found.pop("", [])
    return Parted(
        own="\n".join(_texts(preview, game, seat, own, lang)),
        along="\n".join(
            game.notation.format(here, seat, action, lang)
            for some in found.values()
            for action in some
        ),
        orders=tuple(
            order_of(game, here, seat, kinds[taker], Filed(decision=taker, actions=tuple(some)))
            for taker, some in found.items()
        ),
    )


def _texts(
    preview: Preview[Any, Any], game: Game[Any, Any], seat: Seat, actions: Iterable[Any], lang: str
) -> Iterator[str]:
    """The actions, each written in the position it would be played in."""
    state = preview.start
    for action in actions:
        yield game.notation.format(state, seat, action, lang)
        state = preview.step(state, action).state
