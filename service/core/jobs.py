"""The queue of the workers, by Celery. It carries ids only: losing all of it loses nothing.

No ETA, no countdown, no retry: a message that outlives the visibility timeout would be delivered
twice. Times and attempts are columns, and the sweep enqueues again.

A job that cannot be enqueued (the broker is down) is not an error: the row is stored, and the sweep
finds what was not done.
"""

from __future__ import annotations

from typing import Any, cast

import redis
import redis.exceptions
import structlog
from celery import Celery
from kombu.exceptions import OperationalError

from service.core.settings import Settings

log = structlog.get_logger(__name__)

QUEUE_OF = {
    "moves.play": "moves",
    "moves.bot": "moves",
    "mail.deliver": "mail",
    "inbound.handle": "inbound",
    "time.sweep": "time",
    "time.expire": "time",
    "time.resume": "time",
    "time.fill": "time",
}


PATIENCE = 2.0
"""Seconds to wait for a sign of life."""


def connect(redis_url: str) -> redis.Redis:
    """A client of the broker that does not wait long."""
    url = redis_url.replace("redis+socket://", "unix://", 1)
    return redis.Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)


def answers(redis_url: str) -> bool:
    """True if the broker gives a sign of life."""
    try:
        with connect(redis_url) as client:
            return bool(client.ping())
    except (redis.exceptions.RedisError, OSError, ValueError):
        return False


VISIBILITY = 1800  # seconds until an unacknowledged message is delivered again
TASK_LIMIT = 120  # seconds a task may take; well under VISIBILITY


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
            # A web request must not hang on a dead broker: the row is stored, the sweep finds it.
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


class CeleryQueue:
    """Enqueues tasks of `workers/` by name."""

    def __init__(self, celery: Celery) -> None:
        self._celery = celery

    def enqueue(self, task: str, *args: Any) -> None:
        """Ask for a task soon; fails fast and quietly when the broker is away."""
        try:
            self._celery.send_task(task, args=args, queue=QUEUE_OF[task], retry=False)
        except OperationalError as error:
            log.warning("job_not_enqueued", task=task, reason=str(error))

    def waiting(self, task: str) -> int:
        """The number of jobs that wait in the queue of this task; none when the broker is away."""
        try:
            with connect(self._celery.conf.paleopost_settings.redis_url) as client:
                # The transport keeps each queue as a list of its name.
                return cast(int, client.llen(QUEUE_OF[task]))
        except (redis.exceptions.RedisError, OSError, ValueError):
            return 0
