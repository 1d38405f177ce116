"""Mail that comes in: stored once, done once, answered once, and never to strangers."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update

from service.access import reply_keys
from service.access.addresses import Addresses
from service.core import retriable
from service.core.letter_details import AnswerDetails
from service.core.models import Alias, InboundMail, Letter, Match, Player, SeatRow, Submission
from service.core.results import SeveralTurns
from service.mail.receive import inbound, replying
from service.matches import moves
from service.matches.tables import BotSeat, Guest
from service.outgoing.identity import bounce_address
from tests.support.correspondence import Correspondence
from tests.support.tables import World, of_all, settings_for

ANA, BRUNO = "ana@example.org", "bruno@example.org"


@pytest.fixture
def table(world: World, game_key: str) -> Correspondence:
    """A match of Ana and Bruno that has begun."""
    # Of some deals a letter could offer one turn only, and "1 or 2" would be no question.
    match_id = world.begun([Guest(address=BRUNO, name="Bruno", lang="fr")], game_key, seed=1)
    return Correspondence(world, match_id)


def awaited(table: Correspondence) -> tuple[int, str, str]:
    """Who is asked, which decision, and a legal turn for it."""
    row = table.world.awaited(table.match_id)
    return row.seat, row.decision, table.world.legal_turn(table.match_id, row.seat, row.decision)


def entries(table: Correspondence) -> int:
    return table.world.match(table.match_id).last_entry


def test_a_turn_is_played_and_answered_with_the_board(table: Correspondence) -> None:
    seat, decision, turn = awaited(table)
    mail = table.reply(seat, f"Hello,\n\n{turn}\n\nThanks", decision, message_id="<x@example.org>")
    assert (mail.status, mail.verdict) == ("handled", "played")
    assert entries(table) == 1
    answer = table.answer(mail)
    assert answer.codes == ["played"]
    assert answer["In-Reply-To"] == "<x@example.org>"
    assert answer["References"] == "<x@example.org>"
    assert answer["Auto-Submitted"] == "auto-replied"
    assert answer["Subject"].startswith("Re: ")
    assert answer["Reply-To"].endswith(f"<{table.address(seat)}>")
    assert len(answer.pictures) == 1


@pytest.mark.on_postgresql
def test_a_number_is_the_choice_of_the_letter(table: Correspondence, world: World) -> None:
    seat, decision, _ = awaited(table)
    mail = table.reply(seat, "2", decision)
    assert mail.verdict == "played"
    with world.service.database.read() as session:
        played = session.scalars(select(Submission)).one()
        letter = session.scalars(
            select(Letter).where(Letter.kind == "turn", Letter.decision == decision)
        ).one()
    assert f"\n~ {played.body}\n" in table.rendered(letter).text.replace("\n~   ", " ")


def test_a_number_beyond_the_letter_is_asked_back(table: Correspondence) -> None:
    seat, decision, _ = awaited(table)
    mail = table.reply(seat, "7", decision)
    assert mail.verdict == "mend"
    assert table.answer(mail).codes == ["no_such_choice"]
    assert entries(table) == 0


def test_a_number_to_another_letter_means_nothing(table: Correspondence) -> None:
    """Only the letter that asks numbers its choices."""
    seat, _, _ = awaited(table)
    assert table.reply(seat, "1").verdict == "mend"
    assert entries(table) == 0


def test_a_turn_may_answer_any_letter_of_the_match(table: Correspondence) -> None:
    seat, _, turn = awaited(table)
    assert table.reply(seat, turn).verdict == "played"


def test_two_turns_are_a_question_back(table: Correspondence) -> None:
    seat, decision, _ = awaited(table)
    mail = table.reply(seat, "1 or 2", decision)
    assert mail.verdict == "question"
    answer = table.answer(mail)
    assert answer.codes == ["several"]
    assert len(answer.first(SeveralTurns).texts) == 2
    for text in answer.first(SeveralTurns).texts:
        assert text.split(",")[0] in answer.said
    assert entries(table) == 0


def test_two_written_turns_are_a_question_too(table: Correspondence, world: World) -> None:
    seat, decision, _ = awaited(table)
    first = table.reply(seat, "1 or 2", decision)
    one, other = table.answer(first).first(SeveralTurns).texts
    for between in ("\n", "\n\n", "\n\nor\n\n"):
        mail = table.reply(seat, f"{one}{between}{other}", decision)
        assert mail.verdict == "question", between
    assert table.reply(seat, f"{one}\n\n{one}", decision).verdict == "played"


def test_a_slip_in_a_turn_plays_nothing_of_it(table: Correspondence) -> None:
    seat, decision, turn = awaited(table)
    lines = turn.split("\n")
    for at in range(len(lines)):
        wrong = [*lines[:at], f"{lines[at].split()[0]} xyzzy-fire Z9", *lines[at + 1 :]]
        for between in ("\n", ", "):
            mail = table.reply(seat, f"Hi\n{between.join(wrong)}\nThanks", decision)
            assert mail.verdict in ("mend", "question"), wrong
    assert entries(table) == 0
    answer = table.answer(mail)
    assert "xyzzy-fire" in answer.said
    assert "~ " in answer.text  # the choices
    assert answer.letter.decision == decision
    assert answer["Reply-To"].endswith(f"<{table.address(seat, decision)}>")


def test_of_a_reply_that_was_cut_nothing_is_played(table: Correspondence) -> None:
    seat, decision, turn = awaited(table)
    prose = "The weather here is fine, and nobody has seen a bear for days.\n" * 500
    mail = table.reply(seat, f"{turn}\n\n{prose}", decision)
    assert mail.verdict == "mend"
    assert entries(table) == 0
    assert "8000 possibles" in table.answer(mail).said
    assert table.reply(seat, f"{turn}\n\n{prose[:6000]}", decision).verdict == "played"


def test_prose_is_answered_with_what_can_be_written(table: Correspondence) -> None:
    seat, decision, _ = awaited(table)
    mail = table.reply(seat, "What a lovely game this is, isn't it?", decision)
    assert mail.verdict == "nothing-said"
    assert table.answer(mail).codes == ["rules"]
    mail = table.reply(seat, "What a lovely game this is.", decision)
    assert table.answer(mail).codes == ["nothing"]


def test_an_old_letter_is_answered_with_the_present_position(table: Correspondence) -> None:
    seat, decision, turn = awaited(table)
    table.reply(seat, turn, decision)
    other, theirs, reply = awaited(table)
    assert other != seat
    table.reply(other, reply, theirs)
    mail = table.reply(seat, turn, decision)
    assert mail.verdict == "stale"
    answer = table.answer(mail)
    assert len(answer.pictures) == 1
    assert answer.letter.decision == awaited(table)[1]
    assert entries(table) == 2


@pytest.mark.parametrize("number", ["2", "no 2", "2?"])
def test_a_number_beside_a_word_in_an_old_letter_is_told_of(
    table: Correspondence, number: str
) -> None:
    seat, decision, turn = awaited(table)
    table.reply(seat, turn, decision)
    mail = table.reply(seat, f"status\n{number}", decision)
    assert table.answer(mail).codes == ["status", "stale"]
    assert entries(table) == 1


QUOTED = (
    "From: Somebody <somebody@example.org>\nSent: Saturday, 21 November 2026 10:00\n"
    "To: Paleopost <play@paleopost.test>\nSubject: Sapiens\n\nresign\n"
)


def test_who_is_asked_about_a_quote_is_told_nothing_else_and_chooses_only_where_they_can(
    table: Correspondence,
) -> None:
    seat, decision, _ = awaited(table)
    here, away = ("or choose here", "ou choisis ici")[seat], ("ou choisis", "or choose")[seat]
    asked = table.answer(table.reply(seat, QUOTED, decision))
    assert asked.codes == ["unsure"]
    assert here in asked.said
    waits = table.answer(table.reply(1 - seat, QUOTED))
    assert waits.codes == ["unsure"]
    assert away not in waits.said


def test_out_of_turn_is_told_and_changes_nothing(table: Correspondence) -> None:
    seat, _, turn = awaited(table)
    mail = table.reply(1 - seat, turn)
    assert mail.verdict == "waiting"
    assert entries(table) == 0


@pytest.mark.on_postgresql
def test_the_same_mail_is_stored_and_handled_once(table: Correspondence, world: World) -> None:
    seat, decision, turn = awaited(table)
    to = table.address(seat, decision)
    sender = (ANA, BRUNO)[seat]
    raw = table.written(sender, to, turn, message_id="<once@example.org>")
    first = table.take(raw, to)
    assert table.take(raw, to.upper()) is None
    again = table.written(sender, to, "something else", message_id="<once@example.org>")
    assert table.take(again, to) is None
    assert first is not None
    for _ in range(3):
        inbound.handle(world.service, first)
    assert entries(table) == 1
    assert len(table.answers()) == 1


def test_without_a_message_id_the_bytes_tell(table: Correspondence) -> None:
    seat, _, _ = awaited(table)
    to = table.address(seat)
    raw = table.written(ANA, to, "status").replace(b"Message-ID", b"X-Message-ID")
    assert table.take(raw, to) is not None
    assert table.take(raw, to) is None
    assert table.take(raw + b"more", to) is not None


@pytest.mark.on_postgresql
def test_a_crash_between_play_and_answer_gives_one_answer(
    table: Correspondence, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, decision, turn = awaited(table)
    to = table.address(seat, decision)
    stored = table.take(table.written((ANA, BRUNO)[seat], to, turn), to)
    assert stored is not None
    with monkeypatch.context() as broken:
        broken.setattr(replying, "conclude_locked", _dies)
        with pytest.raises(RuntimeError):
            inbound.handle(world.service, stored)
    assert entries(table) == 1
    assert table.answers() == []
    assert inbound.handle(world.service, stored).verdict == "played"
    inbound.handle(world.service, stored)
    assert entries(table) == 1
    assert [table.rendered(letter).codes for letter in table.answers()] == [["played"]]


@pytest.mark.on_postgresql
def test_a_crash_before_the_play_gives_one_turn(
    table: Correspondence, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, decision, turn = awaited(table)
    to = table.address(seat, decision)
    text = f"{turn}\nremind 12h"
    stored = table.take(table.written((ANA, BRUNO)[seat], to, text), to)
    assert stored is not None
    with monkeypatch.context() as broken:
        broken.setattr(moves, "play_locked", _dies)
        with pytest.raises(RuntimeError):
            inbound.handle(world.service, stored)
    assert entries(table) == 0
    mail = inbound.handle(world.service, stored)
    assert mail.verdict == "played"
    assert table.answer(mail).codes == ["reminders", "played"]
    assert entries(table) == 1


@pytest.mark.on_postgresql
def test_what_cannot_be_done_at_once_is_done_in_steps(
    table: Correspondence, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, decision, turn = awaited(table)
    conclude, failed = replying.conclude_locked, list[bool]()

    def fails_once(*given: Any) -> None:
        if not failed:
            failed.append(True)
            raise RuntimeError("died")
        conclude(*given)

    monkeypatch.setattr(replying, "conclude_locked", fails_once)
    mail = table.reply(seat, f"{turn}\nremind 12h", decision)
    assert (mail.verdict, mail.attempts, failed) == ("played", 0, [True])
    assert table.answer(mail).codes == ["reminders", "played"]
    assert entries(table) == 1


def _dies(*_args: Any, **_more: Any) -> Any:
    raise RuntimeError("died")


@pytest.mark.on_postgresql
def test_what_fails_too_often_is_a_dead_letter(
    table: Correspondence, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    to = table.address(0)
    stored = table.take(table.written(ANA, to, "status"), to)
    assert stored is not None
    monkeypatch.setattr(replying, "reply", _dies)
    for _ in range(retriable.MAILS.limit):
        with pytest.raises(RuntimeError):
            inbound.handle(world.service, stored)
    mail = inbound.handle(world.service, stored)
    assert (mail.status, mail.pending_since) == ("dead_letter", None)


def test_words_and_a_turn_are_told_in_one_answer(table: Correspondence) -> None:
    seat, decision, turn = awaited(table)
    mail = table.reply(seat, f"{turn}\n\nmessage Good luck!\nAnd thanks.", decision)
    assert mail.verdict == "played"
    answer = table.answer(mail)
    assert answer.codes == ["said", "played"]
    assert "Good luck!" in answer.text
    assert entries(table) == 1


def test_a_turn_below_message_is_neither_played_nor_told(
    table: Correspondence, world: World
) -> None:
    seat, decision, turn = awaited(table)
    mail = table.reply(seat, f"message Good luck!\n\n{turn}", decision)
    assert mail.verdict == "question"
    assert table.answer(mail).codes == ["order_in_message"]
    assert entries(table) == 0
    assert world.letters(table.match_id, "message") == []


@pytest.mark.on_postgresql
def test_a_foreign_sender_gets_nothing_and_the_player_one_letter_a_day(
    table: Correspondence,
) -> None:
    seat, decision, turn = awaited(table)
    for _ in range(3):
        mail = table.reply(seat, turn, decision, sender="eve@example.org")
        assert mail.verdict == "foreign"
    assert entries(table) == 0
    (letter,) = table.answers()
    assert letter.player.email == (ANA, BRUNO)[seat]
    told = table.rendered(letter)
    assert told.codes == ["foreign"]
    assert "eve@example.org" in told.said


@pytest.mark.on_postgresql
def test_a_confirmed_address_is_the_players(table: Correspondence, world: World) -> None:
    seat, decision, turn = awaited(table)
    player = world.match(table.match_id).seats[seat].player
    assert player is not None
    with world.service.database.write() as work:
        work.session.add(Alias(player_id=player.id, email="other@example.org"))
    assert table.reply(seat, turn, decision, sender="other@example.org").verdict == "foreign"
    with world.service.database.write() as work:
        work.session.execute(update(Alias).values(confirmed_at=world.service.now()))
    assert table.reply(seat, turn, decision, sender="Other@Example.org").verdict == "played"


@pytest.mark.parametrize(
    ("check", "found", "verdict"),
    [
        ("off", "fail", "played"),
        ("prefer", "fail", "foreign"),
        ("prefer", "none", "played"),
        ("prefer", "pass", "played"),
        ("require", "none", "foreign"),
        ("require", "pass", "played"),
    ],
)
def test_the_mail_servers_word_counts_as_the_setting_says(
    table: Correspondence, world: World, check: str, found: str, verdict: str
) -> None:
    world.service.settings = settings_for(
        world.service.settings.database_url, SENDER_CHECK=check, AUTHSERV_ID="mx.paleopost.test"
    )
    seat, decision, turn = awaited(table)
    results = f"mx.paleopost.test; spf={found} smtp.mailfrom=example.org"
    mail = table.reply(seat, turn, decision, Authentication_Results=results)
    assert mail.verdict == verdict
    assert entries(table) == (verdict == "played")


def test_an_unknown_address_is_told_to_players_only(table: Correspondence) -> None:
    to = "r+" + "a" * 26 + "@paleopost.test"
    assert table.send("stranger@example.org", to, "status").verdict == "stranger"
    assert table.answers() == []
    mail = table.send(ANA, to, "status")
    assert mail.verdict == "unknown"
    assert table.answer(mail).codes == ["unknown_address"]


def test_a_reply_to_a_letter_of_several_boards_is_told_so(
    table: Correspondence, world: World
) -> None:
    seat, _, turn = awaited(table)
    player = world.match(table.match_id).seats[seat].player
    assert player is not None
    with world.service.database.write() as work:
        world.service.keys.issue_all(
            work.session, [key := reply_keys.of_player(world.service.keys, player.id)]
        )
    to = Addresses(world.service.settings).reply(key.token)
    mail = table.send(player.email, to, turn)
    assert table.answer(mail).codes == ["several_boards"]
    assert entries(table) == 0
    assert table.send("stranger@example.org", to, turn).verdict == "stranger"


def test_automatic_mail_is_noted_and_never_answered(table: Correspondence) -> None:
    seat, decision, turn = awaited(table)
    for fields in (
        {"Auto_Submitted": "auto-replied"},
        {"X_Autoreply": "yes"},
        {"List_Id": "<talk.example.org>", "Precedence": "list"},
    ):
        mail = table.reply(seat, turn, decision, **fields)
        assert mail.verdict in ("auto-reply", "list")
    assert entries(table) == 0
    assert table.answers() == []


def test_our_own_letter_coming_back_is_not_answered(table: Correspondence, world: World) -> None:
    seat, decision, turn = awaited(table)
    mail = table.reply(seat, turn, decision)
    raw = table.answer(mail).raw
    stored = table.take(raw, table.address(seat), sender="")
    assert stored is not None
    assert inbound.handle(world.service, stored).verdict == "ours"
    assert len(table.answers()) == 1


@pytest.mark.on_postgresql
def test_loops_come_to_rest(table: Correspondence, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replying, "ANSWERS_PER_HOUR", 3)
    verdicts = [table.reply(0, "status").verdict for _ in range(6)]
    assert verdicts == ["word"] * 3 + ["too-many"] * 3
    assert [letter.details_as(AnswerDetails).results[0].code for letter in table.answers()][3:] == [
        "enough"
    ]


@pytest.mark.on_postgresql
def test_forged_senders_use_up_nobodys_answers(
    table: Correspondence, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From may say anything. Whoever has an address of ours where nothing is played must not have
    a player get letters by the dozen, nor be told no more.
    """
    monkeypatch.setattr(replying, "ANSWERS_PER_HOUR", 8)
    seat, decision, turn = awaited(table)
    victim = (ANA, BRUNO)[seat]
    player = world.player(victim).id
    with world.service.database.write() as work:
        world.service.keys.issue_all(
            work.session, [key := reply_keys.of_player(world.service.keys, player)]
        )
    nowhere = Addresses(world.service.settings).reply(key.token)
    verdicts = [table.send(victim, nowhere, "hello").verdict for _ in range(20)]
    assert verdicts == ["unknown"] * 5 + ["too-many"] * 15
    assert len(table.answers()) == 5
    assert table.reply(seat, turn, decision).verdict == "played"


