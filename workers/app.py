"""The Celery application. The queue carries ids only; losing all of it loses nothing.

No ETA, no countdown, no retry: a message that outlives the visibility timeout would be delivered
twice. Times and attempts are columns, and the sweep rings again.
"""

from __future__ import annotations

from typing import Any

from celery import Celery
from celery.signals import worker_init, worker_process_init, worker_ready

from service.core import presence
from service.core.logs import warn_of_unchecked_senders
from service.core.settings import Settings
from service.mail.send.smtp import TIMEOUTS
from service.ops.processes import MAIL_QUEUE

VISIBILITY = 1800  # seconds until an unacknowledged message is delivered again
TASK_LIMIT = 120  # seconds a task may take; well under VISIBILITY
# A letter waits for the mail server as long as SMTP has it wait; and is then still claimed.
SEND_LIMIT = int(TIMEOUTS.longest) + 60


def make_celery(settings: Settings) -> Celery:
    """The application for these settings, with its timetable. Who only sends tasks, by their names,
    needs no more; `workers.celery` has the tasks themselves.
    """
    app = Celery("paleopost", broker=settings.redis_url)
    app.conf.update(
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_publish_retry=False,
        task_serializer="json",
        accept_content=["json"],
        task_default_queue="moves",
        task_time_limit=TASK_LIMIT,
        task_soft_time_limit=TASK_LIMIT - 20,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_max_tasks_per_child=5000,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": VISIBILITY,
            # A web request must not hang on a dead broker: the row is stored, the sweep rings.
            # (Without these the library tries for six seconds, whatever a single publisher says.)
            "max_retries": 1,
            "interval_start": 0,
            "socket_timeout": 5,
            "socket_connect_timeout": 2,
            "socket_keepalive": True,
        },
        enable_utc=True,
        beat_schedule={
            "sweep": {
                "task": "time.sweep",
                "schedule": float(settings.sweep_every),
                "options": {"queue": "time", "expires": settings.sweep_every * 2.0},
            }
        },
    )
    app.conf.paleopost_settings = settings
    return app


@worker_init.connect
def _prepare(sender: Any, **_: Any) -> None:
    """Read and compile once what every child would: forked pages of memory are shared. Only who
    writes letters needs it.
    """
    from workers import runtime

    warn_of_unchecked_senders(sender.app.conf.paleopost_settings)
    if MAIL_QUEUE in sender.app.amqp.queues.consume_from:
        runtime.warm_up()
    runtime.share()


@worker_process_init.connect
def _forget_parent(**_: Any) -> None:
    """A forked child must not share its parent's database connections or SMTP session."""
    from workers import runtime

    runtime.forget()


@worker_ready.connect
def _be_seen(sender: Any, **_: Any) -> None:
    """Tell now and then how many processes are busy. Sent anew whenever the broker is back, when
    all that was timed is forgotten.
    """
    from celery.worker import state as work  # only a worker pays for it

    app = sender.app
    queues = ",".join(sorted(app.amqp.queues.consume_from))

    def tell() -> None:
        presence.tell(
            app.conf.paleopost_settings.redis_url,
            sender.hostname,
            queues,
            sender.pool.num_processes,
            len(work.active_requests),
        )

    tell()
    sender.timer.call_repeatedly(presence.EVERY, tell)
