"""What the letters of a match say, and to whom."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
import time_machine

from engine import play
from engine.chance import SeededChance, seed_hash
from engine.fairness import commitment_of
from engine.games import games
from engine.protocol import Unreadable
from service.core import locks
from service.core.context import Service
from service.core.letter_details import NoDetails
from service.core.models import Letter, Match, Player
from service.core.statuses import LetterKind, MatchStatus, SeatStatus
from service.mail.parse.marks import REPLY_ABOVE
from service.mail.render import render
from service.mail.render.choices import MOST_BYTES, Choice, having_shared, told_apart, with_room
from service.mail.render.draft import Picture
from service.mail.render.letter_context import ORDER_MARK, mail_environment
from service.matches import journal
from service.matches.tables import BotSeat, Guest
from service.outgoing.outbox import owe_seat
from service.render.templating import LANGUAGES
from tests.support.known_letters import BEGAN, PARTS, SECRET
from tests.support.letters_to_png import parts_of
from tests.support.tables import Jobs, World


def rendered(world: World, letter: Letter) -> bytes:
    with world.service.database.read() as session:
        return render(world.service, session, session.get_one(Letter, letter.id))


def test_rendering_again_gives_the_same_bytes_whatever_has_happened(
    own_world: World, game_key: str
) -> None:
    with time_machine.travel(BEGAN, tick=False) as clock:
        match_id = own_world.open([BotSeat(bot="greedy"), BotSeat(bot="random")], game_key)
        own_world.hear()
        sent: dict[int, bytes] = {}
        for _ in range(4):
            for letter in own_world.letters(match_id):
                sent.setdefault(letter.id, rendered(own_world, letter))
            clock.shift(dt.timedelta(hours=7))
            own_world.submit(match_id)
            own_world.hear()
    assert len(sent) >= 4
    again = World(Service(own_world.service.settings, Jobs()), Jobs())
    for letter in own_world.letters(match_id):
        if letter.id in sent:
            assert rendered(again, letter) == sent[letter.id]
    again.service.database.dispose()


def test_the_hash_of_the_seed_comes_first_and_the_seed_last(
    known: dict[str, bytes], known_world: World
) -> None:
    heads = {
        name: {key: value.strip() for key, value in parts_of(raw)[0].items()}
        for name, raw in known.items()
    }
    commitment, seed_of, secret = (
        f"X-Paleopost-{name}" for name in ("Commitment", "Seed-Hash", "Secret")
    )
    with known_world.service.database.read() as session:
        seed = session.query(Match).filter_by(code="knwnen").one().seed
    for lang in ("en", "fr"):
        for first in ("start", "turn-first"):
            assert heads[f"{first}.{lang}"][seed_of] == seed_hash(seed)
            assert heads[f"{first}.{lang}"][commitment] == commitment_of(SECRET)
        assert seed_of not in heads[f"turn-middle.{lang}"]
        assert heads[f"invitation.{lang}"][commitment] == commitment_of(SECRET)
        assert heads[f"invitation.{lang}"]["X-Paleopost-Part-0"] == PARTS[0].part
        assert heads[f"end.{lang}"][secret] == SECRET.hex()
        assert heads[f"end.{lang}"]["X-Paleopost-Seed"] == seed.hex()
        assert heads[f"end.{lang}"][seed_of] == seed_hash(seed)
    assert not [
        name
        for name, raw in known.items()
        if not name.startswith("end")
        and (seed.hex().encode() in raw or SECRET.hex().encode() in raw)
    ]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", ["turn-first", "turn-middle"])
def test_each_choice_is_a_legal_turn_as_a_link_and_as_text(
    known: dict[str, bytes], known_world: World, name: str, lang: str
) -> None:
    message, text, _, _ = parts_of(known[f"{name}.{lang}"])
    found = re.fullmatch(r"<turn\.(\w+)\.(\d)\.(\w+)\.[a-z2-7]{12}@.*>", message["Message-ID"])
    assert found
    code, seat, decision = found[1], int(found[2]), found[3]
    with known_world.service.database.read() as session:
        match = session.query(Match).filter_by(code=code).one()
        letter = (
            session.query(Letter)
            .filter_by(kind="turn", match_id=match.id, seat=seat, decision=decision)
            .one()
        )
        game = journal.game_of(match)
        state = journal.position(session, match, letter.entry).state
    plans = [parse_qs(urlsplit(a).query)["plan"][0] for a in re.findall(r"\S+\?plan=\S+", text)]
    orders = orders_in(text)
    assert 3 <= len(plans) <= 5
    assert len(orders) == len(plans)
    for plan, order in zip(plans, orders, strict=True):
        actions = game.notation.parse(state, seat, plan, "en")
        assert game.notation.parse(state, seat, order, lang) == actions
        assert (
            play.submit(game, state, seat, decision, actions, SeededChance(b"x")).remaining is None
        )
        assert ", ".join(play.texts(game, state, seat, actions, "en")) == plan


def orders_in(text: str) -> list[str]:
    """The sample orders of a text part, without the mark, each on one line."""
    found: list[str] = []
    for line in text.splitlines():
        if line.startswith(REPLY_ABOVE):
            continue
        if line.startswith(f"{ORDER_MARK}  "):
            found[-1] += " " + line.removeprefix(ORDER_MARK).strip()
        elif line.startswith(ORDER_MARK):
            found.append(line.removeprefix(ORDER_MARK))
    return found


def test_a_quoted_sample_order_is_no_order(known: dict[str, bytes], known_world: World) -> None:
    _, text, _, _ = parts_of(known["turn-first.en"])
    with known_world.service.database.read() as session:
        match = session.query(Match).filter_by(code="knwnen").one()
        game = journal.game_of(match)
        state = journal.position(session, match, 0).state
    marked = [line for line in text.splitlines() if line.startswith(ORDER_MARK)]
    assert marked
    for line in marked:
        with pytest.raises(Unreadable):
            game.notation.parse(state, 0, line, "en")


def test_the_first_line_and_the_preview_say_whose_move_by_when(known: dict[str, bytes]) -> None:
    _, text, html, _ = parts_of(known["turn-first.en"])
    said = "Your turn, by Tuesday 24 November, 10:00 (Europe/Paris), in 3\xa0days."
    assert text.startswith(said)
    preview = re.search(r'<div class="preheader"[^>]*>(.*?)</div>', html)
    assert preview
    assert preview[1].startswith(said)


def test_the_story_of_who_has_not_acted_goes_back_to_the_beginning(
    own_world: World, game_key: str
) -> None:
    match_id = own_world.begun([Guest(address="bob@example.org")], game_key)
    for _ in range(2):
        own_world.submit(match_id)
        own_world.hear()
    _, second, third = own_world.letters(match_id, "turn")
    for letter, said, other in (
        (second, "Since the beginning", "Since your last turn"),
        (third, "Since your last turn", "Since the beginning"),
    ):
        _, text, html, _ = parts_of(rendered(own_world, letter))
        assert said in text
        assert said in html
        assert other not in text + html


def test_all_letters_of_a_seat_are_one_conversation(known: dict[str, bytes]) -> None:
    def thread(name: str) -> tuple[str, str, str]:
        message = parts_of(known[name])[0]
        return message["Subject"], message["References"], message["In-Reply-To"]

    assert thread("turn-first.en") == thread("turn-middle.en")
    assert thread("message.en") == thread("turn-middle.en")
    for name in ("nudge.en", "reminder.en", "notice.en", "news-pause.en", "end.en"):
        assert thread(name)[1:] == thread("turn-middle.en")[1:]
    assert thread("invitation.fr")[1:] == thread("start.fr")[1:], "from the invitation on"
    assert thread("invitation.fr")[1] != thread("turn-first.en")[1]
    ids = [parts_of(raw)[0]["Message-ID"] for raw in known.values()]
    assert len(set(ids)) == len(ids)


def test_inboxes_show_beside_the_subject_what_has_happened(known: dict[str, bytes]) -> None:
    def shown(name: str) -> str:
        return parts_of(known[name])[2].partition('class="preheader"')[2].partition("</div>")[0]

    assert "Your turn, by Friday 27 November, 13:00" in shown("turn-middle.en")
    assert "days. Bruno put a fight token on your picking–fire" in shown("turn-middle.en")
    assert "Bruno a posé un jeton Baston sur ta tuile" in shown("turn-middle.fr")


def test_subjects_tell_what_has_happened_at_which_table(known: dict[str, bytes]) -> None:
    subjects = {
        "invitation.en": "Ana invites you to a game of Sapiens (Lascaux)",
        "news-pause.en": "Lascaux: Bruno asks for a pause",
        "news-time-up.en": "Lascaux: Bruno has run out of time",
        "nudge.en": "Lascaux: Bruno is waiting for you",
        "end.en": "Greta wins at Lascaux",
        "end.fr": "Greta gagne à Lascaux",
    }
    assert {name: parts_of(known[name])[0]["Subject"] for name in subjects} == subjects


def test_in_french_news_go_on_small_behind_the_colon(known: dict[str, bytes]) -> None:
    subjects = {
        "news-time-up.fr": "Lascaux\xa0: temps écoulé pour Bruno",
        "news-pause.fr": "Lascaux\xa0: Bruno demande une pause",
    }
    assert {name: parts_of(known[name])[0]["Subject"] for name in subjects} == subjects
    titled: Any = mail_environment("fr").get_template("wording/lists.txt").module
    assert titled.titled("Arcy", "À toi de jouer", ["Ana"]) == "Arcy\xa0: à toi de jouer"
    label = "Perse\xa0: un feu"
    assert titled.titled("Arcy", label, ["Ana"]) == f"Arcy\xa0: {label}"


@pytest.mark.parametrize(
    ("lang", "early", "last"),
    [
        ("en", "{}: You have 36\xa0hours left to play", "4\xa0hours left: {}, your turn"),
        (
            "fr",
            "{}\xa0: il te reste 36\xa0heures pour jouer",
            "Plus que 4\xa0heures\xa0: {}, à toi de jouer",
        ),
    ],
)
def test_reminders_say_in_their_subjects_how_long_is_left(
    own_world: World, game_key: str, lang: str, early: str, last: str
) -> None:
    ana = own_world.player("ana@example.org", name="Ana", lang=lang)
    with own_world.changing() as work:
        work.session.get_one(Player, ana.id).reminders = ["half", "4h"]
    match_id = own_world.open([BotSeat(bot="random")] * 2, game_key)
    own_world.hear()
    letters = own_world.letters(match_id, "reminder")
    assert len(letters) == 2
    found = [parts_of(rendered(own_world, letter))[0] for letter in letters]
    subjects = {mail["Message-ID"].split(".")[4]: mail["Subject"] for mail in found}
    turn = parts_of(rendered(own_world, own_world.letters(match_id, "turn")[0]))[0]
    name = own_world.match(match_id).name
    assert subjects == {"half": early.format(name), "4h": last.format(name)}
    assert {mail["References"] for mail in found} == {turn["References"]}, "one thread all the same"


def test_an_invitation_is_in_the_language_the_host_chose(own_world: World, game_key: str) -> None:
    own_world.player("zoe@example.org", name="Zoé", lang="en")
    match_id = own_world.open([Guest(address="zoe@example.org", lang="fr")], game_key)
    (letter,) = own_world.letters(match_id, "invitation")
    message, text, _, _ = parts_of(rendered(own_world, letter))
    assert message["Content-Language"] == "fr"
    token = own_world.service.keys.token("invitation", match_id, letter.player_id)
    page = f"http://paleopost.test/i/{token}"
    for answer in ("accept", "decline", "never"):
        assert f"{page}?answer={answer}" in text
    assert message["List-Unsubscribe"].endswith("?subject=never>")


def test_a_guest_of_a_match_called_off_is_told_who_invited(own_world: World, game_key: str) -> None:
    guests = [
        Guest(address="bob@example.org", name="Bob"),
        Guest(address="eve@example.org", name="Eve"),
    ]
    match_id = own_world.open(guests, game_key)
    with own_world.service.database.write() as work:
        match = locks.lock_number(own_world.service, work, match_id)
        match.invitees[2].status, match.status = SeatStatus.DECLINED, MatchStatus.CANCELLED
        owe_seat(own_world.service, work, LetterKind.CANCELLED, match, match.invitees[1])
    (letter,) = own_world.letters(match_id, "cancelled")
    _, text, html, _ = parts_of(rendered(own_world, letter))
    for part in (" ".join(text.split()), html):
        assert "that Ana invited you to" in part
        assert "Eve will not play" in part


HOSTILE = {
    "markup": '<script>alert("x")</script>&amp;<b>',
    "line breaks": "Eve\r\nBcc: victim@example.org\r\n\r\n<p>",
    "direction": "\u202eevE\u2066\u200f",
    "template": "{{ 7 * 7 }}{% raw %}%(name)s %s",
    "encoded word": "=?utf-8?q?=0D=0ABcc:_x@example.org?=",
    "nothing": "\x00",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_name_is_only_a_name(own_world: World, game_key: str, what: str) -> None:
    name = HOSTILE[what]
    match_id = own_world.open([Guest(address="eve@example.org"), BotSeat(bot="greedy")], game_key)
    invitation = own_world.letters(match_id, "invitation")
    own_world.everybody_accepts(match_id)
    own_world.hear()
    # Past the use cases, which clean names: the letters must not depend on it.
    with own_world.service.database.write() as work:
        match = locks.lock_number(own_world.service, work, match_id)
        for row in match.invitees:
            row.name = name
            if row.player is not None:
                row.player.name = name
    for letter in [*invitation, *own_world.letters(match_id)]:
        raw = rendered(own_world, letter)
        message, text, html, _ = parts_of(raw)
        assert len(message.keys()) == len(set(message.keys()))
        assert "Bcc" not in message
        assert b"\r\nBcc:" not in raw.partition(b"\r\n\r\n")[0]
        assert "<script" not in html
        assert "&amp;<b>" not in html
        assert "\u202e" not in text + html
        assert "7 * 7" in html or what != "template"
        _ = message.as_bytes()


def test_letters_of_a_match_are_refused_without_what_they_are_about(own_world: World) -> None:
    letter = Letter(kind=LetterKind.TURN, dedupe="x", details=NoDetails(), created_at=BEGAN)
    letter.player = own_world.player("ana@example.org")
    with own_world.service.database.read() as session, pytest.raises(ValueError, match="no entry"):
        render(own_world.service, session, letter)


@pytest.mark.parametrize("key", games())
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_game_has_what_letters_ask_of_it(key: str, lang: str) -> None:
    env = mail_environment(lang)
    for name, macros in ASKED.items():
        module = env.get_template(f"games/{key}/{name}").module
        assert [m for m in macros.split() if not hasattr(module, m)] == []


ASKED = {
    "pitch.txt": "title pitch",
    "wording.txt": "story action gain phase advice termination score_line",
    "letter.txt": "length numbers scoring SAID_AT_THE_END",
    "letter.html": "owner standing",
}
"""What a game's templates give to letters, by file."""