def test_the_address_of_a_digest_answers_its_own_reader_alone(
    table: Correspondence, world: World
) -> None:
    ana, bruno = world.player(ANA), world.player(BRUNO)
    with world.service.database.write() as work:
        keys = world.service.keys
        keys.issue_all(work.session, [key := reply_keys.of_player(keys, ana.id)])
    to = Addresses(world.service.settings).reply(key.token)
    assert table.send(bruno.email, to, "status").verdict == "stranger"
    assert table.answers() == []
    assert table.send(ana.email, to, "status").verdict == "unknown"
    assert len(table.answers()) == 1


@pytest.mark.on_postgresql
def test_a_held_turn_is_told_until_when(table: Correspondence, world: World) -> None:
    with world.changing() as work:
        work.session.execute(update(Match).values(hold_minutes=30), execution_options=of_all(work))
    seat, decision, turn = awaited(table)
    mail = table.reply(seat, turn, decision)
    assert mail.verdict == "held"
    assert table.answer(mail).codes == ["held"]
    assert entries(table) == 0
    undone = table.reply(seat, "undo")
    assert table.answer(undone).codes == ["undone"]
    assert table.reply(seat, turn, decision).verdict == "held"
    played = table.reply(seat, "play")
    assert played.verdict == "played"
    assert entries(table) == 1


