"""Every event, refusal and action of Sapiens has a sentence in both languages, fit for one line."""

from __future__ import annotations

import itertools
import typing
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from engine.chance import SeededChance
from engine.games import games
from engine.sapiens import GAME, actions
from engine.sapiens.actions import Action
from engine.sapiens.bots.reasons import Following, Reason
from engine.sapiens.components import SCENES
from engine.sapiens.errors import ERROR_CODES
from engine.sapiens.events import EVENT_KINDS
from engine.sapiens.state import BONUS, LAY, OVER, REFILL, REMOVE, START, STUCK
from service.render.templating import environment
from tests.engine.sapiens.positions import Sketch, board, position
from tests.wording.samples import ERROR_VALUES, EVENT_DATA, NAMES, OTHER_ERROR_VALUES

Say = Callable[..., str]

READERS = (0, 1, 2, None)


def fit(text: str) -> None:
    """One line of finished text: nothing at its ends, no gap, no placeholder left."""
    assert text
    assert text == text.strip()
    assert "\n" not in text
    assert "  " not in text
    assert "%(" not in text
    assert "None" not in text


@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_every_kind_of_event_is_told(say: Say, kind: str) -> None:
    for data, me in itertools.product(EVENT_DATA[kind], READERS):
        assert data.keys() == set(EVENT_KINDS[kind])
        e = {"kind": kind, "seat": 0, "data": data}
        told = say("event", e, NAMES, me)
        fit(told)
        assert told.endswith(".")
        assert told[0].isupper()


@pytest.mark.parametrize(("code", "rule", "keys"), ERROR_CODES)
def test_every_refusal_says_why(say: Say, code: str, rule: str, keys: tuple[str, ...]) -> None:
    values = [OTHER_ERROR_VALUES.get((code, key), ERROR_VALUES[key]) for key in keys]
    for chosen in itertools.product(*values):
        context = dict(zip(keys, chosen, strict=True))
        told = say("error", code, rule, context, NAMES, 0)
        fit(told)
        assert told.endswith(f". ({rule})")
        assert told[0].isupper() or told[0] in "“«"


def test_an_unknown_code_is_an_error_of_ours(say: Say) -> None:
    with pytest.raises(Exception, match="no_such_code"):
        say("error", "no_such_code", "S§1", {}, NAMES, 0)
    with pytest.raises(Exception, match="no_such_kind"):
        say("event", {"kind": "no_such_kind", "seat": 0, "data": {}}, NAMES, 0)
    with pytest.raises(Exception, match="no_such_deed"):
        say("action", {"do": "no_such_deed"}, {}, NAMES, 0)


def view() -> dict[str, Any]:
    """The first position of a game of three, with some things moved into reach."""
    game = games()["sapiens"]
    state = game.setup(3, game.options_type(), SeededChance(bytes(32))).state
    shown: dict[str, Any] = msgspec.to_builtins(game.view(state, None))
    shown["to_move"] = 0
    return shown


def sample_actions() -> list[Any]:
    shown = view()
    own, other = (shown["players"][seat]["pool"][0]["tile"] for seat in (0, 1))
    common = shown["common"][0]["tile"]
    cave = shown["players"][0]["board"]["caves"][0]["name"]
    effects: list[Any] = [
        actions.Feast(tile=own, first="C4", second="D4"),
        actions.Picking(),
        actions.Claim(place=cave),
        actions.Claim(place="WL"),
        actions.Recall(scene="hunt"),
        actions.Fight(tile=other),
        actions.Fight(tile=common, moved=own),
        actions.Water(give=own, get=other),
        actions.Water(give=own, get=common),
        actions.Camp(),
        actions.Hunt(convert=0),
        actions.Hunt(convert=6),
        actions.PutBear(board=1, square="C3"),
        actions.RemoveBear(square="C3"),
    ]
    return [
        actions.Lay(tile=own, first="C4", second="D4"),
        actions.Lay(tile=own, first="C4", second="D4", order=(2, 1)),
        actions.Abandon(tile=own, first=cave, second=cave[:2]),
        actions.Out(),
        *effects,
        *(actions.Token(effect=effect) for effect in effects),
        actions.Retrieve(tile=other),
        actions.Take(tiles=(common,)),
        actions.Take(tiles=()),
        actions.Remove(tile=common),
    ]


