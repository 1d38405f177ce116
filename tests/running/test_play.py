"""`paleopost play` as its operator meets it: real processes on real ports."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

import pytest
import redis

from engine.games import games
from service.dev.embedded.lock import is_held
from service.dev.embedded.play import DEMO_ADDRESS
from tests.support.ports import free_port
from tests.support.stack import Stack

if TYPE_CHECKING:
    from tests.support.sink import SmtpSink

pytestmark = pytest.mark.xdist_group("stack")

PROGRAMS = ("broker", "mail sink", "mail server", "web server", "worker", "mailer", "beat")
GAME = next(iter(games()))
BOT = next(iter(games()[GAME].bots))
TABLE = ("open-table", GAME, *["--seat", f"bot:{BOT}"] * (games()[GAME].seats[0] - 1))


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Stack]:
    """A product of this test's own, not started yet. It looks more often for what was lost."""
    made = Stack(tmp_path / "data", {"SWEEP_EVERY": "2"})
    made.data.mkdir()
    yield made
    if made.running:
        made.stop(signal.SIGKILL)
        wait_until_gone(made)


def processes(stack: Stack) -> dict[int, str]:
    """Every live process whose environment names the stack's data: pid and command. None, if its
    processes are forked.
    """
    mark = f"PALEOPOST_DATA={stack.data}".encode()
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal() or int(folder.name) == os.getpid():
            continue
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                words = (folder / "cmdline").read_bytes().split(b"\0")
                found[int(folder.name)] = b" ".join(words).decode(errors="replace")
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
    return found


def wait_until_gone(stack: Stack, patience: float = 120) -> None:
    until = time.monotonic() + patience
    while (left := processes(stack)) or is_held(stack.data):
        assert time.monotonic() < until, left
        time.sleep(0.1)


def children(stack: Stack) -> dict[str, int]:
    """The supervised processes, by name."""
    out = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(stack.pid)], capture_output=True, text=True
    ).stdout
    found = {}
    for pid in map(int, out.split()):
        with suppress(FileNotFoundError, ProcessLookupError):
            # Each has a log file of its own, however it was started.
            log = Path(f"/proc/{pid}/fd/1").readlink()
            if log.parent.name == "log":
                found[log.stem.replace("-", " ")] = pid
    return found


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=60) as answer:
        text: str = answer.read().decode()
        return text


def open_table(stack: Stack, address: str) -> str:
    """A table of this host against bots, from the command line: its code."""
    done = stack.command(*TABLE, "--host", address)
    assert done.returncode == 0, done.stderr
    code = re.match(r"Table (\w+) has begun\. Spectators: http://", done.stdout)
    assert code is not None, done.stdout
    return code[1]


def test_the_demonstration_is_in_the_mailbox_within_seconds(stack: Stack) -> None:
    letter = stack.wait_for_letter(DEMO_ADDRESS)
    assert letter.html
    assert letter.text
    assert letter.pictures
    said = stack.said()
    page = re.search(r"Your letters\s+(\S+)", said)
    assert page is not None
    listed = get(page[1])
    link = re.search(r'href="(/mailbox/letter/\d+/)"', listed)
    assert link is not None
    assert "<iframe" in get(stack.base_url + link[1])
    assert get(f"{stack.base_url}/").startswith("<!DOCTYPE html>")


def test_it_checks_out(stack: Stack) -> None:
    done = stack.command("check")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_what_can_be_typed_into_a_page_reaches_it(stack: Stack) -> None:
    """A written turn of 1,500 characters, a third of them with accents, is answered by our page."""
    typed = quote_plus("été là, " * 187)
    assert 4094 < len(typed) < 8000
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{stack.base_url}/m/abcdefghij/0/turn/t1?order={typed}")
    assert caught.value.code == 404
    assert "Nothing to be found here" in caught.value.read().decode()


def test_a_second_copy_on_the_same_data_is_refused(stack: Stack) -> None:
    second = stack.command("play", PORT=str(free_port()))
    assert second.returncode == 1
    assert second.stderr == (
        f"paleopost: Another paleopost (process {stack.pid}) is running on the data directory "
        f"{stack.data}; stop it, or set PALEOPOST_DATA to another directory.\n"
    )


