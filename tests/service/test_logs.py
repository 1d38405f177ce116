"""What is logged: one event for each thing that happens, and nothing anybody wrote or holds."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
import structlog.testing
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from service.core import logs
from service.core.errors import Refused
from service.core.models import Key, Player
from service.mail.receive import replying
from service.mail.send.smtp import Refusal
from service.matches import hosting, tables
from service.matches.tables import Guest
from service.ops import sweep
from service.players import aliases, preferences
from service.web.app import create_app
from tests.support.correspondence import Correspondence
from tests.support.tables import Jobs, World, settings_for

ANA, BRUNO = "ana@example.org", "bruno@example.org"
SECRET = "xylophone"
"""Stands in everything that people write in these tests."""


class Log:
    """What has been logged, as it was written."""

    def __init__(self, stream: io.StringIO) -> None:
        self._stream = stream

    @property
    def text(self) -> str:
        """All of it."""
        return self._stream.getvalue()

    @property
    def events(self) -> list[dict[str, Any]]:
        """Its lines."""
        return [json.loads(line) for line in self.text.splitlines()]

    def names(self) -> set[str]:
        """What has happened."""
        return {event["event"] for event in self.events}


WORKER = """
import logging
from workers.celery import app
app.log.setup(loglevel="INFO")
print(logging.getLevelName(logging.getLogger().getEffectiveLevel()))
"""


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[Log]:
    """The log of a process of ours, at its most talkative."""
    root, stream = logging.getLogger(), io.StringIO()
    handlers, level = root.handlers, root.level
    monkeypatch.setattr(sys, "stderr", stream)
    logs.configure("DEBUG")
    yield Log(stream)
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()


def test_a_whole_correspondence_leaves_no_word_in_the_log(
    world: World, game_key: str, log: Log
) -> None:
    match_id = world.open([Guest(address=BRUNO, name="Bruno", lang="fr")], game_key)
    world.everybody_accepts(match_id)
    world.hear(mail=True)
    table = Correspondence(world, match_id)
    row = world.awaited(match_id)
    turn = world.legal_turn(match_id, row.seat, row.decision)
    for said in (
        f"message {SECRET} for all",
        "status",
        "remind 12h",
        "pause 3 days",
        "away 2099-01-01 2099-01-05",
        f"{SECRET} {turn.splitlines()[0]} {SECRET}",
        f"{turn}\n\n-- \n{SECRET}",
        "undo",
    ):
        table.reply(row.seat, said, row.decision, subject=f"Re: {SECRET}")
    table.send(f"{SECRET}@example.net", table.address(row.seat), f"resign {SECRET}")
    table.send(ANA, "r+" + "a" * 26 + "@paleopost.test", SECRET)
    with world.service.database.write() as work:
        player = work.session.get_one(Player, 1)
        preferences.change(world.service, work, player, name=SECRET, quiet=(0, 60))
        preferences.mute(world.service, work, world_match(work, match_id), 0, True)
        aliases.add(world.service, work, player, f"{SECRET}@example.org")
    world.hear(mail=True)
    world.post.fail = Refusal(f"550 5.1.1 <{SECRET}@example.org>: no {BRUNO}", recipient=True)
    table.reply(1, "status")
    world.hear(mail=True)
    sweep.sweep(world.service)
    assert {
        "invitation_answered",
        "mail_taken",
        "mail_handled",
        "message_said",
        "turn_settled",
        "letter_sent",
        "letter_given_up",
        "letter_failed",
        "settings_changed",
        "letters_muted",
        "address_asked",
        "table_told",
    } <= log.names()
    said = log.text.lower()
    assert SECRET not in said
    assert turn.splitlines()[0].lower() not in said
    for address in (ANA, BRUNO):
        assert address not in said
        assert address.partition("@")[0] + "@" not in said
    assert not re.search(r"(?<![a-z0-9])[a-z2-7]{26}(?![a-z0-9])", said)
    with world.service.database.read() as session:
        assert session.query(Key).count() > 10
    for event in log.events:
        if event["event"] in ("mail_taken", "mail_handled"):
            assert isinstance(event["mail"], int)


def world_match(work: Any, match_id: int) -> Any:
    from service.core.models import Match

    return work.session.get_one(Match, match_id)


def test_a_failure_shows_where_and_not_what(
    world: World, game_key: str, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = world.open([Guest(address=BRUNO)], game_key)
    world.everybody_accepts(match_id)
    table = Correspondence(world, match_id)

    def broken(_: Any, work: Any, *__: Any) -> None:
        work.session.execute(text("INSERT INTO nowhere VALUES (:body)"), {"body": SECRET})

    monkeypatch.setattr(replying, "reply", broken)
    with pytest.raises(DBAPIError):
        table.reply(0, SECRET)
    try:
        table.reply(0, SECRET)
    except DBAPIError:
        logging.getLogger("celery").exception("failed for %s", BRUNO)
    assert "nowhere" in log.text
    assert "Traceback" in log.text
    assert SECRET not in log.text
    assert "***@example.org" in log.text
    assert BRUNO not in log.text


def test_values_of_every_kind_are_redacted(log: Log) -> None:
    token = "ab2cd3ef4gh5ij6kl7mnopqrst"
    structlog.get_logger("x").info(
        "seen",
        link=f"https://play.example.org/t/{token}?lang=fr",
        nested={"to": [BRUNO, (ANA,)], BRUNO: 1},
        error=ValueError(f"{ANA} and {token}"),
        raw=b"bytes of bruno",
        number=7,
        none=None,
        reply=f"r+{token}@play.example.org",
    )
    (event,) = log.events
    assert event["link"] == "https://play.example.org/t/***?lang=fr"
    assert event["nested"] == {"to": ["***@example.org", ["***@example.org"]], "***@example.org": 1}
    assert event["error"] == "***@example.org and ***"
    assert event["raw"] == "14 bytes"
    assert (event["number"], event["none"]) == (7, None)
    assert event["reply"] == "***@play.example.org"


def test_what_a_host_does_is_logged_once(world: World, game_key: str, log: Log) -> None:
    """With who and what, above all what nobody is told; not what is refused or changes nothing."""

    def do(match_id: int, act: Any, *of: Any) -> None:
        with world.service.database.write() as work:
            act(world.service, work, world_match(work, match_id), *of)

    def noted() -> list[dict[str, Any]]:
        fields = ("act", "match", "host", "seat", "guests", "days")
        acts = [e for e in log.events if e["event"] == "host_acted"]
        return [{name: e[name] for name in fields if name in e} for e in acts]

    guests = [Guest(address=f"{SECRET}{n}@example.org", name=SECRET) for n in range(3)]
    called_off, begun = world.open(guests[:1], game_key), world.open(guests, game_key)
    host = world.match(begun).host_id
    for _ in range(2):
        do(called_off, hosting.withdraw)
    off = {"match": called_off, "host": host}
    assert noted() == [{"act": "withdraw"} | off]

    rows = [row.id for row in world.match(begun).invitees]
    do(begun, hosting.remove_guest, rows[3])
    player = world.match(begun).invitees[1].player_id
    with world.service.database.write() as work:
        token = world.service.keys.token("invitation", begun, player)
        tables.answer(world.service, work, token, "accept")
    with pytest.raises(Refused, match="own_seat"):
        do(begun, hosting.remove_guest, rows[0])
    do(begun, hosting.start_without)
    on = {"match": begun, "host": host}
    assert noted()[1:] == [
        {"act": "remove_guest", "guests": [rows[3]]} | on,
        {"act": "start_without", "guests": [rows[2]]} | on,
    ]

    world.hear(mail=True)
    asked = world.awaited(begun).seat
    do(begun, hosting.extend, asked, 2)
    do(begun, hosting.resend, 1)
    do(begun, hosting.replace, 1, Guest(address=f"{SECRET}9@example.org", name=SECRET))
    do(begun, hosting.stop_replacing, 1)
    do(begun, hosting.remove, 1)
    with pytest.raises(Refused, match="not_playing"):
        do(begun, hosting.remove, 1)
    assert noted()[3:] == [
        {"act": "extend", "seat": asked, "days": 2} | on,
        {"act": "resend", "seat": 1} | on,
        {"act": "replace", "seat": 1} | on,
        {"act": "stop_replacing", "seat": 1} | on,
        {"act": "remove", "seat": 1} | on,
    ]
    assert SECRET not in log.text


def test_workers_log_what_is_asked_for_and_not_what_celery_thinks() -> None:
    said = subprocess.run(
        [sys.executable, "-c", WORKER],
        env={
            **os.environ,
            "LOG_LEVEL": "WARNING",
            "SECRET_KEY": "worker-" * 8,
            "DATABASE_URL": "sqlite:////nowhere/at/all.db",
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "SMTP_URL": "smtp://127.0.0.1:1",
            "BASE_URL": "http://paleopost.test",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == ["WARNING"]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"LMTP_LISTEN": "127.0.0.1:1"}, True),
        ({"LMTP_LISTEN": "127.0.0.1:1", "AUTHSERV_ID": "mx.example.org"}, False),
        ({"LMTP_LISTEN": "127.0.0.1:1", "SENDER_CHECK": "off"}, False),
        ({}, False),
    ],
)
def test_it_is_said_at_the_start_that_no_sender_is_checked(
    tmp_path: Path, changed: dict[str, str], told: bool
) -> None:
    with structlog.testing.capture_logs() as logs:
        create_app(settings_for(f"sqlite:///{tmp_path}/unused.db", **changed), Jobs())
    said = [each for each in logs if each["event"] == "senders_not_checked"]
    assert bool(said) is told
    assert all("nothing is checked" in each["reason"] for each in said)
