"""Letters that lead and teach: what is done first, taught once, kept out of the way."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise

import pytest

from service.core import locks
from service.core.models import Letter, Player
from service.mail.render import render
from service.matches import hosting
from service.matches.tables import BotSeat, Guest
from service.outgoing import copies
from tests.support.letters_to_png import parts_of
from tests.support.tables import World

ASKING = ("turn-first", "turn-middle", "reminder", "nudge")
SCENES = ("camp", "picking", "ritual", "feast", "hunt", "fire", "fight", "water")
BOTS = [BotSeat(bot="greedy"), BotSeat(bot="random")]


def turn_letters(world: World, match_id: int) -> list[tuple[str, str]]:
    """Text and HTML of the turn letters of a match."""
    with world.service.database.read() as session:
        found = [
            parts_of(render(world.service, session, session.merge(letter, load=False)))
            for letter in world.letters(match_id, "turn")
        ]
    return [(text, html) for _, text, html, _ in found]


@pytest.mark.parametrize("name", ASKING)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_button_stands_right_below_the_deadline(
    known: dict[str, bytes], name: str, lang: str
) -> None:
    _, text, html, _ = parts_of(known[f"{name}.{lang}"])
    label = {"en": "Choose my turn", "fr": "Choisir mon coup"}[lang]
    link = re.search(rf'<a [^>]*href="([^"]+)"[^>]*>{label}</a>', html)
    assert link
    first = re.search(r"<h2|<img", html)
    assert first
    assert link.end() < first.start(), "before story and board"
    assert html.count(label) == 1, "the one button"
    assert text.index(link[1]) < text.index("\n---"), "in the text, too"
    cell = html[: link.start()].rpartition("<td")[2]
    assert "background-color" in cell
    assert "mso-padding-alt" in cell


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("reminder", "You have 36\xa0hours left to play: by "),
        ("nudge", "Bruno is waiting for you. You have until "),
    ],
)
def test_a_reminder_says_once_that_a_turn_is_open(
    known: dict[str, bytes], name: str, said: str
) -> None:
    _, text, html, _ = parts_of(known[f"{name}.en"])
    assert text.startswith(said)
    said = re.split(r"[.:]", said)[0]
    _, _, card = unescape(html).partition("<h1")
    assert card.count(said) == 1
    assert "Your turn" not in card
    assert "<th" not in card, "no table"
    assert card.index("on E1–F1") < card.index("cid:board") < card.index("Lay a tile")
    assert re.search(r"<b>By Friday 27 November, 13:00</b>", card)
    assert card.count(">Preview this turn</a>") > 1


def test_choices_stand_right_below_the_board(known: dict[str, bytes]) -> None:
    for name in ("turn-first.en", "turn-middle.en"):
        card = parts_of(known[name])[2].partition("<h1")[2]
        assert card.count("Your turn") == 1, name
        assert card.index("cid:board") < card.index("What you can do"), name
        assert not re.search("<th.*What you can do", card, re.DOTALL), name
    first = parts_of(known["turn-first.en"])[2].partition("<h1")[2]
    assert first.index("New to Sapiens?") < first.index("cid:board"), "taught before it is shown"
    assert first.count("<li") <= 6, "few steps"
    assert "<th" not in first, "no table of zeros"


def headings(text: str) -> list[str]:
    """The lines that are underlined."""
    lines = [line.rstrip() for line in text.splitlines()]
    return [
        line
        for line, below in pairwise(lines)
        if line and below == "-" * len(line) and line.strip("-")
    ]


def test_no_heading_stands_twice_in_a_text_part(known: dict[str, bytes]) -> None:
    for name, raw in known.items():
        found = headings(parts_of(raw)[1])
        assert len(found) == len(set(found)), (name, found)


@pytest.mark.parametrize("name", ["turn-first", "turn-middle", "reminder", "nudge", "digest"])
def test_in_text_choices_stand_before_the_long_board(known: dict[str, bytes], name: str) -> None:
    found = headings(parts_of(known[f"{name}.en"])[1])
    assert found.index("What you can do") < found.index("How you stand")
    lesson = next((at for at, head in enumerate(found) if head.startswith("New to ")), 0)
    assert lesson < found.index("What you can do"), "it says below"


def test_in_text_plans_stand_before_the_long_board(known: dict[str, bytes]) -> None:
    found = headings(parts_of(known["orders.en"])[1])
    assert found.index("For example") < found.index("How you stand")


def test_turns_close_to_one_that_breaks_a_rule_stand_there_as_in_the_list(
    known: dict[str, bytes],
) -> None:
    _, text, html, _ = parts_of(known["answer-mend.en"])
    assert "§" not in text + html, "no code that nobody can place"
    assert "(rule 5)" in text
    assert re.search(r'/rules/sapiens#s5"[^>]*>rule 5</a>', html)
    close, _, _ = html.partition("How you stand")
    assert close.index("lay hunt-fire D1 E1") < close.index(">rule 5<"), "what was written first"
    assert close.count(">Preview this turn</a>") == close.count(">Reply with this turn</a>") == 4
    (first, second, *others) = re.findall(r"<h3[^>]*>(\d\.)?", close)
    assert not first, "one that the letter did not offer has no number"
    assert second == "2.", "and one that it did has that of the list"
    assert others == ["1.", "3."], "those of the others, which are told as fully"


def test_no_letter_shows_digits_or_commands_of_the_chance(known: dict[str, bytes]) -> None:
    for name, raw in known.items():
        _, text, html, _ = parts_of(raw)
        assert not re.search(r"\b[0-9a-f]{64}\b", text + html), name
        assert "paleopost verify" not in text + html, name
    for name in ("invitation", "start", "turn-first", "turn-middle", "end"):
        _, text, html, _ = parts_of(known[f"{name}.en"])
        assert re.search(r"/w/[a-z2-7]+/check\s", text), name
        assert "Check the draws</a>" in html, name


def test_the_first_three_turn_letters_of_a_first_match_teach(own_world: World) -> None:
    match_id = own_world.open(BOTS, "sapiens")
    for _ in range(4):
        own_world.hear()
        own_world.submit(match_id)
    own_world.hear()
    titles = ("New to Sapiens?", "Food and bonuses", "Caves and score")
    letters = turn_letters(own_world, match_id)
    assert len(letters) == 5
    for number, (text, html) in enumerate(letters):
        taught = [title in text for title in titles]
        assert taught == [title in html for title in titles]
        assert taught == [at == number for at in range(3)], "each once"
    again = own_world.open(BOTS, "sapiens")
    own_world.hear()
    assert not any(title in text for text, _ in turn_letters(own_world, again) for title in titles)


def test_a_copy_of_a_letter_teaches_what_that_letter_did(own_world: World) -> None:
    match_id = own_world.open(BOTS, "sapiens")
    own_world.hear()
    (first,) = own_world.letters(match_id, "turn")
    with own_world.changing() as work:
        copies.copy(own_world.service, work, work.session.get_one(Letter, first.id))
    own_world.hear()
    own_world.submit(match_id)
    own_world.hear()
    titles = ("New to Sapiens?", "Food and bonuses", "Caves and score")
    taught = [
        [title for title in titles if title in text]
        for text, _ in turn_letters(own_world, match_id)
    ]
    assert taught == [[titles[0]], [titles[0]], [titles[1]]]


def test_a_lesson_is_about_the_readers_own_board(known: dict[str, bytes]) -> None:
    _, text, _, _ = parts_of(known["turn-first.en"])
    said = " ".join(text.split())
    cave = re.search(r"Cave (\w\d\w) \([^)]+\), for example, wants (\w+)\. It shows (\d)\|", said)
    assert cave
    name, scene, high = cave.groups()
    assert f"{name} {high}|" in said.replace(f"Cave {name}", "")
    assert "That is choice 1 below." in said
    first = re.search(r"~ lay ([\w-]+) (\w+ \w+),", said)
    assert first
    assert name in first[2].split(), "of the first turn that is offered"
    assert scene in first[1].split("-")
    assert scene in said.partition("Pool: ")[2].partition("Holds")[0], "a tile of the pool opens it"


def test_the_second_lesson_tells_what_each_scene_brings(own_world: World) -> None:
    match_id = own_world.open(BOTS, "sapiens")
    own_world.hear()
    own_world.submit(match_id)
    own_world.hear()
    text, html = turn_letters(own_world, match_id)[1]
    _, _, rest = text.partition("Food and bonuses")
    taught, _, rest = rest.partition("How you stand")
    assert rest, "above the board"
    assert html.index("Food and bonuses") < html.index("How you stand")
    said = " ".join(taught.split())
    assert all(re.search(rf"\b{scene}\b", said) for scene in SCENES)
    assert re.search(r"You have: \w+\.", said)


def test_the_host_greets_and_links_in_it_are_defused(own_world: World) -> None:
    match_id = own_world.open(
        [Guest(address="bob@example.org")],
        "sapiens",
        name="Club of www.example.org",
        greeting="Come, <b>all</b>\r\nsee evil.example.org!",
    )
    (letter,) = own_world.letters(match_id, "invitation")
    with own_world.service.database.read() as session:
        raw = render(own_world.service, session, session.merge(letter, load=False))
    message, text, html, pictures = parts_of(raw)
    assert "evil[.]example[.]org" in text
    assert "Come, &lt;b&gt;all&lt;/b&gt; see evil[.]example[.]org!" in html
    assert "evil.example" not in text + html
    assert "example.org" not in message["Subject"]
    assert len(pictures) == 1, "a picture of the game"
    said = " ".join(text.split())
    assert "2 players, 3 days a turn, about 3 to 4 weeks." in said
    assert "Ana writes:" in html, "the words are the host's, as in text"
    for part in (said, html):
        assert "free, with no account and no app" in part


def test_who_has_more_days_goes_straight_to_the_turn(own_world: World) -> None:
    match_id = own_world.begun([Guest(address="bob@example.org")], "sapiens")
    row = own_world.awaited(match_id)
    with own_world.service.database.write() as work:
        match = locks.lock_number(own_world.service, work, match_id)
        hosting.extend(own_world.service, work, match, row.seat, 1)
    told = {letter.seat: letter for letter in own_world.letters(match_id, "news")}
    with own_world.service.database.read() as session:
        parts = {
            seat: parts_of(render(own_world.service, session, session.merge(one, load=False)))
            for seat, one in told.items()
        }
    for seat, (_, text, html, _) in parts.items():
        assert ("Choose my turn" in text) == ("Choose my turn" in html) == (seat == row.seat)


def test_the_end_ranks_alike_in_list_text_and_picture(known: dict[str, bytes]) -> None:
    _, text, html, _ = parts_of(known["end.en"])
    ranked = ["Greta: 25 food", "You: 26 food", "Bruno: 16 food"]
    assert [text.index(line) for line in ranked] == sorted(text.index(line) for line in ranked)
    alt = re.search(r'cid:board[^"]*" alt="([^"]*)"', html)
    assert alt
    assert " ".join(alt[1].split()).startswith("Greta: 25 food, 36 shelter: score 25. You: 26 food")
    assert "Common pool" not in text + html, "nothing lies there any more"
    assert html.index("cid:board") < html.index("The last turns")
    assert "Greta wins with 25 points</h1>" in html
    for said in (text, html):
        assert "You come second with 19, 6 points short." in said
    assert "Free squares" not in text


def test_a_digest_has_links_to_reply_and_pictures_of_choices(known: dict[str, bytes]) -> None:
    _, text, html, pictures = parts_of(known["digest.en"])
    address = next(word.rstrip(".,") for word in text.split() if word.startswith("r+"))
    assert address not in re.sub(r"<[^>]*>", "", html), "no bare address"
    assert f'href="mailto:{address}?subject=Re' in html
    assert sum("choice" in cid for cid in pictures) == 2


def test_a_bot_nobody_named_is_called_in_the_readers_language(own_world: World) -> None:
    match_id = own_world.open([BotSeat(bot="greedy", name="Medium bot")], "sapiens")
    own_world.hear()
    for lang, name, other in (
        ("fr", "Robot moyen", "Medium bot"),
        ("en", "Medium bot", "Robot moyen"),
    ):
        with own_world.service.database.write() as work:
            work.session.query(Player).filter_by(name="Ana").one().lang = lang
        ((text, html), *_) = turn_letters(own_world, match_id)
        assert name in text
        assert name in html
        assert other not in text + html


def test_the_text_of_orders_begins_as_the_html_does(known: dict[str, bytes]) -> None:
    _, raw, html, _ = parts_of(known["orders.en"])
    text = raw.replace("\r\n", "\n")
    assert text.startswith("Plan your next move, if you like.\n")
    assert "\nPlan my move:\nhttp" in text.partition("---")[0]
    assert "Plan your next move, if you like</h1>" in html


def test_a_notice_tells_what_happened_once(known: dict[str, bytes]) -> None:
    for lang, said in (("en", "put a fight token on"), ("fr", "posé un jeton Baston")):
        _, text, html, _ = parts_of(known[f"notice.{lang}"])
        assert " ".join(text.split()).count(said) == 1
        assert html.partition("<h1")[2].count(said) <= 2, "a title, and the whole sentence"


def test_a_digest_of_one_game_says_its_deadline_once(known: dict[str, bytes]) -> None:
    _, text, html, _ = parts_of(known["digest.en"])
    card = html.partition("<h1")[2]
    assert " ".join(text.split()).count("by Friday 27 November") == 1
    assert card.count("by Friday 27 November") == 1


def test_choices_are_called_choices(known: dict[str, bytes]) -> None:
    """A turn is one of the game's; in French what a letter offers is a "coup"."""
    _, text, html, _ = parts_of(known["turn-middle.en"])
    for part in (text, html):
        said = " ".join(part.split())
        assert "choice 1: " in said
        assert "just the number of a choice" in said
        assert "of turn 2" not in said


