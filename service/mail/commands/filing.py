"""Words about orders: what is on file, and withdrawing it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from engine.protocol import HasOrders
from service.core import locks
from service.core.errors import Refused
from service.core.plain import SPELLED, bare, plain
from service.core.results import OrdersListed, Result, TurnReleased
from service.mail.commands import arguments as takes
from service.mail.commands.command import Command, CommandContext
from service.matches import journal, moves, reading


class Which(msgspec.Struct, frozen=True):
    """The number of an order on file, all of them, or none said: the only one."""

    which: int | Literal["all"] | None


_ALL = frozenset({"all", "everything", "tout", "tous", "toutes"})


def _orders(context: CommandContext, _: takes.Nothing) -> Result:
    """What the writer may file now, and has on file."""
    mine = reading.open_decisions(context.work.session, context.table, context.seat)
    return OrdersListed(seat=context.seat, some=any(not each.blocks for each in mine))


def _withdraw(context: CommandContext, said: Which) -> Result:
    """Have what is on file withdrawn. The mail's answer comes once it is."""
    game, seat = journal.game_of(context.table), context.seat
    state = journal.position(context.work.session, context.table).state
    filed = game.filed(state, seat) if isinstance(game, HasOrders) else ()
    on_file, which = [order for order in filed if order.withdraws], said.which
    if not on_file:
        raise Refused("nothing_on_file")
    if which is None and len(on_file) > 1:
        raise Refused("which_order", most=len(on_file))
    if isinstance(which, int):
        if not 1 <= which <= len(on_file):
            raise Refused("no_such_order", number=which, most=len(on_file))
        on_file = [on_file[which - 1]]
    lang = context.player.lang
    stored = moves.receive(
        context.service,
        context.work,
        match=locks.locked(context.service, context.work, context.table),
        seat=seat,
        decision=on_file[0].decision,
        body="\n".join(
            game.notation.format(state, seat, action, lang)
            for order in on_file
            for action in order.withdraws
        ),
        lang=lang,
        source="reply",
        dedupe=f"reply.{context.dedupe}",
        at_once=True,
    )
    return TurnReleased(submission=stored.id)


def _which(rest: str) -> Which | None:
    said = plain(bare(rest))
    if not said:
        return Which(None)
    if said in _ALL:
        return Which("all")
    if said.isdecimal() and len(said) < 3:
        return Which(int(said))
    return Which(SPELLED[said]) if said in SPELLED else None


WORDS: tuple[Command[Any], ...] = (
    Command("orders", "orders order plans ordres ordre consignes", act=_orders, stays_away=True),
    Command("withdraw", "withdraw retirer", arguments=_which, act=_withdraw, asks_nothing=True),
)
