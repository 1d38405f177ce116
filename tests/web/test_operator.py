"""What the operator's tools are told, and that nobody else is."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text, update
from werkzeug.test import TestResponse

from service.models import DecisionRow, InboundMail, Letter, Submission
from service.usecases import sweep
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
            ("database", "broker", "moves", "letters", "mails", "clocks", "sweep"), "ok"
        ),
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
    alive.bells.worker = None  # type: ignore[attr-defined]
    alive.submit(match.id)
    with alive.service.database.write() as work:
        execute = work.session.execute
        if part == "moves":
            execute(update(Submission).values(pending_since=long_ago))
        elif part == "letters":
            execute(update(Letter).values(due_at=long_ago))
        elif part == "mails":
            work.session.add(mail(long_ago))
        else:
            execute(update(DecisionRow).values(deadline=long_ago))
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
    match = site.table(guests=1, bots=1)
    site.play_on(match, 2)
    found = numbers(site)
    game = match.game
    assert found["paleopost_turns_total", (("fate", "played"), ("source", "form"))] == 2
    assert found["paleopost_tables_total", (("game", game), ("status", "playing"))] == 1
    assert found["paleopost_tables_open", (("status", "playing"),)] == 1
    assert found["paleopost_tables_open", (("status", "inviting"),)] == 0
    assert found["paleopost_decisions_waiting", (("age", "1h"), ("held", ""))] == 1
    assert found["paleopost_matches_waiting", (("age", "1h"),)] == 1
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
        if name == "paleopost_letters_total" and ("fate", "sent") in labels
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
    with site.service.database.write() as work:
        for match, values in (
            (old, {"opened_at": now - dt.timedelta(days=5)}),
            (held, {"opened_at": now - dt.timedelta(days=99), "held": "unreachable"}),
        ):
            work.session.execute(
                update(DecisionRow).where(DecisionRow.match_id == match.id).values(**values)
            )
    found = numbers(site)
    assert found["paleopost_decisions_waiting", (("age", "7d"), ("held", ""))] == 1
    assert found["paleopost_decisions_waiting", (("age", "more"), ("held", "unreachable"))] == 1
    assert found["paleopost_matches_waiting", (("age", "7d"),)] == 1
    assert found["paleopost_matches_waiting", (("age", "more"),)] == 1


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_page_says_what_is_wrong(site: Site, lang: str) -> None:
    site.table()
    page = get(site, f"/health?lang={lang}")
    source = page.get_data(as_text=True)
    assert f'lang="{lang}"' in source
    shown = {
        "en": ("does not answer", "Not all is well"),
        "fr": ("ne répond pas", "Tout ne va pas"),
    }
    for words in shown[lang]:
        assert words in source
    assert not re.search(r"[\w.]+@[\w.]+", source)


def test_the_page_says_that_all_is_well(alive: Site) -> None:
    assert "All is well." in get(alive, "/health").get_data(as_text=True)
