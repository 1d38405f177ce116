"""What an operator does by hand, in their own process, and what they are told."""

from __future__ import annotations

import datetime as dt
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner, Result
from sqlalchemy import select

from engine.games import games
from service.cli import main
from service.cli.root import COMMANDS
from service.core import retriable
from service.core.context import Service
from service.core.models import InboundMail, Letter, Player, Submission
from service.mail.receive import inbound
from service.mail.send import delivery
from service.matches.tables import Guest
from service.players.accounts import ask_sign_in
from tests.support.correspondence import Correspondence
from tests.support.games import KNOWN
from tests.support.tables import Jobs, World, settings_for

ENV = {
    "SECRET_KEY": "test-" * 8,
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "SMTP_URL": "smtp://127.0.0.1:1",
    "BASE_URL": "http://paleopost.test",
    "MAIL_DOMAIN": "paleopost.test",
}
ANA, BRUNO = "ana@example.org", "bruno@example.org"


class Operator:
    """Somebody at a terminal, and the service they look after."""

    def __init__(self, world: World, url: str) -> None:
        self.world = world
        self._env = ENV | {"DATABASE_URL": url}

    def run(self, *words: object) -> Result:
        done = CliRunner().invoke(main, [str(word) for word in words], env=self._env)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
        return done

    def says(self, *words: object) -> str:
        """What is said to a command that works."""
        done = self.run(*words)
        assert done.exit_code == 0, done.output
        return done.stdout.strip()

    def refuses(self, *words: object, status: int = 2) -> str:
        """The one sentence said to a command that does not."""
        done = self.run(*words)
        assert done.exit_code == status, done.output
        assert done.stdout == ""
        return done.stderr.strip().splitlines()[-1]

    def letter(self, number: int) -> Letter:
        with self.world.service.database.read() as session:
            return session.get_one(Letter, number)


@pytest.fixture
def operator(sqlite_url: str) -> Iterator[Operator]:
    jobs, root = Jobs(), logging.getLogger()
    handlers, level = root.handlers, root.level
    service = Service(settings_for(sqlite_url), jobs)
    yield Operator(World(service, jobs), sqlite_url)
    # Each command sends the logs to where its own output goes.
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()
    service.database.dispose()


@pytest.fixture
def table(operator: Operator) -> Correspondence:
    """A match of Ana and Bruno, all of whose letters have been sent."""
    world = operator.world
    match_id = world.open([Guest(address=BRUNO, name="Bruno", lang="fr")], KNOWN)
    world.everybody_accepts(match_id)
    world.hear(mail=True)
    return Correspondence(world, match_id)


def sent(world: World, kind: str) -> Letter:
    return next(letter for letter in world.letters(kind=kind) if letter.status == "sent")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example(operator: Operator, command: str) -> None:
    said = operator.says(command, "--help")
    assert "Example" in said
    assert f"paleopost {command}" in " ".join(said.split())


def test_a_letter_goes_again_as_the_same_bytes(operator: Operator, table: Correspondence) -> None:
    world, letter = operator.world, sent(operator.world, "turn")
    first = next(kept for kept in world.post.sent if letter.dedupe.encode() in kept[2])
    assert operator.says("resend", letter.id) == f"Letter {letter.id} is sent again."
    assert operator.letter(letter.id).status == "due"
    assert "has not been sent yet" in operator.refuses("resend", letter.id, status=1)
    before = len(world.post.sent)
    assert delivery.deliver(world.service, world.post, letter.id)
    assert world.post.sent[before:] == [first]


def test_a_letter_goes_again_under_a_new_name(operator: Operator, table: Correspondence) -> None:
    world, letter = operator.world, sent(operator.world, "turn")
    for number in (1, 2):
        operator.says("resend", letter.id, "--anew")
        copy = world.letters(kind="turn")[-1]
        assert copy.dedupe == f"{letter.dedupe}.again.{number}"
        assert delivery.deliver(world.service, world.post, copy.id)
    names = {
        line
        for _, _, raw in world.post.sent[-2:]
        for line in raw.split(b"\r\n")
        if line.lower().startswith(b"message-id:")
    }
    assert len(names) == 2


