"""What the embedded product fills in, keeps, and leaves to the environment."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from service.core.errors import CannotStart
from service.core.settings import Settings, SettingsError
from service.dev.embedded.environment import embedded_environment, with_embedded
from service.ops.processes import Serving

BROKER = "redis://:pw@127.0.0.1:7000/0"


def settle(folder: Path, /, **env: str) -> dict[str, str]:
    sink = None if "SMTP_URL" in env else 2525
    return embedded_environment(env, folder, Serving.from_env(env), BROKER, sink)


def test_an_empty_environment_becomes_whole(tmp_path: Path) -> None:
    settings = Settings.from_env(settle(tmp_path))
    assert settings.database_url == f"sqlite:///{tmp_path}/paleopost.db"
    assert settings.base_url == "http://127.0.0.1:8000"
    assert settings.smtp_url == "smtp://127.0.0.1:2525"
    assert settings.redis_url == BROKER
    assert settings.mailbox
    assert settings.mail_from == "play@paleopost.example"
    assert settings.data_dir == str(tmp_path)


def test_the_mailbox_answers_by_lmtp(tmp_path: Path) -> None:
    serving = Serving.from_env({})
    settled = embedded_environment({}, tmp_path, serving, BROKER, 2525, 2526)
    assert Settings.from_env(settled).lmtp_listen == "127.0.0.1:2526"
    assert with_embedded({"PALEOPOST_DATA": str(tmp_path)})["LMTP_LISTEN"] == "127.0.0.1:2526"
    own = embedded_environment({"LMTP_LISTEN": "[::1]:9"}, tmp_path, serving, BROKER, 2525, 2526)
    assert own["LMTP_LISTEN"] == "[::1]:9"


def test_the_secret_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    first = settle(tmp_path)["SECRET_KEY"]
    assert settle(tmp_path)["SECRET_KEY"] == first
    assert settle(other)["SECRET_KEY"] != first
    for name in ("secret_key", "environment.json"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_what_is_given_goes_before(tmp_path: Path) -> None:
    given = {
        "SECRET_KEY": "g" * 40,
        "BASE_URL": "https://a.example",
        "DATABASE_URL": "postgresql://x",
    }
    assert settle(tmp_path, **given).items() >= given.items()
    assert not (tmp_path / "secret_key").exists()


def test_an_empty_value_is_none(tmp_path: Path) -> None:
    assert settle(tmp_path, BASE_URL="")["BASE_URL"] == "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("192.168.1.7", "http://192.168.1.7:8000"),
        ("::1", "http://[::1]:8000"),
    ],
)
def test_links_lead_to_where_it_listens(tmp_path: Path, host: str, url: str) -> None:
    assert settle(tmp_path, HOST=host)["BASE_URL"] == url


def test_without_a_sink_there_is_no_mailbox(tmp_path: Path) -> None:
    real = {"SMTP_URL": "smtp://mx.example", "BASE_URL": "https://play.example.org"}
    settings = Settings.from_env(settle(tmp_path, **real))
    assert not settings.mailbox
    assert settings.smtp_url == "smtp://mx.example"
    assert settings.mail_from == "play@play.example.org"
    assert settings.mail_domain == "play.example.org"
    # Commands in another terminal go by the same.
    assert Settings.from_env(with_embedded({"PALEOPOST_DATA": str(tmp_path)})) == settings


def test_letters_that_leave_need_a_sender_of_the_operators_own(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"^MAIL_FROM: is not set"):
        Settings.from_env(settle(tmp_path, SMTP_URL="smtp://mx.example"))


def test_commands_in_another_terminal_find_the_same_settings(tmp_path: Path) -> None:
    running = Settings.from_env(settle(tmp_path, PORT="8765"))
    assert Settings.from_env(with_embedded({"PALEOPOST_DATA": str(tmp_path)})) == running


def test_a_given_database_is_taken_alone(tmp_path: Path) -> None:
    settle(tmp_path)
    env = {"PALEOPOST_DATA": str(tmp_path), "DATABASE_URL": "postgresql://elsewhere/x"}
    assert with_embedded(env) == env


def test_without_either_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match=f"has not run on {tmp_path}"):
        with_embedded({"PALEOPOST_DATA": str(tmp_path)})


@pytest.mark.parametrize(
    ("name", "value"), [("PORT", "0"), ("PORT", "65536"), ("PORT", "x"), ("WEB_THREADS", "-1")]
)
def test_numbers_out_of_range_are_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"^{name}: '{value}' is no whole number from 1 to "):
        Serving.from_env({name: value})
