"""What players say to their table."""

from __future__ import annotations

import datetime as dt
import email
import email.policy
import re

import pytest
import time_machine

from service.core import locks
from service.core.errors import Refused
from service.core.letter_details import MessageDetails
from service.core.models import Match, TableMessage
from service.core.results import MessageSaid
from service.mail.send import delivery
from service.mail.send.smtp import NotTaken, SmtpFailure
from service.matches import leaving, messages
from service.matches.tables import BotSeat, Guest
from tests.support.correspondence import Correspondence
from tests.support.tables import World

BEN = Guest(address="ben@example.org", name="Ben")
ZOE = Guest(address="zoe@example.org", name="Zoé", lang="fr")


def started(world: World, game_key: str) -> int:
    return world.begun([BEN, BotSeat(bot="random"), ZOE], game_key)


def say(world: World, match_id: int, seat: int, text: str, dedupe: str = "") -> TableMessage:
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, match_id)
        return messages.say(world.service, work, match, seat, text, dedupe or f"{seat}{text}")


def send(world: World) -> dict[str, str]:
    """Send what is due in two minutes; the plain texts of letters with messages, by address."""
    with time_machine.travel(world.service.now() + dt.timedelta(minutes=2)):
        for letter in world.letters(kind="message"):
            delivery.deliver(world.service, world.post, letter.id)
    found = {}
    for _, to, raw in world.post.sent:
        parsed = email.message_from_bytes(raw, policy=email.policy.default)
        body = parsed.get_body(("plain",))
        assert body is not None
        found[to] = body.get_content().replace("\r\n", "\n")
    return found


def test_everybody_else_who_plays_gets_it(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    say(world, match_id, 0, "Hello all!\nWhat a valley.")
    texts = send(world)
    assert set(texts) == {"ben@example.org", "zoe@example.org"}
    assert "Ana wrote, " in texts["ben@example.org"]
    assert "| Hello all!\n| What a valley." in texts["ben@example.org"]
    assert "Ana a écrit, " in texts["zoe@example.org"]


def test_it_leads_whose_turn_it_is_to_that_turn(world: World) -> None:
    match_id = world.begun([BEN, ZOE], "sapiens")
    addresses = {0: "ana@example.org", 1: "ben@example.org", 2: "zoe@example.org"}
    mover = world.awaited(match_id).seat
    speaker, other = (seat for seat in addresses if seat != mover)
    say(world, match_id, speaker, "Well played!")
    texts = send(world)
    to_move = texts[addresses[mover]]
    assert re.search(r"(Choose my turn|Choisir mon coup).?:\nhttp://paleopost\.test/t/", to_move)
    assert "/t/" not in texts[addresses[other]]


def test_what_follows_closely_comes_in_one_letter(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    for seat, text in ((0, "one"), (1, "two"), (0, "three")):
        say(world, match_id, seat, text)
    to_zoe = [x for x in world.letters(match_id, "message") if x.seat == 3]
    assert len(to_zoe) == 1
    text = send(world)["zoe@example.org"]
    assert text.index("| one") < text.index("| two") < text.index("| three")
    say(world, match_id, 0, "four")
    assert len([x for x in world.letters(match_id, "message") if x.seat == 3]) == 2
    assert "| one" not in send(world)["zoe@example.org"]


def test_inboxes_show_whose_words_a_letter_brings(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    say(world, match_id, 0, "one")
    say(world, match_id, 0, "two")
    say(world, match_id, 1, "three")
    texts = send(world)
    heads = {to: email.message_from_bytes(raw) for _, to, raw in world.post.sent}
    assert heads["ben@example.org"]["From"] == '"Ana (Paleopost)" <play@paleopost.test>'
    assert texts["ben@example.org"].count("Ana wrote, ") == 1, "of two messages of one minute"
    assert "| one\n\n| two\n" in texts["ben@example.org"]
    assert heads["zoe@example.org"]["From"] == '"Paleopost" <play@paleopost.test>', "of two"


def test_a_letter_that_may_have_been_taken_says_the_same_again(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    say(world, match_id, 0, "one")
    world.post.fail_after = NotTaken(SmtpFailure.AFTER_DATA, "lost")
    send(world)
    say(world, match_id, 0, "two")
    first, second = (x for x in world.letters(match_id, "message") if x.seat == 1)
    assert [len(x.details_as(MessageDetails).messages) for x in (first, second)] == [1, 1]


def test_the_same_delivery_is_the_same_message(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    found = {say(world, match_id, 0, "hello", "nonce").id for _ in range(3)}
    assert len(found) == 1
    with world.service.database.read() as session:
        assert len(messages.of(session, session.get_one(Match, match_id))) == 1


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  hi  ", "hi"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\n\n\n\nb", "a\n\nb"),
        ("a\0b\x1b[31mc", "ab[31mc"),
        ("\u202eabc\u2066", "abc"),
        ("tab\there", "tab here"),
        ("👩\u200d🦰 élan", "👩\u200d🦰 élan"),
    ],
)
def test_a_message_is_kept_readable(text: str, kept: str) -> None:
    assert messages.clean(text) == kept


def test_what_cannot_be_said(world: World, game_key: str) -> None:
    match_id = world.open([BEN, ZOE], game_key)
    with pytest.raises(Refused, match="not_playing"):
        say(world, match_id, 0, "too early")
    world.everybody_accepts(match_id)
    for text in ("", " \n ", "\0"):
        with pytest.raises(Refused, match="blank_message"):
            say(world, match_id, 0, text, "x")
    with pytest.raises(Refused, match="long_message"):
        say(world, match_id, 0, "x" * (messages.LONGEST + 1))
    with world.service.database.write() as work:
        leaving.resign(world.service, work, locks.lock_number(world.service, work, match_id), 1)
    with pytest.raises(Refused, match="seat_left"):
        say(world, match_id, 1, "still here")
    say(world, match_id, 0, "bye")
    assert {x.seat for x in world.letters(match_id, "message")} == {2}


def test_a_table_bears_so_many_words_an_hour(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    for n in range(messages.MOST):
        say(world, match_id, 0, f"n{n}")
    with pytest.raises(Refused, match="too_many_messages"):
        say(world, match_id, 0, "more")
    say(world, match_id, 1, "others may")
    with time_machine.travel(world.service.now() + messages.WITHIN + dt.timedelta(minutes=1)):
        say(world, match_id, 0, "later")


def test_a_reply_to_a_message_is_a_message(world: World, game_key: str) -> None:
    post = Correspondence(world, started(world, game_key))
    say(world, post.match_id, 0, "Hello all!")
    letter = next(one for one in world.letters(kind="message") if one.seat == 1)
    to = post.rendered(letter).message["Message-ID"]
    for text in ("Hello Ana!\n\nWhat shall I play?", "yes", "2"):
        mail = post.reply(1, text, In_Reply_To=to)
        told = post.answer(mail).first(MessageSaid)
        assert (told.text, told.by_reply) == (text, True)
        assert "as a message" in " ".join(post.answer(mail).text.split())
    assert post.answer(post.reply(1, "status", In_Reply_To=to)).codes == ["status"], "a word"
    asked = world.awaited(post.match_id)
    turn = world.legal_turn(post.match_id, asked.seat, asked.decision).partition("\n")[0]
    mail = post.reply(1, turn, In_Reply_To=to)
    assert "said" not in post.answer(mail).codes, "what is meant as a turn is told to nobody"
