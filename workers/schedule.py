"""The application without tasks, as `celery -A workers.schedule` finds it: for the beat, which only
sends one by its name at its times.
"""

from __future__ import annotations

import os
from typing import Any

from celery.signals import setup_logging

from service.core.jobs import make_celery
from service.core.logs import configure
from service.core.settings import Settings

settings = Settings.from_env(os.environ)
configure(settings.log_level)


@setup_logging.connect
def _leave_logs(**_: Any) -> None:
    """With this Celery sets no level of its own: LOG_LEVEL holds for workers and beat, too."""


app = make_celery(settings)
