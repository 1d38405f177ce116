"""Orders filed by reply: to any letter, beside a move or alone, as people write them."""

from __future__ import annotations

import smtplib
from email.message import EmailMessage
from itertools import islice

import pytest
from sqlalchemy import func, select

from engine.chance import SeededChance
from engine.games import games
from engine.protocol import LANGUAGES, Asks
from service.core.models import InboundMail, Match, Submission
from service.core.results import OrderFiled, OrdersListed, TurnPlayed
from service.core.statuses import Actor, MailVerdict, SubmissionStatus
from service.mail.commands.reading import read
from service.mail.receive import inbound
from service.matches import reading
from service.players import preferences
from tests.games.playing import lay, opened, to_the_duel
from tests.games.test_orders import entries, file, order_of, others_see, seats_after
from tests.inbox.corpus import TOKEN
from tests.inbox.kept import DOMAIN, kept
from tests.support.correspondence import Correspondence
from tests.support.letters_to_png import parts_of
from tests.support.lmtp import Listening
from tests.support.tables import World
from tests.support.time import days

PLAN = "plan\nalways camp wood\nthen draw\nthen low"


@pytest.fixture
def table(world: World, toy: str) -> Correspondence:
    return Correspondence(world, opened(world, toy, 3))


def on_file(table: Correspondence, seat: int) -> dict[str, str]:
    """What a seat has on file: its notation by the kind of the decision."""
    with table.world.service.database.read() as session:
        view = reading.match_view(session, table.world.match(table.match_id), seat)
    return {order.kind: order.text["en"] for order in view.filed}


@pytest.mark.parametrize("letter", ["seat", "own", "plan"])
def test_an_order_answers_any_letter_of_who_is_not_to_move(
    table: Correspondence, letter: str
) -> None:
    """The letter that began the match, the order's own, and that of another order."""
    seat = seats_after(table.world, table.match_id)[1]
    decisions = {
        "seat": "",
        "own": order_of(table.world, table.match_id, seat, "watch").decision,
        "plan": order_of(table.world, table.match_id, seat, "file").decision,
    }
    seen = others_see(table.world, table.match_id, seat)
    mail = table.reply(seat, "Hello,\n\nwatch hill\n\nThanks!", decisions[letter])
    assert mail.verdict == MailVerdict.FILED
    answer = table.answer(mail)
    assert answer.first(OrderFiled).orders == (decisions["own"],)
    assert on_file(table, seat) == {"watch": "watch hill"}
    said = answer.said.lower()
    assert ("watch: hill" in said) or ("guette" in said) or ("colline" in said)
    assert others_see(table.world, table.match_id, seat) == seen


def test_the_answer_says_in_words_what_is_on_file_and_that_it_can_be_replaced(
    table: Correspondence,
) -> None:
    seat = 0  # who opened it reads English, and is not the first to move
    assert table.world.awaited(table.match_id).seat != seat
    said = table.answer(table.reply(seat, "watch ford")).said
    assert "Your plan is saved." in said
    assert "Watch: ford" in said
    assert "Nobody else learns of it, and you can replace it by sending another" in said
    again = table.answer(table.reply(seat, "watch cave"))
    assert again.first(OrderFiled).replaced
    assert "in place of the one before" in again.said
    gone = table.answer(table.reply(seat, "watch none"))
    assert gone.first(OrderFiled).withdrawn
    assert gone.text.splitlines()[0] == "Done"
    assert "taken back" in gone.said


def test_a_letter_whose_turn_is_played_takes_orders_and_no_second_turn(
    table: Correspondence,
) -> None:
    turn = table.world.awaited(table.match_id)
    table.world.submit(table.match_id, "camp wood, rest")
    table.world.hear(mail=True)
    while table.world.awaited(table.match_id).seat == turn.seat:
        table.world.submit(table.match_id, "rest")
        table.world.hear(mail=True)
    late = table.reply(turn.seat, "camp hill", turn.decision)
    assert late.verdict == MailVerdict.STALE
    assert table.answer(late).codes == ["stale"]
    mail = table.reply(turn.seat, "watch hill", turn.decision)
    assert mail.verdict == MailVerdict.FILED
    both = table.reply(turn.seat, "watch ford\ncamp hill", turn.decision)
    assert both.verdict == MailVerdict.MEND
    assert "(règle 3)" in table.answer(both).said
    assert on_file(table, turn.seat) == {"watch": "watch hill"}
    to_the_duel(table.world, table.match_id)
    duel = f"1.duel.{turn.seat}"
    card = table.world.legal_turn(table.match_id, turn.seat, duel)
    assert table.reply(turn.seat, card, turn.decision).verdict == MailVerdict.STALE
    assert table.reply(turn.seat, card, duel).verdict == MailVerdict.FILED


