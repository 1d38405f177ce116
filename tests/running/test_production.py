"""The processes as Procfile names them, on PostgreSQL, a broker and a mail server of others."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.games import games
from service.dev.embedded.lifeline import lifeline
from service.dev.embedded.ports import answers_http
from tests.support.commands import command
from tests.support.ports import free_port
from tests.support.stack import OWN, clean_environment

if TYPE_CHECKING:
    from tests.support.broker import TestBroker
    from tests.support.postgresql import Cluster
    from tests.support.sink import SmtpSink

pytestmark = pytest.mark.xdist_group("stack")

ROOT = Path(__file__).resolve().parents[2]
PROCFILE = dict(
    line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines() if line
)

NAMES = ("web", "worker", "mailer", "beat", "lmtp", "imap")


def wait(condition: Callable[[], bool], patience: float = 240) -> None:
    until = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.fixture
def env(
    tmp_path: Path, postgresql: Cluster, broker: TestBroker, smtp_sink: SmtpSink
) -> Iterator[dict[str, str]]:
    url = postgresql.create()
    port = free_port()
    made = clean_environment(
        SECRET_KEY="k" * 32,
        DATABASE_URL=url,
        REDIS_URL=broker.url,
        SMTP_URL=smtp_sink.url,
        BASE_URL="https://play.example.org",
        PALEOPOST_DATA=str(tmp_path / "data"),
        HOST="127.0.0.1",
        PORT=str(port),
        LMTP_LISTEN=f"127.0.0.1:{free_port()}",
    )
    # As a platform starts them: by name, with the environment's programs on the path.
    made["PATH"] = f"{Path(sys.executable).parent}:{made['PATH']}"
    yield made
    postgresql.drop(url)


def run(command: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command.split(), cwd=ROOT, env=env, capture_output=True, text=True, timeout=300
    )


def test_release_then_web_worker_and_beat(
    env: dict[str, str], smtp_sink: SmtpSink, tmp_path: Path
) -> None:
    assert set(PROCFILE) == {"release", *NAMES}
    early = command("check", env=env)
    assert early.returncode == 1
    assert "run `paleopost migrate`" in early.stdout
    released = run(PROCFILE["release"], env)
    assert released.returncode == 0, released.stderr
    running = []
    for name in NAMES:
        with (tmp_path / f"{name}.log").open("wb") as log:
            running.append(
                subprocess.Popen(
                    PROCFILE[name].split(),
                    cwd=ROOT,
                    env=env,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    preexec_fn=lifeline(),
                )
            )
    try:
        wait(lambda: answers_http("127.0.0.1", int(env["PORT"])))
        checked = command("check", env=env)
        assert checked.returncode == 0, checked.stdout
        assert f"LMTP at {env['LMTP_LISTEN']}" in checked.stdout
        game = next(iter(games().values()))
        bots = ["--seat", f"bot:{next(iter(game.bots))}"] * (game.seats[0] - 1)
        opened = command("open-table", game.key, "--host", "ann@example.org", *bots, env=env)
        assert opened.returncode == 0, opened.stderr
        assert "https://play.example.org/" in opened.stdout
        wait(lambda: bool(smtp_sink.deliveries))
        assert smtp_sink.deliveries[0].recipients == ["ann@example.org"]
        # The first sweep: beat rings and the worker hears it.
        wait(lambda: "time.sweep" in (tmp_path / "worker.log").read_text().partition("ready.")[2])
    finally:
        for process in running:
            process.terminate()
        ended = [process.wait(240) for process in running]
    assert ended == [0] * len(NAMES), [(tmp_path / f"{n}.log").read_text() for n in NAMES]


def test_without_settings_no_process_starts(tmp_path: Path) -> None:
    bare = {k: v for k, v in os.environ.items() if k not in OWN}
    bare["PATH"] = f"{Path(sys.executable).parent}:{bare['PATH']}"
    for name in NAMES:
        done = run(PROCFILE[name], bare | {"PALEOPOST_DATA": str(tmp_path)})
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == "paleopost: BASE_URL: is not set\n"
