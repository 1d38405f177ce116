"""The bell: hands ids to the workers through Celery.

A bell that cannot be rung (the broker is down) is not an error: the row is stored, and the sweep
finds what was not done.
"""

from __future__ import annotations

from typing import Any, cast

import redis
import redis.exceptions
import structlog
from celery import Celery
from kombu.exceptions import OperationalError

log = structlog.get_logger(__name__)

QUEUE_OF = {
    "moves.play": "moves",
    "moves.bot": "moves",
    "mail.deliver": "mail",
    "inbound.handle": "inbound",
    "time.sweep": "time",
    "time.expire": "time",
    "time.resume": "time",
}


PATIENCE = 2.0
"""Seconds to wait for a sign of life."""


def connect(redis_url: str) -> redis.Redis:
    """A client of the broker that does not wait long."""
    url = redis_url.replace("redis+socket://", "unix://", 1)
    return redis.Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)


def answers(redis_url: str) -> bool:
    """Whether the broker gives a sign of life."""
    try:
        with connect(redis_url) as client:
            return bool(client.ping())
    except (redis.exceptions.RedisError, OSError, ValueError):
        return False


class CeleryQueue:
    """Rings tasks of `workers/` by name."""

    def __init__(self, celery: Celery) -> None:
        self._celery = celery

    def ring(self, task: str, *args: Any) -> None:
        """Ask for a task soon; fails fast and quietly when the broker is away."""
        try:
            self._celery.send_task(task, args=args, queue=QUEUE_OF[task], retry=False)
        except OperationalError as error:
            log.warning("bell_not_rung", task=task, reason=str(error))

    def waiting(self, task: str) -> int:
        """How many calls wait in the queue of this task; none when the broker is away."""
        try:
            with connect(self._celery.conf.paleopost_settings.redis_url) as client:
                # The transport keeps each queue as a list of its name.
                return cast(int, client.llen(QUEUE_OF[task]))
        except (redis.exceptions.RedisError, OSError, ValueError):
            return 0
