"""Which broker the embedded product takes, and that it is a real one."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
import redis
import redis.exceptions

from service.dev.embedded.broker import choose_broker
from tests.support.broker import TestBroker


def test_a_given_broker_is_taken_and_nothing_started(tmp_path: Path) -> None:
    broker = choose_broker("redis://elsewhere:6379/3", tmp_path / "b", tmp_path, os.environ)
    assert (broker.url, broker.program) == ("redis://elsewhere:6379/3", None)
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    ("installed", "taken"),
    [
        ({"redis-server", "valkey-server"}, "/bin/redis-server"),
        ({"valkey-server"}, "/bin/valkey-server"),
    ],
)
def test_a_server_of_the_system_comes_before_ours(
    tmp_path: Path, installed: set[str], taken: str
) -> None:
    broker = choose_broker(
        None, tmp_path, tmp_path, {}, lambda name: f"/bin/{name}" if name in installed else None
    )
    assert broker.program is not None
    assert broker.program.command[0] == taken


def test_without_one_the_server_of_our_requirements_is_taken(tmp_path: Path) -> None:
    broker = choose_broker(None, tmp_path, tmp_path, {}, lambda _: None)
    assert broker.program is not None
    assert os.access(broker.program.command[0], os.X_OK)
    assert Path(broker.program.command[0]).name == "valkey-server"


def test_it_listens_on_loopback_and_asks_for_a_password(broker: TestBroker) -> None:
    with redis.Redis.from_url(broker.url) as client:
        assert client.ping()
        assert client.config_get("bind") == {"bind": "127.0.0.1"}
    host_and_port = broker.url.rpartition("@")[2]
    with (
        redis.Redis.from_url(f"redis://{host_and_port}") as stranger,
        pytest.raises(redis.exceptions.AuthenticationError),
    ):
        stranger.ping()


def test_its_password_is_for_its_owner_alone(tmp_path: Path) -> None:
    choose_broker(None, tmp_path, tmp_path, {})
    assert stat.S_IMODE((tmp_path / "broker.conf").stat().st_mode) == 0o600
