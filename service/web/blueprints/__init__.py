"""The blueprints of the pages, each a few addresses of one concern."""

from __future__ import annotations

from flask import Blueprint

from service.web.blueprints import (
    account,
    addresses,
    clock,
    home,
    host,
    invitation,
    magic_links,
    mail,
    match,
    matches,
    operator,
    own,
    rematch,
    replay,
    rules,
    seen,
    signin,
    tables,
    turn,
    unsubscribe,
    verdict,
    webhook,
)

BLUEPRINTS: tuple[Blueprint, ...] = tuple(
    module.blueprint
    for module in (
        home,
        signin,
        account,
        addresses,
        mail,
        tables,
        matches,
        invitation,
        magic_links,
        match,
        clock,
        turn,
        verdict,
        own,
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
