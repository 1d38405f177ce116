"""Letters of La Vallée des Mammouths, whole: of the first turns and of fights between tribes."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import select

from engine.kit.presentation import Marks, Wanted
from engine.mammoths.game import MAMMOTHS
from engine.protocol import LANGUAGES
from service.core import locks
from service.core.models import Letter, Player
from service.core.statuses import LetterKind, LetterStatus
from service.dev.gallery import sample
from service.dev.gallery.sample import SampleService, Table
from service.mail.render import render, turn
from service.mail.send import digests
from service.render.pictures import board_text
from service.time import nudging
from tests.engine.mammoths.positions import position
from tests.support.letters_to_png import parts_of
from tests.support.tables import settings_for

FIGHT = "fight"
SEED = 21
"""A match in which Ana attacks a tribe and hunts in one turn, of the first year."""


class Written:
    """Text and HTML of a letter."""

    def __init__(self, service: SampleService, letter: int) -> None:
        with service.database.read() as session:
            _, self.text, self.html, _ = parts_of(
                render(service, session, session.get_one(Letter, letter))
            )
        self.text = self.text.replace("\r\n", "\n")
        self.said = " ".join(self.text.split())

    def under(self, heading: str) -> str:
        """What stands in the text below a heading, to the next."""
        return self.text.partition(f"\n{heading}\n---")[2].partition("\n---")[0]


def _newest(service: SampleService, kind: LetterKind) -> int:
    asked = select(Letter.id).join(Player).where(Letter.kind == kind, Player.name == "Ana")
    with service.database.read() as session:
        return session.scalars(asked.order_by(Letter.id.desc())).all()[0]


def _digest(service: SampleService) -> int:
    """Ana's newest turn letter, gathered."""
    with service.database.write() as work:
        asked = select(Letter).join(Player).where(Letter.kind == LetterKind.TURN)
        newest = work.session.scalars(
            asked.where(Player.name == "Ana").order_by(Letter.id.desc())
        ).first()
        assert newest is not None
        newest.status, newest.due_at = LetterStatus.GATHERED, service.now()
        newest.player.digest_at = 8 * 60
        work.session.flush()
        digests.compose(service, work, newest.player)
        newest.player.digest_at = None
    return _newest(service, LetterKind.DIGEST)


def _nudge(service: SampleService, table: Table) -> int:
    """A nudge for the turn that is asked of Ana, who has its letter."""
    service.at += dt.timedelta(hours=30)
    with service.database.write() as work:
        match = locks.lock_number(service, work, table.id)
        for letter in work.session.scalars(select(Letter).where(Letter.kind == LetterKind.TURN)):
            letter.status, letter.sent_at = LetterStatus.SENT, service.at
        nudging.nudge(service, work, match, 1)
    return _newest(service, LetterKind.NUDGE)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(lang, marks=[pytest.mark.rarely] if lang == "en" else []) for lang in LANGUAGES
    ],
)
def letters(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Written]]:
    """By name: "turn1", "turn2", the first as one too long ("long"); of a fight the letter, the
    digest and the answer to orders; the newest letters that invite to plan, in the second turn
    ("ahead") and then, and the answer to "plans", of a turn that is "open", too.
    """
    folder, lang = tmp_path_factory.mktemp("valley"), request.param
    found: dict[str, Written] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sample, "SEED", SEED)
        service = SampleService(settings_for(f"sqlite:///{Path(folder) / 'x.db'}"), folder)
        table = Table(service, "mammoths", lang).answered("accept")
    turns = 0
    while (row := table.awaited()) is not None:
        if row.seat == 0 and row.kind == "combat":
            break
        if row.seat == 0:
            turns += 1
            found[f"turn{turns}"] = Written(service, _newest(service, LetterKind.TURN))
        if row.seat == 0 and turns == 1:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(turn, "MOST_HTML", 1)
                found["long"] = Written(service, _newest(service, LetterKind.TURN))
        if row.seat == 0 and turns == 2:
            found["nudge"] = Written(service, _nudge(service, table))
            found["ahead"] = Written(service, _newest(service, LetterKind.ORDERS))
        table.play(1)
    found[FIGHT] = Written(service, _newest(service, LetterKind.TURN))
    found["digest"] = Written(service, _digest(service))
    table.write(0, "plans")
    found["open"] = Written(service, _newest(service, LetterKind.ANSWER))
    table.write(0, "1")
    found["answer"] = Written(service, _newest(service, LetterKind.ANSWER))
    found["plan"] = Written(service, _newest(service, LetterKind.ORDERS))
    table.write(0, "2 please")
    found["late"] = Written(service, _newest(service, LetterKind.ANSWER))
    table.write(0, "plans")
    found["plans"] = Written(service, _newest(service, LetterKind.ANSWER))
    yield found
    service.database.dispose()