def test_a_plan_for_a_round_that_is_over_is_not_filed_for_the_next(
    table: Correspondence,
) -> None:
    number, world = table.match_id, table.world
    seat = seats_after(world, number)[1]
    own = order_of(world, number, seat, "file").decision
    to_the_duel(world, number)
    for each in range(3):
        lay(world, number, each)
    assert order_of(world, number, seat, "file").decision != own
    mail = table.reply(seat, PLAN, own)
    assert mail.verdict == MailVerdict.STALE
    assert on_file(table, seat) == {}


def test_a_move_and_orders_in_one_reply(table: Correspondence) -> None:
    turn = table.world.awaited(table.match_id)
    mail = table.reply(turn.seat, "watch ford\ncamp wood\nrest", turn.decision)
    assert mail.verdict == MailVerdict.PLAYED
    answer = table.answer(mail)
    assert answer.first(TurnPlayed).orders == (f"0.watch.{turn.seat}",)
    assert on_file(table, turn.seat) == {"watch": "watch ford"}
    assert "ford" in answer.said or "gué" in answer.said


def test_an_order_in_answer_to_a_turn_letter_leaves_the_turn_open(table: Correspondence) -> None:
    turn = table.world.awaited(table.match_id)
    mail = table.reply(turn.seat, "watch hill", turn.decision)
    assert mail.verdict == MailVerdict.FILED
    assert table.world.awaited(table.match_id).decision == turn.decision
    move = table.reply(turn.seat, "camp wood", f"0.watch.{turn.seat}")
    assert move.verdict == MailVerdict.PLAYED, "and the order's own address takes the move"


def test_a_plan_filed_in_ones_own_turn_plays_it_at_once(table: Correspondence) -> None:
    turn = table.world.awaited(table.match_id)
    mail = table.reply(turn.seat, "plan always camp wood / always rest", turn.decision)
    assert mail.verdict == MailVerdict.FILED
    made = entries(table.world, table.match_id)
    assert [e.cause.actor for e in made][:2] == [Actor.PLAYER, Actor.PLAN]
    answer = table.answer(mail)
    assert answer.codes == ["filed"]
    said = {"en": "What happened", "fr": "Ce qui s’est passé"}
    assert any(heading in answer.text for heading in said.values())


def test_a_card_that_is_changed_says_so(table: Correspondence) -> None:
    number, world = table.match_id, table.world
    to_the_duel(world, number)
    seat = world.awaited(number).seat
    decision = world.awaited(number).decision
    with world.service.database.read() as session:
        hand = reading.match_view(session, world.match(number), seat).view["own"]["hand"]
    first = table.reply(seat, f"play {hand[0]}", decision)
    assert first.verdict == MailVerdict.FILED
    answer = table.answer(first)
    assert answer.first(OrderFiled).answer
    assert answer.text.splitlines()[0] in ("Your answer is in", "Ta réponse est arrivée")
    assert any(said in answer.text for said in ("Change my answer", "Changer ma réponse"))
    (page,) = {line for line in answer.text.splitlines() if "/t/" in line}
    assert page in answer.html
    second = table.reply(seat, f"joue {hand[1]}", decision)
    again = table.answer(second)
    assert "This replaces" in again.said or "Ceci remplace" in again.said
    told = again.first(OrderFiled)
    assert told.answer
    assert told.replaced
    assert on_file(table, seat) == {"duel": f"play {hand[1]}"}
    assert [e.asks for e in entries(world, number)[-2:]] == [Asks.MUST, Asks.MAY]


