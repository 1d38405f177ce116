"""Mail written in the built-in mailbox: it goes out as a mail program's, by LMTP."""

from __future__ import annotations

import quopri
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import cast
from urllib.parse import quote

import msgspec
import pytest

from service.core.context import Service
from service.dev.app import create_app
from service.dev.mailbox.store import MailboxStore
from service.mail.parse.message import read
from service.players.accounts import meet
from tests.inbound.conftest import House
from tests.support.lmtp import Listening
from tests.support.reader import Page, Reader
from tests.support.tables import Jobs, settings_for

WHO = "ana@example.org"


class LetterContext(House):
    """The mailbox's pages, its letters, and the server that takes mail."""

    def __init__(self, url: str, folder: Path) -> None:
        jobs = Jobs()
        first = Service(settings_for(url), jobs)
        self.listening = Listening(first)
        self.settings = settings_for(
            url,
            PALEOPOST_DATA=str(folder),
            MAILBOX="1",
            LMTP_LISTEN=f"127.0.0.1:{self.listening.port}",
        )
        self.app = create_app(self.settings, jobs)
        super().__init__(cast("Service", self.app.extensions["paleopost"]), jobs)
        self.store = MailboxStore(folder)

    def reader(self, lang: str = "en") -> Reader:
        """Somebody at a browser."""
        return Reader(self.app.test_client(), lang)

    def letter(self, text: str = "Your turn.\n\n  A1 A2\n", **headers: str) -> int:
        """A letter comes."""
        message = EmailMessage()
        found = {
            "From": "Paleopost <play@paleopost.test>",
            "Subject": "Sapiens: the cave of the éléphant",
            "Message-ID": "<turn.1.0.t1@paleopost.test>",
            "References": "<match.1.0@paleopost.test>",
            "Reply-To": self.address,
        } | {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in found.items():
            if value:
                message[name] = value
        message.set_content(text)
        return self.store.keep("play@paleopost.test", [WHO], message.as_bytes())

    def answered(self, text: str, lang: str = "en") -> Page:
        """The page after an answer to the newest letter."""
        reader = self.reader(lang)
        [kept] = self.store.letters(WHO, 1)
        shown = reader.get(f"/mailbox/letter/{kept.id}/")
        form = shown.form("/reply")
        form.put("text", text)
        return reader.press(form)

    def close(self) -> None:
        """Put everything away."""
        self.listening.stop()
        self.store.close()
        self.service.database.dispose()


@pytest.fixture
def desk(sqlite_url: str, tmp_path: Path) -> Iterator[LetterContext]:
    made = LetterContext(sqlite_url, tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("lang", "said"), [("en", " Paleopost <play@paleopost.test> wrote:"), ("fr", "a écrit")]
)
def test_an_answer_is_as_a_mail_program_makes_it(desk: LetterContext, lang: str, said: str) -> None:
    desk.letter()
    shown = desk.answered("pose chasse-feu C4 D4\r\n\r\nmessage la tuile était à moi", lang)
    assert shown.status == 200
    assert shown.response.request.path == "/mailbox/sent"
    [mail] = desk.mails()
    assert (mail.source, mail.envelope_from, mail.recipient) == ("lmtp", WHO, desk.address)
    found = read(mail.raw)
    assert found.own_text == "pose chasse-feu C4 D4\n\nmessage la tuile était à moi"
    assert found.quoted
    assert found.subject == "Re: Sapiens: the cave of the éléphant"
    assert found.in_reply_to == "turn.1.0.t1@paleopost.test"
    assert found.references == ("match.1.0@paleopost.test", "turn.1.0.t1@paleopost.test")
    assert (found.sender, found.recipients) == (WHO, (desk.address,))
    body = mail.raw.decode()
    assert "\r\n>\r\n>   A1 A2\r\n" in body
    assert found.message_id is not None
    assert said in quopri.decodestring(mail.raw).decode()


def test_a_link_that_writes_an_answer_begins_one_here(desk: LetterContext) -> None:
    said = "play 1 + 2 & “3”\r\nsecond"
    to = desk.address.replace("@", "%40")
    message = EmailMessage()
    message["Reply-To"] = desk.address
    message.set_content("x")
    message.add_alternative(
        f'<a href="mailto:{to}?subject=Re%3A%20x&amp;body={quote(said)}">By mail</a>'
        "<a href='mailto:someone@else.example?body=x'>Other</a>",
        subtype="html",
    )
    number = desk.store.keep("play@paleopost.test", [WHO], message.as_bytes())
    reader = desk.reader()
    shown = reader.get(f"/mailbox/letter/{number}/html")
    assert shown.link("Other").startswith("mailto:someone@else.example")
    begun = reader.get(shown.link("By mail"))
    assert begun.form("/reply")["text"].split() == said.split()
    assert 'role="alert"' not in begun.text


def test_it_tells_times_by_the_clock_of_who_the_letter_is_to(desk: LetterContext) -> None:
    number = desk.letter()
    reader = desk.reader()
    assert f"({desk.settings.zone})" in reader.get(f"/mailbox/letter/{number}/").text
    with desk.service.database.write() as work:
        meet(desk.service, work.session, WHO, zone="Asia/Tokyo")
    for page in (f"letter/{number}/", f"?to={WHO}", f"sent?by={WHO}"):
        assert "(Asia/Tokyo)" in reader.get(f"/mailbox/{page}").text


def test_it_shows_the_answer_as_soon_as_it_is_there(desk: LetterContext) -> None:
    desk.letter()
    shown = desk.answered("status")
    assert "The answer is on its way" in shown.text
    refresh = shown.response.headers["Refresh"]
    assert refresh.startswith("2; url=/mailbox/sent?")
    number = desk.letter(Subject="Re: Sapiens", Reply_To="")
    reader = desk.reader()
    there = reader.get(refresh.partition("url=")[2])
    assert "Refresh" not in there.response.headers
    assert f"/mailbox/letter/{number}/" in [href for _, href in there.links]
    tired = reader.get(f"/mailbox/sent?by={WHO}&after={number}&looks=30")
    assert "No answer has come" in tired.text
    assert "Refresh" not in tired.response.headers
    assert reader.get(f"/mailbox/sent?by={WHO}&after=x&looks=y").status == 200


def test_a_subject_is_answered_once(desk: LetterContext) -> None:
    desk.letter(Subject="RE: Sapiens", References="")
    desk.answered("status")
    found = read(desk.mails()[0].raw)
    assert found.subject == "RE: Sapiens"
    assert found.references == ("turn.1.0.t1@paleopost.test",)


def test_a_letter_that_asks_for_no_answer_has_no_box(desk: LetterContext) -> None:
    number = desk.letter(Reply_To="")
    reader = desk.reader()
    shown = reader.get(f"/mailbox/letter/{number}/")
    assert not [form for form in shown.forms if "/reply" in form.action]
    other = desk.letter()
    form = reader.get(f"/mailbox/letter/{other}/").form("/reply")
    form.action = f"/mailbox/letter/{number}/reply"
    form.put("text", "status")
    assert reader.press(form).status == 404
    form.action = "/mailbox/letter/999/reply"
    assert reader.press(form).status == 404
    assert desk.mails() == []


def test_without_a_server_that_takes_mail_there_is_no_box(desk: LetterContext) -> None:
    number = desk.letter()
    desk.service.settings = msgspec.structs.replace(desk.settings, lmtp_listen=None)
    reader = desk.reader()
    assert not reader.get(f"/mailbox/letter/{number}/").forms
    assert not reader.get(f"/mailbox/?to={WHO}").forms


def test_what_cannot_be_sent_is_shown_again_with_the_reason(desk: LetterContext) -> None:
    desk.letter()
    empty = desk.answered("  \r\n ")
    assert (empty.status, "Write something first." in empty.text) == (422, True)
    desk.letter(Reply_To="r+aaaaaaaaaaaaaaaaaaaaaaaaaa@paleopost.test")
    refused = desk.answered("a <long> text")
    assert refused.status == 502
    assert "550 5.1.1 No such address" in refused.text
    assert refused.form("/reply")["text"] == "a <long> text"
    desk.listening.stop()
    away = desk.answered("text")
    assert away.status == 502
    assert "does not answer" in away.text
    desk.listening = Listening(desk.service)
    assert desk.mails() == []


def test_a_page_that_told_what_went_wrong_speaks_the_other_language(desk: LetterContext) -> None:
    desk.letter()
    shown = desk.answered("")
    reader = desk.reader()
    reader.at = shown.response.request.path
    again = reader.get(shown.link("Français"))
    assert (again.status, again.lang) == (200, "fr")
    assert again.form("/reply")["text"] == ""
    assert reader.get("/mailbox/write?lang=en").status == 200


def test_a_mail_to_any_address_of_ours(desk: LetterContext) -> None:
    reader = desk.reader()
    form = reader.get(f"/mailbox/?to={WHO}").form("/write")
    for name, value in (("to", desk.address), ("subject", "Hi\r\nBcc: x@y"), ("text", "status")):
        form.put(name, value)
    assert "The answer is on its way" in reader.press(form).text
    found = read(desk.mails()[0].raw)
    assert (found.sender, found.subject, found.own_text) == (WHO, "Hi Bcc: x@y", "status")
    assert found.in_reply_to is None
    form.put("to", "nobody")
    again = reader.press(form)
    assert again.status == 422
    assert "“nobody” is no address" in again.text
    assert again.form("/write")["text"] == "status"
    form.put("to", "nobody@elsewhere.example")
    assert "550 5.1.1" in reader.press(form).text
    assert len(desk.mails()) == 1


def test_the_boxes_are_guarded(desk: LetterContext) -> None:
    number = desk.letter()
    client = desk.app.test_client()
    answer = client.post(
        f"/mailbox/letter/{number}/reply", data={"text": "my order"}, headers={"Host": "localhost"}
    )
    assert answer.status_code == 400
    assert "my order" in answer.text
    written = client.post("/mailbox/write", data={"author": WHO, "text": "my order"})
    assert written.status_code == 400
    assert "my order" in written.text
    assert desk.mails() == []
