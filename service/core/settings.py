"""Settings: what the service needs of its environment, checked loudly.

Every name is documented in docs/operating.md. A value may also come from a file named by NAME_FILE
(container secrets). Where the web server listens is `service.ops.processes.Serving`; what `make
play` fills in is `service.dev.embedded.environment`. Production sets the rest.
"""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from service.core.names import BadAddress, clean_address
from service.core.tls import trusted


class SettingsError(Exception):
    """A setting is missing or unusable: `name` is the variable, `reason` what would be right."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a process: all it needs to know of its surroundings."""

    # Signs and derives; links and cookies made with an older one hold as long as it is listed
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
    # Whether the gallery of letters and parts of pages is there; where the mailbox is, it is
    gallery: bool
    boards_dir: str | None
    log_level: str
    # The key of the game that newcomers are shown; None: the lightest
    featured: str | None = None
    # Proxies in front of us whose X-Forwarded-* headers count; with 0 nobody's do
    proxies: int = 0
    # Requests a minute that one client address may make
    requests_per_minute: int = 600
    # Where mail is taken in by LMTP (for an MTA) and by SMTP: "host:port" or "unix:/path"
    lmtp_listen: str | None = None
    smtp_listen: str | None = None
    # The group, by name or number, that sockets at "unix:/path" belong to; None: our own
    socket_group: str | None = None
    # What the senders of webhooks prove themselves with; None: that way in is closed
    inbound_secret: str | None = None
    mailgun_signing_key: str | None = None
    postmark_secret: str | None = None
    ses_topic: str | None = None
    # The mailbox that is looked through, the folder for what was taken, the seconds between looks
    imap_url: str | None = None
    imap_done: str = "Paleopost/Done"
    imap_every: int = 60
    # Seconds between looks for what is due
    sweep_every: int = 15
    # Certificates that mail servers may show besides those the system believes (PEM)
    mail_ca: str | None = None
    # Bytes of a mail beyond which it is refused
    inbound_limit: int = 10_000_000
    # Days that the text of a mail is kept after it was handled
    inbound_keep: int = 30
    # Days that snapshots of positions are kept after a later turn, and that links to single turns,
    # their reply addresses and the words of old letters are kept after a match is over
    keep_snapshots: int = 7
    keep_matches: int = 90
    # Who shows it may see the numbers of this service; None: only who is on this machine
    metrics_token: str | None = None
    # Whether a sender must have passed SPF or DKIM: "off" | "prefer" | "require"
    sender_check: str = "prefer"
    # Days a year that a player may be away; 0: as many as they like
    vacation_days: int = 30
    # Whether each letter has an envelope sender of its own (VERP), so that a report names it
    verp: bool = True
    # The RSA key letters are signed with (PEM), and where its other half is in the DNS
    dkim_key: str | None = None
    dkim_selector: str = "paleopost"
    dkim_domain: str = ""
    # Whose Authentication-Results to believe (RFC 8601 §2.5); None: nobody's
    authserv_id: str | None = None
    older_secret_keys: tuple[str, ...] = ()

    @property
    def secret_keys(self) -> tuple[str, ...]:
        """All secret keys, the newest first."""
        return (self.secret_key, *self.older_secret_keys)

    @property
    def secure(self) -> bool:
        """True if pages are served over HTTPS (cookies are then marked so)."""
        return self.base_url.startswith("https://")

    @property
    def takes_mail(self) -> bool:
        """True if any way in for mail is open."""
        ways = (self.lmtp_listen, self.smtp_listen, self.imap_url, self.inbound_secret)
        posted = (self.mailgun_signing_key, self.postmark_secret, self.ses_topic)
        return any((*ways, *posted))

    @property
    def believes_any_sender(self) -> bool:
        """True if who writes any address into From is believed, though a check is asked for: no
        server is named whose checks count.
        """
        wanted = self.sender_check != "off" and self.authserv_id is None
        # The mailbox of `paleopost play` is no mail server: nobody else writes there.
        return wanted and self.takes_mail and not self.mailbox

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Settings:
        """Read and check the settings. Raises SettingsError naming the first that is unusable."""
        base_url = _url(env, "BASE_URL", ("http", "https")).rstrip("/")
        domain, sender = _mail(env, urlsplit(base_url).hostname or "")
        plus = _address(env, "PLUS_ADDRESS")
        # A server that sends for one foreign address only would refuse any other envelope.
        ours = plus is not None or sender.rpartition("@")[2] == domain.lower()
        secret_key, *older = _secrets(env)
        return cls(
            secret_key=secret_key,
            older_secret_keys=tuple(older),
            database_url=_url(env, "DATABASE_URL", ("sqlite", "postgresql", "postgresql+psycopg")),
            redis_url=_url(env, "REDIS_URL", ("redis", "rediss", "unix", "redis+socket")),
            smtp_url=_url(env, "SMTP_URL", ("smtp", "smtps", "smtp+starttls")),
            base_url=base_url,
            mail_domain=domain,
            mail_from=sender,
            plus_address=plus,
            verp=_flag(env, "VERP", ours),
            dkim_key=_dkim_key(env),
            dkim_selector=_read(env, "DKIM_SELECTOR", "paleopost"),
            dkim_domain=_read(env, "DKIM_DOMAIN", sender.rpartition("@")[2]),
            data_dir=_read(env, "PALEOPOST_DATA", "var"),
            zone=_zone(env),
            mailbox=_flag(env, "MAILBOX"),
            gallery=_flag(env, "GALLERY", _flag(env, "MAILBOX")),
            boards_dir=_read(env, "BOARDS_DIR", "") or None,
            featured=_featured(env),
            log_level=_level(env),
            proxies=_number(env, "PROXIES", 0, 0, 8),
            vacation_days=_number(env, "VACATION_DAYS", 30, 0, 366),
            requests_per_minute=_number(env, "REQUESTS_PER_MINUTE", 600, 1, 10_000_000),
            lmtp_listen=_listen(env, "LMTP_LISTEN"),
            smtp_listen=_listen(env, "SMTP_LISTEN"),
            socket_group=_read(env, "SOCKET_GROUP", "") or None,
            inbound_secret=_shared(env, "INBOUND_SECRET"),
            mailgun_signing_key=_shared(env, "MAILGUN_SIGNING_KEY"),
            postmark_secret=_shared(env, "POSTMARK_SECRET"),
            ses_topic=_topic(env),
            imap_url=_imap(env),
            imap_done=_read(env, "IMAP_DONE", "Paleopost/Done"),
            imap_every=_number(env, "IMAP_EVERY", 60, 5, 86_400),
            sweep_every=_number(env, "SWEEP_EVERY", 15, 1, 60),
            mail_ca=_mail_ca(env),
            inbound_limit=_number(env, "INBOUND_LIMIT", 10_000_000, 100_000, 25_000_000),
            inbound_keep=_number(env, "INBOUND_KEEP", 30, 0, 3650),
            keep_snapshots=_number(env, "KEEP_SNAPSHOTS", 7, 0, 3650),
            keep_matches=_number(env, "KEEP_MATCHES", 90, 1, 3650),
            metrics_token=_shared(env, "METRICS_TOKEN"),
            sender_check=_sender_check(env),
            authserv_id=_read(env, "AUTHSERV_ID", "") or None,
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


def _secrets(env: Mapping[str, str]) -> list[str]:
    """The secret keys, the newest first: SECRET_KEYS, separated by spaces, commas or lines; or the
    one SECRET_KEY.
    """
    name, several = "SECRET_KEYS", _read(env, "SECRET_KEYS", "")
    values = list(dict.fromkeys(several.replace(",", " ").split()))
    if not values:
        name, values = "SECRET_KEY", [_read(env, "SECRET_KEY")]
    if any(len(value) < 32 for value in values):
        each = "" if name == "SECRET_KEY" else " in each of them"
        raise SettingsError(
            name, f"needs at least 32 characters{each}, e.g. `openssl rand -hex 32`"
        )
    return values


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
    """True if this is the name of a host that others may know, and no number of one."""
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


def _featured(env: Mapping[str, str]) -> str | None:
    value = _read(env, "FEATURED", "")
    if not value:
        return None
    # Commands that need no game do not load any.
    from engine.games import games

    if value not in games():
        raise SettingsError(
            "FEATURED", f"there is no game {value!r}; there are: {', '.join(games())}"
        )
    return value


def _dkim_key(env: Mapping[str, str]) -> str | None:
    value = _read(env, "DKIM_KEY", "")
    if not value:
        return None
    # Only who signs pays for the library.
    from dkim.crypto import UnparsableKeyError, parse_pem_private_key

    try:
        parse_pem_private_key(value.encode())
    except (UnparsableKeyError, ValueError) as error:
        raise SettingsError(
            "DKIM_KEY", "is no RSA key in PEM, e.g. `openssl genrsa 2048`"
        ) from error
    return value


def _mail_ca(env: Mapping[str, str]) -> str | None:
    value = _read(env, "MAIL_CA", "")
    if not value:
        return None
    try:
        trusted(value)
    except ssl.SSLError as error:
        raise SettingsError(
            "MAIL_CA", "is no certificate in PEM: it begins with -----BEGIN CERTIFICATE-----"
        ) from error
    return value


def _flag(env: Mapping[str, str], name: str, default: bool = False) -> bool:
    value = _read(env, name, "1" if default else "0").lower()
    if value not in ("0", "1", "no", "yes", "false", "true"):
        raise SettingsError(name, f"{value!r} is neither 1 nor 0")
    return value in ("1", "yes", "true")


def _number(env: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    value = _read(env, name, str(default))
    if not (value.isascii() and value.isdecimal() and least <= int(value) <= most):
        raise SettingsError(name, f"{value!r} is no whole number from {least} to {most}")
    return int(value)


def _listen(env: Mapping[str, str], name: str) -> str | None:
    """A place to listen at: "host:port" (an IPv6 host in brackets) or "unix:/path"."""
    value = _read(env, name, "")
    host, _, port = value.rpartition(":")
    by_port = bool(host) and port.isascii() and port.isdecimal() and 0 < int(port) < 65536
    if value and not (by_port or value.startswith("unix:/")):
        raise SettingsError(name, f"{value!r} is neither host:port nor unix:/path")
    return value or None


def _shared(env: Mapping[str, str], name: str) -> str | None:
    value = _read(env, name, "")
    if value and len(value) < 16:
        raise SettingsError(name, "needs at least 16 characters")
    return value or None


def _topic(env: Mapping[str, str]) -> str | None:
    value = _read(env, "SES_TOPIC", "")
    if value and not value.startswith("arn:aws"):
        raise SettingsError("SES_TOPIC", f"{value!r} is no topic, e.g. arn:aws:sns:REGION:ID:NAME")
    return value or None


def _imap(env: Mapping[str, str]) -> str | None:
    if not _read(env, "IMAP_URL", ""):
        return None
    value = _url(env, "IMAP_URL", ("imap", "imaps", "imap+starttls"))
    parts = urlsplit(value)
    if not (parts.hostname and parts.username and parts.password):
        raise SettingsError("IMAP_URL", "names no server, user and password: imaps://user:pw@host")
    return value


def _sender_check(env: Mapping[str, str]) -> str:
    value = _one_of(env, "SENDER_CHECK", "prefer", ("off", "prefer", "require"))
    if value == "require" and not _read(env, "AUTHSERV_ID", ""):
        raise SettingsError("SENDER_CHECK", "lets nobody in with 'require' and no AUTHSERV_ID")
    return value


def _one_of(env: Mapping[str, str], name: str, default: str, known: tuple[str, ...]) -> str:
    value = _read(env, name, default).lower()
    if value not in known:
        raise SettingsError(name, f"{value!r} is none of {', '.join(known)}")
    return value


def _level(env: Mapping[str, str]) -> str:
    value = _read(env, "LOG_LEVEL", "INFO").upper()
    if value not in ("DEBUG", "INFO", "WARNING", "ERROR"):
        raise SettingsError("LOG_LEVEL", f"{value!r} is none of DEBUG, INFO, WARNING, ERROR")
    return value
