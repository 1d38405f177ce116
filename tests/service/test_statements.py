"""What one move costs the database, from the form or the mail to the letter of the next player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import select, text

from service.access.links import Links
from service.core.models import Base, Letter
from service.mail.receive import inbound
from service.mail.send import delivery
from service.mail.send.claims import claim_ahead
from service.matches import moves
from service.matches.tables import Guest
from service.web.app import create_app
from tests.support.correspondence import Correspondence
from tests.support.reader import Reader
from tests.support.statements import Statements, counted
from tests.support.tables import Jobs, Postbox, World, settings_for

BY_FORM, BY_MAIL = 35, 50
"""Statements of a whole move at most."""

COMMITS = 3
"""It is handed in (or the mail is taken); it is played, and the next player's letter claimed with
its bytes (and the mail answered); the mail server has taken it. None can be spared: what is
acknowledged is kept, bytes are kept before the server may have them, and what it took is not sent
again.
"""

MANY = 10_000

_COPIES = """
    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < :many)
    INSERT INTO letter ({columns}) SELECT {values} FROM letter, number WHERE letter.id = :one
"""

GUEST = Guest(address="ben@example.org", name="Ben")


class Site(World):
    """The pages and what is behind them."""

    def __init__(self, app: Flask, jobs: Jobs) -> None:
        super().__init__(app.extensions["paleopost"], jobs)
        self.app = app


class Phased(Postbox):
    """A postbox that says when the bytes of a letter are kept, and when it is taken."""

    def __init__(self, statements: Statements) -> None:
        super().__init__()
        self._statements = statements

    def send(self, sender: str, to: str, message: bytes, before_end: Callable[[], None]) -> None:
        self._statements.phase = "end of the text"
        super().send(sender, to, message, before_end)
        self._statements.phase = "sent"


@pytest.fixture
def site(database_url: str) -> Iterator[Site]:
    """The pages on an empty database."""
    jobs = Jobs()
    made = Site(create_app(settings_for(database_url), jobs), jobs)
    made.service.claim_ahead = partial(claim_ahead, made.service)
    yield made
    made.service.database.dispose()


def begun(world: World, game_key: str) -> int:
    """A match of two people that has gone on for a while, everything sent."""
    match_id = world.open([GUEST], game_key)
    world.everybody_accepts(match_id)
    world.beat()
    world.hear(mail=True)
    for _ in range(10):
        world.submit(match_id)
        world.hear(mail=True)
    return match_id


def send(world: World, statements: Statements, letter: int, claim: int) -> None:
    """Send a letter as the mailer does that is given its job."""
    statements.phase = "find"
    assert delivery.deliver(world.service, Phased(statements), letter, claim)


def move_by_form(site: Site, match_id: int, *, steps: bool = False) -> Statements:
    """Play a turn on its page."""
    row = site.awaited(match_id)
    reader = Reader(site.app.test_client())
    link = Links(site.service).turn(site.match(match_id), row.seat, row.decision)
    form = reader.whole(reader.get("/" + link.split("/", 3)[3])).form("/play/")
    pressed = next(button for button in form.buttons if button.action)
    with counted(site.service.database.engine, steps=steps) as statements:
        statements.phase = "POST"
        fields = [*form.fields, (pressed.name, pressed.value)]
        answer = reader.post(pressed.action, fields, follow_redirects=False)
        assert answer.status == 303, answer.text
        statements.phase = "play"
        ((submission,),) = site.jobs.take("moves.play")
        assert moves.play(site.service, submission).status == "played"
        (letter,) = site.jobs.take("mail.deliver")
        send(site, statements, *letter)
    newest = site.letters(match_id)[-1]
    assert (newest.kind, newest.status) == ("turn", "sent")
    return statements


def move_by_mail(site: Site, match_id: int, *, steps: bool = False) -> Statements:
    """Play a turn by answering its letter; the answer to the mail is owed, and not sent yet."""
    table, row = Correspondence(site, match_id), site.awaited(match_id)
    player = site.match(match_id).seats[row.seat].player
    assert player is not None
    turn = site.suggested_turn(match_id, row.seat)
    to = table.address(row.seat, row.decision)
    raw = table.written(player.email, to, turn.replace("\n", ", "))
    with counted(site.service.database.engine, steps=steps) as statements:
        statements.phase = "take"
        mail = table.take(raw, to, player.email)
        assert mail is not None
        statements.phase = "handle"
        assert inbound.handle(site.service, mail).verdict == "played"
        turn_letter, answer = site.jobs.take("mail.deliver")
        send(site, statements, *turn_letter)
    found = {letter.kind: letter.status for letter in site.letters(match_id)[-2:]}
    assert found == {"turn": "sent", "answer": "due"}
    assert delivery.deliver(site.service, site.post, *answer)
    return statements


MOVES = {"form": move_by_form, "mail": move_by_mail}


@pytest.mark.parametrize(("by", "most"), [("form", BY_FORM), ("mail", BY_MAIL)])
def test_a_whole_move(site: Site, game_key: str, by: str, most: int) -> None:
    statements = MOVES[by](site, begun(site, game_key))
    assert statements.total <= most, statements.table()
    assert len(statements.commits) <= COMMITS, statements.table()


def grow_old(site: Site, match_id: int, game_key: str) -> None:
    """Let every player of the match have had MANY letters of another, which is over."""
    other = site.open([GUEST], game_key)
    site.jobs.enqueued.clear()
    columns = [column.name for column in Base.metadata.tables["letter"].columns]
    with site.service.database.write() as work:
        for seat in site.match(match_id).seats:
            own = select(Letter.id).where(Letter.player_id == seat.player_id, Letter.kind == "turn")
            changes = {
                "id": f"{MANY} * {(seat.seat or 0) + 1} + n",
                "dedupe": f"'old{seat.seat}.' || n",
                "match_id": str(other),
            }
            values = ", ".join(changes.get(name, f"letter.{name}") for name in columns)
            sql = _COPIES.format(columns=", ".join(columns), values=values)
            one = work.session.scalars(own.order_by(Letter.id)).first()
            work.session.execute(text(sql), {"many": MANY, "one": one})


@pytest.mark.rarely("form")
@pytest.mark.parametrize("by", ["form", "mail"])
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_old_letters_cost_nothing(site: Site, game_key: str, by: str) -> None:
    """By the steps of SQLite's machine, not by time."""
    match_id = begun(site, game_key)
    MOVES[by](site, match_id)
    few = MOVES[by](site, match_id, steps=True).steps
    grow_old(site, match_id, game_key)
    MOVES[by](site, match_id)
    many = MOVES[by](site, match_id, steps=True).steps
    assert few > 1000
    assert many <= 1.1 * few
