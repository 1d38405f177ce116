"""Orders as letters tell their player: what may be filed and what is on file, with links."""

from __future__ import annotations

from itertools import islice

import msgspec

from engine.protocol import Filed
from service.mail.render.table import Table
from service.matches import journal, orders
from service.matches.reading import FiledOrder, order_of

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


class Example(msgspec.Struct, frozen=True, kw_only=True):
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


def examples(table: Table, decision: str) -> list[Example]:
    """The first few of what could be filed for this decision; none if it is not open."""
    game, seat, state = journal.game_of(table.match), table.seat, table.position.state
    asked = next((d for d in game.decisions(state) if (d.id, d.seat) == (decision, seat)), None)
    if asked is None:
        return []
    # What only takes an order off file is none to begin with.
    withdraws = [f.withdraws for f in table.match_view.filed if f.decision == decision]
    found = []
    for action in islice(asked.choices, EXAMPLES):
        filed = Filed(decision=decision, actions=(action,))
        order = order_of(game, state, seat, asked.kind, filed)
        if order.text not in withdraws:
            found.append(Example(order=order, link=_link(table, decision, order.text["en"])))
    return found


def _link(table: Table, decision: str, plan: str = "") -> str:
    return table.context.links.turn(table.match, table.seat, decision, plan)
