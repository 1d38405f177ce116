"""Going on with another secret key, when the one that links were made with is gone."""

from __future__ import annotations

from service.core import secret_keys
from service.core.context import Service
from service.core.results import NewLinks
from service.ops import telling_all


def accept(service: Service, *, tell: bool) -> int | None:
    """Note that the database is used with the newest secret key of the settings. If none of them is
    the one before, or if asked to, everybody at a table is told of new links; how many. None if
    there was nothing to do.
    """
    with service.database.write() as work:
        before = secret_keys.noted(work.session)
        lost = not secret_keys.is_right(service.settings, before)
        changed = secret_keys.accept(work.session, service.settings, service.now())
        if not (lost or tell):
            return 0 if changed else None
        name = f"links.{service.keys.secret}.{service.now():%Y%m%d%H%M}"
        return telling_all.tell(service, work, NewLinks(), name)
