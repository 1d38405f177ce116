"""What the operator's tools are told, and that nobody else is."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import event, select, text, update
from werkzeug.test import TestResponse

from service.core import heartbeat
from service.core.models import DecisionRow, InboundMail, Letter, Probe, Pulse, Submission
from service.core.statuses import LetterStatus
from service.mail.send import delivery
from service.matches import expiry
from service.ops import census, sweep
from tests.support.tables import of_all
from tests.web.conftest import Site

TOKEN = "a-token-of-the-operator"


def get(site: Site, address: str, host: str = "127.0.0.1:8000", **headers: str) -> TestResponse:
    return site.app.test_client().get(
        address,
        base_url=f"http://{host}",
        headers=headers,
    )


def numbers(site: Site) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Everything /metrics says, by name and labels."""
    answer = get(site, "/metrics")
    assert answer.status_code == 200
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.get_data(as_text=True))
        for sample in family.samples
    }


@pytest.fixture
def alive(make_site: Callable[..., Site], broker: Any) -> Site:
    """A site whose broker answers and whose sweep has just been there."""
    site = make_site(REDIS_URL=broker.url)
    sweep.sweep(site.service)
    return site


def test_ready(alive: Site) -> None:
    answer = get(alive, "/readyz", host="anything.test")
    assert answer.status_code == 200
    assert answer.json == {
        "ready": True,
        "parts": dict.fromkeys(
            (
                *("database", "writing", "broker", "moves", "letters", "mails", "clocks", "sweep"),
                *("sending", "retried", "dead_letters", "suppressed"),
            ),
            "ok",
        ),
        "reasons": {},
    }


def not_ready(site: Site) -> dict[str, str]:
    """The parts that fail."""
    answer = get(site, "/readyz")
    assert answer.status_code == 503
    assert answer.json is not None
    assert answer.json["ready"] is False
    return {name: said for name, said in answer.json["parts"].items() if said != "ok"}


def test_not_ready_without_a_broker_and_a_sweep(site: Site) -> None:
    assert not_ready(site) == {"broker": "unreachable", "sweep": "silent"}


def test_not_ready_when_the_sweep_has_not_been_there_lately(alive: Site) -> None:
    with alive.service.database.write() as work:
        work.session.execute(
            text("UPDATE pulse SET at = :at"), {"at": "2020-01-01 00:00:00.000000"}
        )
    assert not_ready(alive) == {"sweep": "silent"}


@pytest.mark.parametrize("part", ["moves", "letters", "mails", "clocks"])
def test_not_ready_when_something_waits_for_too_long(alive: Site, part: str) -> None:
    long_ago = alive.service.now() - dt.timedelta(hours=1)
    match = alive.table()
    alive.jobs.worker = None  # type: ignore[attr-defined]
    alive.submit(match.id)
    with alive.changing() as work:
        execute = work.session.execute
        if part == "moves":
            execute(
                update(Submission).values(pending_since=long_ago), execution_options=of_all(work)
            )
        elif part == "letters":
            execute(update(Letter).values(due_at=long_ago))
        elif part == "mails":
            work.session.add(mail(long_ago))
        else:
            execute(update(DecisionRow).values(deadline=long_ago), execution_options=of_all(work))
    assert not_ready(alive) == {part: "late"}


def mail(at: dt.datetime) -> InboundMail:
    return InboundMail(
        dedupe="x", source="lmtp", raw=b"", status="received", received_at=at, pending_since=at
    )


def test_not_ready_on_a_database_of_another_version(alive: Site) -> None:
    with alive.service.database.write() as work:
        work.session.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    assert not_ready(alive) == {"database": "outdated"}


def test_nothing_secret_is_said(make_site: Callable[..., Site]) -> None:
    site = make_site(REDIS_URL="redis://:geheim@127.0.0.1:1/0")
    assert b"geheim" not in get(site, "/readyz").data
    assert b"127.0.0.1" not in get(site, "/readyz").data


def test_asking_changes_nothing(alive: Site) -> None:
    get(alive, "/readyz")  # writes its row
    before = alive.counts()
    for address in ("/healthz", "/readyz", "/metrics", "/health"):
        assert get(alive, address).status_code == 200
    assert alive.counts() == before


