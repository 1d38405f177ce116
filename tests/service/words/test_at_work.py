"""Every word in both languages, from the mail to what it does and what is answered."""

from __future__ import annotations

import datetime as dt
import re
import textwrap
from collections.abc import Iterator

import pytest
from sqlalchemy import update

from service.core import locks
from service.core.context import Service
from service.core.models import Key, Letter, Match, Player, SeatRow
from service.core.results import (
    Away,
    CameBack,
    MessageSaid,
    NothingFound,
    PauseChanged,
    Rematched,
    TablesListed,
    WordRefused,
)
from service.matches import hosting
from service.matches.tables import BotSeat, Guest
from tests.support.correspondence import Answer, Correspondence
from tests.support.snapshots import once
from tests.support.tables import Jobs, World, of_all, settings_for

pytestmark = pytest.mark.slow

ANA, BRUNO, CLEO = "ana@example.org", "bruno@example.org", "cleo@example.org"
LATER = ("2100-12-20", "2100-12-24")


@pytest.fixture
def world(database_url: str) -> Iterator[World]:
    jobs = Jobs()
    service = Service(settings_for(database_url), jobs)
    yield World(service, jobs)
    service.database.dispose()


@pytest.fixture
def table(world: World) -> Correspondence:
    """Ana (English), Bruno and Cleo (French) at a table that has begun."""
    guests = [
        Guest(address=BRUNO, name="Bruno", lang="fr"),
        Guest(address=CLEO, name="Cleo", lang="fr"),
    ]

    def reach() -> int:
        for guest in guests:
            world.player(guest.address, name=guest.name, lang=guest.lang)
        return world.begun(guests, "sapiens")

    return Correspondence(world, once(world, "one English, two French", reach))


def said(table: Correspondence, seat: int, text: str) -> Answer:
    """The one answer to these words."""
    mail = table.reply(seat, text)
    assert mail.verdict == "word", (text, mail.verdict)
    answer = table.answer(mail)
    assert "{" not in answer.text
    assert len(answer.html.encode()) < 90_000
    return answer


def reply_to(answer: Answer) -> str:
    """The address an answer is answered at."""
    return answer["Reply-To"].partition("<")[2].rstrip(">")


def resign(table: Correspondence, seat: int) -> None:
    """Give a seat up, asked and answered."""
    sender = player(table, seat).email
    mail = table.send(sender, reply_to(said(table, seat, "resign")), "yes")
    assert table.answer(mail).codes == ["resigned"]


def player(table: Correspondence, seat: int) -> Player:
    found = table.world.match(table.match_id).seats[seat].player
    assert found is not None
    return found


def boards_of(answer: Answer) -> list[str]:
    """The pictures of boards in an answer; choices of whose turn it is have pictures, too."""
    return [name for name in answer.pictures if name.startswith("board")]


@pytest.mark.parametrize(
    ("seat", "help_", "status", "board", "history", "sign"),
    [
        (0, "help", "status", "board", "history", "What you can write"),
        (1, "aide", "statut", "plateau", "historique", "Ce que tu peux écrire"),
    ],
)
def test_words_that_only_ask(
    table: Correspondence, seat: int, help_: str, status: str, board: str, history: str, sign: str
) -> None:
    before = table.world.match(table.match_id).last_entry
    helped = said(table, seat, help_)
    assert helped.codes == ["help"]
    assert helped.text.startswith(sign)
    assert "C4" in helped.text
    # Whose move it is stands above all that can be written.
    if table.world.awaited(table.match_id).seat == seat:
        assert helped.text.index("http://paleopost.test/") < helped.text.index("~ 1\n")
    stood = said(table, seat, status)
    (line,) = stood.first(TablesListed).tables
    asked = table.world.awaited(table.match_id)
    assert line.own == (asked.seat == seat)
    assert line.waits == (table.world.match(table.match_id).seats[asked.seat].name,)
    assert "http://paleopost.test/s/" in stood.text
    shown = said(table, seat, board)
    assert len(boards_of(shown)) == 1, "of all boards"
    told = said(table, seat, history)
    assert told.codes == ["history"]
    everything = said(table, seat, f"{status}\n{board}\n{history}\n{help_}")
    assert everything.codes == ["status", "board", "history", "help"]
    assert table.world.match(table.match_id).last_entry == before


