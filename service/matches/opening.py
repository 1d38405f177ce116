"""Opening a table from a form, once however often its button is pressed."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from engine.fairness import commitment_of
from service.core.context import Service
from service.core.keys import digest_of
from service.core.models import Key, Match, Player
from service.core.verdicts import JsonObject
from service.matches.tables import Place, open_table
from service.time.terms import Terms

PURPOSE = "opened"


def open_once(
    service: Service,
    host_id: int,
    nonce: str,
    game_key: str,
    others: Sequence[Place],
    terms: Terms,
    options: JsonObject,
    part: bytes | None = None,
    *,
    name: str = "",
    greeting: str = "",
) -> str:
    """Open a table as `tables.open_table` does; the code of the match.

    `nonce` is made once per form shown: the same host and nonce again give the same match. `part`
    is what the host adds to its chance, having seen the `commitment`. Raises Refused as
    `open_table` does.
    """
    digest = digest_of(service.keys.token(PURPOSE, host_id, nonce))
    try:
        with service.database.write() as work:
            found = _opened(work.session, digest)
            if found is not None:
                return found
            # Claimed before anything is done: another press waits here for this one's end.
            claim = Key(digest=digest, purpose=PURPOSE, player_id=host_id)
            work.session.add(claim)
            work.session.flush()
            host = work.session.get_one(Player, host_id)
            secret = _secret(service, host_id, nonce)
            match = open_table(
                service,
                work,
                host,
                game_key,
                others,
                terms,
                options,
                name=name,
                greeting=greeting,
                part=part,
                secret=secret,
            )
            claim.match_id = match.id
            return match.code
    except IntegrityError:
        # The other press of the same button was faster.
        with service.database.read() as session:
            found = _opened(session, digest)
        if found is None:
            raise
        return found


def commitment(service: Service, host_id: int, nonce: str) -> str:
    """The hash of the secret that the match opened by this form will have: the form shows it before
    its host adds anything.
    """
    return commitment_of(_secret(service, host_id, nonce))


def _secret(service: Service, host_id: int, nonce: str) -> bytes:
    return service.keys.derive(PURPOSE, host_id, nonce)


def _opened(session: Session, digest: str) -> str | None:
    key = session.get(Key, digest)
    return None if key is None else session.get_one(Match, key.match_id).code