HEADS = {
    "fights": ("Your fights", "Tes combats"),
    "stand": ("How you stand", "Où tu en es"),
    "do": ("What you can do", "Ce que tu peux faire"),
}


def heads(what: str) -> set[str]:
    return set(HEADS[what])


def test_a_digest_says_who_fights_and_its_text_has_the_parts_of_a_letter(
    letters: dict[str, Written],
) -> None:
    digest, fight = letters["digest"], letters[FIGHT]
    lines = digest.text.splitlines()
    assert all(heads(what) & set(lines) for what in HEADS)
    (head,) = heads("fights") & set(lines)
    fought = digest.under(head)
    assert "\n11 – 2 " in fought
    assert "\n43 – 2 " in fought
    assert all(line in fight.text for line in fought.splitlines() if line.startswith(("11", "43")))
    assert f">{head}</h3>" in digest.html
    (head,) = heads("do") & set(lines)
    points = [line for line in digest.under(head).splitlines() if line.startswith("- ")]
    assert points, "what to bear in mind, too"
    assert all(point in fight.text for point in points)


def test_a_letter_that_phones_would_cut_has_the_strongest_choices_alone(
    letters: dict[str, Written],
) -> None:
    whole, long = letters["turn1"], letters["long"]
    assert whole.html.count('class="choice"') == 4
    assert long.html.count('class="choice"') == turn.FEWEST
    assert "\n2. " in long.text
    assert len(whole.html.encode()) <= turn.MOST_HTML


def test_each_letter_says_at_its_head_whom_its_reader_plays(letters: dict[str, Written]) -> None:
    for name in ("turn1", "ahead", "plan", "plans", FIGHT):
        for part in (letters[name].text[:400], letters[name].html.partition("<h1")[0]):
            assert re.search("You are Ana, red|Tu es Ana, en rouge", part), name


def test_the_text_lists_hexes_by_who_is_there(letters: dict[str, Written]) -> None:
    _, _, after = letters["turn2"].text.partition(
        "\n[You (red)]\n" if "[You" in letters["turn2"].text else "\n[Toi (rouge)]\n"
    )
    assert re.match(r"\d\d ", after)
    last = re.findall(r"^\[(.*)\]$", after, re.MULTILINE)[-1]
    assert last in ("Beasts alone", "Bêtes seules")


def test_the_answer_to_orders_says_what_they_are_for_and_what_comes(
    letters: dict[str, Written],
) -> None:
    answer = letters["answer"]
    assert "\n43 – 2 " in answer.text
    assert "War cry" in answer.said or "Cri de guerre" in answer.said
    assert "/t/" in answer.html, "the page to change them on"


def test_who_sends_another_number_reads_where_orders_are_changed(
    letters: dict[str, Written],
) -> None:
    """A number counts as long as something is asked: orders that are in are changed otherwise."""
    late = letters["late"]
    assert any(
        said in late.said for said in ("Your orders for the fights are in.", "sont arrivés.")
    )
    page = re.search(r"http\S+/t/\S+", letters["answer"].text)
    assert page
    assert page[0] in late.text
    assert page[0] in late.html


def test_what_can_be_done_is_a_list_with_the_aim_and_the_signs_are_explained_below(
    letters: dict[str, Written],
) -> None:
    for name, points in (("turn1", 4), ("turn2", 2)):
        letter = letters[name]
        (head,) = heads("do") & set(letter.text.splitlines())
        asked = letter.under(head).partition("\n1. ")[0]
        assert asked.count("\n- ") == points
        below = letter.said.partition("/t/")[2]
        assert any(
            said in below for said in ("is the same in short", "dit la même chose en abrégé")
        )
    aim = letters["turn2"].under(*heads("do") & set(letters["turn2"].text.splitlines()))
    assert "you have 1" in aim or "tu en as 1" in aim


def test_moves_that_do_not_concern_the_reader_are_told_in_short(
    letters: dict[str, Written],
) -> None:
    assert any(
        said in letters["turn2"].said
        for said in ("Bruno led 4 warriors from 35 to 46", "Bruno a mené 4 guerriers de 35 à 46")
    )


