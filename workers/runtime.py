"""The tools one worker process keeps between tasks: the service and the connection to the MTA."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from functools import partial

from celery import Celery

from engine.games import games
from service.core.context import Service
from service.core.jobs import CeleryQueue
from service.core.memory import give_back
from service.core.settings import Settings
from service.mail.render.letter_context import mail_environment
from service.mail.send.claims import claim_ahead
from service.mail.send.smtp import SmtpTransport
from service.render.pictures import warm
from service.render.templating import LANGUAGES, environment


@dataclass
class Runtime:
    """One process's tools."""

    service: Service
    transport: SmtpTransport


_runtime: Runtime | None = None


def runtime(app: Celery) -> Runtime:
    """This process's tools, made on first use."""
    global _runtime
    if _runtime is None:
        settings: Settings = app.conf.paleopost_settings
        transport = SmtpTransport(settings.smtp_url, ca=settings.mail_ca)
        service = Service(settings, CeleryQueue(app))
        service.claim_ahead = partial(claim_ahead, service)
        _runtime = Runtime(service, transport)
    return _runtime


def warm_up() -> None:
    """Compile the templates of letters and draw the parts of pictures in every language: called
    before the pool is forked.
    """
    for lang in LANGUAGES:
        for env, also in ((mail_environment(lang), "mail/"), (environment(lang), "boards/")):
            for name in env.list_templates():
                if name.startswith(("wording/", also)) or _is_wording_of_a_game(name):
                    env.get_template(name)
        for key in games():
            warm(key, lang)


def share() -> None:
    """Give back what starting up needed for a while, and keep the collector off what is there
    before the pool is forked: a page of memory that it touches is copied for each child.
    """
    gc.collect()
    give_back()
    gc.freeze()
    gc.enable()


def _is_wording_of_a_game(name: str) -> bool:
    """Letters use these; what else a game has is for pages."""
    return name.startswith("games/") and name.endswith((".txt", "/letter.html"))


def forget() -> None:
    """Drop the tools without saying goodbye: they belong to the parent process."""
    global _runtime
    if _runtime is not None:
        _runtime.service.database.engine.dispose(close=False)
    _runtime = None
