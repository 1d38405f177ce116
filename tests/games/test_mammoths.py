"""Five people and bots in the valley through the service: moves filed ahead, orders for fights and
losses by reply in two languages, a turn on its page, a tribe that is gone.
"""

from __future__ import annotations

import random
import re
from itertools import count
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from engine.bots import ask
from engine.chance import SeededChance
from engine.mammoths import flow
from engine.mammoths.actions import Answer, CampChoice, Draft, Move
from engine.mammoths.actions import Place as Wishes
from engine.mammoths.choices import of_move
from engine.mammoths.game import MAMMOTHS
from engine.mammoths.reasons import reasons
from engine.mammoths.state import State
from engine.play import decision_of, texts
from engine.waits import percent
from service.core.models import DecisionRow, Match
from service.core.statuses import MatchStatus
from service.matches import journal, reading
from service.matches.tables import BotSeat, Guest, Place
from service.matches.waits import waits_of
from service.render.templating import environment
from service.web.turns import preview
from tests.engine.mammoths.positions import position
from tests.games.playing import asked, opened
from tests.support.correspondence import Correspondence
from tests.support.letters_to_png import parts_of
from tests.support.reader import Page
from tests.support.tables import World
from tests.web.conftest import Site

ANA, BEA, CARL = range(3)
"""Ana plays on pages, Bea writes English and Carl French; seats 3 and 4 are bots."""
WRITING = {BEA: "en", CARL: "fr"}
LOSSES = {"en": "loss any wwf", "fr": "pertes partout ggf"}


def begun(site: Site, game: str) -> int:
    """A table of three people and two bots; everybody is there."""
    others: list[Place] = [
        Guest(address="bea@example.org", name="Bea"),
        Guest(address="carl@example.org", name="Carl", lang="fr"),
        BotSeat(bot="greedy"),
        BotSeat(bot="greedy"),
    ]
    number = site.begun(others, game, hold_minutes=0, options={"board": 2})
    site.hear(mail=True)
    return number


def text_for(site: World, number: int, row: DecisionRow, lang: str) -> str:
    """What a good player would write for a decision; "" to leave it."""
    with site.service.database.read() as session:
        match = session.get_one(Match, number)
        game = journal.game_of(match)
        state = journal.position(session, match).state
        decision = decision_of(game, state, row.seat, row.decision)
        actions = ask(game, "greedy", state, decision, SeededChance(bytes(32)))
        return "\n".join(texts(game, state, row.seat, actions, lang))


def file_ahead(site: Site, number: int, post: Correspondence, seat: int, filed: set[str]) -> None:
    """Answer the letter that invites, once."""
    with site.service.database.read() as session:
        rows = reading.open_decisions(session, session.get_one(Match, number), seat)
    for row in rows:
        if row.kind in ("file", "prepare") and row.decision not in filed and not row.blocks:
            filed.add(row.decision)
            if text := text_for(site, number, row, WRITING[seat]):
                mail = post.reply(seat, f"{text}\n{LOSSES[WRITING[seat]]}", row.decision)
                assert mail.verdict == "filed", (mail.verdict, text)
                site.hear(mail=True)


@pytest.mark.slow
@pytest.mark.parametrize("turns", [2, pytest.param(99, marks=pytest.mark.rarely)])
def test_five_play_by_letters_pages_and_bots(site: Site, turns: int) -> None:
    """M§24: what was filed runs without a question; the match goes on to its end."""
    number = begun(site, "mammoths")
    post, filed = Correspondence(site, number), set[str]()
    page = site.reader()
    replied = 0
    for _ in count():
        match = site.match(number)
        if match.status != MatchStatus.PLAYING or _turn(site, number) > turns:
            break
        row = asked(site, number)[0]
        if row.seat == ANA:
            form = page.get(site.turn_link(match, text_for(site, number, row, "en"))).form("/play/")
            button = next(each.text for each in form.buttons if each.action)
            assert page.press(form, button).status == 200
        else:
            lang = WRITING[row.seat]
            text = text_for(site, number, row, lang)
            mail = post.reply(row.seat, text, row.decision)
            # What is sealed until the last has answered is filed.
            assert mail.verdict in (["played"] if row.kind == "move" else ["played", "filed"]), text
            replied += 1
        site.hear(mail=True)
        for seat in WRITING:
            if site.match(number).status == MatchStatus.PLAYING:
                file_ahead(site, number, post, seat, filed)
    with site.service.database.read() as session:
        match = session.get_one(Match, number)
        entries = [journal.entry_of(each) for each in journal.rows(session, match, 1)]
        waits = waits_of(session, match)
    planned = {entry.seat for entry in entries if entry.cause == "plan"}
    assert planned >= set(WRITING)
    assert replied
    assert percent(waits.waits, waits.turns) <= 100
    if turns > 10:
        assert match.status == MatchStatus.ENDED
        assert sum(letter.kind == "end" for letter in site.letters(number)) == 3


