"""What a WSGI server runs: the pages, with the settings of this process's environment."""

from __future__ import annotations

import os
import sys

from service.app import create_app
from service.logs import configure
from service.secret_keys import WrongSecretKey, require
from service.settings import Settings

settings = Settings.from_env(os.environ)
configure(settings.log_level)
try:
    require(settings)
except WrongSecretKey as error:
    sys.exit(f"paleopost: {error}")
app = create_app(settings)