def choice(png: bytes) -> Choice:
    """A choice with this picture."""
    given = {"deeds": [], "gain": "", "notation": "", "link": "", "reason": "", "actions": ()}
    return Choice(**given, seen=Picture(cid="c", name="n", png=png))  # type: ignore[arg-type]


def test_pictures_that_are_the_same_for_all_choices_are_left_out() -> None:
    def drawn(*pngs: bytes) -> list[bool]:
        return [each.seen is not None for each in told_apart([choice(png) for png in pngs])]

    assert drawn(b"a", b"a") == [False, False]
    assert drawn(b"a", b"b") == [True, True]
    assert drawn(b"a") == [True]


def test_deeds_of_all_choices_are_said_once_for_all() -> None:
    def shared(*offered: list[str]) -> list[tuple[str, ...]]:
        drawn = [msgspec.structs.replace(choice(b"a"), deeds=deeds) for deeds in offered]
        return [each.shared for each in having_shared(drawn)]

    assert shared(["lay A", "token", "take"], ["lay B", "token", "take"]) == [("token", "take")] * 2
    assert shared(["lay A", "token"], ["lay B", "take"]) == [(), ()]
    assert shared(["a", "b", "c"], ["b", "a", "d"]) == [(), ()], "their order counts"
    assert shared(["a"], ["a", "b"]) == [(), ()], "one would be known by nothing"
    assert shared(["a"]) == [()]


def test_the_last_choices_have_no_picture_where_the_board_leaves_no_room() -> None:
    board = Picture(cid="b", name="b", png=bytes(MOST_BYTES - 25))

    def drawn(*sizes: int) -> list[bool]:
        offered = [choice(bytes(size)) for size in sizes]
        return [each.seen is not None for each in with_room(offered, [board])]

    assert drawn(10, 15) == [True, True]
    assert drawn(10, 16, 1) == [True, False, False]
    assert drawn(26) == [False]


def test_who_declines_does_so_at_a_table_that_is_named(known: dict[str, bytes]) -> None:
    message, text, html, _ = parts_of(known["declined.en"])
    assert "(Lascaux): Bruno will not play" in message["Subject"]
    assert "(Lascaux)" in text
    assert "· Lascaux<" in html


def test_help_says_once_whose_move_it_is(known: dict[str, bytes]) -> None:
    _, text, html, _ = parts_of(known["answer-words.en"])
    for part in (text, html):
        assert part.count("Friday 27 November") == 1
        assert "Your games" not in part
