"""Settings are read once, and what is wrong with them is said by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.core.settings import Settings, SettingsError

GOOD = {
    "SECRET_KEY": "k" * 32,
    "DATABASE_URL": "postgresql://paleopost@db/paleopost",
    "REDIS_URL": "redis://broker:6379/0",
    "SMTP_URL": "smtps://user:pass@mail.example.org",
    "BASE_URL": "https://play.example.org/",
}


def test_a_full_environment() -> None:
    settings = Settings.from_env(GOOD)
    assert settings.base_url == "https://play.example.org"
    assert settings.mail_domain == "play.example.org"
    assert settings.mail_from == "play@play.example.org"
    assert settings.secure
    assert not settings.mailbox


@pytest.mark.parametrize("name", sorted(GOOD))
def test_each_setting_is_needed(name: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({k: v for k, v in GOOD.items() if k != name})
    assert caught.value.name == name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", "short"),
        ("DATABASE_URL", "mysql://db/paleopost"),
        ("DATABASE_URL", "sqlite"),
        ("REDIS_URL", "amqp://broker"),
        ("SMTP_URL", "mail.example.org:25"),
        ("BASE_URL", "play.example.org"),
        ("MAIL_DOMAIN", "a b"),
        ("MAIL_DOMAIN", "play@example.org"),
        ("MAIL_FROM", "Paleopost <play@example.org>"),
        ("MAIL_FROM", "play"),
        ("MAIL_FROM", "play@example.org,eve@example.org"),
        ("ZONE", "Mars/Olympus"),
        ("ZONE", "../etc/passwd"),
        ("MAILBOX", "perhaps"),
        ("FEATURED", "poker"),
        ("LOG_LEVEL", "loud"),
        ("METRICS_TOKEN", "short"),
        ("INBOUND_KEEP", "-1"),
        ("INBOUND_KEEP", "for ever"),
        ("LMTP_LISTEN", "2525"),
        ("LMTP_LISTEN", "localhost:http"),
        ("LMTP_LISTEN", "127.0.0.1:65536"),
        ("LMTP_LISTEN", "unix:lmtp.sock"),
        ("SMTP_LISTEN", ":25"),
        ("INBOUND_SECRET", "short"),
        ("MAILGUN_SIGNING_KEY", "short"),
        ("POSTMARK_SECRET", "short"),
        ("SES_TOPIC", "paleopost"),
        ("IMAP_URL", "https://user:pw@mail.example.org"),
        ("IMAP_URL", "imaps://mail.example.org/INBOX"),
        ("IMAP_URL", "imaps://user@mail.example.org"),
        ("IMAP_EVERY", "1"),
        ("SWEEP_EVERY", "0"),
        ("MAIL_CA", "certificate"),
        ("MAIL_CA", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"),
        ("MAIL_CA", "é"),
        ("INBOUND_LIMIT", "99999"),
        ("SENDER_CHECK", "maybe"),
        ("SENDER_CHECK", "require"),
    ],
)
def test_an_unusable_value_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({**GOOD, name: value})
    assert caught.value.name == name


def test_ways_in_are_closed_until_they_are_opened() -> None:
    closed = Settings.from_env(GOOD)
    assert (closed.lmtp_listen, closed.smtp_listen, closed.imap_url) == (None, None, None)
    assert (closed.inbound_secret, closed.ses_topic, closed.sender_check) == (None, None, "prefer")
    opened = {
        "LMTP_LISTEN": "[::1]:2003",
        "SMTP_LISTEN": "unix:/run/paleopost.sock",
        "IMAP_URL": "imaps://ana%40example.org:p%40ss@mail.example.org/INBOX",
    }
    settings = Settings.from_env({**GOOD, **opened})
    found = (settings.lmtp_listen, settings.smtp_listen, settings.imap_url)
    assert found == tuple(opened.values())


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "http://[::1]", "http://localhost"])
def test_a_host_that_is_no_domain_needs_a_sender(url: str) -> None:
    with pytest.raises(SettingsError, match=r"^MAIL_FROM: is not set, and .* cannot be the domain"):
        Settings.from_env({**GOOD, "BASE_URL": url})
    by_domain = Settings.from_env({**GOOD, "BASE_URL": url, "MAIL_DOMAIN": "example.org"})
    assert by_domain.mail_from == "play@example.org"
    by_sender = Settings.from_env({**GOOD, "BASE_URL": url, "MAIL_FROM": "ana@Example.org"})
    assert (by_sender.mail_from, by_sender.mail_domain) == ("ana@example.org", "example.org")


def test_a_sender_elsewhere_leaves_the_domain() -> None:
    settings = Settings.from_env({**GOOD, "MAIL_FROM": "ana@mail.example.org"})
    assert (settings.mail_from, settings.mail_domain) == (
        "ana@mail.example.org",
        "play.example.org",
    )


def test_a_secret_may_be_in_a_file(tmp_path: Path) -> None:
    kept = tmp_path / "secret"
    kept.write_text("s" * 40 + "\n")
    env = {k: v for k, v in GOOD.items() if k != "SECRET_KEY"}
    assert Settings.from_env({**env, "SECRET_KEY_FILE": str(kept)}).secret_key == "s" * 40
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({**env, "SECRET_KEY_FILE": str(tmp_path / "none")})
    assert caught.value.name == "SECRET_KEY_FILE"
