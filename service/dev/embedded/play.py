"""`make play`: the whole product on this machine, with a match to play and a mailbox to read."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote

from service.core.errors import CannotStart
from service.core.settings import Settings
from service.dev.embedded.broker import choose_broker
from service.dev.embedded.environment import data_directory, embedded_environment
from service.dev.embedded.lock import DataDirectory
from service.dev.embedded.ports import answers_http, free_port, require_port
from service.dev.embedded.program import Program
from service.dev.embedded.supervisor import Stopped, Supervisor
from service.ops import processes
from service.ops.processes import Serving
from service.render.boards import require_boards

DEMO_ADDRESS = "you@paleopost.example"
DEMO_NAME = "Noa"


def play(env: Mapping[str, str], say: Callable[[str], None]) -> None:
    """Run the product until SIGINT or SIGTERM; nothing is left running after it.

    `say` is given the sentences for the operator. Raises CannotStart or SettingsError.
    """
    began = time.monotonic()
    serving = Serving.from_env(env)
    with DataDirectory(data_directory(env)) as data:
        require_port(serving.host, serving.port, "PORT")
        broker = choose_broker(env.get("REDIS_URL"), data.path / "broker", data.logs, env)
        for_real = bool(env.get("SMTP_URL") or env.get("SMTP_URL_FILE"))
        sink_port = None if for_real else free_port()
        lmtp_port = None if for_real else free_port()
        settled = embedded_environment(env, data.path, serving, broker.url, sink_port, lmtp_port)
        settings = Settings.from_env(settled)
        require_boards(settings)
        programs = _programs(serving, settled, settings, data, sink_port)
        try:
            with Supervisor(say, keep_open=(data.fileno(),)) as supervisor:
                if broker.program is not None:
                    supervisor.start(broker.program)
                _migrate(settings)
                if not for_real:
                    _require_mailbox(data.path)
                supervisor.wait_for(broker.answers, "The broker", 20)
                for program in programs:
                    supervisor.start(program)
                supervisor.wait_for(lambda: _pages_answer(serving), "The web server", 60)
                if not for_real:
                    # Its player's address is nobody's: no letter may leave for it.
                    _open_demo(settings, env)
                say(_welcome(settings, serving, data, for_real, time.monotonic() - began))
                supervisor.run()
                say("Stopping ...")
        except Stopped:
            pass
        say("Stopped. Everything is kept; the same command goes on from here.")


def _programs(
    serving: Serving,
    env: Mapping[str, str],
    settings: Settings,
    data: DataDirectory,
    sink_port: int | None,
) -> list[Program]:
    """All but the broker. The letters' way out is stopped after those who write them."""

    def program(name: str, command: tuple[str, ...], stage: int = 0) -> Program:
        log = data.logs / f"{name.replace(' ', '-')}.log"
        return Program(name=name, command=command, env=env, log=log, stage=stage)

    found = [
        program("web server", processes.web(serving)),
        program("worker", processes.worker(serving)),
        program("mailer", processes.mailer(serving)),
        program("beat", processes.beat()),
    ]
    if settings.lmtp_listen or settings.smtp_listen:
        found.append(program("mail server", processes.lmtp()))
    if settings.imap_url:
        found.append(program("mail reader", processes.imap()))
    if sink_port is not None:
        sink = processes.mail_sink("127.0.0.1", sink_port, data.path)
        found.insert(0, program("mail sink", sink, stage=1))
    return found


def _pages_answer(serving: Serving) -> bool:
    return answers_http(serving.reachable_host, serving.port)


def _migrate(settings: Settings) -> None:
    from service.core.schema import SchemaError
    from service.core.startup import require_database
    from service.ops.upkeep import upgrade

    try:
        upgrade(settings)
        require_database(settings)
    except SchemaError as error:
        raise CannotStart(str(error)) from error


def _require_mailbox(directory: Path) -> None:
    from service.dev.mailbox.store import Damaged, MailboxStore

    try:
        MailboxStore(directory).require_readable()
    except Damaged as error:
        raise CannotStart(str(error)) from error


def _open_demo(settings: Settings, env: Mapping[str, str]) -> None:
    from service.core.context import Service
    from service.core.jobs import CeleryQueue, make_celery
    from service.dev.demonstration import demo

    lang = "fr" if (env.get("LC_ALL") or env.get("LANG") or "").startswith("fr") else "en"
    service = Service(settings, CeleryQueue(make_celery(settings)))
    try:
        with service.database.write() as work:
            demo(service, work, DEMO_ADDRESS, DEMO_NAME, lang)
    finally:
        service.database.dispose()


def _welcome(
    settings: Settings, serving: Serving, data: DataDirectory, for_real: bool, seconds: float
) -> str:
    lines = [f"Paleopost is running (up in {seconds:.1f} s)."]
    if settings.mailbox:
        lines += [
            f"  Your letters  {settings.base_url}/mailbox/?to={quote(DEMO_ADDRESS)}",
            f"  All letters   {settings.base_url}/mailbox/",
        ]
    if for_real:
        lines.append(f"  Letters go out for real, by SMTP_URL, from {settings.mail_from}.")
        ways = (settings.imap_url and "IMAP_URL", settings.lmtp_listen, settings.smtp_listen)
        lines.append(
            f"  Replies come in by {', '.join(way for way in ways if way)}."
            if any(ways)
            else "  Replies come in nowhere: set IMAP_URL or LMTP_LISTEN (docs/operating.md)."
        )
    lines += [
        f"  Front page    {settings.base_url}/",
        f"  Logs          {_short(data.logs)}/",
        "Ctrl-C stops it; the same command goes on from there.",
    ]
    if settings.mailbox and serving.host not in ("127.0.0.1", "::1", "localhost"):
        lines.append(
            f"Take care: whoever reaches {serving.host} can read every letter in the mailbox."
        )
    return "\n".join(lines)


def _short(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
