"""A French match of two people who only ever answer their mail, on the whole product.

Once their answers are delivered by LMTP; once all mail, there and back, goes through the mailboxes
of an ordinary provider, ours among them. In `make test` one of them soon gives up, by mail: a whole
match by replies is played in test_only_replies, on the whole product in `make test-all`.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import smtplib
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.games import games
from service.dev.mailbox.letter import Letter, read
from service.dev.mailbox.store import Kept
from tests.support.dovecot import Dovecot
from tests.support.post import ByLmtp, answered, header, kind, sample
from tests.support.provider import Provider
from tests.support.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.xdist_group("stack")]

GAME = "sapiens"
ANA, BEN = "ana@example.org", "ben@example.org"
BEGUN, WHOLE = 8, 1000
"""Turns after which whoever is asked gives up."""
SURE = "Veux-tu vraiment abandonner"
"""The question that is answered before it is done."""
OURS = "table@provider.example"


class ByMailboxes:
    """Everybody has a mailbox at a provider. Ours has private mail in it, too."""

    def __init__(self, folder: Path) -> None:
        self.dovecot = Dovecot()
        self.provider = Provider(self.dovecot)
        self.stack = Stack(
            folder,
            {
                "SMTP_URL": f"smtp://127.0.0.1:{self.provider.port}",
                "MAIL_FROM": OURS,
                "PLUS_ADDRESS": OURS,
                "IMAP_URL": self.dovecot.url(OURS),
            },
        )
        self.send(ANA, OURS, b"Subject: private\r\nMessage-ID: <private@x>\r\n\r\nHello\r\n")
        self._read: dict[str, list[Letter]] = {ANA: [], BEN: []}
        self._boxes = {address: self.dovecot.client(address) for address in self._read}
        for box in self._boxes.values():
            box.select_folder("INBOX", readonly=True)

    def letters(self, address: str) -> list[Letter]:
        """All letters to somebody, oldest first."""
        box, known = self._boxes[address], self._read[address]
        box.noop()
        new = [uid for uid in sorted(box.search()) if uid > len(known)]
        found = box.fetch(new, ["BODY.PEEK[]"])
        now = dt.datetime.now(dt.UTC)
        for uid in new:
            raw = found[uid][b"BODY[]"]
            kept = Kept(id=uid, received_at=now, sender="", recipients=(address,), raw=raw)
            known.append(read(kept))
        return known

    def send(self, author: str, to: str, mail: bytes) -> None:
        """Somebody's mail goes off."""
        with smtplib.SMTP("127.0.0.1", self.provider.port) as client:
            client.sendmail(author, [to], mail)

    def stop(self) -> None:
        """End it, with a look at what became of the mail."""
        try:
            self.stack.stop()
            ours = self.dovecot.client(OURS)
            ours.select_folder("INBOX", readonly=True)
            [left] = ours.fetch(ours.search(), ["BODY.PEEK[]", "FLAGS"]).values()
            assert b"Subject: private" in left[b"BODY[]"]
            assert b"\\Seen" not in left[b"FLAGS"]
        finally:
            self.provider.stop()
            self.dovecot.remove()


@pytest.fixture(
    # A busy table is played by LMTP in test_time_by_mail, too.
    params=[pytest.param(ByLmtp, marks=pytest.mark.rarely), ByMailboxes],
    ids=["lmtp", "imap"],
)
def post(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ByLmtp | ByMailboxes]:
    """The product, running, and a way there and back."""
    made: ByLmtp | ByMailboxes = request.param(tmp_path)
    made.stack.start()
    yield made
    made.stop()


@pytest.mark.parametrize(
    "most",
    [
        pytest.param(BEGUN, id="until one gives up"),
        pytest.param(WHOLE, id="whole", marks=pytest.mark.rarely),
    ],
)
def test_two_people_play_to_the_end_by_answering_their_mail(
    post: ByLmtp | ByMailboxes, tmp_path: Path, most: int
) -> None:
    assert GAME in games()
    opened = post.stack.command(
        "open-table", GAME, "--host", f"{ANA},fr,Ana", "--seat", f"{BEN},fr,Ben"
    )
    code = re.match(r"Table (\w+) waits", opened.stdout)
    assert code is not None, opened.stderr
    done: set[tuple[str, str]] = set()
    ended: dict[str, Letter] = {}
    replies: dict[str, int] = {ANA: 0, BEN: 0}
    answers: dict[str, int] = {ANA: 0, BEN: 0}
    turns = 0

    def reply(letter: Letter, author: str, text: str) -> None:
        to, mail = answered(letter, author, text)
        replies[author] += 1
        post.send(author, to, mail)

    def read_mail() -> bool:
        """Everybody reads what is new, and answers it if it asks for an answer."""
        nonlocal turns
        for address in (ANA, BEN):
            for letter in post.letters(address):
                mark = (address, header(letter, "Message-ID"))
                if mark in done:
                    continue
                done.add(mark)
                match kind(letter):
                    case "invitation":
                        reply(letter, address, "Oui !")
                    case "turn" if turns == most:
                        reply(letter, address, "abandonner")
                    case "turn":
                        turns += 1
                        # Now and then the number alone, as the letter says one may.
                        reply(letter, address, "1" if turns % 5 == 0 else sample(letter))
                    case "answer":
                        answers[address] += 1
                        if SURE in (letter.text or ""):
                            reply(letter, address, "oui")
                    case "end":
                        ended[address] = letter
        return len(ended) == 2 and answers == replies

    post.stack.wait_until(read_mail, 600)
    # Before anybody has answered twice or late: one answer for each reply, and no page was used.
    pages = (post.stack.data / "log" / "web-server.log").read_text()
    assert " GET " not in pages
    assert " POST " not in pages
    record = tmp_path / "game.json"
    assert post.stack.command("export", code[1], "--out", str(record)).returncode == 0
    checked = post.stack.command("verify", str(record))
    assert checked.returncode == 0, checked.stdout + checked.stderr
    entries = json.loads(record.read_text())["entries"]
    assert sum(entry["cause"] == "player" for entry in entries) == turns
    assert all("Ana" in (letter.text or "") for to, letter in ended.items() if to != ANA)