@pytest.mark.on_postgresql
@pytest.mark.parametrize(("seat", "lang"), [(0, "en"), (1, "fr")])
def test_words_about_letters(table: Correspondence, seat: int, lang: str) -> None:
    words = {
        "en": "remind half 12h\nquiet 22:00 7:00\nzone asia/tokyo\ndigest 8:00\nthread turn",
        "fr": "rappel mi-temps 12h\ncalme 22h 7h\nfuseau Asia/Tokyo\nrésumé 8h\nfil tour",
    }[lang]
    answer = said(table, seat, words)
    assert answer.codes == ["reminders", "quiet", "zone", "digest", "thread"]
    one = player(table, seat)
    assert one.reminders == ["half", "12h"]
    assert (one.quiet_from, one.quiet_to, one.zone) == (1320, 420, "Asia/Tokyo")
    assert (one.digest_at, one.thread_by) == (480, "turn")
    assert all(
        t in answer.text
        for t in {"en": ("22:00", "7:00"), "fr": ("22\xa0h\xa000", "7\xa0h\xa000")}[lang]
    )
    off = {
        "en": "remind off\nquiet off\ndigest off\nthread match\nlang fr",
        "fr": "rappel jamais\ncalme non\nrésumé non\nfil partie\nlangue en",
    }[lang]
    assert said(table, seat, off).codes == ["reminders", "quiet", "digest", "thread", "lang"]
    one = player(table, seat)
    assert (one.reminders, one.quiet_from, one.digest_at) == ([], None, None)
    assert (one.thread_by, one.lang) == ("match", {"en": "fr", "fr": "en"}[lang])


def test_the_answer_is_in_the_language_just_chosen(table: Correspondence) -> None:
    assert "You are reminded" in said(table, 0, "remind 12h").said
    assert "Désormais, on t’écrit en français." in said(table, 0, "lang fr").said
    assert "From now on we write to you in English." in said(table, 0, "langue en").said


def test_what_is_refused_is_told_and_leaves_the_rest(table: Correspondence) -> None:
    answer = said(table, 0, "zone Mars/Olympus\nquiet 1:00 0:00\nremind 12h\nresume")
    assert answer.codes == ["refused", "refused", "reminders", "refused"]
    one = player(table, 0)
    assert (one.zone, one.quiet_from, one.reminders) == ("Europe/Paris", None, ["12h"])


@pytest.mark.parametrize(
    ("pause", "no", "yes", "resume"),
    [("pause 5 days", "no", "yes", "resume"), ("pause 5 jours", "non", "oui", "reprendre")],
)
def test_a_pause_by_consent(
    table: Correspondence, pause: str, no: str, yes: str, resume: str
) -> None:
    assert said(table, 0, pause).first(PauseChanged).status == "asked"
    assert said(table, 1, no).first(PauseChanged).status == "refused"
    said(table, 0, pause)
    assert said(table, 1, yes).first(PauseChanged).status == "asked"
    assert said(table, 2, yes).first(PauseChanged).status == "running"
    assert table.world.match(table.match_id).paused_at is not None
    assert said(table, 1, resume).codes == ["resumed"]
    assert table.world.match(table.match_id).paused_at is None


def test_yes_without_a_question_is_no_word(table: Correspondence) -> None:
    seat = table.world.awaited(table.match_id).seat
    assert table.reply(seat, "Yes.").verdict == "nothing-said"


