"""What one move costs the database, from the form or the mail to the letter of the next player."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from service.app import create_app
from service.links import Links
from service.usecases import delivery, inbound, moves
from service.usecases.tables import Guest
from tests.support.correspondence import Correspondence
from tests.support.reader import Reader
from tests.support.statements import Statements, counted
from tests.support.tables import Bells, Postbox, World, settings_for

BY_FORM, BY_MAIL = 35, 50
"""Statements of a whole move at most."""

COMMITS = 4
"""It is handed in (or the mail is taken); it is played (and the mail answered); its letter is taken
up with its bytes; the mail server has taken it. None can be spared: what is acknowledged is kept,
bytes are kept before the server may have them, and a lost bell is only told from a sender at work
by the sender's own mark.
"""


class Phased(Postbox):
    """A postbox that says when the bytes of a letter are kept, and when it is taken."""

    def __init__(self, statements: Statements) -> None:
        super().__init__()
        self._statements = statements

    def send(self, sender: str, to: str, message: bytes, before_end: Callable[[], None]) -> None:
        self._statements.phase = "keep"
        super().send(sender, to, message, before_end)
        self._statements.phase = "sent"


class Site(World):
    """The pages and what is behind them."""

    def __init__(self, app: Flask, bells: Bells) -> None:
        super().__init__(app.extensions["paleopost"], bells)
        self.app = app


@pytest.fixture
def site(database_url: str) -> Iterator[Site]:
    """The pages on an empty database."""
    bells = Bells()
    made = Site(create_app(settings_for(database_url), bells), bells)
    yield made
    made.service.database.dispose()


def begun(world: World, game_key: str) -> int:
    """A match of two people in its third turn, everything sent."""
    match_id = world.open([Guest(address="ben@example.org", name="Ben")], game_key)
    world.everybody_accepts(match_id)
    world.beat()
    world.hear(mail=True)
    for _ in range(2):
        world.submit(match_id)
        world.hear(mail=True)
    return match_id


def send(world: World, statements: Statements, letter: int) -> None:
    """Send a letter as the mailer does."""
    statements.phase = "take up"
    assert delivery.deliver(world.service, Phased(statements), letter)


def test_a_move_by_form(site: Site, game_key: str) -> None:
    match_id = begun(site, game_key)
    row = site.awaited(match_id)
    reader = Reader(site.app.test_client())
    link = Links(site.service).turn(site.match(match_id), row.seat, row.decision)
    form = reader.get("/" + link.split("/", 3)[3]).form("/play/")
    pressed = next(button for button in form.buttons if button.action)
    with counted(site.service.database.engine) as statements:
        statements.phase = "POST"
        fields = [*form.fields, (pressed.name, pressed.value)]
        answer = reader.post(pressed.action, fields, follow_redirects=False)
        assert answer.status == 303, answer.text
        statements.phase = "play"
        ((submission,),) = site.bells.take("moves.play")
        assert moves.play(site.service, submission).status == "played"
        (letter,) = site.bells.take("mail.deliver")
        send(site, statements, *letter)
    assert site.letters(match_id)[-1].kind == "turn"
    assert statements.total <= BY_FORM, statements.table()
    assert len(statements.commits) <= COMMITS, statements.table()


def test_a_move_by_mail(site: Site, game_key: str) -> None:
    match_id = begun(site, game_key)
    table, row = Correspondence(site, match_id), site.awaited(match_id)
    player = site.match(match_id).seats[row.seat].player
    assert player is not None
    turn = site.legal_turn(match_id, row.seat, row.decision)
    to = table.address(row.seat, row.decision)
    raw = table.written(player.email, to, turn.replace("\n", ", "))
    with counted(site.service.database.engine) as statements:
        statements.phase = "take"
        mail = table.take(raw, to, player.email)
        assert mail is not None
        statements.phase = "handle"
        assert inbound.handle(site.service, mail).verdict == "played"
        letters = site.bells.take("mail.deliver")
        # Of the next player, and the answer.
        assert len(letters) == 2
        send(site, statements, *letters[0])
    found = {letter.kind: letter.status for letter in site.letters(match_id)[-2:]}
    assert found == {"turn": "sent", "answer": "due"}
    assert statements.total <= BY_MAIL, statements.table()
    assert len(statements.commits) <= COMMITS, statements.table()
