"""The keys of reply addresses: what a mail to `r+TOKEN@` is about.

A decision's key is in the letter that asks for it, a seat's in all others of a match
(`service.outgoing.access_tokens` issues both); a guest's is in the invitation. A player's is in a
letter about several boards: nothing is played there, but its owner is told where. Who sits down in
another's place gets other keys: the old ones open nothing.
"""

from __future__ import annotations

import datetime as dt

from sqlalchemy.orm import Session

from service.core.keys import Keyring, NewKey, Outdated, seat_scope
from service.core.models import Key, SeatRow

PURPOSE = "reply"
RESIGNING = "resign"
"""The purpose of a key that confirms: a mail to its address answers the question whether the seat
is to be given up. It is no seat's key: each question has its own, for a while.
"""


def seat_token(keys: Keyring, row: SeatRow, decision: str) -> str:
    """The token of a seat, or of one decision of it."""
    return keys.token(PURPOSE, row.match_id, row.seat, decision, row.occupancy)


def guest_token(keys: Keyring, match_id: int, player_id: int) -> str:
    """The token of a guest who has not answered yet."""
    return keys.token(PURPOSE, "invitation", match_id, player_id)


def player_token(keys: Keyring, player_id: int) -> str:
    """The token of a player, of no match."""
    return keys.token(PURPOSE, "player", player_id)


def of_player(keys: Keyring, player_id: int) -> NewKey:
    """The key that lets a player's answer to a letter about several boards arrive."""
    return NewKey(player_token(keys, player_id), PURPOSE, player_id=player_id)


def of_guest(keys: Keyring, match_id: int, player_id: int) -> NewKey:
    """The key that lets an invitee answer by mail."""
    token = guest_token(keys, match_id, player_id)
    return NewKey(token, PURPOSE, match_id=match_id, player_id=player_id)


def of_seat(keys: Keyring, row: SeatRow, decision: str = "") -> NewKey:
    """The key that lets whoever sits there answer by mail: to what they are asked, or anything."""
    return NewKey(
        seat_token(keys, row, decision),
        PURPOSE,
        match_id=row.match_id,
        seat=row.seat,
        decision=decision or None,
        occupancy=row.occupancy,
    )


def find(keys: Keyring, session: Session, token: str) -> Key | None:
    """The key of the address a mail came to."""
    return keys.find(session, token, PURPOSE) or keys.find(session, token, RESIGNING)


def question_token(keys: Keyring, row: SeatRow, question: str) -> str:
    """The token of a question whether this seat is to be given up; `question` tells it from others
    of the same seat.
    """
    return keys.token(RESIGNING, *seat_scope(row, question))


def of_question(keys: Keyring, row: SeatRow, question: str, until: dt.datetime) -> NewKey:
    """The key that lets whoever sits there answer that question until then."""
    return NewKey(
        question_token(keys, row, question),
        RESIGNING,
        match_id=row.match_id,
        seat=row.seat,
        occupancy=row.occupancy,
        expires_at=until,
    )


def outdated(keys: Keyring, session: Session, token: str) -> Outdated | None:
    """The facts about an address of an earlier epoch that must not be acted on."""
    return keys.outdated(session, token, PURPOSE) or keys.outdated(session, token, RESIGNING)