@pytest.mark.parametrize(
    ("away", "off"), [("away 5 days", "away off"), ("absence 5 jours", "absence fini")]
)
def test_days_away(table: Correspondence, away: str, off: str) -> None:
    answer = said(table, 0, away)
    assert answer.codes == ["away"]
    assert str(answer.first(Away).year) in answer.text
    assert said(table, 0, off).codes == ["not_away"]
    assert said(table, 0, off).first(WordRefused).error == "not_away"
    assert said(table, 0, "away " + " ".join(LATER)).first(WordRefused).error == "bad_dates"


@pytest.mark.parametrize(("nudge", "back"), [("nudge", "back"), ("relancer", "retour")])
def test_nudging_and_coming_back(table: Correspondence, nudge: str, back: str) -> None:
    asked = table.world.awaited(table.match_id).seat
    other = (asked + 1) % 3
    assert said(table, other, nudge).codes == ["nudged"]
    assert said(table, other, nudge).first(WordRefused).error == "too_soon"
    assert said(table, asked, back).codes == ["here_already"]
    with table.world.changing() as work:
        work.session.execute(
            update(SeatRow).where(SeatRow.seat == other).values(stand_in="greedy"),
            execution_options=of_all(work),
        )
    answer = said(table, other, back)
    assert answer.codes == ["back"]
    assert answer.first(CameBack).took
    assert table.world.match(table.match_id).seats[other].stand_in is None


@pytest.mark.parametrize(("mute", "unmute"), [("mute", "unmute"), ("muet", "parle")])
def test_no_more_letters_and_again(table: Correspondence, mute: str, unmute: str) -> None:
    assert said(table, 0, mute).codes == ["muted"]
    assert table.world.match(table.match_id).seats[0].muted_at is not None
    assert said(table, 0, unmute).codes == ["unmuted"]
    assert table.world.match(table.match_id).seats[0].muted_at is None


@pytest.mark.parametrize(("message", "lang"), [("message", "en"), ("Message :", "fr")])
def test_a_message_goes_to_the_others(table: Correspondence, message: str, lang: str) -> None:
    answer = said(table, 0, f"{message} Hello all!\nHow are you?")
    assert answer.codes == ["said"]
    assert answer.first(MessageSaid).text == "Hello all!\nHow are you?"
    assert "How are you?" in answer.text
    assert len(table.world.letters(table.match_id, "message")) == 2
    assert said(table, 0, message).first(WordRefused).error == "blank_message"


@pytest.mark.parametrize(("undo", "play"), [("undo", "play"), ("annuler", "jouer")])
def test_taking_back_and_playing_now(table: Correspondence, undo: str, play: str) -> None:
    with table.world.changing() as work:
        work.session.execute(update(Match).values(hold_minutes=30), execution_options=of_all(work))
    row = table.world.awaited(table.match_id)
    turn = table.world.legal_turn(table.match_id, row.seat, row.decision)
    assert said(table, row.seat, undo).first(WordRefused).error == "nothing_to_undo"
    assert said(table, row.seat, play).first(WordRefused).error == "nothing_held"
    assert table.reply(row.seat, turn, row.decision).verdict == "held"
    undone = said(table, row.seat, undo)
    assert undone.codes == ["undone"]
    assert turn.split("\n")[0] in undone.text
    assert table.reply(row.seat, turn, row.decision).verdict == "held"
    mail = table.reply(row.seat, play)
    assert mail.verdict == "played"
    assert table.world.match(table.match_id).last_entry == 1


@pytest.mark.parametrize(
    ("once", "sure"), [("resign", "resign yes"), ("abandonner", "abandonner oui")]
)
def test_giving_up_takes_a_second_mail_that_answers_the_question(
    table: Correspondence, once: str, sure: str
) -> None:
    asked = said(table, 1, once)
    assert asked.codes == ["resign_sure"]
    assert said(table, 1, sure).codes == ["resign_sure"], "not by one mail, whatever it says"
    assert table.answer(table.reply(1, "yes")).codes != ["resigned"], "not by another letter"
    assert table.world.match(table.match_id).seats[1].left_at is None
    answer = table.answer(table.send(BRUNO, reply_to(asked), "Oui, merci !"))
    assert answer.codes == ["resigned"]
    assert table.world.match(table.match_id).seats[1].left_why == "resigned"
    assert said(table, 1, "board").first(WordRefused).error == "seat_left"