def test_every_action_can_be_chosen_by_its_words(say: Say) -> None:
    samples = sample_actions()
    assert {type(a) for a in samples} == set(typing.get_args(actions.Action))
    shown = view()
    for steaks, bonuses, gain in itertools.product(
        (0, 5), ([], ["hunt"], ["hunt", "fire"]), ("", "+3 x")
    ):
        there = {**shown, "steaks": steaks, "bonuses": bonuses}
        told = [say("action", msgspec.to_builtins(a), there, NAMES, 0, gain) for a in samples]
        for words in told:
            fit(words)
            assert words[0].isupper()
        # Hunts of several steaks aside, what differs is worded differently.
        assert len(set(told)) == len(samples)


@pytest.mark.parametrize("phase", [START, LAY, STUCK, BONUS, REFILL, REMOVE, OVER])
def test_every_phase_is_named(say: Say, phase: str) -> None:
    fit(say("phase", phase))


@pytest.mark.parametrize("code", ["normal", "all_out"])
def test_every_ending_is_named(say: Say, code: str) -> None:
    fit(say("termination", code))


def test_the_options_are_named(say: Say) -> None:
    game = games()["sapiens"]
    for options in (game.options_type(), game.options_type(faces=("L1a", "R2b"))):
        fit(say("options", msgspec.to_builtins(options)))


def test_scenes_and_colours_differ(say: Say) -> None:
    scenes = [say("scene", name) for name in SCENES]
    colours = [say("colour", seat) for seat in range(4)]
    assert len(set(scenes)) == 8
    assert len(set(colours)) == 4


def test_whole_games_are_told(say: Say) -> None:
    """All that really happens and can really be done in games played at random has words."""
    game = games()["sapiens"]
    for seats in (2, 3, 4):
        chance = SeededChance(bytes([seats]) * 32)
        step = game.setup(seats, game.options_type(), chance)
        turn, events = None, list(step.events)
        while decisions := game.decisions(step.state):
            [decision] = decisions
            if decision.id != turn:
                told = msgspec.to_builtins(events)
                fit(say("story", told, NAMES, decision.seat))
                say("gain", told)
                turn, events = decision.id, []
            shown = msgspec.to_builtins(game.view(step.state, None))
            choices = list(itertools.islice(decision.choices, 200))
            chosen = choices[chance.below("choice", len(choices))]
            for action in (*choices[:3], chosen):
                fit(say("action", msgspec.to_builtins(action), shown, NAMES, decision.seat))
            step = game.apply(step.state, decision.seat, chosen, chance)
            for e in msgspec.to_builtins(step.events):
                fit(say("event", e, NAMES, decision.seat))
            events.extend(step.events)
        fit(say("story", msgspec.to_builtins(events), NAMES, None))
        fit(say("score_line", msgspec.to_builtins(game.view(step.state, None)), 0))


def test_an_html_page_escapes_names() -> None:
    page = environment("fr").from_string(
        '{% import "games/sapiens/wording.txt" as words %}{{ words.event(e, names, none) }}'
    )
    e = {"kind": "camped", "seat": 0, "data": {"sp": 3}}
    said = page.render(e=e, names=["<i>Eve\nb</i>"])
    assert said == "&lt;i&gt;Eve b&lt;/i&gt; a profité du campement (+3\xa0d’abri)."