def test_a_start_letter_says_in_one_sentence_who_begins(known: dict[str, bytes]) -> None:
    for lang, said in (
        ("en", "Ana plays first, and has until "),
        ("fr", "Ana joue en premier, et a jusqu’au "),
    ):
        assert said in " ".join(parts_of(known[f"start.{lang}"])[1].split())


def test_a_token_won_by_a_ritual_is_named_once(known: dict[str, bytes]) -> None:
    text = " ".join(parts_of(known["turn-middle.en"])[1].split())
    assert "won the ritual token of the left waterfall by a ritual" in text
    assert "by a ritual (" not in text


@pytest.mark.parametrize("name", ["turn-middle", "reminder"])
def test_what_was_done_to_the_reader_is_told_first_and_once(
    known: dict[str, bytes], name: str
) -> None:
    _, text, html, _ = parts_of(known[f"{name}.en"])
    card, done = html.partition("<h1")[2], "put a fight token on your picking–fire"
    assert card.count(done) == 1
    assert card.index(f"<b>Bruno {done}") < card.index("Bruno gained 2 food")
    assert text.replace("\n  ", " ").index(done) < text.index("Bruno gained 2 food")


def test_a_reminder_says_what_happens_when_time_runs_out(known: dict[str, bytes]) -> None:
    for part in parts_of(known["reminder.en"])[1:3]:
        assert "If time runs out, nothing is played for you" in part