def test_giving_up_has_a_page_with_one_button(table: Correspondence) -> None:
    asked = said(table, 0, "resign")
    assert re.search(r"http://paleopost\.test/s/[a-z2-7]{26}/resign\n", asked.text)
    assert "/resign" in asked.html


@pytest.mark.parametrize(
    ("answer", "codes"),
    [
        ("no", ["resign_kept"]),
        ("yes\nbut how do I come back?", ["resign_sure"]),
        ("yes\nstatus", ["resign_sure", "status"]),
        ("yes\nboard\nthread turn", ["resign_sure", "board", "thread"]),
        ("no\nstatus", ["resign_kept", "status"]),
        ("yes\nno", ["resign_sure"]),
        ("with pleasure", ["resign_sure"]),
        ("resign yes", ["resign_sure"]),
        ("status", ["status"]),
        ("", ["nothing"]),
        ("> answer this letter with\n> “yes”", ["nothing"]),
    ],
)
def test_only_a_yes_alone_gives_up(table: Correspondence, answer: str, codes: list[str]) -> None:
    asked = said(table, 0, "resign")
    assert table.answer(table.send(ANA, reply_to(asked), answer)).codes in (codes, ["waiting"])
    assert table.world.match(table.match_id).seats[0].left_at is None


def test_a_no_closes_the_question(table: Correspondence) -> None:
    asked = said(table, 0, "resign")
    assert table.answer(table.send(ANA, reply_to(asked), "no")).codes == ["resign_kept"]
    again = table.answer(table.send(ANA, reply_to(asked), "yes"))
    assert again.codes == ["resign_sure"]
    assert table.world.match(table.match_id).seats[0].left_at is None
    assert table.answer(table.send(ANA, reply_to(again), "yes")).codes == ["resigned"]


def test_a_turn_beside_the_yes_is_played_and_the_question_asked_again(
    table: Correspondence,
) -> None:
    row = table.world.awaited(table.match_id)
    sender = player(table, row.seat).email
    asked = said(table, row.seat, "resign")
    turn = table.world.legal_turn(table.match_id, row.seat, row.decision)
    mail = table.send(sender, reply_to(asked), f"yes\n\n{turn}")
    assert (mail.verdict, table.answer(mail).codes) == ("played", ["resign_sure", "played"])
    answer = table.answer(table.send(sender, reply_to(table.answer(mail)), "yes"))
    assert answer.codes == ["resigned"]


def test_the_question_quoted_without_marks_is_no_answer(table: Correspondence) -> None:
    asked = said(table, 0, "resign")
    for width in (12, 20, 33, 72):
        quoted = "\n".join(
            part for line in asked.text.split("\n") for part in textwrap.wrap(line, width) or [""]
        )
        table.send(ANA, reply_to(asked), quoted)
        assert table.world.match(table.match_id).seats[0].left_at is None, width


@pytest.mark.on_postgresql
def test_the_question_is_of_its_seat_and_of_its_time(table: Correspondence, world: World) -> None:
    asked = said(table, 0, "resign")
    assert table.send(BRUNO, reply_to(asked), "yes").verdict == "foreign"
    with world.service.database.write() as work:
        work.session.execute(
            update(Key).where(Key.purpose == "resign").values(expires_at=world.service.now())
        )
    assert table.answer(table.send(ANA, reply_to(asked), "yes")).codes == ["resign_sure"]
    match = world.match(table.match_id)
    assert [row.left_at for row in match.seats] == [None] * 3