@pytest.mark.on_postgresql
def test_who_has_left_is_told_so(table: Correspondence, world: World) -> None:
    seat, decision, turn = awaited(table)
    with world.changing() as work:
        work.session.execute(
            update(SeatRow)
            .where(SeatRow.seat == seat)
            .values(left_at=world.service.now(), left_why="removed"),
            execution_options=of_all(work),
        )
    mail = table.reply(seat, turn, decision)
    assert mail.verdict == "left"
    assert entries(table) == 0
    assert table.answer(mail).pictures == {}


@pytest.mark.on_postgresql
def test_the_next_tenant_is_not_reached_by_the_old_address(
    table: Correspondence, world: World
) -> None:
    seat, decision, turn = awaited(table)
    old = table.address(seat, decision)
    with world.changing() as work:
        work.session.execute(
            update(SeatRow).where(SeatRow.seat == seat).values(occupancy=1),
            execution_options=of_all(work),
        )
    assert table.send((ANA, BRUNO)[seat], old, turn).verdict == "unknown"
    assert entries(table) == 0


@pytest.mark.on_postgresql
def test_a_stand_in_gives_the_seat_back(table: Correspondence, world: World) -> None:
    seat, decision, turn = awaited(table)
    with world.changing() as work:
        work.session.execute(
            update(SeatRow).where(SeatRow.seat == seat).values(stand_in="greedy"),
            execution_options=of_all(work),
        )
    assert table.answer(table.reply(seat, "status")).codes == ["status"]
    mail = table.reply(seat, turn, decision)
    assert mail.verdict == "played"
    assert table.answer(mail).codes == ["seat_back", "played"]
    assert world.match(table.match_id).seats[seat].stand_in is None


