"""The orders a reader may file, as a letter lists them: what is on file, and how one is written."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

import msgspec

from engine.protocol import Filed
from service.mail.render.filing import examples
from service.mail.render.table import Table
from service.matches import journal
from service.matches.orders import OpenOrder, open_orders
from service.matches.reading import FiledOrder, order_of

SAMPLES = 2
"""Examples of each order: the page has all that can be listed."""


class OrderLine(msgspec.Struct, frozen=True, kw_only=True):
    """An order as it is listed: `samples` are others that could be filed; `number` is how it is
    named to withdraw it, None where there is nothing that could be withdrawn.
    """

    order: OpenOrder
    samples: list[FiledOrder]
    number: int | None
    link: str


def order_lines(table: Table) -> list[OrderLine]:
    """The orders that the reader may file, in the order of the game."""
    lines: list[OrderLine] = []
    numbers = count(1)
    for order in open_orders(table.context.session, table.match, table.seat, table.position):
        samples = [each.order for each in examples(table, order.decision)]
        withdraws = order.filed is not None and bool(order.filed.withdraws)
        lines.append(
            OrderLine(
                order=order,
                samples=samples[:SAMPLES],
                number=next(numbers) if withdraws else None,
                link=table.context.links.turn(table.match, table.seat, order.decision),
            )
        )
    return lines


def said_of(table: Table, decisions: Iterable[str], actions: Iterable[object]) -> list[FiledOrder]:
    """The orders that were filed for these decisions, as they are on file now; what was used at
    once, or withdrawn, by its actions.
    """
    on_file = {order.decision: order for order in table.match_view.filed}
    found = [on_file[decision] for decision in decisions if decision in on_file]
    if found:
        return found
    game = journal.game_of(table.match)
    read = tuple(msgspec.convert(action, game.action_type) for action in actions)
    used = Filed(decision="", actions=read)
    return [order_of(game, table.position.state, table.seat, "", used)] if read else []
