"""Links that erase a player's data: mailed to their address, so that nobody else can ask for it."""

from __future__ import annotations

import datetime as dt

import structlog
from sqlalchemy.orm import Session

from service.core import randomness
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.letter_details import ErasureDetails
from service.core.models import Player
from service.core.statuses import LetterKind
from service.outgoing.outbox import owe, owed_since
from service.time import outages

log = structlog.get_logger(__name__)

PURPOSE = "erase"
GOOD_FOR = dt.timedelta(hours=24)
LETTERS_PER_DAY = 3


def ask(service: Service, work: Work, player: Player) -> None:
    """Send the player the link. Nothing is erased before it is opened and its button pressed.

    Raises Refused("many_letters").
    """
    now = service.now()
    day = now - dt.timedelta(days=1)
    if owed_since(work.session, player, LetterKind.ERASURE, day) >= LETTERS_PER_DAY:
        raise Refused("many_letters", most=LETTERS_PER_DAY)
    nonce = randomness.token_hex(8)
    service.keys.issue(work.session, PURPOSE, nonce, player_id=player.id, expires_at=now + GOOD_FOR)
    details = ErasureDetails(nonce=nonce)
    owe(service, work, LetterKind.ERASURE, player, dedupe=f"erasure.{nonce}", details=details)
    log.info("erasure_asked", player=player.id)


def asked_by(service: Service, session: Session, token: str) -> Player:
    """The player whose data a link would erase. Raises Refused: "unknown_link" (also once it is
    done), "expired_link".
    """
    key = service.keys.find(session, token, PURPOSE)
    if key is None or key.player_id is None:
        raise Refused("unknown_link")
    if key.expires_at is not None and key.expires_at < outages.present(service, session):
        raise Refused("expired_link")
    return session.get_one(Player, key.player_id)