def test_the_letter_a_seat_needs(operator: Operator, table: Correspondence) -> None:
    world = operator.world
    asked = world.awaited(table.match_id)
    code = world.match(table.match_id).code
    said = operator.says("resend", "--match", code, "--seat", asked.seat)
    letter = next(x for x in world.letters(kind="turn") if x.decision == asked.decision)
    assert said == f"Letter {letter.id} is sent again."
    assert "has no seat 7" in operator.refuses("resend", "--match", code, "--seat", 7)
    assert "no match" in operator.refuses("resend", "--match", "nope", "--seat", 0)


def test_what_cannot_go_again(operator: Operator, table: Correspondence) -> None:
    world = operator.world
    assert "no letter 999" in operator.refuses("resend", 999)
    for words in ([], ["--match", "x"], ["1", "--match", "x", "--seat", "0"], ["--seat", "0"]):
        assert "give either" in operator.refuses("resend", *words)
    invitation = world.letters(kind="invitation")[0]
    assert invitation.status == "suppressed"
    assert "cannot go" in operator.refuses("resend", invitation.id, status=1)
    turn = sent(world, "turn")
    world.submit(table.match_id)
    world.hear()
    assert "not needed any more" in operator.refuses("resend", turn.id, status=1)


def test_letters_and_mails_are_listed_without_addresses(
    operator: Operator, table: Correspondence
) -> None:
    mail = table.reply(0, "status")
    code = operator.world.match(table.match_id).code
    listed = operator.says("letters", "--match", code)
    numbers = [int(line.split()[0]) for line in listed.splitlines()]
    assert numbers == [x.id for x in operator.world.letters(table.match_id)][-20:]
    assert "turn" in listed
    of_bruno = operator.says("letters", "--to", BRUNO, "--last", 1).splitlines()
    assert len(of_bruno) == 1
    mails = operator.says("mails", "--match", code)
    assert mails.startswith(f"{mail.id}  ")
    assert mails.endswith(f"lmtp  {code}  word")
    assert "@" not in listed + mails


def test_a_command_says_nothing_but_its_answer(operator: Operator) -> None:
    done = operator.run("dead-letters")
    assert (done.stdout, done.stderr) == ("Nothing was given up.\n", "")


def test_a_mail_that_was_handled_is_handled_again_only_if_said(
    operator: Operator, table: Correspondence
) -> None:
    world = operator.world
    asked = world.awaited(table.match_id)
    turn = world.legal_turn(table.match_id, asked.seat, asked.decision)
    mail = table.reply(asked.seat, turn, asked.decision)
    assert mail.verdict == "played"
    assert "--again" in operator.refuses("replay-mail", mail.id)
    assert operator.says("replay-mail", mail.id, "--again") == f"mail {mail.id}: played"
    assert operator.says("mails").endswith("  played"), "what it did is on record"
    assert world.match(table.match_id).last_entry == 1
    assert len(table.answers(mail)) == 1
    with world.service.database.read() as session:
        assert len(session.scalars(select(Submission)).all()) == 1


