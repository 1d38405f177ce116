"""A session that asks for a row once."""

from __future__ import annotations

from typing import Any

from sqlalchemy import event
from sqlalchemy.orm import Session

_ROWS = "rows"


class ReadSession(Session):
    """A session that keeps what it has read or inserted until it ends, so that it is found again by
    its primary key without asking. SQLAlchemy's own keeps only what somebody else holds.
    """


@event.listens_for(ReadSession, "loaded_as_persistent")
@event.listens_for(ReadSession, "pending_to_persistent")
def _keep(session: Session, row: Any) -> None:
    session.info.setdefault(_ROWS, []).append(row)
