"""The blueprints of the pages, each a few addresses of one concern."""

from __future__ import annotations

from flask import Blueprint

from service.web.blueprints import (
    account,
    addresses,
    entrances,
    home,
    invitation,
    mail,
    match,
    matches,
    rematch,
    rules,
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
        entrances,
        match,
        turn,
        verdict,
        rematch,
        rules,
        unsubscribe,
        webhook,
    )
)
