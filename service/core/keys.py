"""Unguessable links: 26 lower-case characters, 128 bits, kept as a hash only.

A key is derived from the secret and what it opens, so a letter that is rendered again after a
failure holds the same links; the database has only its SHA-256, so a stolen copy opens nothing.

A token to a match is one block of AES-128: which match, seat and player it is for, some bytes of an
HMAC over all that it opens, and zeros. Nobody can make one without the secret; we can read back
whose it is, even if this database has never heard of it because it went on from an older copy
(`service.core.epochs`). To open anything it must be known by its hash, or be exactly what we would
make.
"""

from __future__ import annotations

import base64
import copy
import datetime as dt
import hashlib
import hmac
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from threading import Lock
from typing import Any, Final

import msgspec
from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext, algorithms, modes
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from service.core import randomness
from service.core.db import insert_all
from service.core.epochs import Era, History
from service.core.models import DecisionRow, Key, Match, Player, SeatRow
from service.core.statuses import MatchStatus

_KNOWN = select(Key.digest).where(Key.digest.in_(bindparam("digests", expanding=True)))
_SHAPE = re.compile(r"[a-z2-7]{26}")

_KINDS: Final = (
    *("decision", "seat", "rematch", "reply"),
    *("watch", "invitation", "reply invitation", "reply player"),
    *("unsubscribe seat", "unsubscribe invitation", "unsubscribe digest"),
    *("resign", "join"),
)
"""What a token is read back as, in the order of their numbers: add new ones at the end."""
_OF_A_SEAT: Final = frozenset({"decision", "seat", "rematch", "reply", "resign"})
"""These are for one occupancy of a seat in one epoch; the others hold in all, as nothing is played
by them.
"""
_ANSWERED: Final = frozenset({"reply", "resign"})
"""The purposes of keys to reply addresses: what is written there is acted on."""
_BLOCK = struct.Struct(">BBI6s4s")
_ZEROS = bytes(4)


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a token of ours, as it can be read back. `tag` is that of its epoch, `secret`
    the fingerprint of the key it was made with. `player` is the number of the link for "join".
    """

    kind: str
    tag: int
    secret: str
    match: int
    seat: int = 0
    occupancy: int = 0
    player: int = 0

    @property
    def purpose(self) -> str:
        """The purpose of its key."""
        return self.kind.partition(" ")[0]

    @property
    def of_a_seat(self) -> bool:
        """True if it is for who sits at a seat."""
        return self.kind in _OF_A_SEAT


class NewKey(msgspec.Struct, frozen=True):
    """A token and what it opens: the row of its key that is to be."""

    token: str
    purpose: str
    match_id: int | None = None
    seat: int | None = None
    decision: str | None = None
    occupancy: int | None = None
    player_id: int | None = None
    expires_at: dt.datetime | None = None

    def values(self) -> dict[str, Any]:
        """The columns of its row."""
        return {
            "digest": digest_of(self.token),
            **{name: getattr(self, name) for name in self.__struct_fields__ if name != "token"},
        }


class Outdated(msgspec.Struct, frozen=True, kw_only=True):
    """A link or address of an earlier epoch whose board may have been another: the database was set
    back to its copy of `copied_at`. `match` is None where that copy knows nothing of it.
    """

    copied_at: dt.datetime
    match: int | None = None
    seat: int | None = None
    occupancy: int = 0


def digest_of(token: str) -> str:
    """The hash of a token, which is all the database keeps of it."""
    return hashlib.sha256(token.encode()).hexdigest()


def random_code() -> str:
    """A short random name for a page, with letters that are not mixed up."""
    return "".join(randomness.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(10))


def seat_scope(row: SeatRow, *more: object) -> tuple[object, ...]:
    """The scope of a key to this seat: another player on it has other keys.

    The first to sit there has the plain scope; `more` is what the key opens of the seat.
    """
    scope = (row.match_id, row.seat, *more)
    return (*scope, f"tenant {row.occupancy}") if row.occupancy else scope


@cache
def fingerprint(secret: str) -> str:
    """A name that tells a secret key from others, and nothing about it."""
    return hmac.new(secret.encode(), b"fingerprint", hashlib.sha256).hexdigest()[:16]


class Keyring:
    """Makes tokens with the newest secret key, and finds what those of all of them open.

    `history` is asked for once, when it is first needed.
    """

    def __init__(self, secret_keys: tuple[str, ...], history: Callable[[], History]) -> None:
        self._ring = {fingerprint(secret): secret for secret in secret_keys}
        self._load = history
        self._history: History | None = None
        self._era: Era | None = None
        self.secret = fingerprint(secret_keys[0])
        """The fingerprint of the key that tokens are made with."""

    @property
    def history(self) -> History:
        """The epochs of the database."""
        if self._history is None:
            self._history = self._load()
        return self._history

    @property
    def era(self) -> Era:
        """The epoch that tokens are made for."""
        return self._era or self.history.now

    def has(self, secret: str | None) -> bool:
        """True if the secret key with this fingerprint is (still) one of ours."""
        return secret is None or secret in self._ring

    def of(self, epoch: int | None, secret: str | None) -> Keyring:
        """The keyring as of an epoch and secret key: what is made by it again is the same. Where
        one of them is unknown, as it is now.
        """
        era = next((era for era in self.history.eras if era.number == epoch), None)
        if era is None or secret not in self._ring:
            return self
        return self._at(era, secret)

    def _at(self, era: Era, secret: str) -> Keyring:
        found = copy.copy(self)
        found._era, found.secret = era, secret
        return found

    def mac(self, purpose: str, *scope: object) -> bytes:
        """128 bits that only we can make, for this purpose and scope in this epoch."""
        text = "\0".join((self.era.mark, purpose, *map(str, scope)))
        return self._hmac(text)

    def _hmac(self, text: str) -> bytes:
        secret = self._ring[self.secret].encode()
        return hmac.new(secret, text.encode(), hashlib.sha256).digest()[:16]

    def mark(self, purpose: str, *scope: object) -> str:
        """80 bits of the same, in 16 lower-case characters."""
        return base64.b32encode(self.mac(purpose, *scope)[:10]).decode().lower()

    def is_mark(self, mark: str, purpose: str, *scope: object) -> bool:
        """True if we have made this mark, in whatever epoch that is known and with whatever key."""
        return any(
            hmac.compare_digest(mark, self._at(era, secret).mark(purpose, *scope))
            for era in self.history.eras
            for secret in self._ring
        )

    def token(self, purpose: str, *scope: object) -> str:
        """The token for a purpose and scope, e.g. ("decision", match id, seat, decision)."""
        named = _named(purpose, scope)
        if named is None:
            # It is for a random name: another one in every epoch anyway.
            whole = self._hmac("\0".join((purpose, *map(str, scope))))
        else:
            kind, match, who = named
            own = self.mac(purpose, *scope)
            block = _BLOCK.pack(
                _KINDS.index(kind) + 1, self.era.tag, match, (who + own)[:6], _ZEROS
            )
            with _ENCRYPTING:
                whole = _encryptor(self._ring[self.secret]).update(block)
        return base64.b32encode(whole).decode().rstrip("=").lower()

    def derive(self, purpose: str, *scope: object) -> bytes:
        """32 bytes that nobody without the key can know, the same for the same purpose and scope in
        one epoch: what a form commits to before it is sent, with nothing stored for those that
        never are. In another epoch numbers mean others, and what was committed to may be known.
        """
        halves = (self.mac(f"secret {half}", purpose, *scope) for half in ("left", "right"))
        return hashlib.sha256(b"".join(halves)).digest()

    def issue(
        self,
        session: Session,
        purpose: str,
        *scope: object,
        match_id: int | None = None,
        seat: int | None = None,
        decision: str | None = None,
        occupancy: int | None = None,
        player_id: int | None = None,
        expires_at: dt.datetime | None = None,
    ) -> str:
        """Make a token that opens something from now on; issuing it again changes nothing."""
        key = NewKey(
            self.token(purpose, *scope),
            purpose,
            match_id=match_id,
            seat=seat,
            decision=decision,
            occupancy=occupancy,
            player_id=player_id,
            expires_at=expires_at,
        )
        self.issue_all(session, [key])
        return key.token

    def issue_all(self, session: Session, new: Sequence[NewKey]) -> None:
        """Let all of these open something from now on, with one statement."""
        known = {"secret": self.secret, "epoch": self.era.number}
        insert_all(session, Key, [{**key.values(), **known} for key in new])

    def issue_missing(self, session: Session, new: Sequence[NewKey]) -> None:
        """The same where nearly all of them open it already: they are looked for first, as reading
        is cheaper.
        """
        wanted = {digest_of(key.token): key for key in new}
        if wanted:
            known = session.scalars(_KNOWN, {"digests": [*wanted]}).all()
            self.issue_all(session, [wanted[each] for each in wanted if each not in known])

    def find(self, session: Session, token: str, purpose: str) -> Key | None:
        """The key of this token, or None for a forged, foreign or mistyped one (used and expired
        ones are found: it is the caller who says what that means).

        One that was made with a secret key that is given up opens nothing any more.
        """
        token = token.strip().lower()
        if not _SHAPE.fullmatch(token):
            return None
        key = session.get(Key, digest_of(token)) or self._derived(session, token)
        return key if key is not None and key.purpose == purpose and self.has(key.secret) else None

    def outdated(self, session: Session, token: str, purpose: str) -> Outdated | None:
        """The facts about a token of an earlier epoch that must not be acted on, None for any
        other. One that is known opens pages all the same: they show what is now.
        """
        now, token = self.history.now, token.strip().lower()
        if now.copied_at is None or not _SHAPE.fullmatch(token):
            return None
        key = session.get(Key, digest_of(token))
        if key is not None:
            old = key.purpose == purpose in _ANSWERED and key.epoch < now.number
            if not old or key.match_id is None or key.seat is None or not self.has(key.secret):
                return None
            row = _seat(session, key.match_id, key.seat)
            if row is None or row.occupancy != key.occupancy:
                return None
            return Outdated(
                copied_at=now.copied_at, match=key.match_id, seat=key.seat, occupancy=row.occupancy
            )
        found = self.reference(token)
        if found is None or found.purpose != purpose or found.tag == now.tag:
            return None
        if not found.of_a_seat:
            return Outdated(copied_at=now.copied_at)
        return self.set_back(session, found.tag, found.match, found.seat, found.occupancy)

    def set_back(
        self, session: Session, tag: int, match: int, seat: int, occupancy: int
    ) -> Outdated | None:
        """The facts about a seat as it was in an earlier epoch; None to who had given it up before
        the copy was taken.
        """
        copied_at = self.history.now.copied_at
        if copied_at is None:
            return None
        lost = Outdated(copied_at=copied_at)
        if not self.history.knew(tag, match=match):
            return lost
        row = _seat(session, match, seat)
        if row is None or row.match.started_at is None:
            return lost  # who sits where was settled later
        if occupancy != row.occupancy:
            return lost if occupancy > row.occupancy else None
        return Outdated(copied_at=copied_at, match=match, seat=seat, occupancy=occupancy)

    def reference(self, token: str) -> Reference | None:
        """The contents of a token of ours; None for any other."""
        try:
            whole = base64.b32decode(token.upper() + "======")
        except ValueError:
            return None
        for name, secret in self._ring.items():
            block = _cipher(secret).decryptor().update(whole)
            number, tag, match, who, zeros = _BLOCK.unpack(block)
            if zeros == _ZEROS and 1 <= number <= len(_KINDS):
                kind = _KINDS[number - 1]
                if kind in _OF_A_SEAT:
                    seat, occupancy = who[0], who[1]
                    return Reference(
                        kind=kind, tag=tag, secret=name, match=match, seat=seat, occupancy=occupancy
                    )
                player = int.from_bytes(who[:4])
                return Reference(kind=kind, tag=tag, secret=name, match=match, player=player)
        return None

    def _derived(self, session: Session, token: str) -> Key | None:
        """What a token opens that is not kept, but exactly what we make: the secret key has changed
        since the match began, or the epoch.
        """
        found = self.reference(token)
        if found is None:
            return None
        for era in self.history.eras:
            if era.tag != found.tag:
                continue
            if era is not self.history.now and (
                found.of_a_seat
                # Its number may have been given again since; those the copy knew are kept.
                or found.kind == "join"
                or not self.history.knew(era.tag, match=found.match, player=found.player)
            ):
                continue
            keys = self._at(era, found.secret)
            for scope, key in _candidates(session, found):
                if hmac.compare_digest(token, keys.token(found.purpose, *scope)):
                    key.digest, key.purpose = digest_of(token), found.purpose
                    key.secret, key.epoch = found.secret, era.number
                    return key
        return None


def _named(purpose: str, scope: tuple[object, ...]) -> tuple[str, int, bytes] | None:
    """The kind of a token, its match and whose it is; None for one that is for a random name."""
    match purpose, *scope:
        case [("decision" | "seat" | "rematch" | "resign"), int(match), int(seat), *more]:
            last = str(more[-1]) if more else ""
            occupancy = int(last.removeprefix("tenant ")) if last.startswith("tenant ") else 0
            return purpose, match, bytes((seat, min(occupancy, 255)))
        case ["reply", int(match), int(seat), str(), int(occupancy)]:
            return purpose, match, bytes((seat, min(occupancy, 255)))
        case ["watch", int(match)]:
            return purpose, match, b""
        case ["join", int(match), int(number)]:
            return purpose, match, number.to_bytes(4)
        case ["invitation", int(match), int(player)]:
            return purpose, match, player.to_bytes(4)
        case ["reply", "invitation", int(match), int(player)]:
            return "reply invitation", match, player.to_bytes(4)
        case ["reply", "player", int(player)]:
            return "reply player", 0, player.to_bytes(4)
        case ["unsubscribe", "digest", int(player)]:
            return "unsubscribe digest", 0, player.to_bytes(4)
        case ["unsubscribe", ("seat" | "invitation") as what, int(match), int(player)]:
            return f"unsubscribe {what}", match, player.to_bytes(4)
    return None


def _candidates(session: Session, found: Reference) -> Iterator[tuple[tuple[object, ...], Key]]:
    """The scopes that a token may be for, by what it says of itself, and what each opens."""
    match, player = found.match, found.player
    if found.of_a_seat:
        row = _seat(session, match, found.seat)
        if row is None or row.occupancy != found.occupancy or row.match.started_at is None:
            return
        asked = select(DecisionRow.decision).where(
            DecisionRow.match_id == match, DecisionRow.seat == found.seat
        )
        # Keys that were thrown away with an old match (`service.ops.retention`) do not come back.
        decisions = session.scalars(asked).all() if row.match.pruned_at is None else ()

        def key(decision: str | None = None) -> Key:
            return Key(match_id=match, seat=row.seat, occupancy=row.occupancy, decision=decision)

        match found.kind:
            case "seat":
                yield seat_scope(row), key()
            case "rematch" if row.match.status == MatchStatus.ENDED:
                yield seat_scope(row), key()
            case "decision":
                for decision in decisions:
                    yield seat_scope(row, decision), key(decision)
            case "reply":
                yield (match, row.seat, "", row.occupancy), key()
                for decision in decisions:
                    yield (match, row.seat, decision, row.occupancy), key(decision)
        return
    match found.kind:
        case "watch" if session.get(Match, match) is not None:
            yield (match,), Key(match_id=match)
        case "join" if _newest_join_link(session, match) == player:
            yield (match, player), Key(match_id=match, decision=str(player))
        case "invitation" if _guest(session, match, player):
            yield (match, player), Key(match_id=match, player_id=player)
        case "reply invitation" if _guest(session, match, player):
            yield ("invitation", match, player), Key(match_id=match, player_id=player)
        case "reply player" if session.get(Player, player) is not None:
            yield ("player", player), Key(player_id=player)
        case "unsubscribe digest" if session.get(Player, player) is not None:
            yield ("digest", player), Key(player_id=player, decision="digest")
        case "unsubscribe seat" | "unsubscribe invitation" if _guest(session, match, player):
            what = found.kind.partition(" ")[2]
            yield (
                (what, match, player),
                Key(match_id=match, player_id=player, decision=what),
            )


def _seat(session: Session, match: int, seat: int) -> SeatRow | None:
    return session.scalar(select(SeatRow).where(SeatRow.match_id == match, SeatRow.seat == seat))


def _guest(session: Session, match: int, player: int) -> bool:
    found = select(SeatRow.id).where(SeatRow.match_id == match, SeatRow.player_id == player)
    return session.scalar(found) is not None


def _newest_join_link(session: Session, match: int) -> int | None:
    return session.scalar(select(Match.join_links).where(Match.id == match))


@cache
def _cipher(secret: str) -> Cipher[modes.ECB]:
    """One block each: a permutation that only who has the secret can compute."""
    key = hmac.new(secret.encode(), b"token", hashlib.sha256).digest()[:16]
    return Cipher(algorithms.AES(key), modes.ECB())  # noqa: S305 (single blocks, none twice)


@cache
def _encryptor(secret: str) -> CipherContext:
    """It is kept, as making one takes longer than all else of a token."""
    return _cipher(secret).encryptor()


_ENCRYPTING: Final = Lock()
