"""Ports in use: told with the port and the setting that chooses another."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from service.core.errors import CannotStart
from service.dev.embedded.ports import free_port, require_port


def test_a_port_in_use_is_named_with_the_setting_that_changes_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            CannotStart,
            match=rf"^Port {port} of 127\.0\.0\.1 is in use .*; set PORT to a free one, e\.g\. ",
        ):
            require_port("127.0.0.1", port, "PORT")


def test_a_free_port_is_let_pass() -> None:
    require_port("127.0.0.1", free_port(), "PORT")


def test_an_address_of_another_machine_is_refused_in_a_sentence() -> None:
    with pytest.raises(CannotStart, match=r"of 192\.0\.2\.1 cannot be listened on"):
        require_port("192.0.2.1", 8000, "PORT")


def test_a_port_is_not_among_those_of_outgoing_connections() -> None:
    kept = Path("/proc/sys/net/ipv4/ip_local_port_range")
    lowest = int(kept.read_text().split()[0]) if kept.exists() else 32_768
    assert free_port() < lowest


def test_no_free_port_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            CannotStart, match=rf"^No port from {port} to {port} of 127\.0\.0\.1 is free"
        ):
            free_port(among=range(port, port + 1))