def test_a_report_counts_against_the_letter_it_is_about(
    table: Correspondence, world: World
) -> None:
    letter = world.letters(table.match_id, "turn")[0]
    to = bounce_address(world.service, letter)
    report = (
        f"From: MAILER-DAEMON@example.org\r\nTo: {to}\r\nSubject: Undelivered Mail\r\n"
        "Message-ID: <r1@example.org>\r\nAuto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nNo.\r\n--b\r\n"
        "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n"
        f"Final-Recipient: rfc822; {letter.player.email}\r\n"
        "Action: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
    )
    for number in (1, 2):
        raw = report.replace("<r1@", f"<r{number}@").encode()
        stored = table.take(raw, to, sender="")
        assert stored is not None
        assert inbound.handle(world.service, stored).verdict == "report"
    with world.service.database.read() as session:
        player = session.get_one(Player, letter.player_id)
        assert player.bounce_score == 1.0  # one letter counts once
    assert table.answers() == []


@pytest.mark.parametrize(
    ("text", "status"), [("yes", "accepted"), ("Non.", "declined"), ("jamais", "declined")]
)
def test_an_invitation_is_answered_by_one_word(
    world: World, game_key: str, text: str, status: str
) -> None:
    match_id = world.open(
        [Guest(address=BRUNO, name="Bruno"), Guest(address="cleo@example.org")], game_key
    )
    table = Correspondence(world, match_id)
    player = world.player(BRUNO)
    mail = table.send(BRUNO, table.guest_address(player.id), text)
    assert mail.verdict == "word"
    row = next(r for r in world.match(match_id).invitees if r.player_id == player.id)
    assert row.status == status
    answer = table.answer(mail)
    assert answer.codes == ["answered"]
    assert answer["Subject"] == "Re: Sapiens"
    assert answer.pictures == {}


