"""Ports of this machine: which are free, and what to say of one that is not."""

from __future__ import annotations

import errno
import http.client
import random
import socket

from service.core.errors import CannotStart

# Below what systems give to outgoing connections (Linux: 32768 and up; RFC 6335 §6: 49152 and
# up), any of which could take a port before the server that it was chosen for listens on it.
SERVERS = range(20_000, 32_000)


def free_port(host: str = "127.0.0.1", among: range = SERVERS) -> int:
    """A TCP port among these that nobody has at `host` now.

    Raises CannotStart if all of them are taken.
    """
    for port in random.sample(among, len(among)):
        with socket.socket(_family(host), socket.SOCK_STREAM) as probe:
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise CannotStart(f"No port from {among.start} to {among.stop - 1} of {host} is free.")


def require_port(host: str, port: int, variable: str) -> None:
    """Raise CannotStart unless a server could listen on `host`:`port`.

    `variable` is the setting that chooses another port.
    """
    try:
        with socket.socket(_family(host), socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            # Binding alone succeeds beside a listener that shares its address (SO_REUSEPORT).
            probe.listen(1)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotStart(
                f"Port {port} of {host} is in use by another program; "
                f"set {variable} to a free one, e.g. {variable}={free_port(host)}."
            ) from error
        raise CannotStart(
            f"Port {port} of {host} cannot be listened on ({error.strerror}); "
            f"set {variable} (and HOST) to what this machine allows."
        ) from error


def answers_http(host: str, port: int) -> bool:
    """True if a web server gives any answer there (a socket may listen long before it can)."""
    client = http.client.HTTPConnection(host, port, timeout=2.0)
    try:
        client.request("HEAD", "/healthz")
        client.getresponse()
        return True
    except (OSError, http.client.HTTPException):
        return False
    finally:
        client.close()


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
