"""Other addresses that a player writes from: each counts once its owner has confirmed it."""

from __future__ import annotations

import datetime as dt

import structlog
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from service.core import randomness
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.keys import digest_of
from service.core.letter_details import AliasDetails
from service.core.models import Alias, Key, Letter, Player
from service.core.statuses import LetterKind
from service.outgoing.outbox import owe, owed_since
from service.players.accounts import address_of, meet
from service.time import outages

log = structlog.get_logger(__name__)

MOST = 5
CONFIRM_FOR = dt.timedelta(days=7)
LETTERS_PER_DAY = 5
LETTERS_PER_ADDRESS = 3
"""How often an address is asked in a calendar month, whoever names it: it may be a stranger's."""
PURPOSE = "alias"


def of(session: Session, player: Player) -> list[Alias]:
    """The player's other addresses, oldest first, confirmed or not."""
    return list(
        session.scalars(select(Alias).where(Alias.player_id == player.id).order_by(Alias.id))
    )


def add(service: Service, work: Work, player: Player, address: str) -> Alias:
    """Note another address of the player and send it a letter that asks whether it is theirs.

    Asked again for one that is not confirmed, the letter goes out again. Raises Refused:
    "bad_address", "own_address" (it is known as theirs), "closed_address" (its owner wants
    no such letters), "many_addresses", "many_letters" (today), "asked_enough" (this month).
    """
    email = address_of(address)
    known = of(work.session, player)
    alias = next((row for row in known if row.email == email), None)
    if email == player.email or (alias is not None and alias.confirmed_at is not None):
        raise Refused("own_address", address=email)
    owner = work.session.scalar(select(Player).where(Player.email == email))
    if owner is not None and (owner.suppressed_at is not None or owner.stopped_at is not None):
        raise Refused("closed_address", address=email)
    if alias is None and len(known) >= MOST:
        raise Refused("many_addresses", most=MOST)
    now = service.now()
    day = now - dt.timedelta(days=1)
    if owed_since(work.session, player, LetterKind.ALIAS, day) >= LETTERS_PER_DAY:
        raise Refused("many_letters", most=LETTERS_PER_DAY)
    dedupe = _free_name(work.session, email, now)
    if alias is None:
        alias = Alias(player_id=player.id, email=email)
        work.session.add(alias)
        work.session.flush()
    nonce = randomness.token_hex(8)
    service.keys.issue(
        work.session,
        PURPOSE,
        nonce,
        player_id=player.id,
        decision=str(alias.id),
        expires_at=now + CONFIRM_FOR,
    )
    lang = owner.lang if owner is not None else None
    details = AliasDetails(address=email, nonce=nonce, lang=lang)
    owe(service, work, LetterKind.ALIAS, player, dedupe=dedupe, details=details)
    log.info("address_asked", player=player.id, alias=alias.id)
    return alias


def _free_name(session: Session, email: str, now: dt.datetime) -> str:
    """The name of the next letter to this address. Raises Refused("asked_enough").

    It does not tell the address: it becomes the Message-ID.
    """
    month = f"alias.{digest_of(email)[:32]}.{now:%Y%m}"
    names = [f"{month}.{number}" for number in range(1, LETTERS_PER_ADDRESS + 1)]
    taken = set(session.scalars(select(Letter.dedupe).where(Letter.dedupe.in_(names))))
    free = next((name for name in names if name not in taken), None)
    if free is None:
        raise Refused("asked_enough", address=email, most=LETTERS_PER_ADDRESS)
    return free


def language_of(session: Session, email: str) -> str | None:
    """The language of who has this address, if we know them."""
    return session.scalar(select(Player.lang).where(Player.email == email))


def asked_by(service: Service, session: Session, token: str) -> tuple[Alias, Player]:
    """The address a link would confirm, and whose; it stays as it is.

    Raises Refused: "unknown_link" (also if it was taken back meanwhile), "expired_link".
    """
    key = service.keys.find(session, token, PURPOSE)
    alias = session.get(Alias, int(key.decision)) if key is not None and key.decision else None
    if key is None or alias is None or alias.player_id != key.player_id:
        raise Refused("unknown_link")
    if key.expires_at is not None and key.expires_at < outages.present(service, session):
        raise Refused("expired_link")
    return alias, session.get_one(Player, alias.player_id)


def confirm(service: Service, work: Work, token: str) -> tuple[Alias, Player]:
    """From now on what comes from this address is the player's. Again changes nothing.

    Raises as `asked_by`.
    """
    alias, player = asked_by(service, work.session, token)
    alias.confirmed_at = alias.confirmed_at or service.now()
    log.info("address_confirmed", player=player.id, alias=alias.id)
    return alias, player


def refuse(service: Service, work: Work, token: str) -> str:
    """Send the owner of the address no such letters, and no invitations either, whoever may ask;
    the address. Raises as `asked_by`.
    """
    alias, player = asked_by(service, work.session, token)
    email = alias.email
    owner = meet(service, work.session, email, lang=player.lang)
    owner.suppressed_at = owner.suppressed_at or service.now()
    remove(service, work, player, alias.id)
    log.info("address_refused", player=player.id, owner=owner.id)
    return email


def remove(service: Service, work: Work, player: Player, alias_id: int) -> None:
    """Forget an address, and the letters that ask about it. Nothing if it is not the player's."""
    alias = work.session.get(Alias, alias_id)
    if alias is None or alias.player_id != player.id:
        return
    work.session.execute(
        delete(Key).where(
            Key.purpose == PURPOSE, Key.player_id == player.id, Key.decision == str(alias_id)
        )
    )
    work.session.delete(alias)