def _state(world: World, number: int) -> State:
    with world.service.database.read() as session:
        state: State = journal.position(session, session.get_one(Match, number)).state
        return state


def _turn(world: World, number: int) -> int:
    """The turn of the game."""
    return _state(world, number).turn


def test_wishes_for_the_first_camp_are_touched_one_after_the_other(site: Site) -> None:
    """M§3.5: every hex of land can be the next wish, and what is handed in is the list."""
    number = begun(site, "mammoths")
    row = asked(site, number)[0]
    assert row.kind == "setup"
    reader = site.reader()
    page = reader.get(site.turn_link(site.match(number)))
    land = [str(at) for at in _state(site, number).map.land]
    assert touched_next(page) == {*land}
    suggested = MAMMOTHS.suggestions(_state(site, number), ANA, 1)[0][0]
    assert isinstance(suggested, Wishes)
    drawn = re.findall(r'font-size="68" font-weight="700"[^>]*>(\d)</text>', page.source)
    assert len(drawn) == len(suggested.hexes), "what is suggested has its numbers on the map"
    assert "in summer it gives" in page.text
    assert not re.search(r"Otherwise \d", page.text), "the wishes stand over it"
    at = reader.at.partition("?")[0]
    first, second = land[3], land[20]
    page = reader.get(f"{at}?tap={first}&tap={second}")
    assert touched_next(page) == {*land} - {first, second}
    assert page.text.count(f"{first}, else {second}") > 1, "the step below follows the touches"
    assert numbered(page) == {str(first): "1", str(second): "2"}
    done = next(href for text, href in page.links if text.startswith("Done, with a field"))
    page = reader.get(done)
    assert f"Settle on {first}, else {second}" in page.text
    reader.press(page.form("/play/"), "Play this turn")
    site.hear()
    assert _state(site, number).tribes[ANA].wishes == Wishes(hexes=(int(first), int(second)))


def test_a_suggested_move_says_first_what_it_is_for(site: Site) -> None:
    number = begun(site, "mammoths")
    while (row := asked(site, number)[0]).kind == "setup" or row.seat != ANA:
        site.submit(number, seat=row.seat, decision=row.decision)
        site.hear()
    state = _state(site, number)
    best = MAMMOTHS.suggestions(state, ANA, 1)[0]
    why, _ = msgspec.to_builtins(reasons(state, ANA, [best, best]))
    words: Any = environment("en").get_template("games/mammoths/wording.txt").module
    aim = str(words.outcome(why, ("Ana", "Bea", "Carl", "D", "E"))).strip()
    said = re.sub(r"\s+", " ", site.reader().get(site.turn_link(site.match(number))).text)
    assert re.search(rf"Our suggestion: {re.escape(aim)} \d", said), (aim, said)


