"""A copy of the database put back while the world has gone on: nothing is played unseen, nothing is
mistaken for anything else, and everybody is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from service.core import locks, schema
from service.core.models import InboundMail, Letter, Match, Pause, Submission
from service.mail.receive import inbound
from service.mail.receive.recipients import is_known
from service.mail.send import delivery
from service.mail.send.smtp import SmtpTransport
from service.matches import seating
from service.matches.tables import Guest, OpenSeat
from service.ops import backup
from service.ops.restoring import restore
from service.time import pausing
from service.web.app import create_app
from tests.support.correspondence import Correspondence
from tests.support.overtaking import is_free, waiting_for
from tests.support.reader import Form, Page, Reader
from tests.support.sink import Delivery, SmtpSink
from tests.support.tables import settings_for
from tests.web.conftest import PromptBells, Site, path

pytestmark = pytest.mark.slow

SET_BACK = "was set back to its copy of"
FORGED = "abcdefghijklmnopqrstuvwxyz"


class Installation:
    """A site on a database and a real SMTP server, stopped and started as an operator would."""

    def __init__(self, url: str, sink: SmtpSink) -> None:
        self.url, self.sink = url, sink
        self.settings = settings_for(url, SMTP_URL=sink.url)
        self.start()

    def start(self, **settings: str) -> None:
        """Begin to work."""
        jobs = PromptBells()
        self.settings = settings_for(self.url, **({"SMTP_URL": self.sink.url} | settings))
        self.site = Site(create_app(self.settings, jobs), jobs)
        self.transport = SmtpTransport(self.settings.smtp_url)

    def stop(self) -> None:
        """End every connection."""
        self.transport.close()
        self.site.service.database.dispose()

    def same(self, reader: Reader) -> Reader:
        """The same browser, with its cookies, after a new start."""
        found = self.site.reader()
        for cookie in (reader.client._cookies or {}).values():
            found.client.set_cookie(cookie.key, cookie.value, path=cookie.path)
        found.at = reader.at
        return found

    def post(self) -> list[Delivery]:
        """Send all letters that are due; what came to the sink by that."""
        before = len(self.sink.deliveries)
        service = self.site.service
        with service.database.read() as session:
            due = session.scalars(
                select(Letter.id).where(Letter.due_at <= service.now()).order_by(Letter.id)
            ).all()
        for letter in due:
            delivery.deliver(service, self.transport, letter)
        return self.sink.deliveries[before:]

    def back_up(self, path: Path) -> None:
        """Copy the database, while everything runs."""
        service = self.site.service
        version = schema.versions(service.database)[0] or ""
        backup.write(service.database, version, path, service.now())

    def reply(self, letter: Delivery, text: str) -> InboundMail:
        """What the reader of a letter writes in answer to it."""
        to, reader = str(letter.message["Reply-To"]), letter.recipients[0]
        address = re.findall(r"r\+[a-z2-7]{26}@[a-z.]+", to)[0]
        table = Correspondence(self.site, 0)
        stored = table.take(table.written(reader, address, text), address, reader)
        assert stored is not None
        return inbound.handle(self.site.service, stored)

    def answer(self, mail: InboundMail) -> list[str]:
        """What the one answer to a mail tells, by codes."""
        return Correspondence(self.site, 0).answer(mail).codes


def text_of(letter: Delivery) -> str:
    """The text part, in one line."""
    body = letter.message.get_body(("plain",))
    assert body is not None
    return " ".join(body.get_content().split())


def link_of(letter: Delivery, kind: str = "t") -> str:
    """The first link of a kind in a letter, without the server."""
    found = re.search(rf"http://paleopost\.test(/{kind}/[a-z2-7]{{26}})", text_of(letter))
    assert found is not None
    return found[1]


@pytest.fixture
def here(database_url: str, smtp_sink: SmtpSink) -> Iterator[Installation]:
    """On each of the two databases."""
    installation = Installation(database_url, smtp_sink)
    yield installation
    installation.stop()


def turns(deliveries: list[Delivery]) -> list[Delivery]:
    """The letters that ask for a turn."""
    return [d for d in deliveries if d.message["X-Paleopost"] == "turn"]


def submissions(here: Installation) -> int:
    with here.site.service.database.read() as session:
        return session.scalar(select(func.count()).select_from(Submission)) or 0


@pytest.mark.on_postgresql
def test_nothing_of_before_acts_and_everybody_goes_on(here: Installation, tmp_path: Path) -> None:
    match = here.site.table()
    here.site.play_on(match, 2)
    known = turns(here.post())[-1]
    held_by_known = here.site.reader()
    held_by_known.get(link_of(known, "s"))
    here.site.play_on(match, 1)  # its letter has not left when the copy is taken
    here.back_up(tmp_path / "copy")
    copied = here.site.match(match.id).last_entry

    here.post()
    lost: list[Delivery] = []
    for _ in range(3):
        here.site.play_on(match, 1)
        lost += turns(here.post())
    assert len(lost) == 3
    browser = here.site.reader()
    form: Form = browser.whole(browser.get(link_of(lost[-1]))).form("/play/")
    here.stop()

    restored = restore(here.settings, tmp_path / "copy", replace=True)
    assert (restored.epoch, restored.told) == (2, 2)
    here.start()
    match_now = here.site.match(match.id)
    assert match_now.last_entry == copied
    before = submissions(here)

    # By page: what a letter of after the copy leads to is shown as set back, with the board
    for letter in lost:
        for link in (link_of(letter), link_of(letter, "s")):
            page = here.site.reader().get(link)
            if link.startswith("/t/"):
                assert SET_BACK in page.text
            assert page.status == 200
            assert not plays(page)
    # By a form that was open: not played, by whomever
    answered = here.same(browser).press(form, "Play")
    assert (answered.status, SET_BACK in answered.text) == (409, True)
    # By a cookie of before
    assert SET_BACK in here.same(held_by_known).get(f"/m/{match.code}/{seat_of(here, known)}").text
    # By reply, to addresses that the copy knows and to others
    for letter in (known, *lost):
        mail = here.reply(letter, "1")
        assert (mail.verdict, here.answer(mail)) == ("set-back", ["set_back"])
    mail = here.reply(lost[-1], "status\n1")
    assert here.answer(mail) == ["status", "set_back"]
    assert submissions(here) == before
    assert here.site.match(match.id).last_entry == copied

    # Forged ones say nothing
    forged = here.site.reader().get(f"/t/{FORGED}")
    assert (forged.status, SET_BACK in forged.text) == (404, False)
    assert not is_known(here.site.service, f"r+{FORGED}@paleopost.test")
    for letter in lost:
        assert is_known(here.site.service, str(letter.message["Reply-To"]).split("<")[-1][:-1])

    # Everybody is told once, and who is asked plays on from that letter, by page and by reply
    told = [d for d in here.post() if "answer.restored" in str(d.message["Message-ID"])]
    assert sorted(d.recipients[0] for d in told) == ["ana@example.org", "g1@example.org"]
    asked = here.site.awaited(match.id)
    player = here.site.match(match.id).seats[asked.seat].player
    assert player is not None
    (mine,) = [d for d in told if d.recipients == [player.email]]
    assert SET_BACK in text_of(mine)
    page = here.site.reader().get(link_of(mine))
    assert (page.status, SET_BACK in page.text) == (200, False)
    assert plays(page)
    turn = here.site.suggested_turn(match.id, asked.seat)
    assert here.reply(mine, turn).verdict == "played"
    for _ in range(3):
        (letter,) = turns(here.post())
        asked = here.site.awaited(match.id)
        turn = here.site.suggested_turn(match.id, asked.seat)
        assert here.reply(letter, turn).verdict == "played"
    here.post()

    # The same decisions were asked for twice, under other names; no name had two contents
    contents: dict[str, set[bytes]] = {}
    for each in here.sink.deliveries:
        contents.setdefault(str(each.message["Message-ID"]), set()).add(each.raw)
    assert all(len(found) == 1 for found in contents.values())
    names = [name.partition("@")[0].rpartition(".")[0] for name in contents]
    assert len(set(names)) < len(names)
    assert here.post() == []


def plays(page: Page) -> bool:
    """Whether a turn can be chosen on this page."""
    return any(form.id == "handing" for form in page.forms)


def seat_of(here: Installation, letter: Delivery) -> int:
    """The seat a turn letter is to, as its Message-ID says."""
    return int(str(letter.message["Message-ID"]).split(".")[2])


@pytest.mark.parametrize(
    "word", ["yes", pytest.param("no", marks=pytest.mark.on_postgresql), "yes\n1"]
)
def test_an_answer_to_what_was_asked_before_is_none(
    here: Installation, tmp_path: Path, word: str
) -> None:
    match = here.site.table()
    (letter,) = turns(here.post())
    asked = seat_of(here, letter)
    here.back_up(tmp_path / "copy")
    here.stop()
    restore(here.settings, tmp_path / "copy", replace=True)
    here.start()
    with here.site.service.database.write() as work:
        table = locks.lock_number(here.site.service, work, match.id)
        pausing.ask(here.site.service, work, table, 1 - asked, 5)
    mail = here.reply(letter, word)
    assert (mail.verdict, here.answer(mail)) == ("set-back", ["set_back"])
    with here.site.service.database.read() as session:
        assert session.scalars(select(Pause.status)).all() == ["asked"]


def test_a_reply_of_before_has_no_match_while_it_waits_for_an_earlier_one(
    postgresql_url: str, smtp_sink: SmtpSink, tmp_path: Path
) -> None:
    """A word in it may be about all matches of its writer."""
    here = Installation(postgresql_url, smtp_sink)
    first, second = here.site.table(), here.site.table()
    here.post()
    here.back_up(tmp_path / "copy")
    here.site.play_on(second, 1)
    lost = turns(here.post())[-1]
    here.stop()
    restore(here.settings, tmp_path / "copy", replace=True)
    here.start()

    def act() -> InboundMail:
        return here.reply(lost, "away 3 days")

    with waiting_for(here.site, first.id, act) as other:
        assert is_free(other, Match, second.id)
    here.stop()


def test_a_report_of_before_does_not_count_against_another_letter(
    here: Installation, tmp_path: Path
) -> None:
    match = here.site.table()
    here.post()
    here.back_up(tmp_path / "copy")
    here.site.play_on(match, 1)
    lost = here.post()[-1]
    here.stop()
    restore(here.settings, tmp_path / "copy", replace=True)
    here.start()
    here.site.play_on(match, 1)
    here.post()
    report = (
        f"From: MAILER-DAEMON@example.org\r\nTo: {lost.sender}\r\nSubject: Undelivered Mail\r\n"
        "Message-ID: <r1@example.org>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nNo.\r\n--b\r\n"
        "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n"
        f"Final-Recipient: rfc822; {lost.recipients[0]}\r\n"
        "Action: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
    ).encode()
    assert is_known(here.site.service, lost.sender)
    stored = Correspondence(here.site, 0).take(report, lost.sender, "")
    assert stored is not None
    mail = inbound.handle(here.site.service, stored)
    assert (mail.verdict, mail.details.letter) == ("report", None)


def test_a_table_of_after_the_copy_is_said_to_be_lost(here: Installation, tmp_path: Path) -> None:
    here.back_up(tmp_path / "copy")
    opened = here.site.open([Guest(address="g1@example.org", name="Guest 1")], "sapiens")
    letters = here.post()
    here.site.everybody_accepts(opened)
    letters += here.post()
    here.stop()
    restore(here.settings, tmp_path / "copy", replace=True)
    here.start()
    # Another match has the same number now: nobody of the first one may look at it
    other = here.site.open([Guest(address="zoe@example.org", name="Zoe")], "sapiens")
    assert other == opened
    here.site.everybody_accepts(other)
    invited = [d for d in letters if d.message["X-Paleopost"] == "invitation"]
    asked = turns(letters)
    assert (len(invited), len(asked)) == (1, 1)
    for link in [link_of(d, "i") for d in invited] + [link_of(d) for d in asked]:
        page = here.site.reader().get(link)
        assert (page.status, SET_BACK in page.text) == (200, True)
        assert "board as it is now" not in page.text
    assert here.reply(asked[0], "1").verdict in ("unknown", "stranger")


@pytest.mark.on_postgresql
def test_who_was_signed_in_is_not_taken_for_another(here: Installation, tmp_path: Path) -> None:
    here.back_up(tmp_path / "copy")
    reader = here.site.signed_in("ana@example.org")
    assert reader.get("/matches").status == 200
    here.stop()
    restore(here.settings, tmp_path / "copy", replace=True)
    here.start()
    other = here.site.player("zoe@example.org", name="Zoe")
    assert other.id == 1
    assert "Zoe" not in here.same(reader).get("/settings").text


@pytest.mark.on_postgresql
def test_a_join_link_of_after_the_copy_opens_nothing(here: Installation, tmp_path: Path) -> None:
    """Its number is given again, and more players are known than there were links."""
    opened = here.site.open([OpenSeat()], "sapiens")

    def link() -> str:
        return here.site.links.join(here.site.match(opened)).removeprefix("http://paleopost.test")

    def another() -> str:
        with here.site.service.database.write() as work:
            match = work.session.get_one(Match, opened)
            seating.make_join_link(here.site.service, work, match)
        return link()

    for name in ("zoe", "dan"):
        here.site.player(f"{name}@example.org")
    known = link()
    here.back_up(tmp_path / "copy")
    lost = another()
    here.stop()
    restore(here.settings, tmp_path / "copy", replace=True)
    here.start()
    assert here.site.reader().get(known).status == 200
    found = another()
    statuses = [here.site.reader().get(each).status for each in (known, lost, found)]
    assert statuses == [410, 404, 200]


def test_two_restores_of_one_copy_are_two_epochs(here: Installation, tmp_path: Path) -> None:
    match = here.site.table()
    here.post()
    here.back_up(tmp_path / "copy")
    letters: list[Delivery] = []
    for _ in range(2):
        here.site.play_on(match, 1)
        letters += turns(here.post())
        here.stop()
        restore(here.settings, tmp_path / "copy", replace=True)
        here.start()
    for letter in letters:
        assert SET_BACK in here.site.reader().get(link_of(letter)).text
        assert here.reply(letter, "1").verdict == "set-back"
    here.post()
    ids = [str(d.message["Message-ID"]) for d in here.sink.deliveries]
    assert len(set(ids)) == len(ids)


def test_one_click_of_a_letter_of_before_is_heard(here: Installation, tmp_path: Path) -> None:
    match = here.site.table()
    here.post()
    here.back_up(tmp_path / "copy")
    here.site.play_on(match, 1)
    letter = turns(here.post())[-1]
    link = str(letter.message["List-Unsubscribe"]).partition(">")[0]
    here.stop()
    restore(here.settings, tmp_path / "copy", replace=True)
    here.start()
    client = here.site.app.test_client(use_cookies=False)
    answer = client.post(path(link), data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    muted = [row.seat for row in here.site.match(match.id).seats if row.muted_at is not None]
    assert muted == [seat_of(here, letter)]