def test_a_guest_who_says_nothing_is_told_what_to_say(world: World, game_key: str) -> None:
    match_id = world.open([Guest(address=BRUNO, name="Bruno")], game_key)
    table = Correspondence(world, match_id)
    mail = table.send(BRUNO, table.guest_address(world.player(BRUNO).id), "Hm, who is this?")
    assert mail.verdict == "not-begun"
    assert "“yes”, “no” or “never”" in table.answer(mail).said


def test_the_invitations_address_serves_in_the_game(world: World, game_key: str) -> None:
    match_id = world.open([Guest(address=BRUNO, name="Bruno"), BotSeat(bot="random")], game_key)
    table = Correspondence(world, match_id)
    to = table.guest_address(world.player(BRUNO).id)
    assert table.answer(table.send(BRUNO, to, "I accept\n\naccept")).codes == ["answered"]
    world.hear()
    assert table.answer(table.send(BRUNO, to, "board")).codes == ["board"]


@pytest.mark.parametrize("subject", ["play", "undo", "yes", "resign yes", "1", "pause 5 days"])
def test_an_empty_mail_plays_nothing(table: Correspondence, subject: str) -> None:
    seat, decision, turn = awaited(table)
    for of in (subject, turn.replace("\n", ", ")):
        assert table.reply(seat, "\n\n", decision, subject=of).verdict == "nothing-said"
    assert entries(table) == 0
    assert [row.left_at for row in table.world.match(table.match_id).seats] == [None, None]


