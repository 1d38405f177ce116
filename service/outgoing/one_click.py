"""The one click that ends a kind of mail (RFC 8058): which key it is, and who has it made."""

from __future__ import annotations

from service.core.context import Service
from service.core.keys import NewKey
from service.core.statuses import LetterKind
from service.outgoing.policies import policy_of

PURPOSE = "unsubscribe"


def scope(kind: LetterKind, player_id: int, match_id: int | None) -> tuple[object, ...] | None:
    """The scope that the key of such a letter is derived from; None for a letter without one.

    It ends the letters of one match to one player; invitations altogether; the digest.
    """
    if not policy_of(kind).mutable:
        return None
    if match_id is None:
        return ("digest", player_id)
    what = "invitation" if policy_of(kind).consent == "stranger" else "seat"
    return (what, match_id, player_id)


def key_of(
    service: Service, kind: LetterKind, player_id: int, match_id: int | None
) -> NewKey | None:
    """The key of such a letter; None for one without."""
    parts = scope(kind, player_id, match_id)
    if parts is None:
        return None
    token, what = service.keys.token(PURPOSE, *parts), str(parts[0])
    return NewKey(token, PURPOSE, match_id=match_id, player_id=player_id, decision=what)


def address(service: Service, kind: LetterKind, player_id: int, match_id: int | None) -> str | None:
    """The page of the one click for such a letter."""
    parts = scope(kind, player_id, match_id)
    if parts is None:
        return None
    return f"{service.settings.base_url}/u/{service.keys.token(PURPOSE, *parts)}"