def test_a_port_in_use_is_named(stack: Stack, tmp_path: Path) -> None:
    second = stack.command("play", PALEOPOST_DATA=str(tmp_path / "other"))
    assert second.returncode == 1
    assert second.stderr.startswith(
        f"paleopost: Port {stack.port} of 127.0.0.1 is in use by another program; set PORT to"
    )
    assert "Traceback" not in second.stderr


def test_a_port_that_is_none_is_refused(stack: Stack) -> None:
    second = stack.command("play", PORT="http")
    assert (second.returncode, second.stderr) == (
        1,
        "paleopost: PORT: 'http' is no whole number from 1 to 65535\n",
    )


@pytest.mark.parametrize("words", [("play",), (*TABLE, "--host", "a@b.example")])
def test_boards_that_cannot_be_used_are_named(
    stack: Stack, tmp_path: Path, words: tuple[str, ...]
) -> None:
    boards = tmp_path / "boards"
    boards.mkdir()
    for key in games():
        (boards / f"{key}.toml").write_bytes(b"# caf\xe9\n")
    more = {"PALEOPOST_DATA": str(tmp_path), "PORT": str(free_port())} if words[0] == "play" else {}
    done = stack.command(*words, BOARDS_DIR=str(boards), **more)
    assert done.returncode == 1
    assert done.stderr.startswith(f"paleopost: BOARDS_DIR: {boards}/")
    assert done.stderr.endswith(".toml, line 1: not UTF-8\n")


def test_tables_are_opened_and_taken_out_from_the_command_line(
    stack: Stack, tmp_path: Path
) -> None:
    code = open_table(stack, "cli@paleopost.example,fr,Clio")
    letter = stack.wait_for_letter("cli@paleopost.example")
    assert ("Content-Language", "fr") in letter.headers or "à" in (letter.text or "")
    out = tmp_path / "match.json"
    assert stack.command("export", code, "--out", str(out)).returncode == 0
    verified = stack.command("verify", str(out))
    assert verified.returncode == 3
    assert "still running" in verified.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("export", "nosuch"), "there is no match nosuch"),
        (("open-table", "ludo", "--host", "a@b.example"), "there is no game “ludo”"),
        (("open-table", GAME, "--host", "a@b.example"), "given 0 times"),
        ((*TABLE, "--host", "nobody"), "“nobody” is no address that mail can be sent to"),
        ((*TABLE, "--host", "a@b.example,de"), "“de”"),
        ((*TABLE, "--host", "a@b.example", "--pace", "0"), "give 1 to 30 days"),
        ((*TABLE, "--host", "a@b.example", "--option", "x"), "is to be written NAME=VALUE"),
        ((*TABLE, "--host", "a@b.example", "--option", "x=y"), "there is no option of"),
    ],
)
def test_a_table_that_cannot_be_opened_gets_a_sentence(
    stack: Stack, words: tuple[str, ...], sentence: str
) -> None:
    done = stack.command(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_dead_letters_are_looked_at_from_the_command_line(stack: Stack) -> None:
    done = stack.command("retry", "letter-999999")
    assert (done.returncode, done.stderr) == (
        2,
        "paleopost: 'letter-999999' is no dead letter; `paleopost dead-letters` lists them.\n",
    )
    assert stack.command("dead-letters").stdout == "Nothing was given up.\n"


def test_whatever_is_killed_comes_back_and_letters_go_on(own: Stack) -> None:
    own.start()
    before = children(own)
    assert set(before) == set(PROGRAMS)
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)

    def all_back() -> bool:
        now = children(own)
        return set(now) == set(PROGRAMS) and not set(now.values()) & set(before.values())

    own.wait_until(all_back)
    for name in PROGRAMS:
        assert f"The {name} was ended by SIGKILL; it is started again." in own.said()
    open_table(own, "after@paleopost.example")
    own.wait_for_letter("after@paleopost.example")
    own.wait_until(lambda: "<h1" in get(f"{own.base_url}/mailbox/"))