def test_a_subject_alone_may_be_a_word(table: Correspondence, world: World) -> None:
    seat = awaited(table)[0]
    mail = table.reply(seat, "", subject="mute")
    assert table.answer(mail).codes == ["muted"]
    assert world.match(table.match_id).seats[seat].muted_at is not None
    assert table.reply(seat, "", subject="Re: status").verdict == "nothing-said"


def test_a_match_that_is_over_says_how_it_ended(table: Correspondence, world: World) -> None:
    world.hear()
    while world.match(table.match_id).status == "playing":
        world.submit(table.match_id)
        world.hear()
    mail = table.reply(0, "lay something")
    assert mail.verdict == "over"
    answer = table.answer(mail)
    assert len(answer.pictures) == 1, "of all boards"
    rematch = table.reply(0, "rematch")
    assert table.answer(rematch).codes == ["rematch"]


def test_an_odd_mail_is_stored_and_handled(table: Correspondence, world: World) -> None:
    for raw in (b"", b"\xff\xfe\x00", b"From: \xff@\x00\r\n\r\nx", b"\r\n" * 100):
        stored = table.take(raw, table.address(0), sender="\x00\udcff@example.org")
        assert stored is not None
        assert inbound.handle(world.service, stored).status == "handled"
    assert table.answers() == []