def test_orders_for_fights_do_not_repeat_the_chances_that_stand_above(
    letters: dict[str, Written],
) -> None:
    assert letters[FIGHT].said.replace("\xa0", " ").count("97") == 1


def test_an_order_is_told_in_words_before_what_it_is_good_for_and_how_it_is_written(
    letters: dict[str, Written],
) -> None:
    heads = (
        ("plan your move and the fight.", "prévois ton déplacement et le combat."),
        ("Plan your next move, if you like.", "Prévois ton prochain déplacement, si tu veux."),
    )
    head = letters["plan"].text.splitlines()[0]
    urgent = head.endswith(heads[0])
    assert urgent or head.endswith(heads[1]), "the headline says what may be done"
    own = ("Plan my fights:", "Prévoir mes combats\u00a0:")
    early = letters["plan"].text.partition("-----")[0]
    assert any(words in early for words in own) == urgent, "a fight has a button of its own"
    assert f"{letters['plan'].text.partition('.')[0]}</h1>" in letters["plan"].html
    blocks = [" ".join(each.split()) for each in letters["plan"].text.split("\n\n")]
    good_for = [each for each in blocks if re.search("~ .*plan .*http", each)]
    assert good_for
    for each in good_for:
        parts = re.search(r"(Otherwise|Sinon),? [^.]*\. [^~]+ ~ ", each)
        assert parts or "otherwise stay" in each or "sinon rester" in each, each
    listed = letters["plans"].text
    for written, said in (
        ("~ card T15 always", "Play Fish run "),
        ("~ carte T15 toujours", "Jouer Remontée des poissons "),
    ):
        assert (written in listed) == (said in listed)
    assert "~ card T15 always" in listed or "~ carte T15 toujours" in listed


def test_a_letter_about_plans_begins_with_the_turn_and_introduces_examples_once(
    letters: dict[str, Written],
) -> None:
    """The turn has a deadline, the plans have none."""
    listed = letters["open"]
    for said in (listed.text, listed.html):
        turn = re.search("Choose my turn|Choisir mon coup", said)
        plan = re.search("Give a standing order|Donner une consigne", said)
        assert turn
        assert plan
        assert turn.start() < plan.start()
        assert len(re.findall("othing of this is planned|rien de tout cela n’est prévu", said)) == 1
    assert re.search('class="typed">(Reply above|Réponds au-dessus)', letters["plan"].html)
    assert not re.search('class="typed">(Reply above|Réponds au-dessus)', listed.html)


def test_the_key_of_plans_explains_the_words_that_stand_in_them(
    letters: dict[str, Written],
) -> None:
    said = " ".join(letters["plan"].text.replace("\xa0", " ").split())
    lines = re.findall("~ (plan (?:move|aller) .*?) http", said)
    assert lines
    keys = re.findall("[“«] ?((?:if|si) [^”»]*?) ?[”»] ?:", said)
    ends = "(?= (?:move|aller|found|installer|otherwise|sinon))"
    stated = {key for line in lines for key in re.findall(f"(?:if|si) .*?{ends}", line)}
    assert keys
    assert set(keys) == stated


def test_m24_12_an_example_of_a_plan_has_its_piece_of_the_board(
    letters: dict[str, Written],
) -> None:
    assert 'src="cid:example0' in letters["ahead"].html


def test_what_the_event_changes_stands_under_the_board_of_every_letter(
    letters: dict[str, Written],
) -> None:
    """The picture has its name alone."""
    event = re.compile(r"<p [^>]*>(Summer|Winter|Été|Hiver), [^<]*</p>")
    for name in ("turn2", "digest", "plan", "nudge"):
        assert event.search(letters[name].html), name
        assert len(event.findall(letters[name].html)) == 1, "not among what else happened"
    nudge = letters["nudge"].html
    assert event.search(nudge[nudge.index('class="board"') :])


def test_m15_8_the_text_of_the_last_board_leaves_the_scores_to_what_stands_above_it() -> None:
    state = position({(35, 0): (4, 2), (24, 1): (1, 1)}, camps={35: 0, 24: 1})
    view = msgspec.to_builtins(MAMMOTHS.view(state, 0))
    for rows, times in ((), 1), (({"seat": 0}, {"seat": 1}), 0):
        now, marks = {**view, "rows": rows}, Marks(names=("Ana", "Bo"))
        told = board_text("mammoths", now, wanted=Wanted(reader=0), marks=marks, lang="en")
        assert len(re.findall(r"^You \(red\) +1 +6 +10 +0$", told, re.MULTILINE)) == times, told