@pytest.mark.parametrize("word", ["rematch", "revanche"])
def test_the_same_again(table: Correspondence, word: str) -> None:
    assert said(table, 0, word).first(WordRefused).error == "not_over"
    resign(table, 1)
    resign(table, 2)
    assert table.world.match(table.match_id).status == "ended"
    opened = said(table, 0, word)
    assert opened.codes == ["rematch"]
    assert opened.first(Rematched).host
    assert said(table, 0, word).first(Rematched).match == opened.first(Rematched).match


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("accept", "accepted"),
        ("accepter", "accepted"),
        ("oui", "accepted"),
        ("decline", "declined"),
        ("refuser", "declined"),
        ("no", "declined"),
        ("never", "declined"),
        ("jamais", "declined"),
    ],
)
def test_an_invitation(world: World, word: str, status: str) -> None:
    match_id = world.open([Guest(address=BRUNO), Guest(address=CLEO)], "sapiens")
    invited = Correspondence(world, match_id)
    bruno = world.player(BRUNO)
    mail = invited.send(BRUNO, invited.guest_address(bruno.id), word)
    assert invited.answer(mail).codes == ["answered"]
    row = next(r for r in world.match(match_id).invitees if r.player_id == bruno.id)
    assert row.status == status
    again = invited.send(BRUNO, invited.guest_address(bruno.id), word)
    assert invited.answer(again).codes in (["answered"], ["refused"])


@pytest.mark.on_postgresql
@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("oui", "accepted"),
        ("Yes, with pleasure!", "accepted"),
        ("Sure, count me in!", "accepted"),
        ("non merci", "declined"),
        ("jamais", "declined"),
        ("stop", "declined"),
    ],
)
def test_who_is_asked_to_take_a_seat_over(table: Correspondence, word: str, status: str) -> None:
    """They answer in the words their letter asks for, as somebody who is invited at first."""
    service = table.world.service
    guest = Guest(address="dora@example.org", name="Dora", lang="en")
    with service.database.write() as work:
        match = locks.lock_number(service, work, table.match_id)
        hosting.replace(service, work, match, 2, guest)
    dora = table.world.player("dora@example.org")
    mail = table.send(dora.email, table.guest_address(dora.id), word)
    assert table.answer(mail).codes == ["answered"]
    rows = [r for r in table.world.match(table.match_id).invitees if r.player_id == dora.id]
    assert [(row.status, row.seat) for row in rows] == [
        (status, 2 if status == "accepted" else None)
    ]


def test_a_host_wants_no_invitations(table: Correspondence) -> None:
    """Nobody invited them to this table; the word is about all others."""
    assert said(table, 0, "never").codes == ["answered"]
    assert player(table, 0).suppressed_at is not None
    assert table.world.match(table.match_id).seats[0].left_at is None


def test_a_message_keeps_its_last_words(table: Correspondence) -> None:
    """What ends an order is, to the table, meant to be said."""
    text = "message Bien joué.\n\nÀ bientôt.\n-- \nAna, Lyon\n"
    assert said(table, 0, text).first(MessageSaid).text == "Bien joué.\n\nÀ bientôt."


def hold(table: Correspondence, minutes: int = 30) -> None:
    with table.world.changing() as work:
        work.session.execute(
            update(Match).values(hold_minutes=minutes), execution_options=of_all(work)
        )