def test_all_is_deterministic_when_it_is_sent_again(table: Correspondence) -> None:
    seat, decision, _ = awaited(table)
    mail = table.reply(seat, "help\nstatus\nboard\nhistory\nlay nonsense-x", decision)
    (letter,) = table.answers(mail)
    assert table.rendered(letter).raw == table.rendered(letter).raw


@pytest.mark.parametrize(
    "header",
    ["Delivered-To", "X-Delivered-To", "X-Original-To", "X-Rcpt-To", "Envelope-To", "Cc"],
)
def test_where_the_way_in_does_not_know_the_headers_say_whose_it_is(
    table: Correspondence, world: World, header: str
) -> None:
    fields = {header.replace("-", "_"): table.address(0)}
    raw = table.written(ANA, "undisclosed@mail.example", "status", **fields)
    with world.service.database.write() as work:
        stored = inbound.take(world.service, work, raw, source="cli")
    assert stored is not None
    mail = inbound.handle(world.service, stored)
    assert (mail.verdict, mail.match_id) == ("word", table.match_id)


def test_what_came_in_is_kept(table: Correspondence, world: World) -> None:
    to = table.address(0)
    raw = table.written(ANA, to, "status")
    stored = table.take(raw, to, sender=ANA)
    with world.service.database.read() as session:
        row = session.get_one(InboundMail, stored)
        assert (row.raw, row.source, row.recipient, row.envelope_from) == (raw, "lmtp", to, ANA)
