"""Settings: what the service needs of its environment, checked loudly.

Every name is documented in docs/operating.md. A value may also come from a file named by NAME_FILE
(container secrets). Where the web server listens is `service.processes.Serving`; what `make play`
fills in is `service.embedded.environment`. Production sets the rest.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from service.names import BadAddress, clean_address


class SettingsError(Exception):
    """A setting is missing or unusable: `name` is the variable, `reason` what would be right."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a process needs to know of its surroundings."""

    secret_key: str
    database_url: str
    redis_url: str
    smtp_url: str
    base_url: str
    mail_domain: str
    mail_from: str
    # An ordinary mailbox with plus-addressing that all mail comes back to; None: our own domain
    plus_address: str | None
    data_dir: str
    zone: str
    mailbox: bool
    boards_dir: str | None
    log_level: str
    # Proxies in front of us whose X-Forwarded-* headers count; with 0 nobody's do
    proxies: int = 0
    # Requests a minute that one client address may make
    requests_per_minute: int = 600

    @property
    def secure(self) -> bool:
        """Whether pages are served over HTTPS (cookies are then marked so)."""
        return self.base_url.startswith("https://")

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Settings:
        """Read and check the settings. Raises SettingsError naming the first that is unusable."""
        base_url = _url(env, "BASE_URL", ("http", "https")).rstrip("/")
        domain, sender = _mail(env, urlsplit(base_url).hostname or "")
        return cls(
            secret_key=_secret(env),
            database_url=_url(env, "DATABASE_URL", ("sqlite", "postgresql", "postgresql+psycopg")),
            redis_url=_url(env, "REDIS_URL", ("redis", "rediss", "unix", "redis+socket")),
            smtp_url=_url(env, "SMTP_URL", ("smtp", "smtps", "smtp+starttls")),
            base_url=base_url,
            mail_domain=domain,
            mail_from=sender,
            plus_address=_address(env, "PLUS_ADDRESS"),
            data_dir=_read(env, "PALEOPOST_DATA", "var"),
            zone=_zone(env),
            mailbox=_flag(env, "MAILBOX"),
            boards_dir=_read(env, "BOARDS_DIR", "") or None,
            log_level=_level(env),
            proxies=_number(env, "PROXIES", 0, 0, 8),
            requests_per_minute=_number(env, "REQUESTS_PER_MINUTE", 600, 1, 10_000_000),
        )


def _read(env: Mapping[str, str], name: str, default: str | None = None) -> str:
    value = env.get(name, "")
    if not value and (path := env.get(f"{name}_FILE")):
        try:
            value = Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise SettingsError(f"{name}_FILE", f"cannot be read: {error}") from error
    if value:
        return value
    if default is None:
        raise SettingsError(name, "is not set")
    return default


def _secret(env: Mapping[str, str]) -> str:
    value = _read(env, "SECRET_KEY")
    if len(value) < 32:
        raise SettingsError(
            "SECRET_KEY", "needs at least 32 characters, e.g. `openssl rand -hex 32`"
        )
    return value


def _url(env: Mapping[str, str], name: str, schemes: tuple[str, ...]) -> str:
    value = _read(env, name)
    scheme = value.partition(":")[0]
    if scheme not in schemes or "://" not in value:
        raise SettingsError(name, f"begins with {scheme!r}, not one of {', '.join(schemes)}")
    return value


def _mail(env: Mapping[str, str], host: str) -> tuple[str, str]:
    """Our domain and the sender of every letter. What is not set comes from the host of BASE_URL,
    if that can be the domain of an address.
    """
    given = _read(env, "MAIL_FROM", "")
    try:
        sender = clean_address(given) if given else ""
    except BadAddress as error:
        raise SettingsError(
            "MAIL_FROM", f"{given!r} is no address, e.g. play@example.org"
        ) from error
    domain = _read(env, "MAIL_DOMAIN", "")
    if any(c.isspace() or c in "@<>" for c in domain):
        raise SettingsError("MAIL_DOMAIN", f"{domain!r} is no domain, e.g. play.example.org")
    if not domain:
        domain = sender.partition("@")[2] if sender and not _is_domain(host) else host
    if sender:
        return domain, sender
    try:
        return domain, clean_address(f"play@{domain}")
    except BadAddress as error:
        raise SettingsError(
            "MAIL_FROM",
            f"is not set, and {domain!r} cannot be the domain of a sender; set it to an address "
            "that your mail server sends for, e.g. play@example.org",
        ) from error


def _address(env: Mapping[str, str], name: str) -> str | None:
    value = _read(env, name, "")
    try:
        return clean_address(value) if value else None
    except BadAddress as error:
        raise SettingsError(name, f"{value!r} is no address, e.g. play@example.org") from error


def _is_domain(host: str) -> bool:
    """Whether this is the name of a host that others may know, and no number of one."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return "." in host
    return False


def _zone(env: Mapping[str, str]) -> str:
    value = _read(env, "ZONE", "Europe/Paris")
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise SettingsError("ZONE", f"{value!r} is no time zone, e.g. Europe/Paris") from error
    return value


def _flag(env: Mapping[str, str], name: str) -> bool:
    value = _read(env, name, "0").lower()
    if value not in ("0", "1", "no", "yes", "false", "true"):
        raise SettingsError(name, f"{value!r} is neither 1 nor 0")
    return value in ("1", "yes", "true")


def _number(env: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    value = _read(env, name, str(default))
    if not (value.isascii() and value.isdecimal() and least <= int(value) <= most):
        raise SettingsError(name, f"{value!r} is no whole number from {least} to {most}")
    return int(value)


def _level(env: Mapping[str, str]) -> str:
    value = _read(env, "LOG_LEVEL", "INFO").upper()
    if value not in ("DEBUG", "INFO", "WARNING", "ERROR"):
        raise SettingsError("LOG_LEVEL", f"{value!r} is none of DEBUG, INFO, WARNING, ERROR")
    return value
