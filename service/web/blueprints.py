"""The blueprints of the pages, each a few addresses of one concern."""

from __future__ import annotations

from flask import Blueprint

from service.web.accounts import addresses, mail, own_data, settings, signin, unsubscribe
from service.web.front import bot_game, home, learn, rules
from service.web.matches import check, clock, magic_links, match, mine, replay, seat, seen
from service.web.ops import operator, webhook
from service.web.tables import host, invitation, join, opening, rematch
from service.web.turns import turn, verdict

BLUEPRINTS: tuple[Blueprint, ...] = tuple(
    module.blueprint
    for module in (
        home,
        learn,
        bot_game,
        signin,
        settings,
        addresses,
        mail,
        own_data,
        opening,
        mine,
        invitation,
        join,
        magic_links,
        match,
        check,
        clock,
        turn,
        verdict,
        seat,
        host,
        rematch,
        replay,
        rules,
        seen,
        unsubscribe,
        webhook,
        operator,
    )
)
