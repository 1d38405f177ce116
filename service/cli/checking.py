"""`paleopost check`: whether everything the product needs is there, one line each."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from service.core.context import Service
    from service.core.settings import Settings


class Wrong(Exception):
    """Something is not as it must be; the text is the sentence for the operator."""


class Remark(str):
    """A note on something that is not wrong and should be looked at."""

    __slots__ = ()


@click.command(epilog="Example: paleopost check --dns --address 203.0.113.5")
@click.option("--dns", is_flag=True, help="Look at the DNS records that letters need, instead.")
@click.option(
    "--address",
    "addresses",
    multiple=True,
    help="With --dns: an address that letters leave from (again for each).",
)
@click.option("--resolver", help="With --dns: whom to ask, as HOST:PORT.")
@click.pass_context
def check(ctx: click.Context, dns: bool, addresses: tuple[str, ...], resolver: str | None) -> None:
    """Check that everything needed is there, a line each; exit status 1 if anything is not."""
    from service.core.errors import CannotStart
    from service.core.settings import Settings, SettingsError
    from service.dev.embedded.environment import with_embedded

    try:
        settings = Settings.from_env(with_embedded(os.environ))
    except (CannotStart, SettingsError) as error:
        _tell(False, "settings", f"{error} (docs/operating.md lists them all)")
        ctx.exit(1)
    _tell(True, "settings", f"pages at {settings.base_url}, letters from {settings.mail_from}")
    if dns:
        ctx.exit(0 if _dns(settings, addresses, resolver) else 1)
    resting = _resting(os.environ, settings)
    fine = [_passes(name, look, settings, name in resting) for name, look in CHECKS.items()]
    ctx.exit(0 if all(fine) else 1)


def _passes(name: str, look: Callable[[Settings], str], settings: Settings, rests: bool) -> bool:
    """True if nothing is wrong. `rests`: it comes with `paleopost play`, which does not run."""
    try:
        said = look(settings)
    except Wrong as error:
        if rests:
            click.echo(f"{'off':<6} {name:<10} comes with `paleopost play`, which is not running")
            return True
        _tell(False, name, str(error))
        return False
    _tell(True, name, said)
    return True


def _dns(settings: Settings, given: Sequence[str], resolver: str | None) -> bool:
    """Print what should stand in the DNS and what does; whether that is the same."""
    from service.mail.send import deliverability
    from service.mail.send.deliverability import Verdict

    if settings.mailbox:
        click.echo("The mail sink takes all letters: none leaves, and no records are needed.")
        return True
    try:
        addresses = [ipaddress.ip_address(one) for one in given]
        lookup = deliverability.Lookup(_server(resolver))
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    found = deliverability.findings(settings, lookup, addresses)
    for one in found:
        click.echo(f"{one.verdict:<8} {one.what:<10} {one.place}")
        if one.verdict != Verdict.RIGHT:
            click.echo(f"{'':<20}should: {one.wanted}")
        for stands in one.found or (() if one.verdict == Verdict.NOTE else ("nothing",)):
            if one.verdict != Verdict.UNKNOWN:
                click.echo(f"{'':<20}stands: {stands}")
        if one.said:
            click.echo(f"{'':<20}{one.said}")
    click.echo("\nWhat large providers ask of senders (docs/operating.md says more):")
    for line in deliverability.WANTED_BY_PROVIDERS:
        click.echo(f"- {line}")
    return all(one.verdict in (Verdict.RIGHT, Verdict.NOTE) for one in found)


def _server(resolver: str | None) -> tuple[str, int] | None:
    """HOST:PORT, or HOST alone. Raises ValueError."""
    if resolver is None:
        return None
    host, colon, port = resolver.rpartition(":")
    if not colon or (":" in host and not host.startswith("[")):
        host, port = resolver, "53"
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"--resolver {resolver}: {port!r} is no port")
    return str(ipaddress.ip_address(host.strip("[]"))), int(port)


def _resting(env: Mapping[str, str], settings: Settings) -> frozenset[str]:
    """The checks of what `paleopost play` brings with it, if the settings are its own and it does
    not run.
    """
    from service.dev.embedded.environment import data_directory
    from service.dev.embedded.lock import is_held

    named = {name for name in env if env[name]}
    if {"DATABASE_URL", "DATABASE_URL_FILE"} & named or is_held(data_directory(env)):
        return frozenset()
    brought = {
        "broker": {"REDIS_URL", "REDIS_URL_FILE"},
        "inbound": {"LMTP_LISTEN", "SMTP_LISTEN", "LMTP_LISTEN_FILE", "SMTP_LISTEN_FILE"},
        "mail": {"LMTP_LISTEN", "SMTP_LISTEN", "LMTP_LISTEN_FILE", "SMTP_LISTEN_FILE"},
    }
    if settings.mailbox:
        brought["smtp"] = {"SMTP_URL", "SMTP_URL_FILE"}
    return frozenset(check for check, names in brought.items() if not names & named)


def _tell(fine: bool, name: str, said: str) -> None:
    how = "WRONG" if not fine else "note" if isinstance(said, Remark) else "ok"
    click.echo(f"{how:<6} {name:<10} {said}")


def _directory(settings: Settings) -> str:
    if not settings.database_url.startswith("sqlite") and not settings.mailbox:
        return "none is needed"
    path = Path(settings.data_dir).absolute()
    if not path.is_dir() or not os.access(path, os.W_OK | os.X_OK):
        raise Wrong(f"{path} is no directory that can be written; make it or set PALEOPOST_DATA")
    return str(path)


def _database(settings: Settings) -> str:
    from service.core.schema import SchemaError, require_newest

    try:
        version = require_newest(settings.database_url)
    except SchemaError as error:
        raise Wrong(str(error)) from error
    return f"{settings.database_url.partition(':')[0]}, version {version}"


def _secret(settings: Settings) -> str:
    from service.core import secret_keys
    from service.core.keys import fingerprint
    from service.core.schema import SchemaError, opened

    given = fingerprint(settings.secret_key)
    try:
        with opened(settings.database_url) as database, database.read() as session:
            noted = secret_keys.noted(session)
    except SchemaError:
        return f"fingerprint {given}; the database cannot be asked"
    if not secret_keys.is_right(settings, noted):
        assert noted is not None
        raise Wrong(str(secret_keys.WrongSecretKey(noted, given)))
    older = len(settings.older_secret_keys)
    return f"fingerprint {given}" + (f", {older} older beside it" if older else "")


def _writing(settings: Settings) -> str:
    from service.ops.readiness import SAID, Condition

    with _usable(settings) as service:
        if service is None:
            return _LATER
        fault, room = service.probe.fault(), service.room()
    if fault is not None:
        raise Wrong(f"the database {SAID[Condition(fault)]}")
    if room.free is None:
        return "a row was written"
    return f"a row was written; {room.free >> 20} MB of the disk are free"


def _mail(settings: Settings) -> str:
    """What waits, is tried again and was given up, and who gets none any more."""
    from service.ops import readiness, watching

    with _usable(settings) as service:
        if service is None:
            return _LATER
        with service.database.read() as session:
            state = watching.look(session, service.now())
        found = readiness.of_mail(service)
    told = [
        f"{what}: {number}"
        for what, number in (
            ("letters that should have left", state.queues["letters"].waiting),
            ("letters tried more than once", state.unsent.retried),
            ("letters given up (`paleopost dead-letters`)", state.dead_letters["letters"]),
            ("mails that wait to be handled", state.queues["mails"].waiting),
            ("mails given up", state.dead_letters["mails"]),
            ("addresses that get none", state.stopped),
        )
        if number
    ]
    if state.unsent.oldest >= 60:
        told.append(f"the oldest letter is {state.unsent.oldest / 60:.0f} minutes old")
    told += [
        f"{name}: {readiness.SAID[one]}"
        for name, one in found.items()
        if name in _SIGNS and one not in readiness.WELL
    ]
    if not readiness.is_well(found):
        raise Wrong("; ".join(told))
    return Remark("; ".join(told)) if told else "nothing waits, nothing was given up"


def _senders(settings: Settings) -> str:
    from service.core.logs import UNCHECKED

    if not settings.takes_mail or settings.sender_check == "off":
        return f"not checked (SENDER_CHECK={settings.sender_check})"
    if settings.believes_any_sender:
        return Remark(f"SENDER_CHECK={settings.sender_check}, but {UNCHECKED}")
    return f"SENDER_CHECK={settings.sender_check}, by what {settings.authserv_id} notes"


_SIGNS = ("lmtp", "imap")
_LATER = Remark("not looked at: the database comes first")


@contextmanager
def _usable(settings: Settings) -> Iterator[Service | None]:
    """The service, if its database is there and at the right version."""
    from service.core.context import Service
    from service.core.db import NoQueue
    from service.core.schema import SchemaError, require_newest

    try:
        require_newest(settings.database_url)
    except SchemaError:
        yield None
        return
    service = Service(settings, NoQueue())
    try:
        yield service
    finally:
        service.database.dispose()


def _broker(settings: Settings) -> str:
    import redis
    import redis.exceptions

    try:
        with redis.Redis.from_url(
            settings.redis_url, socket_timeout=3, socket_connect_timeout=3
        ) as client:
            client.ping()
            version = client.info("server").get("redis_version", "?")
    except (redis.exceptions.RedisError, ValueError) as error:
        raise Wrong(f"REDIS_URL does not answer ({error}); moves would wait") from error
    return f"answers, protocol of Redis {version}"


def _smtp(settings: Settings) -> str:
    import smtplib

    from service.mail.send.smtp import SmtpTransport, Timeouts

    transport = SmtpTransport(settings.smtp_url, Timeouts(command=10), settings.mail_ca)
    try:
        transport.greet()
    except (OSError, smtplib.SMTPException) as error:
        raise Wrong(f"SMTP_URL takes no letters ({error}); they would wait") from error
    finally:
        transport.close()
    return "takes letters"


def _inbound(settings: Settings) -> str:
    import smtplib

    from service.mail.receive import webhooks

    ways = []
    for name, place in (("LMTP", settings.lmtp_listen), ("SMTP", settings.smtp_listen)):
        if place is None:
            continue
        kind = smtplib.LMTP if name == "LMTP" else smtplib.SMTP
        host, _, port = place.rpartition(":")
        where = place.removeprefix("unix:") if place.startswith("unix:") else host.strip("[]")
        try:
            kind(where, int(port) if port.isdecimal() else 0, timeout=10).close()
        except (OSError, smtplib.SMTPException) as error:
            raise Wrong(
                f"nobody answers at {name}_LISTEN {place} ({error}); run `paleopost lmtp`"
            ) from error
        ways.append(f"{name} at {place}")
    ways += [f"webhook {settings.base_url}/inbound/{name}" for name in webhooks.open_to(settings)]
    if settings.imap_url:
        ways.append("IMAP")
    return ", ".join(ways) or "no way in is open: replies are not read (docs/operating.md)"


def _imap(settings: Settings) -> str:
    if settings.imap_url is None:
        return "no mailbox is looked through"
    from service.mail.receive import imapbox

    try:
        imapbox.connect(settings.imap_url, settings.imap_done, settings.mail_ca).close()
    except (OSError, imapbox.Error) as error:
        raise Wrong(f"IMAP_URL does not let us in ({error}); replies would wait") from error
    if settings.plus_address is None:
        return f"answers; all mail to {settings.mail_domain} has to come to it (no PLUS_ADDRESS)"
    return "answers"


def _mailbox(settings: Settings) -> str:
    from service.dev.mailbox.store import Damaged, MailboxStore

    if not settings.mailbox:
        return "none is kept"
    try:
        MailboxStore(Path(settings.data_dir)).require_readable()
    except Damaged as error:
        raise Wrong(str(error)) from error
    return "letters can be read"


def _games(settings: Settings) -> str:
    from engine.games import games
    from service.core.settings import SettingsError
    from service.render.boards import require_boards

    try:
        require_boards(settings)
    except SettingsError as error:
        raise Wrong(str(error)) from error
    if not games():
        raise Wrong("this installation has no game")
    ours = f", boards from {settings.boards_dir}" if settings.boards_dir else ""
    return f"{', '.join(games())}{ours}"


def _fonts(_: Settings) -> str:
    from PIL import ImageFont

    from service.render.templating import TEMPLATES

    files = sorted((TEMPLATES / "fonts").glob("*.[ot]tf"))
    if not files:
        raise Wrong(f"there are no fonts in {TEMPLATES / 'fonts'}: pictures would lose their words")
    for file in files:
        try:
            ImageFont.truetype(str(file), 16).getname()
        except OSError as error:
            raise Wrong(f"the font {file} cannot be read: {error}") from error
    return ", ".join(file.stem for file in files)


def _languages(_: Settings) -> str:
    from service.render.templating import LANGUAGES, environment

    for lang in LANGUAGES:
        try:
            environment(lang)
        except (OSError, ValueError) as error:
            raise Wrong(f"the catalogue of {lang} cannot be read: {error}") from error
    return ", ".join(LANGUAGES)


CHECKS: dict[str, Callable[[Settings], str]] = {
    "directory": _directory,
    "database": _database,
    "secret": _secret,
    "writing": _writing,
    "broker": _broker,
    "smtp": _smtp,
    "inbound": _inbound,
    "imap": _imap,
    "senders": _senders,
    "mail": _mail,
    "mailbox": _mailbox,
    "games": _games,
    "fonts": _fonts,
    "languages": _languages,
}
