"""The application of this process's environment, with tasks, as `celery -A workers.celery` finds
it.

Whoever runs tasks begins by reading some thousand files of code and templates, and keeps all of it.
Looking for garbage meanwhile takes a fifth of that time and finds little: `runtime.share` does it.
"""

from __future__ import annotations

import gc

from workers import signals
from workers.schedule import app

gc.disable()
signals.connect()
app.conf.include = ["workers.tasks"]
