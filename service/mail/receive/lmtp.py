"""The process that takes mail in: listens for LMTP (LMTP_LISTEN) and plain SMTP (SMTP_LISTEN)."""

from __future__ import annotations

import asyncio
import contextlib
import grp
import logging
import os
import signal
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service.core import heartbeat
from service.core.context import Service
from service.core.errors import CannotStart
from service.core.logs import warn_of_unchecked_senders
from service.mail.receive.smtp import Conversation, Gate, LmtpConversation, TooMany

log = structlog.get_logger(__name__)

# Seconds in which mails that are being stored when the end is asked for may be finished
GRACE = 10.0
# Seconds between two notes that we listen
SIGN_EVERY = 60.0

Factory = Callable[[], asyncio.BaseProtocol]


async def serve(service: Service) -> None:
    """Take mail until SIGTERM or SIGINT; with nothing to listen on, only wait for that.

    Raises CannotStart when a place cannot be listened on.
    """
    # aiosmtpd logs every line it hears.
    logging.getLogger("mail.log").setLevel(logging.WARNING)
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    gate = Gate()
    group = service.settings.socket_group
    servers = [
        await _listen(name, place, at(gate, conversation), group)
        for name, place, conversation in (
            ("LMTP_LISTEN", service.settings.lmtp_listen, lambda: LmtpConversation(service, gate)),
            ("SMTP_LISTEN", service.settings.smtp_listen, lambda: Conversation(service, gate)),
        )
        if place is not None
    ]
    if not servers:
        log.info("nothing_to_do", reason="neither LMTP_LISTEN nor SMTP_LISTEN is set")
    warn_of_unchecked_senders(service.settings)
    signs = asyncio.create_task(_give_signs(service)) if servers else None
    await ended.wait()
    if signs is not None:
        signs.cancel()
    for server in servers:
        server.close()
    await _finish(gate)


async def _give_signs(service: Service) -> None:
    """Note every minute that somebody listens, for whoever watches the service."""
    while True:
        try:
            await asyncio.to_thread(heartbeat.note, service, heartbeat.LMTP)
        except (SQLAlchemyError, OSError) as error:
            log.warning("sign_of_life_not_noted", reason=type(error).__name__)
        await asyncio.sleep(SIGN_EVERY)


def at(gate: Gate, conversation: Factory) -> Factory:
    """Conversations as long as there is room."""
    return lambda: TooMany() if gate.full else conversation()


async def _listen(name: str, place: str, factory: Factory, group: str | None) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    try:
        if place.startswith("unix:"):
            bound = bind_socket(Path(place.removeprefix("unix:")), group)
            server = await loop.create_unix_server(factory, sock=bound)
        else:
            host, _, port = place.rpartition(":")
            server = await loop.create_server(factory, host.strip("[]"), int(port))
    except OSError as error:
        raise CannotStart(f"{name}: {place} cannot be listened on ({error.strerror}).") from error
    log.info("listening", place=place)
    return server


def bind_socket(path: Path, group: str | None) -> socket.socket:
    """A Unix socket at this path, not yet listening, that only its owner and its group may write
    to: `group`, by name or number, is the MTA's; None leaves our own.

    Whoever may write to it may hand in mail in anybody's name. A socket that a process before us
    has left there is removed. Raises OSError, and CannotStart if there is no such group or we may
    not give a socket to it.
    """
    with contextlib.suppress(FileNotFoundError):
        if stat.S_ISSOCK(path.stat().st_mode):
            path.unlink()
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # bind makes the file with what the mask leaves, so at no moment is it open to others; and
    # before the group has it nobody listens.
    mask = os.umask(0o117)
    try:
        bound.bind(str(path))
        if group is not None:
            _give(path, group)
    except BaseException:
        bound.close()
        raise
    finally:
        os.umask(mask)
    return bound


def _give(path: Path, group: str) -> None:
    try:
        number = int(group) if group.isdecimal() else grp.getgrnam(group).gr_gid
        os.chown(path, -1, number)
    except KeyError as error:
        raise CannotStart(f"SOCKET_GROUP: there is no group {group!r} here.") from error
    except (PermissionError, OverflowError) as error:
        raise CannotStart(
            f"SOCKET_GROUP: {path} cannot be given to {group!r}: run as a member of that group."
        ) from error


async def _finish(gate: Gate) -> None:
    """Let what is being stored be answered, then hang up."""
    until = asyncio.get_running_loop().time() + GRACE
    while gate.storing and asyncio.get_running_loop().time() < until:
        await asyncio.sleep(0.05)
    for one in list(gate.connections):
        if isinstance(one.transport, asyncio.Transport):
            one.transport.close()