def test_who_goes_along_a_path_is_chosen_by_how_many_warriors_and_nothing_else(site: Site) -> None:
    number = begun(site, "mammoths")
    while (row := asked(site, number)[0]).kind == "setup" or row.seat != ANA:
        site.submit(number, seat=row.seat, decision=row.decision)
        site.hear()
    lines = [each for each in of_move(_state(site, number), ANA) if isinstance(each, Move)]
    path = next(each.path for each in lines if each.w > 1 and each.f and len(each.path) == 2)
    reader = site.reader()
    reader.get(site.turn_link(site.match(number)))
    at = reader.at.partition("?")[0]
    page = reader.get(f"{at}?tap={path[0]}")
    assert "Touch where to go; then choose who goes, or a hex further on." in page.text
    dock = page.source.partition('class="dock')[2].partition('id="steps"')[0]
    assert re.search(r'class="rest"[^>]*>Take this suggestion', dock)
    assert re.search(rf"From {path[0]}</b> <span>Touch one of: [0-9, ]*{path[1]}[0-9, ]*[.]", dock)
    page = reader.get(f"{at}?tap={path[0]}&tap={path[1]}")
    assert re.search(r"Choose who goes(, or touch the next hex of the path)?\.", page.text)
    offered = page.source.partition('class="chips choices"')[2].partition("</ul>")[0]
    rows = re.split(r'<li class="part">', offered)[1:]
    said = [re.sub(r"<[^>]*>|\s+", " ", each).split() for each in rows]
    assert said[0][:3] == ["Warriors:", "1", "2"]
    assert said[1][:5] == ["with", "1", "woman:", "0", "1"]
    assert 'aria-label="1 warrior and 1 woman"' in rows[1]
    assert "Move nobody" not in offered
    assert "Our suggestion:" in page.text


def test_the_suggestion_stands_first_and_every_hex_answers(site: Site) -> None:
    number = begun(site, "mammoths")
    reader = site.reader()
    first = reader.get(site.turn_link(site.match(number))).source.partition('class="dock')[2]
    assert "Settle where it is best" not in first
    box = first.index('name="order"')
    assert first.index('id="steps"') < first.index('id="primer"') < box
    assert first[:box].rpartition("<details ")[2].startswith('class="written">')
    assert "What is listed are examples" not in first
    while (row := asked(site, number)[0]).kind == "setup" or row.seat != ANA:
        site.submit(number, seat=row.seat, decision=row.decision)
        site.hear()
    page = reader.get(site.turn_link(site.match(number)))
    assert page.source.index('id="steps"') < page.source.index('id="primer"')
    dock = page.source.partition('class="dock')[2].partition("</div>")[0]
    assert dock.index("Our suggestion:") < dock.index("Take this suggestion")
    assert dock.index("Take this suggestion") < dock.index("Move nobody")
    assert re.search(r'class="look main"[^>]*>Take this suggestion', dock)
    at = reader.at.partition("?")[0]
    own = {group.hex for group in _state(site, number).pawns_of(ANA)}
    other = next(hex for hex in (61, 71, 11) if hex not in own)
    begin = reader.get(f"{at}?why={other}")
    assert f"None of your people can leave hex {other}. You can begin on: " in begin.text
    assert f"None of your people can leave hex {other}. " in reader.get(f"{at}?tap={other}").text
    far = reader.get(f"{at}?tap={min(own)}&why={other}")
    assert f"Hex {other} is not one step away. Those that are: " in far.text


def test_orders_for_a_fight_say_why_they_are_suggested(site: Site) -> None:
    number = begun(site, "mammoths")
    while (row := asked(site, number)[0]).kind != "combat":
        site.submit(number, seat=row.seat, decision=row.decision)
        site.hear()
    state, seat = _state(site, number), row.seat
    best = MAMMOTHS.suggestions(state, seat, 1)[0]
    why, _ = msgspec.to_builtins(reasons(state, seat, [best, best]))
    words: Any = (
        environment(WRITING.get(seat, "en")).get_template("games/mammoths/wording.txt").module
    )
    because = re.sub(r"\s+", " ", str(words.reason(why, 0, ("Ana", "Bea", "C", "D", "E")))).strip()
    reader = site.reader()
    reader.get(site.links.seat(site.match(number), seat))
    page = reader.get(f"/m/{site.match(number).code}/{seat}/turn/{row.decision}")
    assert because
    assert f"<span>{because}</span>" in page.source.partition('class="sums"')[2]
    own = msgspec.to_builtins(MAMMOTHS.view(state, seat))["own"]
    assert re.search(rf"<b>(Hex|Case) {own['fights'][0]['hex']}</b>", page.source)


