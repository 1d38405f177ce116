"""What `celery -A workers.celery` finds: the application of this process's environment."""

from __future__ import annotations

import os

from service.logs import configure
from service.settings import Settings
from workers.app import make_celery

settings = Settings.from_env(os.environ)
configure(settings.log_level)
app = make_celery(settings)
