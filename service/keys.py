"""Unguessable links: 26 lower-case characters, 128 bits, kept as a hash only.

A key is derived from the secret and what it opens, so a letter that is rendered again after a
failure holds the same links; the database has only its SHA-256, so a stolen copy opens nothing.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import re
import secrets

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from service.db import insert_once
from service.models import Key, SeatRow

_KNOWN = select(Key.digest).where(Key.digest == bindparam("digest"))
_SHAPE = re.compile(r"[a-z2-7]{26}")


def digest_of(token: str) -> str:
    """What the database keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def random_code(length: int = 10) -> str:
    """A short random name for a page, with letters that are not mixed up."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(length))


def seat_scope(row: SeatRow, *more: object) -> tuple[object, ...]:
    """The scope of a key to this seat: another player on it has other keys.

    The first to sit there has the plain scope; `more` is what the key opens of the seat.
    """
    scope = (row.match_id, row.seat, *more)
    return (*scope, f"tenant {row.tenant}") if row.tenant else scope


class Keyring:
    """Makes tokens, and finds what they open."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def token(self, purpose: str, *scope: object) -> str:
        """The token for a purpose and scope, e.g. ("decision", match id, seat, decision)."""
        text = "\0".join((purpose, *map(str, scope)))
        mac = hmac.new(self._secret, text.encode(), hashlib.sha256).digest()[:16]
        return base64.b32encode(mac).decode().rstrip("=").lower()

    def secret(self, purpose: str, *scope: object) -> bytes:
        """32 bytes that nobody without the key can know, the same for the same purpose and scope:
        what a form commits to before it is sent, with nothing stored for those that never are.
        """
        halves = (self.token(f"secret {half}", purpose, *scope) for half in ("left", "right"))
        return hashlib.sha256("".join(halves).encode()).digest()

    def issue(
        self,
        session: Session,
        purpose: str,
        *scope: object,
        match_id: int | None = None,
        seat: int | None = None,
        decision: str | None = None,
        player_id: int | None = None,
        expires_at: dt.datetime | None = None,
    ) -> str:
        """Make a token that opens something from now on; issuing it again changes nothing."""
        token = self.token(purpose, *scope)
        insert_once(
            session,
            Key,
            digest=digest_of(token),
            purpose=purpose,
            match_id=match_id,
            seat=seat,
            decision=decision,
            player_id=player_id,
            expires_at=expires_at,
        )
        return token

    @staticmethod
    def opens(session: Session, token: str) -> bool:
        """Whether a token of ours opens something already."""
        return session.scalar(_KNOWN, {"digest": digest_of(token)}) is not None

    @staticmethod
    def find(session: Session, token: str, purpose: str) -> Key | None:
        """What this token opens, or None for a forged, foreign or mistyped one (used and expired
        ones are found: it is the caller who says what that means).
        """
        token = token.strip().lower()
        if not _SHAPE.fullmatch(token):
            return None
        key = session.get(Key, digest_of(token))
        return key if key is not None and key.purpose == purpose else None
