"""The work of a worker when it starts, when it has forked a child, and while it is there."""

from __future__ import annotations

import os
from typing import Any

from celery.signals import worker_init, worker_process_init, worker_ready

from service.core import presence
from service.core.logs import warn_of_unchecked_senders
from service.ops.processes import MAIL_QUEUE

WRITING = {MAIL_QUEUE, "moves", "inbound"}
"""Who has one of these queues writes letters."""


def _prepare(sender: Any, **_: Any) -> None:
    """Read and compile once what every child would: forked pages of memory are shared. Only who
    writes letters needs it.
    """
    from workers import runtime

    warn_of_unchecked_senders(sender.app.conf.paleopost_settings)
    if WRITING & set(sender.app.amqp.queues.consume_from):
        runtime.warm_up()
    runtime.share()


def _forget_parent(**_: Any) -> None:
    """A forked child must not share its parent's database connections or SMTP session."""
    from workers import runtime

    runtime.forget()


def _be_seen(sender: Any, **_: Any) -> None:
    """Tell now and then how many processes are busy. Sent anew whenever the broker is back, when
    all that was timed is forgotten.
    """
    from celery.worker import state as work  # only a worker pays for it

    app = sender.app
    queues = ",".join(sorted(app.amqp.queues.consume_from))
    # Several workers of one machine have one name.
    name = f"{sender.hostname} {os.getpid()}"

    def tell() -> None:
        presence.tell(
            app.conf.paleopost_settings.redis_url,
            name,
            queues,
            sender.pool.num_processes,
            len(work.active_requests),
        )

    tell()
    sender.timer.call_repeatedly(presence.EVERY, tell)


def connect() -> None:
    """Have Celery call these."""
    worker_init.connect(_prepare)
    worker_process_init.connect(_forget_parent)
    worker_ready.connect(_be_seen)