@pytest.mark.parametrize("seat", [0, 1])
def test_a_turn_that_waits_is_in_every_answer(table: Correspondence, seat: int) -> None:
    """Whatever is written meanwhile, nobody is told that it is their move or nothing was sent."""
    for _ in range(3):
        row = table.world.awaited(table.match_id)
        if row.seat == seat:
            break
        table.world.submit(table.match_id)
        table.world.hear()
    assert row.seat == seat
    hold(table)
    turn = table.world.legal_turn(table.match_id, seat, row.decision)
    sign, again = [
        ("have received your turn", "the one you had sent"),
        ("Nous avons bien reçu", "que tu avais envoyé"),
    ][seat]
    first = table.answer(table.reply(seat, turn, row.decision))
    assert sign in first.said
    assert f"~ {turn.splitlines()[0]}" in first.text
    assert again not in first.said
    second = table.answer(table.reply(seat, turn, row.decision))
    assert again in second.said
    for text in ("What a nice day it is", ["status", "statut"][seat]):
        told = table.answer(table.reply(seat, text, row.decision))
        assert told.said.count(sign) + told.html.count(sign) > 1
        assert f"~ {turn.splitlines()[0]}" in told.text
        assert ["Your turn", "À toi de jouer"][seat] not in told.said
    table.reply(seat, ["undo", "annuler"][seat])
    assert sign not in said(table, seat, ["status", "statut"][seat]).said


def test_nothing_said_is_told_in_whole_sentences(table: Correspondence) -> None:
    seat = table.world.awaited(table.match_id).seat
    told = table.answer(table.reply(seat, "What a nice day it is"))
    assert told.codes == ["nothing"]
    assert "What a nice day it is" in told.said.split("To play")[0].split("Pour jouer")[0]


def test_every_line_with_a_word_is_told_of(table: Correspondence) -> None:
    told = said(table, 0, "remind 12h\nlangue it\noui\nthread turn\nresume")
    assert told.codes == ["reminders", "thread", "refused", "usage", "no_question"]
    assert told.text.startswith("Not all of it was done")
    assert "“langue it”" in told.said
    assert "“lang fr”" in told.said
    assert "“oui”" in told.said
    assert said(table, 0, "resume").text.startswith("Nothing was changed")
    assert said(table, 0, "remind 12h").text.startswith("Done")


@pytest.mark.parametrize(
    ("line", "sample"), [("langue xx", "« langue en »"), ("absence tôt", "« absence 20")]
)
def test_a_slip_in_a_word_is_answered_with_how_it_is_written(
    table: Correspondence, line: str, sample: str
) -> None:
    mail = table.reply(1, line)
    assert mail.verdict == "nothing-said"
    told = table.answer(mail)
    assert told.codes == ["usage"]
    assert sample in told.said


def test_a_message_that_is_too_long_is_not_cut(table: Correspondence) -> None:
    told = said(table, 0, "message " + "well played " * 210)
    assert told.first(WordRefused).error == "long_message"
    assert table.world.letters(table.match_id, "message") == []


def test_a_pause_that_is_asked_for_is_an_open_question(table: Correspondence) -> None:
    said(table, 0, "pause 5 days")
    other = table.answer(table.reply(1, "Je ne sais pas encore trop quoi en penser"))
    assert "Ana demande une pause de 5 jours" in other.said
    agreed = said(table, 2, "oui !")
    assert "Pour qu’elle commence, il manque encore un accord : Bruno." in agreed.said
    assert said(table, 1, "no, sorry").first(PauseChanged).status == "refused"


def test_a_sample_is_answered_with_what_is_wrong_about_it(table: Correspondence) -> None:
    row = table.world.awaited(table.match_id)
    turn = table.world.legal_turn(table.match_id, row.seat, row.decision)
    line = ", ".join(turn.split("\n"))
    mail = table.reply(row.seat, f"Hello\n~ {line}", row.decision)
    assert mail.verdict == "nothing-said"
    assert table.answer(mail).first(NothingFound).marked
    assert table.reply(row.seat, line, row.decision).verdict == "played"


