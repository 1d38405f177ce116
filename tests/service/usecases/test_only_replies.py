"""A whole match of two in French, played by nothing but replies to the letters that come."""

from __future__ import annotations

from email.message import EmailMessage
from email.utils import parseaddr

import pytest

from service.mail.receive import inbound
from service.matches.tables import Guest, open_table
from service.players.accounts import meet
from tests.support.letters_to_png import parts_of
from tests.support.tables import World

pytestmark = pytest.mark.slow

ANA, BRUNO = "ana@example.org", "bruno@example.org"
MOST = 300


class Inboxes:
    """What has come to everybody, and replies to it as a mail program writes them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.read = 0
        self.written = 0

    def new(self) -> list[tuple[str, str, EmailMessage, str]]:
        """Everything that has come since: reader, kind, message, text."""
        self.world.hear(mail=True)
        found = []
        for _, to, raw in self.world.post.sent[self.read :]:
            message, text, _, _ = parts_of(raw)
            found.append((to, message["X-Paleopost"], message, text.replace("\r\n", "\n")))
        self.read = len(self.world.post.sent)
        return found

    def reply(self, who: str, letter: EmailMessage, text: str, quoted: str = "") -> str | None:
        """Answer a letter above its quoted copy; what became of it."""
        self.written += 1
        to = parseaddr(letter["Reply-To"])[1]
        mail = EmailMessage()
        mail["From"] = who
        mail["To"] = to
        mail["Subject"] = f"Re: {letter['Subject']}"
        mail["Message-ID"] = f"<{self.written}@mail.example.org>"
        mail["In-Reply-To"] = letter["Message-ID"]
        quote = "\n".join(f"> {line}" for line in quoted.splitlines())
        mail.set_content(f"{text}\n\nLe 21 nov. 2026, Paleopost a écrit :\n{quote}\n")
        with self.world.service.database.write() as work:
            stored = inbound.take(
                self.world.service,
                work,
                mail.as_bytes(),
                source="lmtp",
                envelope_from=who,
                recipient=to,
            )
        assert stored is not None
        return inbound.handle(self.world.service, stored).verdict


def first_sample(text: str) -> str:
    """The first turn a letter offers, as somebody copies it without the sign before it."""
    lines = text.split("1. ", 1)[1].splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("~ "))
    sample = [lines[first].removeprefix("~ ")]
    for line in lines[first + 1 :]:
        if not line.startswith("~   "):
            break
        sample.append(line.removeprefix("~   "))
    return " ".join(sample)


@pytest.mark.rarely  # the first turns on the whole product: tests/e2e/test_replies_only.py
def test_a_whole_match_is_played_by_replies_alone(world: World, game_key: str) -> None:
    inboxes = Inboxes(world)
    with world.service.database.write() as work:
        host = meet(world.service, work.session, ANA, name="Ana", lang="fr")
        guests = [Guest(address=BRUNO, name="Bruno", lang="fr")]
        match_id = open_table(world.service, work, host, game_key, guests).id
    ((to, kind, letter, text),) = inboxes.new()
    assert (to, kind) == (BRUNO, "invitation")
    assert inboxes.reply(BRUNO, letter, "Oui, merci !", text) == "word"

    ended: dict[str, str] = {}
    turns = answered = 0
    while not ended:
        come = inboxes.new()
        assert come, "nobody is asked anything any more"
        for to, kind, letter, text in come:
            if kind == "answer":
                answered += 1
            elif kind == "end":
                ended[to] = text
            elif kind == "turn":
                turns += 1
                sample = first_sample(text)
                said = (f"Salut,\n\n{sample}\n\nBonne soirée", "1", f"{sample}\n\nstatut")[
                    turns % 3
                ]
                verdict = inboxes.reply(to, letter, said, text)
                assert verdict == "played", (said, verdict)
        assert turns < MOST
    assert set(ended) == {ANA, BRUNO}
    assert "revanche" in ended[ANA]
    assert world.match(match_id).status == "ended"
    answered += sum(kind == "answer" for _, kind, _, _ in inboxes.new())
    assert answered == inboxes.written
    assert turns == world.match(match_id).last_entry
