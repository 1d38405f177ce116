"""Mail between players and a service of tests: written as they would, handled as it comes."""

from __future__ import annotations

from email.message import EmailMessage
from itertools import count
from typing import TypeVar

from sqlalchemy import select

from service.access import reply_keys
from service.access.addresses import Addresses
from service.core.letter_details import AnswerDetails
from service.core.models import InboundMail, Letter
from service.core.results import Result
from service.mail.receive import inbound
from service.mail.render import render
from tests.support.letters_to_png import parts_of
from tests.support.tables import World

R = TypeVar("R", bound=Result)

_numbers = count(1)


class Correspondence:
    """What the people of one match write, and what they get in answer."""

    def __init__(self, world: World, match_id: int) -> None:
        self.world = world
        self.match_id = match_id

    def address(self, seat: int, decision: str = "") -> str:
        """The reply address of a seat, or of one of its decisions."""
        row = self.world.match(self.match_id).seats[seat]
        token = reply_keys.seat_token(self.world.service.keys, row, decision)
        return Addresses(self.world.service.settings).reply(token)

    def guest_address(self, player_id: int) -> str:
        """The reply address of somebody who is invited."""
        token = reply_keys.guest_token(self.world.service.keys, self.match_id, player_id)
        return Addresses(self.world.service.settings).reply(token)

    def written(self, sender: str, to: str, text: str, **fields: str) -> bytes:
        """A mail as a plain mail program writes it; `fields` as `message_id`, `subject`."""
        message = EmailMessage()
        message["From"] = f"Somebody <{sender}>"
        message["To"] = to
        message["Subject"] = fields.pop("subject", "Re: Sapiens")
        message["Message-ID"] = fields.pop("message_id", f"<m{next(_numbers)}@mail.example.org>")
        for name, value in fields.items():
            message[name.replace("_", "-")] = value
        message.set_content(text)
        return message.as_bytes()

    def take(self, raw: bytes, to: str, sender: str | None = None) -> int | None:
        """Have a mail stored; its id."""
        with self.world.service.database.write() as work:
            return inbound.take(
                self.world.service, work, raw, source="lmtp", envelope_from=sender, recipient=to
            )

    def send(self, sender: str, to: str, text: str, **fields: str) -> InboundMail:
        """Write a mail and have it handled."""
        stored = self.take(self.written(sender, to, text, **fields), to, sender)
        assert stored is not None
        return inbound.handle(self.world.service, stored)

    def reply(
        self, seat: int, text: str, decision: str = "", sender: str | None = None, **fields: str
    ) -> InboundMail:
        """A mail of who sits there, to the address of the seat or of its decision."""
        player = self.world.match(self.match_id).seats[seat].player
        assert player is not None
        return self.send(sender or player.email, self.address(seat, decision), text, **fields)

    def answers(self, mail: InboundMail | None = None) -> list[Letter]:
        """The answers that are owed, all or those to one mail."""
        with self.world.service.database.read() as session:
            query = select(Letter).where(Letter.kind == "answer").order_by(Letter.id)
            if mail is not None:
                query = query.where(Letter.dedupe == f"answer.{mail.id}")
            return list(session.scalars(query))

    def answer(self, mail: InboundMail) -> Answer:
        """The one answer to a mail, as it is sent."""
        (letter,) = self.answers(mail)
        return self.rendered(letter)

    def rendered(self, letter: Letter) -> Answer:
        """A letter as it is sent."""
        with self.world.service.database.read() as session:
            raw = render(self.world.service, session, session.get_one(Letter, letter.id))
        return Answer(raw, letter)


class Answer:
    """An answer taken apart: `text` is the text part, `html` the other; headers by item."""

    def __init__(self, raw: bytes, letter: Letter) -> None:
        self.raw = raw
        self.message, text, self.html, self.pictures = parts_of(raw)
        self.text = text.replace("\r\n", "\n")
        details = letter.details
        self.results = details.results if isinstance(details, AnswerDetails) else ()
        self.letter = letter

    def first(self, kind: type[R]) -> R:
        """The first thing that is told, which is of this kind."""
        told = self.results[0]
        assert isinstance(told, kind), told
        return told

    @property
    def codes(self) -> list[str]:
        """What is told, by the codes of the results."""
        return [result.code for result in self.results]

    @property
    def said(self) -> str:
        """The text part in one line: for looking for sentences, however they are broken."""
        return " ".join(self.text.split())

    def __getitem__(self, header: str) -> str:
        return str(self.message[header])


def published_by(post: Correspondence, letter: Letter) -> list[str]:
    """The values that prove something later, which a letter has among its headers."""
    headers = post.rendered(letter).message.items()
    return [value.strip() for name, value in headers if name.startswith("X-Paleopost-")]