@pytest.mark.parametrize(
    ("seat", "text"),
    [
        (0, "How many points do I have?"),
        (1, "C’est quoi la pointe ?"),
        (1, "règles"),
    ],
)
def test_a_question_is_led_to_where_it_is_answered(
    table: Correspondence, seat: int, text: str
) -> None:
    before = table.world.match(table.match_id).last_entry
    answer = table.answer(table.reply(seat, text))
    assert answer.codes == ["rules"]
    points, message = [
        ("Your points: 0 food, 0 shelter", "“message”"),
        ("Tes points : 0 de nourriture et 0 d’abri", "« message »"),
    ][seat]
    for part in (" ".join(answer.text.split()), " ".join(answer.html.split())):
        assert points in part
        assert message in part
        assert "/learn/sapiens" in part
        assert "/rules/sapiens" in part
    assert len(boards_of(answer)) == 1, "the board, whose signs are explained"
    assert table.world.match(table.match_id).last_entry == before


@pytest.mark.parametrize(
    ("seat", "text", "said"),
    [
        (0, "what does the camp do?\n\nAna", "Camp: A scene."),
        (0, "What is a fight token good for?", "Fight token: A fight puts it on a tile"),
        (1, "C’est quoi un jeton Montagne ?", "Jeton montagne : L’effet d’une scène"),
        (1, "What is a steak?", "Steak : Une Chasse le rapporte."),
    ],
)
def test_a_question_about_a_thing_is_answered_with_what_it_is(
    table: Correspondence, seat: int, text: str, said: str
) -> None:
    """In the reader's language, whichever they asked in, and above all else."""
    answer = table.answer(table.reply(seat, text))
    assert answer.codes == ["rules"]
    assert said in " ".join(answer.text.split(" ")).replace("\n", " ")
    assert answer.html.index(said.partition(" ")[0]) < answer.html.index("/learn/sapiens")
    assert not boards_of(answer), "no board, and no points that nobody asked for"


def test_an_order_with_a_question_mark_is_no_question(table: Correspondence) -> None:
    row = table.world.awaited(table.match_id)
    answer = table.answer(table.reply(row.seat, "lay hunt-fire Z9 C4?", row.decision))
    assert answer.codes == ["mend"]


def test_a_status_beside_a_turn_is_of_the_time_after_it(table: Correspondence) -> None:
    row = table.world.awaited(table.match_id)
    turn = table.world.legal_turn(table.match_id, row.seat, row.decision)
    answer = table.answer(table.reply(row.seat, f"status\n\n{turn}", row.decision))
    assert answer.codes == ["played", "status"]
    listed = answer.results[-1]
    assert isinstance(listed, TablesListed)
    assert [line.own for line in listed.tables] == [False]


def test_who_plays_with_bots_gets_one_letter_for_a_pause(world: World) -> None:
    match_id = world.open([BotSeat(bot="random")], "sapiens")
    alone = Correspondence(world, match_id)
    for word in ("pause 5 days", "resume"):
        said(alone, 0, word)
    assert world.letters(match_id, "news") == []


@pytest.mark.on_postgresql
def test_a_number_needs_a_letter_that_lists_the_choices(table: Correspondence) -> None:
    row = table.world.awaited(table.match_id)
    later = dt.datetime.now(dt.UTC) + dt.timedelta(hours=8)
    with table.world.service.database.write() as work:
        work.session.execute(update(Letter).where(Letter.kind == "turn").values(due_at=later))
    table.answer(table.reply(row.seat, "status", row.decision))
    mail = table.reply(row.seat, "1", row.decision)
    assert mail.verdict == "mend"
    told = table.answer(mail)
    assert told.codes == ["no_such_choice"]
    assert "1. " in told.text
    assert table.reply(row.seat, "1", row.decision).verdict == "played"


def test_a_muted_game_and_a_table_without_readers_are_told_so(table: Correspondence) -> None:
    said(table, 0, "mute")
    assert "unmute" in said(table, 0, "status").said
    resign(table, 1)
    resign(table, 2)
    assert "nobody else is left" in said(table, 0, "message Good game").said
    opened = said(table, 0, "rematch")
    assert "http://paleopost.test/m/" in opened.text
    assert "/again/" not in opened.text