def test_news_say_first_what_a_turn_brought(say: Say) -> None:
    """Sums first, and a source by itself only where there are several of its kind."""
    laid = {"tile": "picking-hunt", "first": "D1N", "second": "D1", "how": "turn", "fp": 3,
            "connected": []}  # fmt: skip
    told = [("laid", laid), ("hunted", {"taken": 1, "converted": 1, "fp": 1, "left": 0}),
            ("cave_scored", {"cave": "D1N", "sp": 6, "token": True}),
            ("took", {"tiles": ["camp-fire"]})]  # fmt: skip
    events = [{"kind": kind, "seat": 1, "data": data} for kind, data in told]
    said, name = say("story", events, NAMES, 0).replace("\xa0", " "), NAMES[1]
    english = (f"{name} gained 4 food and 6 shelter with picking–hunt in the cave of D1 and on D1"
               " (+3 food), took")  # fmt: skip
    french = (f"{name} a gagné 4 de nourriture et 6 d’abri avec Cueillette–Chasse dans la caverne"
              " de D1 et en D1 (+3 de nourriture), gagné")  # fmt: skip
    assert said.startswith((english, french))
    assert said.count("6") == 1
    assert said.count(".") == 1, "a turn of four deeds is one sentence"
    longer = say("story", [*events, *events[1:3]], NAMES, 0)
    assert f". Then {name} " in longer or f". Puis {name} a " in longer, "whole sentences"
    alone = say("story", events[:1], NAMES, 0)
    assert alone.startswith((f"{name} laid", f"{name} a posé"))
    assert "+3" in alone


def test_a_gain_has_the_steaks(say: Say) -> None:
    def gain(*told: tuple[str, dict[str, Any]]) -> str:
        return say("gain", [{"kind": kind, "seat": 0, "data": data} for kind, data in told])

    took = ("took", {"tiles": ["camp-fire.1"]})
    token = ("token_played", {"scene": "hunt"})
    hunt = ("hunted", {"taken": 1, "converted": 0, "fp": 0, "left": 1})
    five = ("hunted", {"taken": 1, "converted": 5, "fp": 10, "left": 0})
    assert gain(token, hunt, took).startswith(("+1 steak, −1 mountain", "+1 steak, −1 jeton"))
    assert gain(five, took).endswith(", −4 steaks")
    assert "steak" not in gain(hunt), "the step itself says so"


@pytest.mark.parametrize(
    ("fp", "owners", "order", "english", "french"),
    [
        (2, (1, 2), (), "2 food to Bjørn and O’Malley", "2 points de nourriture cédés à"),
        (1, (1,), (), "1 food to Bjørn", "1 point de nourriture cédé à Bjørn"),
        (1, (1, 2), (2, 1), "1 food to O’Malley", "1 point de nourriture cédé à O’Malley"),
        (0, (1,), (), "no food to give Bjørn", "rien à céder à Bjørn, faute de nourriture"),
        (0, (), (), "", ""),
    ],
)
def test_s8_4_a_choice_says_what_fight_tokens_cost(
    say: Say, fp: int, owners: tuple[int, ...], order: tuple[int, ...], english: str, french: str
) -> None:
    """In the words of what then happens."""
    marks = [["camp-hunt.1"] if seat in owners else [] for seat in (1, 2)]
    own = board(["camp-fire.1 D1 D2"], pool=["camp-hunt.1", "feast-ritual.1"], fp=fp)
    state = position(own, *(board(fights=fights) for fights in marks))
    action = actions.Lay(tile="camp-hunt.1", first="C1", second="B1", order=order)
    names = ["Ana", "Bjørn", "O’Malley"]
    view = msgspec.to_builtins(GAME.view(state, 0))
    told = say("action", msgspec.to_builtins(action), view, names, 0).replace("\xa0", " ")
    fit(told)
    wanted = english if "food" in told or "hunt" in told else french
    assert wanted in told
    assert bool(wanted) == ("food" in told or "nourriture" in told)
    done = GAME.apply(state, 0, action, SeededChance(bytes(32))).events
    paid = [event.data["owner"] for event in done if event.kind == "fight_paid"]
    assert len(paid) == min(fp, len(owners))
    assert all(names[owner] in told for owner in paid)


def _taught(lang: str, n: int, own: Sketch, turn: Sequence[Action] = ()) -> str:
    """A lesson on this board, with examples from a turn."""
    words: Any = environment(lang).get_template("games/sapiens/lessons.txt").module
    view = msgspec.to_builtins(GAME.view(position(own, board()), 0))
    return str(words.lesson(n, view, 0, [msgspec.to_builtins(action) for action in turn]))


