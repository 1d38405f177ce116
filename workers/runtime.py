"""What one worker process keeps between tasks: the service and the connection to the MTA."""

from __future__ import annotations

from dataclasses import dataclass

from celery import Celery

from service.context import Service
from service.queue import CeleryQueue
from service.smtp import SmtpTransport
from workers.app import settings_of


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
        settings = settings_of(app)
        _runtime = Runtime(Service(settings, CeleryQueue(app)), SmtpTransport(settings.smtp_url))
    return _runtime


def forget() -> None:
    """Drop the tools without saying goodbye: they belong to the parent process."""
    global _runtime
    if _runtime is not None:
        _runtime.service.database.engine.dispose(close=False)
    _runtime = None