def test_a_refused_order_says_what_is_wrong_and_what_would_be_right(
    table: Correspondence,
) -> None:
    seat = seats_after(table.world, table.match_id)[1]
    slip = table.reply(seat, "wach hilll")
    assert slip.verdict == MailVerdict.MEND
    assert "watch hill" in table.answer(slip).said or "guette colline" in table.answer(slip).said
    table.reply(seat, "watch hill")
    same = table.answer(table.reply(seat, "watch hill"))
    assert same.codes == ["mend"]
    assert "(rule 4)" in same.said
    assert "watch ford" in same.said or "guette gué" in same.said
    plan = table.answer(table.reply(seat, "plan berries camp wood"))
    assert plan.codes == ["mend"]
    assert "(rule 7)" in plan.said
    with table.world.service.database.read() as session:
        count = select(func.count()).select_from(Submission)
        assert session.scalar(count.where(Submission.status == SubmissionStatus.PLAYED)) == 1


def test_prose_of_who_is_not_to_move_files_nothing(table: Correspondence) -> None:
    seat = seats_after(table.world, table.match_id)[1]
    for text in ("Take your time!", "camp hill", "2", "cmap hill"):
        mail = table.reply(seat, text)
        assert mail.verdict == MailVerdict.WAITING, text
    assert not entries(table.world, table.match_id)


WRITTEN = {
    "lines": PLAN,
    "bullets": "Hi!\n\n- plan\n- always camp wood\n- then draw\n- then low\n\nThanks, Bea",
    "numbers": "1. plan\n2. always camp wood\n3. then draw\n4. then low",
    "indented": "plan\n    always camp wood\n    then draw\n    then low",
    "else": "plan alone camp wood\nelse camp wood\nthen draw\nthen low",
    "french": "Bonjour,\n\nplan\ntoujours campe bois\npuis pioche\npuis petite\n\nMerci, Béa",
    "sinon": "plan\nseul campe bois\nsinon campe bois\npuis pioche\npuis petite",
}
"""A plan as people write it; with "else" it has a line more."""


def test_no_line_of_a_plan_is_taken_for_politeness(table: Correspondence) -> None:
    seat = seats_after(table.world, table.match_id)[1]
    for name, text in WRITTEN.items():
        mail = table.reply(seat, text)
        assert mail.verdict == MailVerdict.FILED, name
        first = "alone camp wood / " if name in ("else", "sinon") else ""
        plan = f"plan {first}always camp wood / then draw / then low"
        assert on_file(table, seat) == {"file": plan}, name
        table.reply(seat, "withdraw")


def test_a_plan_in_html_comes_by_lmtp(table: Correspondence) -> None:
    seat = seats_after(table.world, table.match_id)[1]
    player = table.world.match(table.match_id).seats[seat].player
    assert player is not None
    to = table.address(seat)
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = player.email, to, "Re: Toy"
    message["Message-ID"] = "<plan@mail.example.org>"
    message.set_content(
        "<div>Coucou,</div><div>plan</div><ul><li>toujours campe bois</li><li>puis pioche</li>"
        "<li>puis petite</li></ul><div>Merci&nbsp;!</div><blockquote type='cite'><div>Le 22 nov. "
        "2026, Paleopost a écrit :</div><div>~ plan toujours campe grotte</div></blockquote>",
        subtype="html",
    )
    listening = Listening(table.world.service)
    try:
        with smtplib.LMTP("127.0.0.1", listening.port) as client:
            client.sendmail(player.email, [to], message.as_bytes())
    finally:
        listening.stop()
    with table.world.service.database.read() as session:
        stored = session.scalars(select(InboundMail.id)).one()
    mail = inbound.handle(table.world.service, stored)
    assert mail.verdict == MailVerdict.FILED, table.answer(mail).text
    assert on_file(table, seat) == {"file": "plan always camp wood / then draw / then low"}


def test_orders_lists_what_may_be_filed_and_what_is_on_file(table: Correspondence) -> None:
    seat = seats_after(table.world, table.match_id)[1]
    file(table.world, table.match_id, seat, "watch", "watch hill")
    for word in ("orders", "Ordres ?"):
        mail = table.reply(seat, word)
        assert mail.verdict == MailVerdict.WORD
        answer = table.answer(mail)
        assert answer.first(OrdersListed).some
        assert {"watch hill", "guette colline"} & set(answer.text.replace("~ ", "").splitlines())
        assert "plan" in answer.text
        assert {"withdraw 1", "retirer 1"} & set(answer.text.replace("~ ", "").splitlines())
        assert "0.watch" not in answer.text
        assert "%(" not in answer.text + answer.html


def test_help_names_the_words_of_orders(table: Correspondence) -> None:
    said = table.answer(table.reply(0, "help")).said
    assert "~ plans " in said
    assert "~ withdraw " in said