def test_m19_4_a_fight_with_nothing_to_choose_says_so_on_its_page(site: Site) -> None:
    groups = {(35, 0): (1, 0), (35, 1): (1, 0), (71, 1): (1, 1)}
    state = msgspec.structs.replace(position(groups, phase="combat"), asked=(0, 1))

    def aim(*offered: Answer) -> str:
        options = [SimpleNamespace(action=msgspec.to_builtins(each)) for each in offered]
        plan: Any = SimpleNamespace(lines=[SimpleNamespace(options=options, chosen=options[0])])
        row: Any = SimpleNamespace(seat=0)
        return preview._aim(MAMMOTHS, state, row, plan, ["Ana", "Bea"])[0].strip()

    with site.app.test_request_context():
        assert aim(Answer()) == "No trick needed: confirm"
        assert not aim(Answer(), Answer(orders=(CampChoice(at=0, burn=True),)))


def test_m19_4_a_fight_with_nothing_to_choose_is_confirmed_by_its_one_button(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    none = flow._OPEN["combat"]._replace(listed=lambda _state, _seat: [Answer()])
    number = begun(site, "mammoths")
    while (row := asked(site, number)[0]).kind != "combat" or row.seat == CARL:
        site.submit(number, seat=row.seat, decision=row.decision)
        site.hear()
    monkeypatch.setitem(flow._OPEN, "combat", none)
    reader = site.reader()
    reader.get(site.links.seat(site.match(number), row.seat))
    page = reader.get(f"/m/{site.match(number).code}/{row.seat}/turn/{row.decision}")
    assert "No trick needed: confirm" in page.text
    assert "You are asked for your orders all the same, so that nobody learns" in page.text
    assert page.text.count("No trick, and warriors fall first") == 1
    form = page.form("/play/")
    assert [each.text for each in form.buttons if each.action] == ["Confirm"]
    assert "Undo" not in page.text
    assert reader.press(form, "Confirm").status == 200
    site.hear()
    assert row.decision not in {each.decision for each in asked(site, number)}


def test_a_standing_order_is_read_before_what_goes_without_it(site: Site) -> None:
    number = begun(site, "mammoths")
    reader = site.reader()
    reader.get(site.links.seat(site.match(number), ANA))
    before = reader.get(f"/m/{site.match(number).code}/0/turn/0.orders.0").source
    assert before.count('id="plan') == 5, "the box itself, and four that count from the start"
    while (row := asked(site, number)[0]).kind == "setup":
        site.submit(number, seat=row.seat, decision=row.decision)
        site.hear()
    source = reader.get(f"/m/{site.match(number).code}/0/turn/0.orders.0").source
    order, without = "In an event, first lose", "Otherwise a woman is lost"
    plans = source.partition('class="proposals"')[2]
    assert 0 < plans.index(order) < plans.index(without)


def test_m24_plans_say_once_what_they_are_good_for(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the first plan says of both its parts is not said again of each."""
    camp, food = Move(w=1, f=1, path=(12, 23)), Move(w=1, f=0, path=(12, 22))
    drafts = [Draft(lines=lines) for lines in ((camp, food), (camp,), (food,))]
    listed = flow._OPEN["file"]._replace(listed=lambda _state, _seat: drafts)
    number, reader = begun(site, "mammoths"), site.reader()
    while (row := asked(site, number)[0]).kind == "setup" or row.seat != ANA:
        site.submit(number, seat=row.seat, decision=row.decision)
        site.hear()
    monkeypatch.setitem(flow._OPEN, "file", listed)
    reader.get(site.links.seat(site.match(number), ANA))
    filing = row.decision.replace("move", "file")
    source = reader.get(f"/m/{site.match(number).code}/{ANA}/turn/{filing}").source
    plans = source.partition('class="proposals"')[2].partition("</ol>")[0]
    assert plans.count('id="plan') == 3
    assert plans.count('class="says quiet"') == 1
    assert source.index('id="keys"') < source.index('class="sight"')


def numbered(page: Page) -> dict[str, str]:
    """The numbers on what has been touched."""
    return dict(re.findall(r'chosen" data-spot="(\d+)".*?class="nth".*?>(\d+)</text>', page.source))


def touched_next(page: Page) -> set[str]:
    """The lit hexes of the board."""
    return {*re.findall(r'class="spot" data-spot="([^"]+)"', page.source)}


GOALS = {0.5: 100, 1.0: 70}
"""Waits in a hundred player turns, by the share of those invited who file (M§19.9)."""
MATCHES = 2
"""Matches that are counted together."""


def play_out(world: World, number: int, files: float) -> None:
    """A match to its end by good players, of whom a share files what it is invited to."""
    whim = random.Random(f"{number} {files}")
    settled = set[str]()
    while world.match(number).status == MatchStatus.PLAYING:
        with world.service.database.read() as session:
            match = session.get_one(Match, number)
            every = [
                row
                for seat in range(len(match.seats))
                for row in reading.open_decisions(session, match, seat)
            ]
        free = [r for r in every if r.kind in ("file", "prepare") and r.decision not in settled]
        settled |= {row.decision for row in free}
        chosen = [row for row in free if whim.random() < files] if free else []
        for row in chosen or ([] if free else [row for row in every if row.blocks][:1]):
            if text := text_for(world, number, row, "en"):
                world.submit(number, text, seat=row.seat, decision=row.decision)
                world.hear()


@pytest.mark.parametrize(
    ("seats", "files"),
    [
        (2, 0.5),
        *(
            pytest.param(seats, files, marks=pytest.mark.rarely)
            for files in GOALS
            for seats in range(2, 7)
            if (seats, files) != (2, 0.5)
        ),
    ],
)
def test_m19_9_who_files_ahead_is_seldom_waited_for(world: World, seats: int, files: float) -> None:
    turns = waits = 0
    for seed in range(MATCHES):
        number = opened(world, "mammoths", seats, seed)
        play_out(world, number, files)
        with world.service.database.read() as session:
            counted = waits_of(session, session.get_one(Match, number))
        turns, waits = turns + counted.turns, waits + counted.waits
    print(f"{seats} players, {files:.0%} file: {turns} turns, {waits} waits")
    assert percent(waits, turns) <= GOALS[files]


def go_hungry(world: World, number: int, seat: int) -> None:
    """A turn in which nobody of this tribe moves or eats, and the others do what comes first."""
    turn = _turn(world, number)
    while _turn(world, number) == turn and world.match(number).status == MatchStatus.PLAYING:
        row, text = asked(world, number)[0], None
        if (row.seat, row.kind) == (seat, "move"):
            places = (group.hex for group in _state(world, number).pawns_of(seat))
            text = "done\nunfed " + " ".join(f"{place} 10w6f" for place in places)
        world.submit(number, text, seat=row.seat, decision=row.decision)
        world.hear(mail=True)


def test_m15_9_a_tribe_that_falls_is_told_when_it_comes_back(world: World) -> None:
    """The second time it is out for good: it gets no invitation any more."""
    number = opened(world, "mammoths", 3, options={"board": 2})
    for _ in range(3):
        world.submit(number, seat=asked(world, number)[0].seat)
        world.hear(mail=True)
    letters = []
    for _ in range(2):
        world.post.sent.clear()
        go_hungry(world, number, CARL)
        letters += [
            parts_of(raw)
            for _, to, raw in world.post.sent
            if to == "g1@example.org" and b"X-Paleopost: notice" in raw
        ]
    (back, text, html, _), (gone, last, *_) = letters
    there = _state(world, number)
    assert there.tribes[CARL].status == "out"
    assert re.search("\u00a0: ta tribu est tombée, et repart de la case \\d\\d$", back["Subject"])
    for said in (" ".join(text.split()), html):
        assert "Tu as perdu 5 guerriers et 2 femmes" in said
        assert "Tu as recommencé en" in said
        assert "plan aller si pareil" in said, "it is invited by the same letter"
    assert gone["Subject"].endswith("te voilà hors jeu")
    assert "Elle est hors jeu." in " ".join(last.split())
    assert "plan aller" not in last
