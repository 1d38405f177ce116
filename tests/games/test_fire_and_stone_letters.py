"""What the words of Fire & Stone say of whole matches, in letters and on pages."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.chance import NoChance, SeededChance, seed_of_number
from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import flow, maps
from engine.fire_and_stone.map import INDEX, TERRITORIES
from engine.fire_and_stone.map import NAMES as PLACES
from engine.fire_and_stone.reasons import Unseen
from engine.fire_and_stone.setup import Options
from engine.fire_and_stone.state import Phase, State
from engine.kit.presentation import Marks, Occasion, Prompt, Wanted
from engine.kit.scene import Label, Token
from engine.kit.shapes import Box, Point
from engine.kit.territories import names
from engine.play import submit
from engine.protocol import Unreadable
from service.core.models import Match
from service.core.statuses import Cause
from service.core.verdicts import fault_of
from service.mail.render import render
from service.mail.render.choices import Choice, once_reasoned
from service.mail.render.letter_context import mail_environment
from service.mail.render.notice import newest
from service.matches.options import chosen_options
from service.matches.reading import HistoryEntry
from service.matches.tables import BotSeat
from service.render.pictures import board_alt, board_text
from service.render.templating import environment, lines
from tests.engine.fire_and_stone.positions import LETTER, begun, forest, put, tile, turn
from tests.support.cases import all_of_them
from tests.support.correspondence import Correspondence
from tests.support.letters_to_png import parts_of
from tests.support.tables import World

KEY = "fire_and_stone"
NAMES = ("Ana", "Bruno", "Chloé")
KINDS = ("vp", "huts", "majorities", "vp_cards", "objective_vp")


def words(name: str, lang: str = "en") -> Any:
    return mail_environment(lang).get_template(f"games/{KEY}/{name}").module


def positions(seed: int = 1, seats: int = 3) -> Iterator[State]:
    """A match in which each plays the first suggestion."""
    chance = SeededChance(seed_of_number(seed))
    state = GAME.setup(seats, Options(first=0), chance).state
    while GAME.outcome(state) is None:
        yield state
        asked = next(d for d in GAME.decisions(state) if d.blocks)
        first = GAME.suggestions(state, asked.seat, 1)[0]
        state = submit(GAME, state, asked.seat, asked.id, first, chance).state
    yield state


@pytest.fixture(scope="module")
def final() -> dict[str, Any]:
    *_, last = positions()
    view: dict[str, Any] = msgspec.to_builtins(GAME.view(last, 0))
    return view


def ended(final: dict[str, Any]) -> tuple[list[int], list[int]]:
    points = GAME.presentation.points(final)
    ranking = sorted(range(3), key=lambda seat: -points[seat])
    return ranking, [seat for seat in ranking if points[seat] == max(points)]


def test_f14_1_the_parts_of_the_points_add_up(final: dict[str, Any]) -> None:
    parts = GAME.presentation.parts(final)
    sums = [sum(int(part[kind]) for kind in KINDS) for part in parts]
    assert sums == GAME.presentation.points(final)
    assert [words("wording.txt").part(final, 1, n) for n in range(5)] == [
        str(parts[1][kind]) for kind in KINDS
    ]


@pytest.mark.parametrize(("lang", "said"), [("en", "Objectives, each"), ("fr", "Objectifs, 10")])
def test_f14_4_each_objective_is_named_below_what_it_brought(
    final: dict[str, Any], lang: str, said: str
) -> None:
    ranking, winners = ended(final)
    told = words("letter.txt", lang).decided(final, ranking, winners, NAMES, 0)
    assert told.startswith(said)
    assert re.search("^(You|Toi).?: ", told, re.MULTILINE)
    for player in final["players"]:
        assert GAME.presentation.name(player["objective"], lang) in told


def test_who_was_ahead_before_the_objectives_is_told_where_these_decide(
    final: dict[str, Any],
) -> None:
    ranking, winners = ended(final)
    loser = ranking[-1]
    result = words("letter.txt").result
    # The last but for the objectives is made the first by points won on the way.
    ahead = [{**player, "vp": player["vp"]} for player in final["players"]]
    own = GAME.presentation.parts(final)
    short = max(GAME.presentation.points(final)) - GAME.presentation.points(final)[loser]
    ahead[loser]["vp"] += short + int(own[loser]["objective_vp"]) + 1
    led = {**final, "players": ahead}
    assert "Before the objectives you led" in result(led, NAMES, loser, winners)
    assert f"Before the objectives {NAMES[loser]} led" in result(led, NAMES, winners[0], winners)
    assert "Before" not in result(led, NAMES, 0, [loser])


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", " is ahead of you above all by "), ("fr", " te devance surtout grâce ")],
)
def test_who_comes_second_is_not_told_the_distance_twice(
    final: dict[str, Any], lang: str, said: str
) -> None:
    """Their place, above it, says by how many points they are short."""
    ranking, winners = ended(final)
    told = words("wording.txt", lang).result(final, NAMES, ranking[1], winners)
    assert str(told).replace("\N{NO-BREAK SPACE}", " ").startswith(NAMES[winners[0]] + said)


@pytest.mark.parametrize(
    ("lang", "ahead", "said"),
    [
        ("en", " is {by} points? ahead of ", " above all by "),
        ("fr", " finit {by} points? devant ", " surtout grâce "),
    ],
)
def test_f14_4_the_verdict_says_the_margin_its_cause_and_what_ended_it(
    final: dict[str, Any], lang: str, ahead: str, said: str
) -> None:
    ranking, winners = ended(final)
    points, result = GAME.presentation.points(final), words("wording.txt", lang).result
    told = str(result(final, NAMES, ranking[-1], winners)).replace("\N{NO-BREAK SPACE}", " ")
    by = points[ranking[0]] - points[ranking[1]]
    assert re.search(NAMES[winners[0]] + ahead.format(by=by) + NAMES[ranking[1]], told), told
    part = GAME.presentation.margin(final, winners[0]).parts[0]
    assert said in told
    assert f"({part[1]} {'to' if lang == 'en' else 'contre'} {part[2]})" in told
    track = {**final, "track": 11}
    assert ("hut tile" if lang == "en" else "tuile Hutte") in str(result(track, NAMES, 0, winners))
    first, *others = final["players"]
    built = {**final, "track": 10, "players": [{**first, "huts_left": 0}, *others]}
    for me, who in ((0, "Your" if lang == "en" else "Ta"), (1, NAMES[0])):
        said = str(result(built, NAMES, me, winners))
        assert ("twentieth hut" if lang == "en" else "vingtième hutte") in said
        assert who in said
    if lang == "en":
        assert str(result(final, NAMES, winners[0], winners)).startswith("You are ")
        either = str(result(built | {"track": 12}, NAMES, 0, winners))
        assert "last turns" not in either, "it is not known which came first"


def test_rows_stand_in_the_order_of_ranks_at_the_end(final: dict[str, Any]) -> None:
    ranking, _ = ended(final)
    assert GAME.presentation.ranks(final) == ranking
    assert GAME.presentation.ranks({**final, "phase": "move"}) == [0, 1, 2]


def test_a_star_stands_before_everybodys_points_at_the_end_too(final: dict[str, Any]) -> None:
    def stars(view: dict[str, Any]) -> int:
        scene = GAME.presentation.scene(view, Wanted(name="whole"), Marks(names=NAMES), full=False)
        return sum(isinstance(i, Token) and i.look == "points" for i in scene.items)

    assert stars(final) == stars({**final, "phase": "move"}) == 3


def test_the_last_letter_says_where_the_points_come_from(world: World) -> None:
    number = world.open([BotSeat(bot="greedy")] * 2, KEY)
    world.hear()
    while world.match(number).status == "playing":
        world.submit(number, world.bots_turn(number, "greedy"))
        world.hear()
    with world.service.database.read() as session:
        letter = session.merge(world.letters(number, "end")[0], load=False)
        _, text, html, _ = parts_of(render(world.service, session, letter))
    for heading in ("Discoveries", "Huts", "Majorities", "Cards", "Objective", "Points"):
        row = re.search(rf"^{heading} +(\d+) +(\d+) +(\d+)\r?$", text, re.MULTILINE)
        assert row, heading
    assert "Majorities</th>" in html
    assert re.search(
        r"^Objectives, each 10 points at most:\r?\n\w+: \w.*, \d+ points?\r?$", text, re.MULTILINE
    )
    assert "Objectives, each 10 points at most:<br>" in unescape(html)
    assert "<br>You: " in unescape(html)
    assert "points can be lost during the game" in unescape(html), (
        "of a village where others have as many"
    )


def test_f14_1_the_page_adds_the_points_up(final: dict[str, Any]) -> None:
    page: Any = environment("en").get_template("pages/_match.html").module
    ranking = words("terms.txt").MAP.by_points(final)
    table = str(page.by_parts(final, {"ranking": ranking}, words("wording.txt"), NAMES, 0))
    last = re.findall(r"<td><b>(\d+)</b></td>", table.rpartition("<tr>")[2])
    assert [int(each) for each in last] == sorted(map(int, last), reverse=True)
    assert [int(each) for each in last] == [
        int(words("wording.txt").score(final, seat)) for seat in ranking
    ]


@pytest.mark.parametrize("beside", [False, True])
def test_where_the_points_come_from_stands_with_the_result_or_beside_it(
    final: dict[str, Any], beside: bool
) -> None:
    """On a page it stands below the curves, which are less high than the result."""
    page: Any = environment("en").get_template("pages/_match.html").module
    ranking, winners = ended(final)
    match = {"game": KEY, "seats": [{"bot": None}] * 3}
    outcome = {"ranking": ranking, "winners": winners, "termination": "normal"}
    letter = words("letter.txt")
    told = str(
        page.ranking(match, final, outcome, words("wording.txt"), letter, NAMES, 0, (), beside)
    )
    assert ("Where the points come from" in told) is not beside
    assert "Objectives, each 10 points at most:<br>" in unescape(told)


def both_at(place: str, state: State) -> State:
    """The position with both explorers of seat 0 there, region II open."""
    return put(replace(state, track=5), explorers=(place, place))


def test_f4_2_explorers_on_one_place_are_one_choice() -> None:
    state = both_at("altai", begun(2))
    offered = GAME.suggestions(state, 0, 4)
    goals = [next(a.place for a in some if isinstance(a, do.Go)) for some in offered]
    assert len(goals) == 4
    assert len(set(goals)) == 4, goals


def test_turns_that_lead_to_the_same_position_are_one_choice() -> None:
    """Explorers that walk in another order, and find nothing hidden."""
    found = 0
    for seed in range(3 if all_of_them() else 1):
        for state in positions(seed):
            asked = next((d for d in GAME.decisions(state) if d.blocks), None)
            if asked is None or asked.kind != "move":
                continue
            ends: set[object] = set()
            offered = GAME.suggestions(state, asked.seat, 4)
            for actions in offered:
                after = state
                for action in actions:
                    step = GAME.apply(after, asked.seat, action, NoChance())
                    if step.reveals:
                        break
                    after = step.state
                else:
                    found += 1
                    ends.add(((), sorted_explorers(after, asked.seat)))
                    continue
                ends.add((actions, None))
            assert len(ends) == len(offered)
    assert found > 10


def sorted_explorers(state: State, seat: int) -> State:
    return put(
        state, seat, explorers=tuple(sorted(PLACES[n] for n in state.players[seat].explorers))
    )


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        (
            "en",
            [
                (
                    "Explorer 2: walk to the Yenisei (not yet seen), build a hut, "
                    "return to the fire of the Altai"
                ),
                "Explorer 1: walk to the Lena (not yet seen)",
            ],
        ),
        ("fr", ["Explorateur 2", "Explorateur 1"]),
    ],
)
def test_steps_are_told_by_explorer(lang: str, lines: list[str]) -> None:
    view = plain(both_at("altai", begun(2)))
    turn = [
        do.Lead(explorer=2), do.Go(place="yenisei"), do.Build(), do.Return(fire="altai"),
        do.Go(place="lena"),
    ]  # fmt: skip
    told = steps(turn, view, lang)
    assert len(told) == 2
    assert all(line.startswith(start) for line, start in zip(told, lines, strict=True))


def test_which_of_two_explorers_returns_is_said() -> None:
    state = turn(both_at("altai", begun(2)), phase=Phase.RETURN, explorer=1, moved=2)
    told = steps([do.Return(fire="altai"), do.Go(place="lena")], plain(state), "en")
    assert told == [
        "Explorer 2: return to the fire of the Altai",
        "Explorer 1: walk to the Lena (not yet seen)",
    ]


def test_one_explorer_needs_no_number() -> None:
    view = plain(begun(2))
    assert steps([do.Go(place="congo"), do.Food()], view, "en") == [
        "Walk to the Congo",
        "Gather food",
    ]


def test_the_other_explorer_goes_on_when_one_has_walked() -> None:
    state = turn(both_at("altai", begun(2)), phase=Phase.ACTION, explorer=0, moved=1)
    told = steps([do.Pass(), do.Go(place="lena")], plain(state), "en")
    assert told == ["Do nothing here", "Explorer 2: walk to the Lena (not yet seen)"]


def plain(state: State) -> dict[str, Any]:
    view: dict[str, Any] = msgspec.to_builtins(GAME.view(state, 0))
    return view


def steps(turn: list[Any], view: dict[str, Any], lang: str) -> list[str]:
    said = words("wording.txt", lang)
    actions = [msgspec.to_builtins(action) for action in turn]
    deeds = [str(said.action(action, view, NAMES, 0)) for action in actions]
    return [line.strip() for line in said.steps(actions, deeds, view).splitlines() if line.strip()]


def test_gains_stand_before_costs() -> None:
    events = [
        {"kind": "paid", "seat": 0, "data": {"food": 1}},
        {"kind": "hut_built", "seat": 0, "data": {}},
        {"kind": "vp", "seat": 0, "data": {"vp": 2}},
    ]
    assert words("wording.txt").gain(events) == "+2 points, +1 hut, −1 food"


def told(*events: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"kind": kind, "seat": 0, "data": data} for kind, data in events]


def test_every_place_has_its_french_prepositions() -> None:
    french = words("terms.txt", "fr")
    for place in PLACES:
        name = GAME.presentation.name(place, "fr")
        for form in (french.at(place), french.of(place), french.up_to(place)):
            assert form.endswith(name)
            assert form != name
        assert french.of(place).startswith(("du ", "de ", "des ", "d’"))
    assert french.at("angola") == "en Angola"
    assert french.up_to("andes") == "jusqu’aux Andes"
    assert words("terms.txt").at("angola") == words("terms.txt").of("angola") == "Angola"


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (do.Go(place="angola"), "Aller en Angola"),
        (do.Go(place="great_lakes"), "Aller aux Grands Lacs"),
        (do.Return(fire="anatolia"), "Rentrer au feu d’Anatolie"),
        (do.Second(fire="yellow_river"), "Second explorateur au Foyer du Loess"),
    ],
)
def test_french_goes_to_a_place_as_its_name_wants_it(action: Any, said: str) -> None:
    plain_action = msgspec.to_builtins(action)
    assert words("wording.txt", "fr").action(plain_action, plain(begun(2)), NAMES, 0) == said


WALKED = {
    "en": "You walked to Persia: your hut stands there, free.",
    "fr": "Tu as marché jusqu’en Perse\xa0: ta hutte s’y dresse, gratuite.",
}


@pytest.mark.parametrize(("lang", "said"), WALKED.items())
def test_what_a_walk_finds_is_told_with_it(lang: str, said: str) -> None:
    events = told(
        ("moved", {"from": "arabia", "place": "persia", "stayed": False, "explorer": 1}),
        ("revealed", {"place": "persia", "kind": "hut"}),
        ("hut_built", {"place": "persia", "free": True}),
    )
    assert words("wording.txt", lang).story(events, NAMES, 0) == said
    apart = told(("revealed", {"place": "persia", "kind": "hut"}))
    assert words("wording.txt").story(apart, NAMES, 0) == "You found a hut in Persia."
    assert words("wording.txt").story(apart, NAMES, 1) == "Ana found a hut in Persia."
    without = words("wording.txt").story(events[:2], NAMES, 0)
    assert without == "You walked to Persia: a hut tile.", "nobody has a hut left for it"


@pytest.mark.parametrize(
    ("piece", "said"),
    [
        ("hare", "3 food when cooked"),
        ("bear", "2 bags and 1 food when cooked"),
        ("bison", "5 food when cooked"),
    ],
)
def test_f7_5_game_to_keep_says_what_it_cooks_to(piece: str, said: str) -> None:
    keeping = do.Keep(pieces=(piece,))
    assert words("game.txt").keep(keeping.pieces).endswith(f": {said}")


def hunted(*pieces: int, **fields: Any) -> State:
    """The position in which one of these animal tiles is to be kept."""
    state = forest(tile(put(begun(2), **fields), "namib", "forest"), "namib", *pieces)
    for action in (do.Go(place="namib"), do.Hunt()):
        state = flow.apply(state, 0, action, NoChance()).state
    assert state.turn.phase == Phase.KEEP
    return state


def test_f2_8_game_is_suggested_by_what_finds_room_and_says_how_much_that_is() -> None:
    state = hunted(box.GAME_INDEX["bison"], box.GAME_INDEX["ibex"], box.GAME_INDEX["hare"])
    found = GAME.suggestions(state, 0, 3)
    kept = [action.pieces for actions in found for action in actions if isinstance(action, do.Keep)]
    assert kept == [("ibex",), ("bison",), ("hare",)]
    said = [
        words("wording.txt").action(msgspec.to_builtins(actions[0]), plain(state), NAMES, 0)
        for actions in found
    ]
    assert said == [
        "Keep the ibex: 1 bag and 3 food when cooked",
        "Keep the bison: 5 food when cooked (you have room for 2 now)",
        "Keep the hare: 3 food when cooked (you have room for 2 now)",
    ]
    reasons = [
        words("wording.txt").reason(msgspec.to_builtins(why), 1, NAMES)
        for why in GAME.reasons(state, 0, found)
    ]
    assert reasons == ["Its bag makes room for 1 more, and stays.", "", ""]
    advice = words("wording.txt").advice("keep", plain(state), (), NAMES, 0)
    assert advice.count("You have 0 of 2 food; what finds no room is lost.") == 1
    full = hunted(box.GAME_INDEX["bison"], food=2)
    keep = msgspec.to_builtins(do.Keep(pieces=("bison",)))
    said_full = words("wording.txt").action(keep, plain(full), NAMES, 0)
    assert said_full.endswith("5 food when cooked (you have no room for it now)")


@pytest.mark.parametrize(
    ("light", "said"),
    [
        ((), "Take the nuts: light column, still empty"),
        ((box.SUN,), "Take the nuts: light column, with the Sun (2 of 3)"),
        ((box.SUN, "N"), "Take the nuts: light column, with the Sun and nuts (3 of 3)"),
        ((box.SUN, "A"), "Take the nuts: light column, emptied of its Sun and apples for them"),
    ],
)
def test_f9_5_a_tile_to_take_says_what_it_comes_to(light: tuple[str, ...], said: str) -> None:
    letters = {"N": LETTER["nut"], "A": LETTER["apple"]}
    column = "".join(letters.get(each, each) for each in light)
    state = put(tile(begun(2), "namib", "nut"), explorers=("namib",), columns=(column, ""))
    state = turn(state, phase=Phase.ACTION, explorer=0, moved=1)
    told = words("wording.txt").action({"do": "take", "column": "light"}, plain(state), NAMES, 0)
    assert told == said


@pytest.mark.parametrize(
    ("left", "said"),
    [(0, "This is the last turn."), (1, "1 turn is left after this one.")],
)
def test_f13_2_the_last_turn_is_called_so(left: int, said: str) -> None:
    view = plain(replace(begun(2), turns_left=left, ended_by=1))
    assert words("wording.txt").advice("move", view, ()) == said
    assert said in words("letter.txt").common(view)
    over = {**view, "to_move": None}
    assert said not in words("letter.txt").common(over)


def test_f7_4_a_forest_hunted_empty_has_no_game_left() -> None:
    terms = words("terms.txt")
    assert [terms.game(n) for n in (0, 1)] == ["no animals left", "1 animal tile left"]


def test_the_reader_is_you_in_lists_of_places() -> None:
    state = put(begun(2), explorers=("namib",), huts=("namib", "congo"))
    state = put(state, 1, huts=("namib",))
    view = plain(tile(tile(state, "namib", ""), "congo", ""))
    for lang, hut, walks in (
        ("en", "You: 1 hut; Bruno: 1 hut", "your explorer"),
        ("fr", "Toi\xa0: 1 hutte\xa0; Bruno\xa0: 1 hutte", "ton explorateur"),
    ):
        wanted, marks = Wanted(reader=0), Marks(names=NAMES)
        told = " ".join(board_text(KEY, view, wanted=wanted, marks=marks, lang=lang).split())
        assert hut.replace("\xa0", " ") in told
        assert walks in told
        assert "Ana" not in told


def test_what_a_turn_brings_to_light_does_not_part_its_story() -> None:
    """A walk, what lies there and what it wins are one sentence; so are deeds at one place."""
    place = {"from": "nile", "place": "arabia", "stayed": False, "explorer": 1}
    walk = event("moved", 1, **place)
    won = event("vp", 1, vp=1, by="fire")
    fire = [walk, event("revealed", None, place="arabia", kind="fire"), won]
    store = [event("bag", 1, gained=1, by="cache"), event("food", 1, gained=1, lost=0, by="cache")]
    cache = [walk, event("revealed", None, place="arabia", kind="cache"), *store]
    forest = [walk, event("hunted", 1, place="arabia"), event("took_game", 1, number=1)]
    story = words("events.txt").story
    assert story(fire, NAMES, 0) == "Bruno walked to Arabia: a fire burns there (+1 point)."
    assert story(fire[1:], NAMES, 0) == "Arabia: a fire burns there (+1 point)."
    assert story(cache, NAMES, 0) == "Bruno walked to Arabia: a hidden store (+1 bag, +1 food)."
    full = [*cache[:3], event("food", 1, gained=0, lost=1, by="cache")]
    assert "(+1 bag). Bruno had no room for 1 food." in story(full, NAMES, 0)
    assert story(forest, NAMES, 0) == (
        "Bruno walked to Arabia, hunted there and brought home 1 animal tile."
    )


def event(what: str, seat: int | None, **data: Any) -> dict[str, Any]:
    return {"kind": what, "seat": seat, "data": data}


def test_food_that_finds_no_room_is_no_choice() -> None:
    state = tile(begun(2), "namib", "mushroom")
    state = submit(GAME, state, 0, "1.0", [do.Go(place="namib")], NoChance()).state
    full = replace(state.players[0], food=state.players[0].capacity)
    state = replace(state, players=(full, *state.players[1:]))
    offered = [type(actions[0]) for actions in GAME.suggestions(state, 0, 9)]
    assert do.Food not in offered
    assert do.Take in offered


@pytest.mark.parametrize(("lang", "to"), [("en", "to the Nile"), ("fr", "au Nil")])
def test_places_have_their_article(lang: str, to: str) -> None:
    view = plain(begun(2))
    (line,) = steps([do.Go(place="nile")], view, lang)
    assert line.endswith(to)


def test_the_text_says_what_lies_beside_who_reads_it() -> None:
    view = plain(begun(2))
    text = board_text(KEY, view, wanted=Wanted(reader=0, shown=0), marks=Marks(), lang="en")
    assert "next to Namib, Kalahari and Limpopo\n" in text.replace("\n      ", " ")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Bonjour, que puis-je faire ?", "rules"),
        ("hello, what can I do", "rules"),
        ("undo", "refused"),
    ],
)
def test_who_asks_is_helped_and_shown_the_choices(world: World, text: str, code: str) -> None:
    """Though "do" and "puis" are words that turns have."""
    world.player("ana@example.org", name="Ana", lang="en")
    number = world.begun([BotSeat(bot="greedy")], KEY, options={"first": 0})
    world.hear()
    mail = Correspondence(world, number)
    answer = mail.answer(mail.reply(0, text, world.awaited(number).decision))
    assert answer.codes == [code]
    assert "REGION I" in answer.text
    assert "\n1. Walk to " in answer.text


def test_moves_worth_the_same_come_in_the_order_of_their_reasons() -> None:
    state = GAME.setup(3, Options(first=0), SeededChance(seed_of_number(2))).state
    told = GAME.reasons(state, 0, GAME.suggestions(state, 0, 4))
    unseen = [len(msgspec.to_builtins(why)["unseen"]) for why in told]
    assert unseen == sorted(unseen, reverse=True)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_reasons_of_a_first_turn_tell_its_places_apart(lang: str) -> None:
    reason = words("wording.txt", lang).reason
    for number in range(5):
        state = GAME.setup(3, Options(first=0), SeededChance(seed_of_number(number))).state
        told = GAME.reasons(state, 0, GAME.suggestions(state, 0, 4))
        said = {reason(msgspec.to_builtins(why), 1, NAMES).strip() for why in told}
        assert len(said) == len(told) == 4, said


def test_a_reason_tells_nothing_that_the_next_player_alone_has_looked_at() -> None:
    state = tile(begun(2), "namib", "fire")
    there = submit(GAME, state, 0, GAME.decisions(state)[0].id, (do.Go(place="namib"),), NoChance())
    assert there.state.turn.seat == 1, "the walk is the whole turn"
    (blind,) = GAME.reasons(state, 0, [(do.Go(place="namib"),)])
    state = put(state, 1, looked=state.down)
    assert GAME.reasons(state, 0, [(do.Go(place="namib"),)]) == [blind]
    assert msgspec.to_builtins(blind)["toward"][1] == "down"


def test_a_reason_names_the_fire_beside_a_place() -> None:
    state = begun(2)
    reason = words("wording.txt").reason
    near, far = (
        reason(msgspec.to_builtins(why), 1, NAMES)
        for why in GAME.reasons(state, 0, [(do.Go(place="namib"),), (do.Go(place="angola"),)])
    )
    assert "Cape Hearth" not in near, "there is nothing to cook"
    (cooks,) = GAME.reasons(put(state, held=(0,)), 0, [(do.Go(place="namib"),)])
    said = reason(msgspec.to_builtins(cooks), 1, NAMES)
    assert "Your animal tiles can be cooked next to it: Cape Hearth." in said
    assert far.strip().startswith("From there: 4 unseen tiles at one step"), (
        "what decides comes first"
    )
    assert ";" not in far


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Huts in villages cost food, and you have 1 of 2."),
        ("fr", "Une hutte dans un village coûte de la nourriture, et tu en as 1 sur 2."),
    ],
)
def test_a_reason_to_gather_food_says_how_much_there_is(lang: str, said: str) -> None:
    state = put(begun(2), food=1)
    went = flow.play(tile(state, "namib", "root"), do.Go(place="namib")).state
    (why,) = GAME.reasons(went, 0, [(do.Food(),)])
    assert said in words("wording.txt", lang).reason(msgspec.to_builtins(why), 1, NAMES)


@pytest.mark.parametrize(
    ("lang", "text", "said"),
    [
        ("en", "go xyzzy", "You can go to the Namib, the Kalahari"),
        ("fr", "va xyzzy", "Tu peux aller au Namib, au Kalahari"),
    ],
)
def test_who_names_no_place_is_told_where_one_can_go(lang: str, text: str, said: str) -> None:
    state = begun(2)
    with pytest.raises(Unreadable) as refused:
        GAME.notation.parse(state, 0, text, lang)
    verdict = fault_of(refused.value)
    answers: Any = mail_environment(lang).get_template("wording/answers.txt").module
    told = str(answers.wrong(verdict, NAMES, 0, words("wording.txt", lang)))
    fault, hint = told.splitlines()
    assert "xyzzy" in fault
    assert hint.startswith(said), "below what is wrong, which is in bold"


def test_the_key_has_rings_only_where_there_are_some() -> None:
    state = begun(2)
    went = flow.play(tile(state, "namib", "root"), do.Go(place="namib")).state
    wanted = Wanted(reader=0, shown=0, legend=True)
    for shown, rings in ((state, True), (went, False)):
        scene = GAME.presentation.scene(plain(shown), wanted, Marks(names=NAMES), full=False)
        assert ("legend.go" in str(scene)) is rings


def test_who_is_new_is_told_what_a_walk_brings() -> None:
    taps = words("taps.txt")
    prompt = Prompt(code="move")
    assert "huts and fires bring points" in taps.taught(prompt)
    assert "points" not in taps.prompt(prompt)
    assert not str(taps.taught(Prompt(code="keep"))).strip()


def test_the_lesson_of_plans_leads_to_them_where_the_letter_has_them() -> None:
    lesson, phase = words("lessons.txt").lesson, words("wording.txt").phase("plan")
    state = begun(2)
    went = flow.play(tile(state, "namib", "root"), do.Go(place="namib")).state
    assert f"“{phase}”" in lesson(3, plain(state), 0)
    assert f"“{phase}”" not in lesson(3, plain(state), 0, touched=True)
    assert f"“{phase}”" not in lesson(3, plain(went), 0), "nobody plans the rest in its middle"


def test_the_lesson_of_a_tile_stands_before_the_choices() -> None:
    lessons = words("lessons.txt")
    state = put(begun(2), columns=(box.SUN, ""))
    went = flow.play(tile(state, "namib", "root"), do.Go(place="namib")).state
    (ahead,) = lines(lessons.ahead(2, plain(went), 0))
    assert ahead.startswith("You can leave a gathering tile and take 2 food")
    assert ahead.endswith("counts as one of any kind."), "what the choices of a column count with"
    assert ahead in lessons.lesson(2, plain(went), 0)
    assert not str(lessons.ahead(2, plain(begun(2)), 0)).strip()


def test_a_reason_says_how_far_a_place_is_and_through_what() -> None:
    turns = [(do.Go(place="namib"),), (do.Go(place="zambezi"),)]
    for lang, near, far in (
        ("en", " The way: 1 step.", " The way: 2 steps, through the Kalahari."),
        ("fr", " Trajet\N{NO-BREAK SPACE}: 1 pas.", " 2 pas, par le Kalahari."),
    ):
        reason = words("wording.txt", lang).reason
        said = [reason(msgspec.to_builtins(w), 1, NAMES) for w in GAME.reasons(begun(2), 0, turns)]
        assert near in said[0]
        assert far in said[1]


def test_a_choice_of_one_deed_is_headed_by_it() -> None:
    assert words("wording.txt").headed("Leave the roots", "+2 food") == "Leave the roots: +2 food"


@pytest.mark.parametrize(("lang", "said"), [("en", "gains nothing"), ("fr", "ne rapporte rien")])
def test_a_turn_that_only_walks_is_said_to_gain_nothing(lang: str, said: str) -> None:
    fruitless = words("wording.txt", lang).fruitless

    def stepped(*turn: do.Action) -> list[Any]:
        plain_ = map(msgspec.to_builtins, turn)
        return [SimpleNamespace(chosen=SimpleNamespace(action=each)) for each in plain_]

    assert said in fruitless(stepped(do.Lead(explorer=1), do.Go(place="cape"), do.Pass()))
    assert said not in fruitless(stepped(do.Go(place="namib"), do.Take(column="light")))


def test_a_walk_into_a_dead_end_is_no_fourth_suggestion() -> None:
    """Nothing could be said for it."""
    said: list[Any] = []
    for seed in range(1, 4 if all_of_them() else 2):
        for state in positions(seed):
            asked = next((d for d in GAME.decisions(state) if d.blocks), None)
            if asked is not None and asked.kind == "move":
                found = GAME.reasons(state, asked.seat, GAME.suggestions(state, asked.seat, 4))
                said += found[3:]
    assert said
    assert all(why.unseen for why in said if isinstance(why, Unseen))


@pytest.mark.parametrize(("lang", "said"), [("en", "Your food is full"), ("fr", "est pleine")])
def test_f6_who_has_no_room_for_food_is_told_so(lang: str, said: str) -> None:
    advice = words("wording.txt", lang).advice
    state = begun(2)
    assert said not in advice("move", plain(state), (), NAMES, 0)
    full = put(state, food=state.players[0].capacity)
    assert said in advice("move", plain(full), (), NAMES, 0)
    assert said not in advice("move", plain(full), (), NAMES, 1)


def test_words_number_two_explorers_of_the_reader_as_the_map_does() -> None:
    state = put(put(begun(2), explorers=("namib", "congo")), 1, explorers=("nile", "angola"))
    for place in ("namib", "congo", "nile", "angola"):
        state = tile(state, place, "")
    marks = Marks(names=NAMES)
    text = board_text(KEY, plain(state), wanted=Wanted(reader=0, shown=0), marks=marks, lang="en")
    told = " ".join(text.split())
    assert "your explorer 1; next to" in told
    assert "your explorer 2; next to" in told
    assert "Bruno’s explorer" in told


def test_new_tables_play_what_is_forced_and_say_nothing_of_it(world: World) -> None:
    number = world.open([BotSeat(bot="greedy")] * 2, KEY)
    new = world.match(number)
    assert json.loads(new.options)["plays_forced"] is True
    for options in (b"{}", b'{"plays_forced": false}', new.options):
        assert chosen_options(Match(game=KEY, options=options)) is None
    assert chosen_options(Match(game=KEY, options=b'{"cave_level": "beginner"}')) is not None


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            "Light column: Sun, roots. Dark column: empty. The Sun counts as one of any kind.",
        ),
        (
            "fr",
            (
                "Colonne claire\xa0: Soleil, racines. Colonne foncée\xa0: vide. "
                "La tuile Soleil compte pour n’importe quelle sorte."
            ),
        ),
    ],
)
def test_f9_2_a_beginner_reads_what_lies_in_which_column(lang: str, said: str) -> None:
    state = put(begun(2), columns=(box.SUN + LETTER["root"], ""))
    lesson = words("lessons.txt", lang).lesson
    assert said in lesson(3, plain(state), 0)
    reading = words("lessons.txt", lang).reading
    assert said.split(". ")[-1] in reading(1, plain(state), 0)
    bare = put(begun(2), columns=("", ""))
    reading = words("lessons.txt").reading
    assert "any kind" not in reading(1, plain(bare), 0), "two players have none"


def test_f8_1_a_beginner_reads_under_the_map_what_the_hut_track_opens() -> None:
    reading = words("lessons.txt").reading(1, plain(begun(2)), 0)
    assert "(star)" in reading
    assert "(star)" not in words("lessons.txt").reading(1, plain(begun(2)), 0, drawn=False)
    assert "third opens region II, the fifth brings everybody a second explorer" in reading
    assert "ninth opens region III" in reading


def test_a_beginner_reads_the_aim_before_the_map_and_the_rest_in_the_next_letters() -> None:
    lesson = words("lessons.txt").lesson
    first = lesson(1, plain(begun(2)), 0)
    assert len([line for line in first.splitlines() if line.strip()]) == 3
    assert first.strip().startswith("The aim: most points at the end. Most come from huts,")
    objective = begun(2).players[0].objective
    effect = str(words("cards.txt").effect(objective))
    assert effect.endswith(", 10 at most."), "RULING 48"
    assert (
        f"Yours, {GAME.presentation.name(objective, 'en')}: {effect}"
        in first.strip().splitlines()[0]
    )
    later = lesson(2, plain(begun(2)), 0) + lesson(3, plain(begun(2)), 0)
    for said in (
        "in a village a further hut costs as much food as huts stand there",
        "a bag is room for 1 more",
        "at any fire you cook it",
        "three of a kind bring a card",
    ):
        assert said in later


def test_game_that_is_carried_is_said_where_the_map_is_read() -> None:
    state = put(put(begun(2), held=(0, 1)), 1, held=(2,))
    wanted, marks = Wanted(reader=0, shown=0), Marks(names=NAMES)
    for say in (board_text, board_alt):
        told = " ".join(say(KEY, plain(state), wanted=wanted, marks=marks, lang="en").split())
        assert "2 animal tiles to cook" in told
        assert "1 animal tile to cook" in told


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_nobody_has_is_not_told_where_the_map_is_read(lang: str) -> None:
    empty = put(begun(2), columns=("", ""), inventions=())
    wanted, marks = Wanted(reader=0, shown=0), Marks(names=NAMES)
    for say in (board_text, board_alt):
        told = say(KEY, plain(empty), wanted=wanted, marks=marks, lang=lang)
        you = "You" if lang == "en" else "Toi"
        own = "\n".join(line for line in told.splitlines() if line.startswith(you))
        assert own
        for nothing in (
            "nothing",
            "rien",
            "no invention",
            "pas encore d’invention",
            "column",
            "colonne",
        ):
            assert nothing not in own


@pytest.mark.parametrize(
    ("vp", "me", "said"),
    [
        ((0, 0, 0), 0, "Nobody has a point yet."),
        ((8, 8, 8), 0, "All are level at 8 points."),
        ((4, 7, 8), 1, "Chloé leads with 8 points; you have 7, Ana 4."),
        ((4, 7, 8), None, "Chloé leads with 8 points; Bruno has 7, Ana 4."),
        ((8, 1, 4), 0, "You lead with 8 points; Chloé has 4, Bruno 1."),
        ((8, 1, 4), 1, "Ana leads with 8 points; Chloé has 4, you 1."),
        ((8, 8, 1), 1, "Level in front, with 8 points each: Ana and you; Chloé has 1."),
    ],
)
def test_a_match_says_first_who_leads(vp: tuple[int, ...], me: int | None, said: str) -> None:
    state = begun(3)
    for seat, points in enumerate(vp):
        state = put(state, seat, vp=points)
    assert words("wording.txt").lead(plain(state), NAMES, me) == said


def test_french_says_who_leads() -> None:
    state = put(put(begun(3), 2, vp=8), 1, vp=7)
    said = "Chloé mène avec 8\xa0points\xa0; tu en as 7, Ana 0."
    assert words("wording.txt", "fr").lead(plain(state), NAMES, 1) == said


def test_a_notice_says_what_was_found_once() -> None:
    events = told(
        ("moved", {"from": "arabia", "place": "persia", "stayed": False, "explorer": 1}),
        ("revealed", {"place": "persia", "kind": "cache"}),
        ("food", {"by": "cache", "gained": 1, "lost": 0}),
    )
    events = [{**event, "mine": False} for event in events]
    say: Any = mail_environment("en").get_template("mail/notice/_words.txt").module
    heading = say.heading(events, words("wording.txt"), NAMES, 1, False, False)
    sentence = say.happened(events, words("wording.txt"), NAMES, 1, False, False)
    assert "+1 food" in heading
    assert "+1 food" not in sentence


def test_a_notice_in_the_middle_of_a_turn_says_how_it_goes_on() -> None:
    """It has not "played" whose turn it still is."""
    events = told(("hut_built", {"place": "persia", "kind": "village"}))
    events = [{**event, "mine": False} for event in events]
    seat = events[0]["seat"]
    rest, awaited = {"seat": seat, "kind": "return"}, {"named": (seat,), "missing": 0}
    for lang, head, on in (
        ("en", "+1 hut for Ana", "Ana still chooses the fire to return to."),
        ("fr", "+1 hutte pour Ana", "Ana choisit encore le feu où rentrer."),
    ):
        say: Any = mail_environment(lang).get_template("mail/notice/_words.txt").module
        wording = words("wording.txt", lang)
        heading = str(say.heading(events, wording, NAMES, 1, False, False, rest)).strip()
        assert heading.replace("\xa0", " ") == head
        assert say.moving(wording, NAMES, awaited, rest, 1).strip().startswith(on)
        other = say.moving(wording, NAMES, awaited, {**rest, "kind": "ember"}, 1)
        assert other.strip().startswith("Ana’s turn goes on." if lang == "en" else "Le tour d’Ana")


def test_a_notice_of_a_plan_tells_the_turn_from_its_beginning(world: World) -> None:
    world.player("ana@example.org", name="Ana", lang="en")
    number = world.begun([BotSeat(bot="greedy")], KEY, options={"first": 0})
    world.hear()
    mail = Correspondence(world, number)
    mail.reply(0, "go limpopo\nwhen anything: default", world.awaited(number).decision)
    (letter,) = world.letters(number, "notice")
    said = mail.rendered(letter).text
    assert "Your plan has played for you." in said
    earlier = said[said.index("Earlier in this turn") : said.index("How the game stands")]
    assert "walked to the Limpopo" in earlier


def test_a_notice_counts_the_game_that_another_brought_home() -> None:
    gain = words("wording.txt").gain
    hunted = told(("hunted", {"place": "persia"}), ("took_game", {"number": 1}))
    assert gain(hunted) == "+1 animal tile"
    kept = told(("kept", {"pieces": ["hare"]}), ("took_game", {"number": 1}))
    assert gain(kept) == "", "who keeps it is told which it is"


def test_a_notice_tells_all_that_was_done_last_by_the_same_player() -> None:
    """What a turn brings to light parts it."""

    def entry(n: int, seat: int | None) -> HistoryEntry:
        at = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
        return HistoryEntry(n=n, turn=n, seat=seat, cause=Cause(), made_at=at, events=[])

    story = [entry(1, 1), entry(2, 2), entry(3, 2), entry(4, 2)]
    assert newest(story) == story[1:]
    assert newest(story[:2]) == story[1:2]
    assert newest([*story, entry(5, None)]) == [entry(5, None)]


def test_only_the_reader_s_own_explorer_is_pointed_at_in_red() -> None:
    view = plain(begun(2))
    assert view["to_move"] == 0
    for reader, look in ((0, "pointer"), (1, "waited"), (None, "waited")):
        wanted = Wanted(reader=reader, shown=reader or 0)
        scene = GAME.presentation.scene(view, wanted, Marks(names=NAMES), full=False)
        looks = {item.look for item in scene.items if isinstance(item, Token)}
        assert looks & {"pointer", "waited"} == {look}


def test_the_map_at_the_end_counts_the_huts(final: dict[str, Any]) -> None:
    scene = GAME.presentation.scene(final, Wanted(name="whole"), Marks(names=NAMES), full=False)
    huts = [i for i in scene.items if isinstance(i, Token) and i.look == "hut" and i.place]
    built = sum(20 - player["huts_left"] for player in final["players"])
    assert sum(sum(each.counts) for each in huts) == built


def test_names_on_the_map_keep_off_sea_routes_and_numbers_of_choices() -> None:
    part = maps.ATLAS.part(1, maps.WIDTH)
    boxes: dict[str, Box] = {}
    for item in names(part).items:
        assert isinstance(item, Label)
        lines = TERRITORIES[INDEX[item.text]].room[1]
        wide, high = item.width / 2, item.size * lines / 2
        boxes[item.text] = Box(
            item.at.x - wide, item.at.y - high, item.at.x + wide, item.at.y + high
        )
    (x, y), (a, b) = (part.at(INDEX[name]) for name in ("iberia", "italy"))
    middle = Point(x + (a - x) * 0.4, y + (b - y) * 0.4)
    assert not boxes["iberia"].meets(Box(*middle, *middle))
    for other in ("zambezi", "congo", "swahili"):
        x, y = part.at(INDEX[other])
        assert not boxes["great_lakes"].meets(Box(x + 4, y - 30, x + 23, y - 10))


@pytest.mark.parametrize(
    ("lang", "ways"),
    [
        ("en", "You can go to these places: Namib; next to "),
        ("fr", "Tu peux aller là : Namib ; à côté : "),
    ],
)
def test_words_say_where_the_reader_can_go_and_what_is_a_shore(lang: str, ways: str) -> None:
    view, marks = plain(begun(2)), Marks(names=NAMES)
    wanted, other = Wanted(reader=0, shown=0), Wanted(reader=1, shown=1)
    text = " ".join(board_text(KEY, view, wanted=wanted, marks=marks, lang=lang).split())
    assert ways in text
    assert f"Angola ({'shore' if lang == 'en' else 'rivage'})" in text
    hers = board_text(KEY, view, wanted=other, marks=marks, lang=lang)
    assert ways.partition(" Namib")[0] not in hers
    over = {**view, "to_move": None}
    ended = board_text(KEY, over, wanted=wanted, marks=marks, lang=lang)
    assert ways.rpartition("; ")[2].rstrip() not in ended, "nobody walks any more"


def test_the_daily_letter_and_reminders_say_what_can_be_won() -> None:
    view = plain(begun(2))
    goal = unescape(str(words("letter.html").goal(view, 0)))
    assert "Your secret objective" in goal
    for card in view["row"]:
        assert GAME.presentation.name(card, "en") in goal


def test_land_without_anything_is_named_in_text() -> None:
    state = tile(begun(2), "namib", "")
    wanted = Wanted(reader=0, shown=0)
    said = board_text(KEY, plain(state), wanted=wanted, marks=Marks(names=NAMES), lang="en")
    assert "Empty land: Namib\n" in said
    assert "Empty land" not in board_text(
        KEY, plain(begun(2)), wanted=wanted, marks=Marks(names=NAMES), lang="en"
    )


def test_f8_3_the_map_shows_the_fires_for_the_second_explorer_and_why_there_is_one() -> None:
    state = tile(replace(begun(2), track=4), "namib", "hut", up=False)
    state = tile(state, "volga", "fire")
    state = flow.apply(state, 0, do.Go(place="namib"), NoChance()).state
    assert state.turn.phase == Phase.SECOND
    shown = GAME.presentation.pictures(plain(state), 0, Occasion.TURN)
    assert [each.name for each in shown] == [""], "all of them are in the region of the first"
    assert set(GAME.presentation.reach(plain(state))) == {"cape", "alps", "volga"}
    said = words("wording.txt").advice("second", plain(state), (), NAMES, 0)
    assert said.startswith("The fifth hut tile is found: everybody gets a second explorer.")
    wanted, marks = Wanted(reader=0, shown=0), Marks(names=NAMES)
    text = board_text(KEY, plain(state), wanted=wanted, marks=marks, lang="en")
    assert "Your second explorer can set out from these fires:\nCape Hearth; " in text
    assert "You can go to" not in text


def test_a_return_is_drawn_from_where_the_hut_stands() -> None:
    found = told(
        ("moved", {"from": "cape", "place": "zambezi", "stayed": False, "explorer": 1}),
        ("returned", {"explorer": 1, "fire": "alps"}),
    )
    assert list(GAME.presentation.filled(found)) == [(0, "cape>zambezi"), (0, "zambezi>alps")]
    assert list(GAME.presentation.filled(found[1:])) == [(0, ">alps")]


def test_equal_counts_of_unseen_tiles_are_told_apart_by_those_around() -> None:
    state = begun(2)
    reason = words("wording.txt").reason
    found = GAME.reasons(state, 0, GAME.suggestions(state, 0, 4))
    alike = [why for why in found if isinstance(why, Unseen) and why.around]
    assert len(alike) == len([why for why in found if isinstance(why, Unseen)]), "or none is"
    assert len(alike) > 1
    assert " within two. " in reason(msgspec.to_builtins(alike[0]), 1, NAMES)
    for one, other in pairwise(alike):
        if len(one.unseen) == len(other.unseen) and one.fires == other.fires:
            assert one.around >= other.around, "best first"


def test_places_of_another_region_that_can_be_walked_to_are_named_on_the_map() -> None:
    state = put(replace(begun(2), track=3), explorers=("nile",))
    scene = GAME.presentation.scene(
        plain(state), Wanted(reader=0, shown=0), Marks(choices=("levant",)), full=False
    )
    named = [item.text for layer in scene.layers for item in layer.items if isinstance(item, Label)]
    assert "levant" in named


def test_best_first_is_said_alone_where_no_choice_brings_anything() -> None:
    offer: Any = mail_environment("en").get_template("mail/_macros.txt").module
    view, wording = plain(begun(2)), words("wording.txt")
    for gain, said in (("", "Best first."), ("+1 food", "beyond this turn’s points")):
        choice = Choice(gain=gain, deeds=["Walk"], notation="go", link="")
        text = offer.offer([choice, choice], "move", (), wording, view, False, NAMES, 0)
        assert said in " ".join(text.split())


@pytest.mark.parametrize("form", ["txt", "html"])
@pytest.mark.parametrize(("left", "ranked"), [(1, False), (3, True)])
def test_what_holds_for_all_choices_is_said_once_above_them(
    form: str, left: int, ranked: bool
) -> None:
    """In a last turn nobody is told an order then."""
    told = [Choice(gain="+1 food", deeds=["Walk"], notation="go", link="", reason="Why not.")] * 2
    view, wording = plain(replace(begun(2), turns_left=left)), words("wording.txt")
    macros: Any = mail_environment("en").get_template(f"mail/_macros.{form}").module
    offered = once_reasoned(told)
    text = str(macros.asked(offered, "move", (), wording, view, False, NAMES, 0))
    assert text.count("Why not.") == 1
    assert ("Best first" in text) is ranked
    assert not any(choice.reason for choice in offered)
    apart = [told[0], replace(told[0], reason="Or so.")]
    assert once_reasoned(apart) == apart
    assert once_reasoned(told[:1]) == told[:1]


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "Cook the bear and the deer"), ("fr", "Cuire l’ours et le cerf")],
)
def test_what_is_cooked_is_one_deed(lang: str, said: str) -> None:
    view, wording = plain(begun(2)), words("wording.txt", lang)
    done = [{"do": "piece", "piece": "bear"}, {"do": "piece", "piece": "deer"}, {"do": "done"}]
    assert str(wording.steps(done, ["a", "b", "c"], view)) == said
    assert str(wording.steps(done[1:], ["Cook the deer", "c"], view)) == "Cook the deer"


def test_a_long_list_of_words_ends_in_one_full_stop() -> None:
    errors: Any = mail_environment("en").get_template("wording/errors.txt").module
    assert errors.either([str(n) for n in range(30)]).endswith("” or something else")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_position_in_text_begins_with_the_numbers_of_all_in_columns(lang: str) -> None:
    wanted, marks = Wanted(reader=0, shown=0), Marks(names=NAMES)
    told = board_text(KEY, plain(begun(2)), wanted=wanted, marks=marks, lang=lang)
    head, *rows = told.strip("\n").splitlines()[:3]
    assert head.split() == (
        ["Points", "Huts", "Food"] if lang == "en" else ["Points", "Huttes", "Nourriture"]
    )
    assert [len(row) for row in rows] == [len(head)] * 2, "each number ends below its heading"
    assert [row.split()[1:] for row in rows] == [["0", "0", "0/2"]] * 2


TWO = {
    "en": "Bruno’s second explorer walked to Arabia: a forest full of animals. It hunted there. "
    "Bruno’s first explorer walked to Persia and did nothing there.",
    "fr": "Le second explorateur de Bruno a marché jusqu’en Arabie\xa0: une forêt pleine de "
    "gibier. Il a chassé sur place. Le premier explorateur de Bruno a marché jusqu’en "
    "Perse et décidé de ne rien y faire.",
}


@pytest.mark.parametrize(("lang", "said"), TWO.items())
def test_a_story_says_which_of_two_explorers_does_what(lang: str, said: str) -> None:
    events = [
        event("moved", 1, place="arabia", stayed=False, explorer=2, **{"from": "nile"}),
        event("revealed", 1, place="arabia", kind="forest"),
        event("hunted", 1, place="arabia"),
        event("moved", 1, place="persia", stayed=False, explorer=1, **{"from": "ural"}),
        event("passed", 1),
    ]
    story = words("events.txt", lang).story
    assert story(events, NAMES, 0) == said
    alone = story(events[3:], NAMES, 0)
    assert "explor" not in alone, "nothing tells of another"


@pytest.mark.parametrize(
    ("seats", "left", "said"),
    [
        (3, 2, "This is your last turn."),
        (3, 3, "After this turn you have one more, your last."),
        (2, 1, "This is your last turn."),
    ],
)
def test_f13_2_a_reader_is_told_their_own_last_turn(seats: int, left: int, said: str) -> None:
    view = plain(replace(begun(seats), turns_left=left))
    assert words("wording.txt").advice("move", view, (), NAMES, 0) == said
    assert str(left) in words("terms.txt").left(view, None), "for others it counts all turns"


def test_in_a_last_turn_a_column_that_will_not_be_full_is_no_reason() -> None:
    state = tile(put(begun(2), columns=(box.SUN, "")), "namib", "nut")
    state = submit(GAME, state, 0, "1.0", [do.Go(place="namib")], NoChance()).state
    take = msgspec.to_builtins(do.Take(column="light"))
    last = plain(replace(state, turns_left=1))
    assert words("wording.txt").action(take, last, NAMES, 0) == (
        "Take the nuts: light column, worth nothing any more"
    )


BASKET = {
    "en": [
        "Keep one tile (nuts) in the light column",
        "Discard all three (Sun, nuts, nuts): the light column is then empty",
    ],
    "fr": [
        "Garder une tuile (noix) dans la colonne claire",
        "Défausser les trois (Soleil, noix, noix)\xa0: la colonne claire est alors vide",
    ],
}


@pytest.mark.parametrize(("lang", "said"), BASKET.items())
def test_f10_the_woven_basket_names_its_tiles(lang: str, said: list[str]) -> None:
    state = put(
        begun(2),
        columns=(box.SUN + 2 * LETTER["nut"], ""),
        inventions=("woven_basket",),
        covered=(0,),
    )
    state = replace(state, turn=replace(state.turn, phase=Phase.BASKET, explorer=0, column=0))
    turns: list[tuple[do.Action, ...]] = [(do.Hold(),), (do.Drop(),)]
    wording = words("wording.txt", lang)
    view = plain(state)
    assert [
        wording.action(msgspec.to_builtins(first), view, NAMES, 0) for (first,) in turns
    ] == said
    whys = GAME.reasons(state, 0, turns)
    assert all(wording.reason(msgspec.to_builtins(why), 1, NAMES) for why in whys)
    assert wording.advice("basket", view, (), NAMES, 0)


def test_a_hut_says_the_points_it_brings_part_by_part() -> None:
    state = put(begun(2), explorers=("namib",), huts=("namib",), objective="kin", food=2)
    state = put(state, 1, huts=("namib",))
    state = tile(state, "namib", "")
    state = replace(state, turn=replace(state.turn, phase=Phase.ACTION, explorer=0))
    (why,) = GAME.reasons(state, 0, [(do.Build(),)])
    assert words("wording.txt").reason(msgspec.to_builtins(why), 1, NAMES) == (
        "You would then have the most huts in the Namib. "
        "The hut brings 2 points: 1 for itself and 1 for the majority."
    )