@pytest.mark.parametrize("claimed", [[], ["picking", "hunt"]])
def test_s9_2_s9_4_a_lesson_tells_which_tokens_differ_from_their_scene(claimed: list[str]) -> None:
    told = _taught("en", 2, board(["hunt-fire.1 C1N C1"], claimed=claimed))
    assert "a picking token brings no food, but lets picking lie on plains" in told
    assert "a hunt token brings a steak, but turns none into food" in told


@pytest.mark.parametrize(("lang", "number"), [("en", "second number"), ("fr", "second nombre")])
def test_s11_2_lessons_tell_what_a_new_tribe_gets(lang: str, number: str) -> None:
    laid = board(["hunt-fire.1 C1N C1"])
    new = actions.Abandon(tile="ritual-water.1", first="H2E", second="H2")
    for n in (1, 2, 3):
        assert number in _taught(lang, n, laid, [new]), "when one has to begin"
    assert number in _taught(lang, 1, board()), "and before the first tile"


def test_a_turn_that_leaves_no_tile_to_lay_is_offered_with_a_warning(say: Say) -> None:
    why = to_builtins(Reason(other=1, better="food", worse="caves", stuck=True))
    told = say("reason", why, 2, NAMES)
    fit(told)
    alone = to_builtins(Reason(stuck=True))
    assert told.endswith(say("reason", alone, 1, NAMES))
    assert not say("reason", {**alone, "stuck": False}, 1, NAMES)


@pytest.mark.parametrize("fitting", [1, 3])
def test_choices_of_a_first_tile_say_what_can_follow(say: Say, fitting: int) -> None:
    then = Following(fitting=fitting, tile="picking-ritual.1", fp=2, sp=0, scenes=("ritual",))
    told = say("reason", to_builtins(Reason(following=then)), 1, NAMES)
    fit(told)
    assert ("3" in told) == (fitting == 3)
    assert "2" in told
    assert told.endswith(("and the ritual bonus.", "et l’effet Rituel."))
    then = replace(then, sp=3, scenes=("camp", "ritual"))
    told = say("reason", to_builtins(Reason(following=then)), 1, NAMES)
    assert told.endswith(("(camp bonus included).", "(effet Campement compris).")), "in the numbers"


def test_what_tiles_bring_next_turn_is_told_in_numbers(say: Say) -> None:
    for why, sign in ((Reason(other=1, better="tiles"), 1), (Reason(other=1, worse="tiles"), -1)):
        whys = [
            replace(why, points=2 * sign, fitting=3 * sign),
            replace(why, fitting=3 * sign),
            why,
        ]
        told = [say("reason", to_builtins(each), 2, NAMES) for each in whys]
        for words in told[:2]:
            fit(words)
        assert ["2" in words for words in told] == [True, False, False]
        assert ["3" in words for words in told] == [False, True, False]
        assert bool(told[2]) == (sign < 0), "no number, no word that nobody can check"


def test_what_a_mountain_token_brings_is_told_as_one_with_it(say: Say) -> None:
    told = [("camped", {"sp": 3}), ("token_played", {"scene": "camp"}), ("camped", {"sp": 3})]
    events = [{"kind": kind, "seat": 1, "data": data} for kind, data in told]
    said = say("story", events, NAMES, 0).replace("\xa0", " ")
    fit(said)
    english = "used a camp (+3 shelter) and used another camp (+3 shelter) with a mountain token."
    french = "et profité d’un autre campement (+3 d’abri) grâce à un jeton Montagne."
    assert said.endswith((english, french))


def test_s7_1_who_claims_the_token_of_a_cave_reads_what_the_cave_then_gives(say: Say) -> None:
    state = position(board(["hunt-fire.1 C1N C1"]), board())
    view = msgspec.to_builtins(GAME.view(state, 0))
    caves = {cave["name"]: cave for cave in view["players"][0]["board"]["caves"]}
    cave = caves["H2E"]
    claimed = say("action", {"do": "claim", "place": "H2E"}, view, NAMES, 0)
    fit(claimed)
    assert str(cave["low"]) in claimed
    assert str(cave["high"]) in claimed
    fallen = say("action", {"do": "claim", "place": "WL"}, view, NAMES, 0)
    assert str(cave["high"]) not in fallen