@pytest.mark.parametrize(
    # What a supervisor does at either is tested by itself (test_supervisor).
    "by",
    [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.rarely)],
)
def test_stopping_leaves_nobody_and_starting_again_goes_on(own: Stack, by: signal.Signals) -> None:
    own.start(forked=False)
    own.wait_for_letter(DEMO_ADDRESS)
    code = open_table(own, "first@paleopost.example")
    own.wait_for_letter("first@paleopost.example")
    assert own.stop(by) == 0
    assert processes(own) == {}
    assert own.said().endswith("Everything is kept; the same command goes on from here.\n")
    assert "Traceback" not in own.said()

    own.start()
    assert own.command("export", code).returncode == 0
    with closing(sqlite3.connect(own.data / "paleopost.db")) as database:
        # The demonstration and this test's: none was opened anew.
        assert database.execute("SELECT COUNT(*) FROM match").fetchone() == (2,)
    assert "first@paleopost.example" in get(f"{own.base_url}/mailbox/")


@pytest.mark.rarely  # a supervisor by itself: test_supervisor
def test_a_killed_supervisor_takes_everybody_along(own: Stack) -> None:
    own.start(forked=False)
    own.wait_for_letter(DEMO_ADDRESS)
    assert own.stop(signal.SIGKILL) == -signal.SIGKILL
    # Started at once, it waits for the remains of the first.
    own.start()
    open_table(own, "after@paleopost.example")
    own.wait_for_letter("after@paleopost.example")
    assert own.stop() == 0
    assert processes(own) == {}


def test_a_wiped_broker_delays_and_loses_nothing(own: Stack) -> None:
    own.start()
    own.wait_for_letter(DEMO_ADDRESS)
    # Nobody is there to take the jobs, and nobody to bring somebody.
    os.kill(own.pid, signal.SIGSTOP)
    for name in ("worker", "mailer"):
        os.kill(children(own)[name], signal.SIGKILL)
    open_table(own, "wiped@paleopost.example")
    with redis.Redis.from_url(own.settings().redis_url) as client:
        assert client.llen("mail") + client.llen("moves") > 0
        client.flushall()
    os.kill(own.pid, signal.SIGCONT)
    own.wait_for_letter("wiped@paleopost.example")


def test_with_an_smtp_url_letters_go_out_and_there_is_no_mailbox(
    tmp_path: Path, smtp_sink: SmtpSink
) -> None:
    stack = Stack(tmp_path, {"SMTP_URL": smtp_sink.url, "MAIL_FROM": "play@example.org"})
    stack.start()
    try:
        # No demonstration match: the first letter is of the first table somebody opens.
        open_table(stack, "ann@example.org")
        stack.wait_until(lambda: bool(smtp_sink.deliveries))
        assert smtp_sink.deliveries[0].recipients == ["ann@example.org"]
        assert re.fullmatch(
            r"bounce\+[0-9a-f]+-[a-z2-7]{16}@example\.org", smtp_sink.deliveries[0].sender
        )
        assert "<play@example.org>" in str(smtp_sink.deliveries[0].message["From"])
        with closing(sqlite3.connect(stack.data / "paleopost.db")) as database:
            assert database.execute("SELECT COUNT(*) FROM match").fetchone() == (1,)
        assert "Letters go out for real, by SMTP_URL, from play@example.org." in stack.said()
        assert "Replies come in nowhere: set IMAP_URL or LMTP_LISTEN" in stack.said()
        assert "mail server" not in children(stack)
        assert "mail sink" not in children(stack)
        with pytest.raises(urllib.error.HTTPError, match="404"):
            get(f"{stack.base_url}/mailbox/")
    finally:
        stack.stop()


@pytest.mark.rarely  # the processes run on PostgreSQL in test_production
def test_on_postgresql(tmp_path: Path, postgresql_url: str) -> None:
    stack = Stack(tmp_path, {"DATABASE_URL": postgresql_url})
    stack.start()
    try:
        stack.wait_for_letter(DEMO_ADDRESS)
        assert not (tmp_path / "paleopost.db").exists()
    finally:
        assert stack.stop() == 0