@pytest.mark.parametrize("address", ["/metrics", "/health"])
class TestWhoMayLook:
    def test_with_the_token(self, make_site: Callable[..., Site], address: str) -> None:
        site = make_site(METRICS_TOKEN=TOKEN, BASE_URL="https://play.example.org")
        assert get(site, address, Authorization=f"Bearer {TOKEN}").status_code == 200
        client = site.app.test_client()
        assert client.get(address, auth=("anybody", TOKEN)).status_code == 200

    def test_without_it(self, make_site: Callable[..., Site], address: str) -> None:
        site = make_site(METRICS_TOKEN=TOKEN)
        for authorization in ("", "Bearer", "Bearer wrong", f"Bearer {TOKEN}x", "Basic eA==", "é"):
            answer = get(site, address, Authorization=authorization)
            assert answer.status_code == 401, authorization
            assert "Basic" in answer.headers["WWW-Authenticate"]
            assert b"paleopost_" not in answer.data

    def test_no_token_from_here(self, site: Site, address: str) -> None:
        assert get(site, address, host="localhost:8000").status_code == 200
        assert get(site, address, host="[::1]:8000").status_code == 200

    @pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
    def test_no_token_through_a_proxy(self, site: Site, address: str, header: str) -> None:
        assert get(site, address, **{header: "203.0.113.9"}).status_code == 404

    def test_no_token_by_a_foreign_name(self, site: Site, address: str) -> None:
        """A page of somebody else whose name was made to point here."""
        assert get(site, address, host="evil.example").status_code == 404

    def test_no_token_from_elsewhere(self, site: Site, address: str) -> None:
        client = site.app.test_client()
        there = {"REMOTE_ADDR": "192.0.2.7"}
        answer = client.get(address, base_url="http://127.0.0.1", environ_base=there)
        assert answer.status_code == 404

    def test_no_token_where_a_proxy_must_be(
        self, make_site: Callable[..., Site], address: str
    ) -> None:
        site = make_site(BASE_URL="https://play.example.org")
        assert get(site, address).status_code == 404


def test_the_numbers_are_those_of_the_database(site: Site) -> None:
    match = site.table(guests=1, bots=1, turns=2)
    census.take(site.service)
    found = numbers(site)
    game = match.game
    assert found["paleopost_turns_total", (("source", "form"), ("status", "played"))] == 2
    assert found["paleopost_tables_total", (("game", game), ("status", "playing"))] == 1
    assert found["paleopost_tables_open", (("status", "playing"),)] == 1
    assert found["paleopost_tables_open", (("status", "inviting"),)] == 0
    assert found["paleopost_decisions_waiting", (("age", "1h"), ("held", ""))] == 1
    assert found["paleopost_matches_waiting", (("age", "1h"),)] == 1
    of_game = (("game", game), ("status", "playing"))
    assert found["paleopost_player_turns", of_game] == 4, "the bot's turns as well"
    assert found["paleopost_player_turn_waits", of_game] == 4
    assert found["paleopost_matches_waiting", (("age", "more"),)] == 0
    due = [
        letter for letter in site.letters() if letter.due_at and letter.due_at <= site.service.now()
    ]
    assert due
    assert found["paleopost_queue_waiting", (("queue", "letters"),)] == len(due)
    assert found["paleopost_last_sweep_timestamp_seconds", ()] == 0
    site.hear(mail=True)
    sweep.sweep(site.service)
    found = numbers(site)
    sent = [letter for letter in site.letters() if letter.status == "sent"]
    totals = [
        v
        for (name, labels), v in found.items()
        if name == "paleopost_letters_total" and ("status", "sent") in labels
    ]
    assert sum(totals) == len(sent)
    assert found["paleopost_queue_waiting", (("queue", "letters"),)] == 0
    assert found["paleopost_smtp_seconds_count", ()] == len(sent)
    assert found["paleopost_smtp_seconds_bucket", (("le", "+Inf"),)] == len(sent)
    assert found["paleopost_sweep_seconds_count", ()] == 1
    assert found["paleopost_last_sweep_timestamp_seconds", ()] > 0


def test_waits_are_sorted_by_age_and_by_what_holds_them(site: Site) -> None:
    old, held = site.table(seed=1), site.table(seed=2)
    now = site.service.now()
    with site.changing() as work:
        for match, values in (
            (old, {"opened_at": now - dt.timedelta(days=5)}),
            (held, {"opened_at": now - dt.timedelta(days=99), "held": "unreachable"}),
        ):
            work.session.execute(
                update(DecisionRow).where(DecisionRow.match_id == match.id).values(**values),
                execution_options=of_all(work),
            )
    census.take(site.service)
    found = numbers(site)
    assert found["paleopost_decisions_waiting", (("age", "7d"), ("held", ""))] == 1
    assert found["paleopost_decisions_waiting", (("age", "more"), ("held", "unreachable"))] == 1
    assert found["paleopost_matches_waiting", (("age", "7d"),)] == 1
    assert found["paleopost_matches_waiting", (("age", "more"),)] == 1


def test_not_ready_when_the_database_cannot_be_written(
    make_site: Callable[..., Site], broker: Any
) -> None:
    site = make_site(REDIS_URL=broker.url)
    sweep.sweep(site.service)

    @event.listens_for(site.service.database.engine, "begin")
    def may_only_read(connection: Any) -> None:
        connection.exec_driver_sql("PRAGMA query_only = ON")

    assert not_ready(site) == {"writing": "read_only"}
    said = get(site, "/readyz").get_json()["reasons"]["writing"]
    assert said == "cannot be written: it, its disk or our user may only read"
    page = get(site, "/health").get_data(as_text=True)
    assert "Not all is well" in page
    assert said in page


def test_asking_often_writes_once(alive: Site) -> None:
    for _ in range(30):
        assert get(alive, "/readyz").status_code == 200
    with alive.service.database.read() as session:
        assert session.scalars(select(Probe.id)).all() == [1]


