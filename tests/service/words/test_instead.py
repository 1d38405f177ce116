"""What an answer offers instead of what could not be played: turns close to it, or a message."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from service.core.results import MessageSaid, NothingFound, NotYourTurn, TurnStale, TurnWrong
from service.core.statuses import MailVerdict
from service.core.verdicts import Ambiguous, Fault, Illegal, Unreadable
from service.matches.tables import BotSeat
from tests.service.words.test_copied import asked_in_english, begun, letter_of, printed
from tests.support.correspondence import Answer, Correspondence
from tests.support.games import KNOWN
from tests.support.tables import World

PROSE = 'Hello <b>, "what" a start & so on!\n\nI didn’t see that coming.'
WHOLE = " ".join(PROSE.split())


def prefilled(answer: Answer) -> list[str]:
    """What the links of an answer write into a mail."""
    links = LexborHTMLParser(answer.html).css('a[href^="mailto:"]')
    return [parse_qs(urlsplit(str(a.attributes["href"])).query)["body"][0] for a in links]


def samples(answer: Answer) -> str:
    """What stands behind the mark in the text, without it."""
    lines = [line[2:] for line in answer.text.splitlines() if line.startswith("~ ")]
    return "\n".join(line for line in lines if "~" not in line)


def of_fault(answer: Answer, kind: type[Fault]) -> tuple[str, ...]:
    """The turns that are offered instead of one with a fault of this kind."""
    found = answer.first(TurnWrong).verdict
    assert isinstance(found, kind), found
    return found.possible


def test_prose_is_offered_as_a_message(world: World) -> None:
    """To who is asked, to who is not, and to who answers an old letter."""
    post = asked_in_english(world)
    seat, decision, _ = letter_of(post)
    told = post.answer(post.reply(seat, PROSE, decision))
    assert told.first(NothingFound).text == PROSE
    waits = post.answer(post.reply(1 - seat, PROSE))
    assert waits.first(NotYourTurn).text == PROSE
    post.reply(seat, "1", decision)
    world.hear(mail=True)
    stale = post.answer(post.reply(seat, PROSE, decision))
    assert stale.first(TurnStale).text == PROSE
    for answer in (told, waits, stale):
        assert f"message {WHOLE}" in " ".join(samples(answer).split())
        (filled, *turns) = prefilled(answer)
        assert filled.replace("\r\n", "\n") == f"message {PROSE}"
        assert not any("message" in turn for turn in turns)


@pytest.mark.parametrize("by_link", [False, True])
def test_the_message_offered_is_sent(world: World, by_link: bool) -> None:
    """Copied without the mark, or as its link writes it; the letter stands below."""
    post = asked_in_english(world)
    seat, decision, _ = letter_of(post)
    told = post.answer(post.reply(seat, PROSE, decision))
    offered = samples(told).partition("\nlay ")[0]
    text = prefilled(told)[0].replace("\r\n", "\n") if by_link else offered
    quoted = "".join(f"> {line}\n" for line in told.text.splitlines())
    reply = post.reply(
        seat,
        f"{text}\n\nPaleopost wrote:\n{quoted}",
        decision,
        In_Reply_To=told.message["Message-ID"],
    )
    said = post.answer(reply).first(MessageSaid)
    assert " ".join(said.text.split()) == WHOLE


def test_a_turn_a_quote_or_what_nobody_would_read_is_no_message(world: World) -> None:
    post = asked_in_english(world)
    seat, decision, letter = letter_of(post)
    turn = printed(letter)[0][0]
    waits = post.answer(post.reply(1 - seat, turn))
    assert not waits.first(NotYourTurn).text, "it may be secret, and belongs to no message"
    assert not prefilled(waits)
    long = post.answer(post.reply(seat, "What a start! " * 150, decision))
    assert not long.first(NothingFound).text
    alone = world.begun([BotSeat(bot="greedy")], KNOWN, hold_minutes=0)
    bots = Correspondence(world, alone)
    told = bots.answer(bots.reply(0, PROSE))
    assert told.codes in (["nothing"], ["waiting"])
    assert not getattr(told.results[0], "text", "")


def test_what_begins_with_a_verb_of_the_game_is_no_message(world: World) -> None:
    """It gets a turn that can be played, as an example."""
    post = begun(world, "mammoths")
    seat, decision, _ = letter_of(post)
    told = post.answer(post.reply(seat, "go Mordor", decision)).first(NothingFound)
    assert not told.text
    assert told.meant is not None
    assert told.meant.example.startswith("place ")


@pytest.mark.parametrize(
    "prose", ["Go ahead, I am in no hurry", "Thanks Bruno!\nGo on like this, it was brilliant"]
)
def test_prose_that_begins_with_a_verb_of_the_game_is_a_message(world: World, prose: str) -> None:
    post = begun(world, "mammoths")
    seat, decision, _ = letter_of(post)
    told = post.answer(post.reply(seat, prose, decision)).first(NothingFound)
    assert told.text == prose


def test_a_long_message_has_no_link(world: World) -> None:
    """Mail programs cut an address that long."""
    post = asked_in_english(world)
    seat, decision, _ = letter_of(post)
    told = post.answer(post.reply(seat, "What a start! " * 100, decision))
    assert samples(told).startswith("message What a start!")
    assert not any("message" in text for text in prefilled(told))


def test_what_breaks_a_rule_is_shown_with_what_is_close(world: World) -> None:
    post = asked_in_english(world)
    seat, decision, letter = letter_of(post)
    _, tile, one = printed(letter)[0][0].replace(",", "").split()[:3]
    first, second = tile.split("-")
    wrong = f"lay {second}-{first} {one} H5"
    answer = post.answer(post.reply(seat, f"Hello,\n\n{wrong}\n\nAna", decision))
    close = of_fault(answer, Illegal)
    assert 0 < len(close) <= 2
    assert answer.text.index(wrong) < answer.text.index("Close to it, and allowed")
    assert prefilled(answer)[: len(close)] == list(close)
    if len(close) == 1:
        assert "Reply “yes” to play it" in answer.said
    french = wrong.replace("lay", "pose")
    for en, fr in (("picking", "cueillette"), ("hunt", "chasse"), ("fight", "baston")):
        french = french.replace(en, fr)
    other = post.answer(post.reply(seat, french, decision))
    assert of_fault(other, Illegal) == close, "whatever language it is written in"
    far = post.answer(post.reply(seat, "lay hunt-hunt Z9 Z8", decision))
    assert not getattr(far.first(TurnWrong).verdict, "possible", ())
    assert "Close to it" not in far.text
    said = " ".join(far.text.split())
    assert said.index("We do not know “Z9”.") < said.index("For example, this can")
    assert prefilled(far), "the example is one tap away"


def test_several_readings_are_offered_as_two_turns(world: World) -> None:
    """Those first that the letter offers as well."""
    post = begun(world, KNOWN, 6)
    for _ in range(8):
        seat, decision, letter = letter_of(post)
        turn = printed(letter)[0][0]
        verb, tile, *_ = turn.split()
        answer = post.answer(post.reply(seat, f"{verb} {tile}", decision))
        result = answer.results[0]
        if isinstance(result, TurnWrong) and isinstance(result.verdict, Ambiguous):
            break
        world.submit(post.match_id)
        world.hear(mail=True)
    offered = of_fault(answer, Ambiguous)
    assert len(offered) == 2
    assert offered[0].startswith(turn.partition(",")[0])
    assert prefilled(answer)[:2] == list(offered)
    played = post.reply(seat, offered[1], decision)
    assert played.verdict == MailVerdict.PLAYED


def test_a_typo_is_asked_about_before_anything_else_is_told(world: World) -> None:
    post = asked_in_english(world)
    seat, decision, letter = letter_of(post)
    turn = printed(letter)[0][0]
    tile = turn.split()[1]
    typo = tile[1] + tile[0] + tile[2:]
    answer = post.answer(post.reply(seat, turn.replace(tile, typo, 1), decision))
    assert of_fault(answer, Unreadable) == (turn,)
    order = [f"You wrote “lay {typo}", f"We do not know “{typo}” here.", "Did you mean this?"]
    order += ["Reply “yes” to play it, or", "Your turn, by", "Or reply with just the number"]
    said = " ".join(answer.text.split())
    places = [said.index(each) for each in order]
    assert places == sorted(places)
    mail = post.reply(seat, "yes", decision, In_Reply_To=answer.message["Message-ID"])
    assert mail.verdict == MailVerdict.PLAYED


def test_two_turns_that_lack_their_ends_are_asked_about(world: World) -> None:
    post = asked_in_english(world)
    seat, decision, letter = letter_of(post)
    begun_by = [turn.split(",")[0] for turn, *_ in printed(letter)[:2]]
    answer = post.answer(post.reply(seat, "\n".join(begun_by), decision))
    assert answer.codes == ["several"]
    assert all(f"~ {each}" in answer.text for each in begun_by)
    assert [text.split(",")[0] for text in prefilled(answer)[:2]] == begun_by


def test_a_mail_of_quoted_lines_alone_is_told_that_it_is(world: World) -> None:
    post = asked_in_english(world)
    seat, decision, letter = letter_of(post)
    answer = post.answer(post.reply(seat, f"> {printed(letter)[0][0]}", decision))
    assert "holds only quoted lines" in answer.said


def test_a_plan_behind_a_comma_is_offered_on_its_own_line(world: World) -> None:
    post = begun(world, "fire_and_stone")
    seat, decision, letter = letter_of(post)
    turn, *_ = printed(letter)[0]
    plan = "when forest: hunt" if turn.startswith("go") else "quand forêt : chasse"
    asked = post.answer(post.reply(seat, f"{turn}, {plan}", decision))
    assert samples(asked).startswith(f"{turn}\n{plan}")
    mail = post.reply(seat, "yes", decision, In_Reply_To=asked.message["Message-ID"])
    assert mail.verdict == MailVerdict.PLAYED
