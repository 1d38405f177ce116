"""What is thrown away in time: the text of mails that came in, and whom they came from.

What was played, said or noted because of them is kept, and so is that they came: the same mail is
not handled twice. A mail on the shelf is kept until somebody has looked at it.
"""

from __future__ import annotations

import datetime as dt

from sqlalchemy import select, update

from service.context import Service
from service.models import InboundMail

BATCH = 200


def purge(service: Service) -> int:
    """Throw away the text of mails that were handled INBOUND_KEEP days ago; of how many."""
    now = service.now()
    until = now - dt.timedelta(days=service.settings.inbound_keep)
    old = (
        select(InboundMail.id)
        .where(
            InboundMail.done_at < until,
            InboundMail.purged_at.is_(None),
            InboundMail.status == "handled",
        )
        .order_by(InboundMail.done_at)
        .limit(BATCH)
    )
    with service.database.read() as session:
        found = session.scalars(old).all()
    if not found:
        return 0
    with service.database.write() as work:
        work.session.execute(
            update(InboundMail)
            .where(InboundMail.id.in_(found))
            .values(raw=b"", envelope_from=None, details={}, purged_at=now)
        )
    return len(found)
