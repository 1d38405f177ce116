"""What a WSGI server runs: the pages, with the settings of this process's environment."""

from __future__ import annotations

import os

from service.app import create_app
from service.logs import configure
from service.settings import Settings

settings = Settings.from_env(os.environ)
configure(settings.log_level)
app = create_app(settings)