def test_an_order_is_withdrawn_by_a_word(table: Correspondence) -> None:
    seat = seats_after(table.world, table.match_id)[1]
    none = table.reply(seat, "withdraw")
    assert table.answer(none).codes == ["refused"]
    table.reply(seat, "watch hill")
    table.reply(seat, PLAN)
    which = table.answer(table.reply(seat, "retirer"))
    assert which.codes == ["refused"]
    assert set(on_file(table, seat)) == {"file", "watch"}
    beside = table.reply(seat, "withdraw 1\nwatch ford")
    assert table.answer(beside).codes == ["refused"]
    one = table.reply(seat, "withdraw 2")
    assert one.verdict == MailVerdict.FILED
    assert table.answer(one).first(OrderFiled).withdrawn
    assert set(on_file(table, seat)) == {"file"}
    table.reply(seat, "watch hill")
    everything = table.reply(seat, "withdraw all")
    assert table.answer(everything).first(OrderFiled).withdrawn
    assert on_file(table, seat) == {}


def test_a_card_cannot_be_withdrawn(table: Correspondence) -> None:
    number = table.match_id
    to_the_duel(table.world, number)
    seat = table.world.awaited(number).seat
    lay(table.world, number, seat)
    assert table.answer(table.reply(seat, "withdraw")).codes == ["refused"]
    assert set(on_file(table, seat)) == {"duel"}


def test_play_alone_is_the_word_and_not_a_card(table: Correspondence) -> None:
    seat = table.world.awaited(table.match_id).seat
    answer = table.answer(table.reply(seat, "play"))
    assert answer.codes == ["refused"], "nothing is held"


def test_an_order_in_a_message_is_asked_about(table: Correspondence) -> None:
    seat = seats_after(table.world, table.match_id)[1]
    mail = table.reply(seat, "message I hope for you\nwatch hill")
    assert table.answer(mail).codes == ["order_in_message"]


def test_no_turn_or_order_is_taken_for_a_word(toy: str) -> None:
    """What any game writes is its own, whatever words may be written to us."""
    for game in games().values():
        options = game.options_type()
        state = game.setup(game.seats.start, options, SeededChance(b"words")).state
        for decision in game.decisions(state):
            for action in islice(decision.choices, 60):
                for lang in LANGUAGES:
                    text = game.notation.format(state, decision.seat, action, lang)
                    assert read(text, keeps=game.notation.keeps).words == [], text


def test_a_digest_gathers_the_invitation_and_shows_what_is_on_file(world: World, toy: str) -> None:
    with days(world) as time:
        number = opened(world, toy, 3, pace_days=10)
        with world.service.database.write() as work:
            for row in work.session.get_one(Match, number).seats:
                assert row.player is not None
                preferences.change(world.service, work, row.player, digest=8 * 60)
        table = Correspondence(world, number)
        to_the_duel(world, number)
        while world.awaited(number).kind == "duel":
            world.submit(number)
            world.hear(mail=True)
        for seat in range(3):
            table.reply(seat, "watch hill")
        world.hear(mail=True)
        world.post.sent.clear()
        time.after(days=1)
        mover = world.awaited(number).seat
        for seat in range(3):
            player = world.match(number).seats[seat].player
            assert player is not None
            (raw,) = [m for _, to, m in world.post.sent if to == player.email]
            _, text, html, _ = parts_of(raw)
            words = {"en": ("Watch: hill", "File a plan"), "fr": ("colline", "plan")}[player.lang]
            for part in (text, html):
                assert all(word in part for word in words), part
            if seat != mover:
                own = table.address(seat, order_of(world, number, seat, "file").decision)
                assert own in text
                mail = table.send(player.email, own, PLAN)
                assert mail.verdict == MailVerdict.FILED


def test_the_replies_of_the_corpus_file_what_they_say(table: Correspondence) -> None:
    """All of Ana, who is not to move."""
    to = table.address(0)
    for mail in kept("order_replies"):
        raw = mail.raw.replace(f"r+{TOKEN}@{DOMAIN}".encode(), to.encode())
        stored = table.take(raw, to)
        assert stored is not None
        handled = inbound.handle(table.world.service, stored)
        assert handled.verdict == mail.facts["verdict"], mail.name
        assert on_file(table, 0) == mail.facts["on_file"], mail.name
        table.reply(0, "withdraw all")