def test_letters_that_fail_are_told_of(alive: Site) -> None:
    alive.table()
    hour = dt.timedelta(hours=1)
    with alive.service.database.write() as work:
        letters = work.session.scalars(select(Letter).order_by(Letter.id)).all()
        now = alive.service.now()
        letters[0].attempts, letters[0].status = 2, LetterStatus.DUE
        letters[0].created_at, letters[0].due_at = now - 2 * hour, now + hour
        letters[1].status, letters[1].due_at = LetterStatus.DEAD_LETTER, None
        letters[1].player.stopped_at = now
    assert not_ready(alive) == {
        "letters": "late",
        "retried": "some",
        "dead_letters": "some",
        "suppressed": "some",
    }
    found = numbers(alive)
    assert found["paleopost_letters_retried", ()] == 1
    assert found["paleopost_letters_oldest_seconds", ()] >= 7200
    assert found["paleopost_addresses_stopped", ()] == 1
    with alive.service.database.write() as work:
        work.session.execute(update(Letter).values(due_at=None))
    answer = get(alive, "/readyz")
    assert answer.status_code == 200
    assert answer.json is not None
    assert answer.json["parts"]["dead_letters"] == "some"


def test_not_ready_while_replies_are_not_taken(make_site: Callable[..., Site], broker: Any) -> None:
    settings = {"LMTP_LISTEN": "127.0.0.1:1", "IMAP_URL": "imap://u:p@127.0.0.1:1"}
    site = make_site(REDIS_URL=broker.url, **settings)
    sweep.sweep(site.service)
    assert not_ready(site) == {"lmtp": "silent", "imap": "silent"}
    heartbeat.note(site.service, heartbeat.LMTP)
    heartbeat.note(site.service, heartbeat.IMAP)
    assert get(site, "/readyz").status_code == 200
    with site.service.database.write() as work:
        long_ago = site.service.now() - dt.timedelta(minutes=20)
        work.session.execute(update(Pulse).where(Pulse.name != "sweep").values(at=long_ago))
    assert not_ready(site) == {"lmtp": "silent", "imap": "silent"}


def test_alerts_are_about_numbers_that_there_are(alive: Site) -> None:
    census.take(alive.service)
    told = set(re.findall(r"^# TYPE (\w+)", get(alive, "/metrics").get_data(as_text=True), re.M))
    docs = Path(__file__).resolve().parents[2] / "docs"
    named = set(re.findall(r"paleopost_\w+", (docs / "alerts.yml").read_text()))
    assert named
    assert {name.removesuffix("_bucket") for name in named} <= told
    explained = set(re.findall(r"`(paleopost_\w+)`", (docs / "operating.md").read_text()))
    assert explained == told


def test_failures_clocks_and_gaps_are_counted(site: Site) -> None:
    match = site.table()
    site.jobs.take("mail.deliver")
    letter = site.letters(match.id, "turn")[0]
    site.post.fail = ConnectionRefusedError("nobody there")
    delivery.deliver(site.service, site.post, letter.id)
    # No clock runs for a letter that was not taken.
    site.post.fail = None
    with site.service.database.write() as work:
        work.session.execute(update(Letter).values(due_at=site.service.now()))
    assert delivery.deliver(site.service, site.post, letter.id)
    decision = site.awaited(match.id).decision
    with site.changing() as work:
        ago = site.service.now() - dt.timedelta(seconds=1)
        work.session.execute(
            update(DecisionRow).values(deadline=ago), execution_options=of_all(work)
        )
    expiry.expire(site.service, match.id, decision)
    sweep.sweep(site.service)
    with site.service.database.write() as work:
        ago = site.service.now() - dt.timedelta(hours=1)
        work.session.execute(update(Pulse).values(at=ago))
    sweep.sweep(site.service)
    found = numbers(site)
    assert found["paleopost_smtp_failures_total", (("kind", "connect"),)] == 1
    assert found["paleopost_clocks_expired_total", (("policy", "wait"),)] == 1
    assert found["paleopost_gaps_total", ()] == 1
    assert found["paleopost_gap_seconds_total", ()] == pytest.approx(3600, abs=30)
    assert found["paleopost_disk_free_bytes", ()] > 0
    assert ("paleopost_wal_bytes", ()) in found
    page = " ".join(re.sub(r"<[^>]+>", " ", get(site, "/health").get_data(as_text=True)).split())
    assert "letters not handed over: no connection 1" in page
    assert "clocks that ran out 1" in page
    assert "times in which the service was away 1 (60 minutes)" in page


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_page_says_what_is_wrong(site: Site, lang: str) -> None:
    site.table()
    page = get(site, f"/health?lang={lang}")
    source = page.get_data(as_text=True)
    assert f'lang="{lang}"' in source
    shown = {
        "en": ("does not answer", "Not all is well"),
        "fr": ("ne répond pas", "Quelque chose ne va pas"),
    }
    for words in shown[lang]:
        assert words in source
    assert not re.search(r"[\w.]+@[\w.]+", source)


def test_the_page_says_that_all_is_well(alive: Site) -> None:
    assert "All is well." in get(alive, "/health").get_data(as_text=True)