def test_a_turn_that_was_refused_by_mistake_is_played_then(
    operator: Operator, table: Correspondence, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.protocol import Unreadable
    from service.matches import moves

    world = operator.world
    asked = world.awaited(table.match_id)
    turn = world.legal_turn(table.match_id, asked.seat, asked.decision)

    def blind(*_: object) -> None:
        raise Unreadable(turn)

    with monkeypatch.context() as broken:
        broken.setattr(moves, "_read", blind)
        mail = table.reply(asked.seat, turn, asked.decision)
    assert mail.verdict == "mend"
    assert operator.says("replay-mail", mail.id, "--again") == f"mail {mail.id}: played"
    assert world.match(table.match_id).last_entry == 1


def test_a_dead_mail_is_tried_again(operator: Operator, table: Correspondence) -> None:
    world = operator.world
    raw = table.written(ANA, table.address(0), "status")
    number = table.take(raw, table.address(0), ANA)
    assert number is not None
    for _ in range(retriable.MAILS.limit):
        inbound.count_attempt(world.service, number)
    assert operator.says("dead-letters").startswith(f"mail-{number}  ")
    assert operator.says("retry", f"mail-{number}") == f"mail-{number} is tried again."
    assert operator.says("dead-letters") == "Nothing was given up."
    assert operator.says("replay-mail", number) == f"mail {number}: word"
    assert "is no dead letter" in operator.refuses("retry", f"mail-{number}")


def test_mails_from_files(operator: Operator, table: Correspondence, tmp_path: Path) -> None:
    raw = table.written(ANA, table.address(0), "status")
    file = tmp_path / "reply.eml"
    file.write_bytes(raw)
    said = operator.says("replay-mail", file)
    assert said.endswith(": word")
    assert "is stored already" in operator.refuses("replay-mail", file)
    assert "cannot be read" in operator.refuses("replay-mail", tmp_path / "none.eml")
    assert "no such mail" in operator.refuses("replay-mail", 999)


def test_a_purged_mail_cannot_be_handled(operator: Operator, table: Correspondence) -> None:
    mail = table.reply(0, "status")
    with operator.world.service.database.write() as work:
        work.session.get_one(InboundMail, mail.id).purged_at = dt.datetime.now(dt.UTC)
    assert "thrown away" in operator.refuses("replay-mail", mail.id, "--again")


def test_nothing_is_sent_to_a_suppressed_player(operator: Operator, table: Correspondence) -> None:
    world = operator.world
    asked = world.awaited(table.match_id)
    email = (ANA, BRUNO)[asked.seat]
    operator.says("suppress", email.upper() if email == BRUNO else email)
    with world.service.database.write() as work:
        ask_sign_in(world.service, work, email, "en")
    assert world.letters(kind="signin")[-1].status == "suppressed"
    assert world.awaited(table.match_id).held == "unreachable"
    table.reply(asked.seat, "status")
    assert world.letters(kind="answer")[-1].status == "suppressed"
    assert operator.says("suppress", email, "--lift") == f"Letters to {email} are sent again."
    assert world.awaited(table.match_id).held is None
    assert operator.says("suppress", email, "--lift") == f"Letters to {email} were not stopped."


def test_an_address_nobody_has_yet_is_refused_later(operator: Operator) -> None:
    operator.says("suppress", "eve@example.org")
    with operator.world.service.database.read() as session:
        player = session.scalars(select(Player)).one()
        assert player.stopped_why == "operator"
    said = operator.refuses(
        *("open-table", KNOWN, "--host", ANA, "--seat", "eve@example.org,fr,Eve")
    )
    assert "seat 1: No letters go to eve@example.org" in said
    assert operator.world.letters() == []
    assert "is not a complete email address" in operator.refuses("suppress", "eve")


def test_what_is_wrong_with_a_table_names_the_seat(operator: Operator) -> None:
    def opening(*seats: str, more: tuple[str, ...] = ()) -> str:
        words = [word for seat in seats for word in ("--seat", seat)]
        return operator.refuses("open-table", KNOWN, "--host", ANA, *words, *more)

    assert "--seat bob: “bob” is no address" in opening(BRUNO, "bob")
    assert "--seat bot:deep: there is no bot of" in opening("bot:deep")
    assert "seat 2: bruno@example.org would sit at the table twice" in opening(BRUNO, BRUNO)
    said = opening(BRUNO, more=("--option", "colour=red"))
    assert "there is no option of" in said
    assert "colour" in said


def test_the_help_says_in_whole_sentences_what_each_command_does(operator: Operator) -> None:
    said = operator.says("--help")
    assert re.findall(r"^  ([a-z][a-z-]+)  ", said, re.MULTILINE) == list(COMMANDS)
    assert (
        "erase-player Erase the player with this address, or this number in the log: for good."
        in (" ".join(said.split()))
    )


def test_the_help_of_open_table_names_games_bots_and_options(operator: Operator) -> None:
    said = operator.says("open-table", "--help")
    for key, game in games().items():
        assert f"Game {key}:" in said
        for bot in game.bots:
            assert bot in said
    bots = operator.says("bots")
    assert bots.splitlines() == [f"{k}: {', '.join(g.bots)}" for k, g in games().items()]
    assert operator.says("bots", KNOWN) in bots
    assert "there is no game 'ludo'" in operator.refuses("bots", "ludo")
