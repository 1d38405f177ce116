"""Orders as letters tell their player: what may be filed and what is on file, with links."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

import msgspec

from engine.kit.presentation import ShowsPlans
from engine.protocol import Filed
from service.mail.render.choices import Pictured, with_room
from service.mail.render.draft import Picture
from service.mail.render.table import Table
from service.matches import journal, orders
from service.matches.reading import FiledOrder, order_of
from service.render.pictures import patch_png
from service.render.templating import presentation_of

EXAMPLES = 3


class Filing(msgspec.Struct, frozen=True, kw_only=True):
    """An order that may be filed: the page to file or replace it on, and what is on file.
    `withdraw` leads to the page on which it is taken off file.
    """

    kind: str
    filed: FiledOrder | None
    answered: bool
    link: str
    withdraw: str | None


class Example(Pictured, frozen=True, kw_only=True):
    """An order that could be filed, and the page that shows it before it is."""

    order: FiledOrder
    link: str


def filings(table: Table) -> list[Filing]:
    """The orders the reader may file at the letter's entry."""
    found = orders.open_orders(table.context.session, table.match, table.seat, table.position)
    return [
        Filing(
            kind=order.kind,
            filed=order.filed,
            answered=order.answered,
            link=_link(table, order.decision),
            withdraw=_link(table, order.decision, order.filed.withdraws["en"])
            if order.filed and order.filed.withdraws
            else None,
        )
        for order in found
    ]


def examples(table: Table, decision: str, shown: Iterable[Picture] | None = None) -> list[Example]:
    """The first few of what could be filed for this decision; none if it is not open. Beside
    pictures that are `shown` they have their own if the game draws what an order would do
    (`ShowsPlans`), as many as have room.
    """
    game, seat, state = journal.game_of(table.match), table.seat, table.position.state
    asked = next((d for d in game.decisions(state) if (d.id, d.seat) == (decision, seat)), None)
    if asked is None:
        return []
    # What only takes an order off file is none to begin with.
    withdraws = [f.withdraws for f in table.match_view.filed if f.decision == decision]
    found: list[Example] = []
    for action in islice(asked.choices, EXAMPLES):
        filed = Filed(decision=decision, actions=(action,))
        order = order_of(game, state, seat, asked.kind, filed)
        if order.text not in withdraws:
            seen = None if shown is None else _seen(table, action, len(found))
            link = _link(table, decision, order.text["en"])
            found.append(Example(order=order, link=link, seen=seen))
    return with_room(found, shown or ())


def _seen(table: Table, action: Any, number: int) -> Picture | None:
    """The board about the places that an order would fill, as it is now."""
    game = table.match.game
    presentation = presentation_of(game)
    if not (table.context.drawn and isinstance(presentation, ShowsPlans)):
        return None
    last = presentation.foretold(msgspec.to_builtins(action))
    view, lang = table.match_view.view, table.context.lang
    patch = patch_png(game, view, seat=table.seat, last=last, lang=lang)
    return None if patch is None else table.context.picture(f"example{number}", patch)


def _link(table: Table, decision: str, plan: str = "") -> str:
    return table.context.links.turn(table.match, table.seat, decision, plan)
