"""What a WSGI server runs: the pages, with the settings of this process's environment.

A server that reads this before it forks (`gunicorn --preload`) shares most of it among its
processes. So nothing is left open here: a connection to a database must not outlive a fork.
"""

from __future__ import annotations

import gc
import os
import sys

from service.core.logs import configure
from service.core.memory import give_back
from service.core.schema import SchemaError
from service.core.settings import Settings
from service.core.startup import require_database
from service.dev.app import create_app

settings = Settings.from_env(os.environ)
configure(settings.log_level)
try:
    require_database(settings)
except SchemaError as error:
    sys.exit(f"paleopost: {error}")
app = create_app(settings)
app.extensions["paleopost"].database.dispose()
gc.collect()
give_back()
gc.freeze()
