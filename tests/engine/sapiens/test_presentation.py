"""The presentation by itself: what may be touched next and what is asked, coverings, sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from engine.chance import SeededChance
from engine.kit.presentation import (
    HasPresentation,
    Marks,
    Occasion,
    Points,
    Presentation,
    Prompt,
    Wanted,
)
from engine.kit.scene import Cell, Place
from engine.kit.selection import following, leading
from engine.play import decision_of
from engine.sapiens import GAME, presentation
from engine.sapiens.actions import Lay, PutBear
from engine.sapiens.components import SCENE_INDEX, SCENES
from engine.sapiens.presentation.layout import covered
from engine.sapiens.presentation.scene import SQUARE
from engine.sapiens.state import BONUS, State
from tests.engine.sapiens.positions import board, position

VIEW = dict[str, Any]


def plain(state: State, seat: int | None = 0) -> VIEW:
    seen: VIEW = msgspec.to_builtins(GAME.view(state, seat))
    return seen


def two_tiles(**more: Any) -> State:
    """A tribe of one tile; a pool with two copies of a tile that fits and one that does not."""
    pool = ["camp-hunt.1", "camp-hunt.2", "feast-ritual.1"]
    return position(board(["camp-fire.1 D1 D2"], pool=pool, **more), board())


def ways(state: State) -> list[tuple[Any, Any]]:
    decision = GAME.decisions(state)[0]
    return [(action, presentation.touches(action)) for action in decision.choices]


def next_things(state: State, touched: Sequence[str]) -> dict[str, list[Any]]:
    return following(ways(state), touched)


def test_it_is_a_presentation() -> None:
    shown: Presentation = presentation
    assert isinstance(GAME, HasPresentation)
    assert shown.width == 332


def test_a_tile_is_touched_then_where_its_halves_go() -> None:
    state = two_tiles()
    first = next_things(state, [])
    # Of two copies alike one is offered, whichever it is; a tile without a fitting scene is not.
    assert "tile:camp-hunt.1" in first
    assert "tile:feast-ritual.1" not in first
    places = next_things(state, ["tile:camp-hunt.1"])
    assert places
    for place, actions in places.items():
        assert all(isinstance(action, Lay) and action.first == place for action in actions)
    one = next(iter(places))
    for other, actions in next_things(state, ["tile:camp-hunt.1", one]).items():
        assert [(action.first, action.second) for action in actions] == [(one, other)]


def test_touches_that_lead_nowhere_are_left_out() -> None:
    paths = [path for _, path in ways(two_tiles())]
    assert leading(paths, ["tile:feast-ritual.1", "tile:camp-hunt.1", "H5"]) == ["tile:camp-hunt.1"]


def test_what_cannot_be_touched_is_named_with_what_was_meant() -> None:
    state = two_tiles()
    decision = GAME.decisions(state)[0]
    actions = list(decision.choices)
    asked = (decision.kind, actions, plain(state), 0)
    assert "tile:feast-ritual.1" in presentation.untouchable(*asked, [])
    assert "tile:camp-hunt.2" not in presentation.untouchable(*asked, [])
    barred = presentation.untouchable(*asked, ["tile:camp-hunt.1"])
    assert {"WL", "WR", "C1N", "A1", "H5"} <= set(barred)
    meant = presentation.meant(actions, plain(state), 0, ["tile:camp-hunt.1"], "WL")
    assert meant == ["lay camp-hunt.1 WL A1"]
    meant = presentation.meant(actions, plain(state), 0, ["tile:camp-hunt.1", "D1"], "H5")
    assert meant == ["lay camp-hunt.1 D1 H5"]
    assert presentation.subjects({"square": "C1", "scene": "hunt"}) == ["C1"]


@pytest.mark.parametrize(
    ("kind", "touched", "asked"),
    [
        ("lay", [], Prompt(code="own_tile")),
        ("lay", ["tile:camp-hunt.1"], Prompt(code="half", look="camp")),
        ("lay", ["tile:camp-hunt.1", "D1"], Prompt(code="other_half", look="hunt")),
        ("lay", ["tile:camp-hunt.1", "D1", "D2"], Prompt()),
        ("bonus", ["do:feast"], Prompt(code="own_tile")),
        ("bonus", ["do:feast", "tile:camp-hunt.1"], Prompt(code="half", look="camp")),
        ("lay", ["token:fight"], Prompt(code="fight")),
        ("bonus", ["do:water"], Prompt(code="give")),
        ("bonus", ["do:water", "tile:camp-hunt.1"], Prompt(code="get")),
        ("bonus", ["do:ritual"], Prompt(code="claim")),
        ("bonus", ["do:fire"], Prompt(code="bear")),
        ("bonus", ["do:fire", "board:1"], Prompt(code="bear_square")),
        ("bonus", ["do:camp"], Prompt()),
        ("bonus", [], Prompt(code="bonus")),
        ("remove", [], Prompt(code="remove")),
        ("stuck", [], Prompt()),
    ],
)
def test_the_next_touch_is_asked_for(kind: str, touched: list[str], asked: Prompt) -> None:
    assert presentation.prompt(kind, list(GAME.decisions(two_tiles())[0].choices), touched) == asked


def test_half_a_tile_waits_where_it_was_put() -> None:
    assert presentation.waiting(["tile:camp-hunt.1", "D1"]) == {"D1": "camp"}
    assert presentation.waiting(["do:feast", "tile:camp-hunt.1", "D1"]) == {"D1": "camp"}
    assert presentation.waiting(["tile:camp-hunt.1"]) == {}


def test_tiles_cover_their_places_each_half_turned_to_the_other() -> None:
    view = plain(position(board(["hunt-fire.1 C1N C1", "water-camp.1 D1 D2"]), board()))
    found = {
        place: (half.scene, half.degrees)
        for place, half in covered(view["players"][0]["board"]).items()
    }
    assert found == {
        "C1N": ("hunt", 90),
        "C1": ("fire", 270),
        "D1": ("water", 90),
        "D2": ("camp", 270),
    }


def test_a_tile_filled_last_and_one_of_another_tribe_are_marked() -> None:
    own = plain(position(board(["hunt-fire.1 C1N C1", "camp-fire.1 D1 D2"]), board()))
    laid = own["players"][0]["board"]
    states = {place: half.state for place, half in presentation.lying(laid, ["D2"]).items()}
    assert states == {"C1N": "quiet", "C1": "quiet", "D1": "last", "D2": "last"}
    told = presentation.facts(laid, ["D2"], once=True)
    assert [tile["tile"] for tile in told.new] == ["camp-fire.1"]
    assert [tile["tile"] for tile in told.tribe] == ["hunt-fire.1"]
    assert not told.whole
    assert "C1N" not in {cave["name"] for cave in told.open_caves}
    after = {**laid, "tribe": laid["tribe"] + 1}
    assert {half.state for half in presentation.lying(after, ["D2"]).values()} == {"abandoned"}
    assert len(presentation.facts(after, []).abandoned) == 2


@pytest.mark.parametrize(
    ("events", "points", "kind"),
    [
        ([("laid", {"fp": 3, "connected": [], "how": "turn"})], 3, "fp"),
        ([("laid", {"fp": 3}), ("fight_paid", {})], 2, "fp"),
        ([("cave_scored", {"sp": 7})], 7, "sp"),
        ([("laid", {"fp": 2}), ("cave_scored", {"sp": 7})], 2, "fp"),
        ([], 0, ""),
    ],
)
def test_points_that_a_place_brings_are_summed_up(
    events: list[tuple[str, dict[str, Any]]], points: int, kind: str
) -> None:
    told = [{"kind": kind, "seat": 0, "data": data} for kind, data in events]
    assert presentation.brought(told) == Points(count=points, kind=kind)


def test_bonuses_are_open_until_they_are_used() -> None:
    laid = {"fp": 3, "how": "turn", "connected": [{"scene": "camp"}, {"scene": "hunt"}]}
    events = [{"kind": "laid", "data": laid}, {"kind": "camped", "data": {"sp": 3}}]
    assert presentation.gain(events) == (3, 3, 0, [], [], ["hunt"])


def test_a_step_that_plays_a_token_does_not_count_it_as_spent() -> None:
    """It is told by the deed; a whole turn counts it."""
    events = [{"kind": "token_played", "data": {"scene": "fire"}}]
    assert presentation.gain(events).spent == []
    assert presentation.gain([*events, {"kind": "took", "data": {}}]).spent == ["fire"]


def test_filled_places_are_of_the_board_they_are_on() -> None:
    events = [
        {"kind": "laid", "seat": 0, "data": {"first": "C1", "second": "C2"}},
        {"kind": "bear_put", "seat": 0, "data": {"board": 1, "square": "D4"}},
    ]
    assert list(presentation.filled(events)) == [(0, "C1"), (0, "C2"), (1, "D4")]


@pytest.mark.parametrize(
    ("stack", "common", "ending", "left"),
    [(10, 5, False, 4), (0, 1, False, 1), (0, 0, False, 0), (3, 5, True, 0)],
)
def test_turns_are_counted_to_the_end(stack: int, common: int, ending: bool, left: int) -> None:
    view = plain(two_tiles()) | {"stack": stack, "ending": ending, "common": [{}] * common}
    assert presentation.turns_left(view) == left
    assert presentation.turns_left(view | {"to_move": None}) is None


def test_whose_board_is_the_big_one() -> None:
    view = plain(two_tiles()) | {"to_move": 1}
    assert [presentation.shown_seat(view, 0, 1), presentation.shown_seat(view, 0)] == [1, 0]
    assert presentation.shown_seat(view, None) == 1
    assert presentation.shown_seat(view | {"to_move": None}, None) == 0


@pytest.mark.parametrize("occasion", Occasion)
def test_a_letter_has_one_picture_with_everybody_s_boards(occasion: Occasion) -> None:
    view = plain(two_tiles())
    assert presentation.pictures(view, 1, occasion) == (Wanted(reader=1, shown=1),)
    scene = presentation.scene(view, Wanted(reader=1, shown=1), Marks(), full=False)
    rims = [item for item in scene.items if isinstance(item, Cell) and item.look == "rim"]
    assert len(rims) == len(view["players"])


def test_a_legend_explains_each_mark_once_and_points_at_those_on_the_board() -> None:
    laid = board(["hunt-fire.1 C1N C1", "camp-fire.1 D2 D1"])
    view = plain(position(laid, board(), mover=0, number=5))
    meant = presentation.meanings(view["players"][0]["board"], 0)
    kinds = [mark.kind for mark in meant]
    assert kinds == ["cave", "token", "food", "bear", "steak", "fight", "last", "score"]
    drawn = presentation.scene(view, Wanted(reader=0, legend=True), Marks(), full=False)
    on_page = presentation.scene(view, Wanted(reader=0, legend=True), Marks(), full=True)
    beside = presentation.legend(view, 0)
    for scenes in ((drawn,), (on_page, beside)):
        looks = [item for scene in scenes for item in scene.items if isinstance(item, Cell)]
        assert [cell.arguments[0] for cell in looks if cell.look == "meaning"] == kinds
        pointed = [cell.arguments for cell in looks if cell.look == "called_out"]
        assert pointed == [(n,) for n in range(1, 1 + sum(bool(mark.place) for mark in meant))]
    assert len(beside.parts) == 2
    plainly = presentation.scene(view, Wanted(reader=0), Marks(), full=False)
    assert drawn.height > plainly.height
    assert {"meaning", "called_out"}.isdisjoint(
        item.look for item in plainly.items if isinstance(item, Cell)
    )


def test_a_board_that_is_alone_has_the_valley_and_the_pool_of_its_seat() -> None:
    view = plain(two_tiles())
    whole, alone = (
        presentation.scene(view, Wanted(reader=0, shown=1, alone=alone), Marks(), full=True)
        for alone in (False, True)
    )
    full, few = (
        {item.look for item in each.items if isinstance(item, Cell)} for each in (whole, alone)
    )
    assert few.isdisjoint({"row", "common", "stack"})
    assert full > few >= {"rim", "pool_of", "at_home"}
    assert alone.height < whole.height * 0.55
    assert not alone.folds


def test_before_the_first_tile_a_legend_explains_only_what_it_takes() -> None:
    view = plain(position(board(), board(), mover=0, number=1))
    meant = presentation.meanings(view["players"][0]["board"], 0)
    assert [mark.kind for mark in meant] == ["cave", "token", "food", "score"]


def test_after_the_first_tile_a_legend_tells_what_each_scene_brings() -> None:
    view = plain(position(board(["hunt-fire.1 C1N C1"]), board(), mover=0, number=3))
    meant = presentation.meanings(view["players"][0]["board"], 0)
    assert [mark.shown for mark in meant] == [(scene,) for scene in SCENES]
    assert {mark.kind for mark in meant} == {"scene"}


def test_a_choice_s_picture_has_the_places_it_fills_and_keeps_within_its_size() -> None:
    view = plain(two_tiles())
    for tile in view["players"][0]["board"]["tiles"]:
        last = {tile["first"], tile["second"]}
        scene = presentation.patch(view, 0, last)
        assert scene is not None
        cells = [item for item in scene.items if isinstance(item, Cell)]
        laid = [cell for cell in cells if cell.look in ("taken", "cave_taken")]
        assert scene.width >= 3 * laid[0].width
        assert sum("last" in cell.arguments for cell in laid) == 2
        for cell in cells:
            assert 0 <= cell.x <= scene.width - cell.width
            assert 0 <= cell.y <= scene.height - cell.height
    assert presentation.patch(view, 0, ()) is None


@pytest.mark.parametrize(
    ("tribe", "laid", "equal", "size"),
    [
        (["ritual-fire.1 H2 H2E"], "picking-ritual.1 F2 G2", 1, (3, 3)),
        (["picking-fire.1 C2 B2"], "picking-ritual.1 D2 E2", 1, (3, 3)),
        (["picking-fire.1 C3 C2", "ritual-fire.1 F3 F2"], "picking-ritual.1 D3 E3", 2, (4, 3)),
        (["ritual-fire.1 E2 F2"], "picking-ritual.1 E4 E3", 1, (3, 3)),
    ],
    ids=["to the right", "to the left", "on both sides", "above"],
)
def test_a_choice_s_picture_has_the_equal_scenes_that_its_food_comes_from(
    tribe: list[str], laid: str, equal: int, size: tuple[int, int]
) -> None:
    view = plain(position(board([*tribe, laid]), board()))
    tile = view["players"][0]["board"]["tiles"][-1]
    scene = presentation.patch(view, 0, {tile["first"], tile["second"]})
    assert scene is not None
    cells = [item for item in scene.items if isinstance(item, Cell) and item.look == "taken"]
    quiet = [cell.arguments[1] for cell in cells if "quiet" in cell.arguments]
    assert sum(scene in ("picking", "ritual") for scene in quiet) == equal
    assert (scene.width, scene.height) == tuple(SQUARE * count for count in size)


@pytest.mark.parametrize(
    ("points", "winners", "told"),
    [
        ([(11, 14), (10, 15)], (), ([0], 11, 1, [1])),
        ([(11, 14), (15, 11)], (), ([0, 1], 11, 0, [])),
        ([(4, 3), (9, 9)], (0,), ([0], 3, -6, [1])),
    ],
    ids=["one is ahead", "level", "who left had more"],
)
def test_s12_2_who_leads_is_told_by_the_lower_of_the_two(
    points: list[tuple[int, int]],
    winners: tuple[int, ...],
    told: tuple[list[int], int, int, list[int]],
) -> None:
    view = {"players": [{"fp": fp, "sp": sp} for fp, sp in points]}
    assert presentation.lead(view, winners) == told


def test_s5_4_the_cave_of_a_lesson_is_one_that_a_tile_may_enter() -> None:
    """C1N (fire) shelters more than A2W (picking), but picking may not lie on the plain C1."""
    sketch = board(pool=["picking-fire.1"], tokens={"C1N": "fire", "A2W": "picking"})
    found = presentation.likely_cave(plain(position(sketch, board())), 0)
    assert found is not None
    assert found["name"] == "A2W"


def test_copies_alike_lead_to_the_same_and_others_do_not() -> None:
    scene = presentation.scene(plain(two_tiles()), Wanted(reader=0), Marks(), full=True)
    places = {item.id: item for item in scene.items if isinstance(item, Place)}
    both = ("tile:camp-hunt.1", "tile:camp-hunt.2")
    assert places[both[0]].alike == places[both[1]].alike == both
    assert places["tile:feast-ritual.1"].alike == ("tile:feast-ritual.1",)
    assert places["C3"].dotted
    assert not places["WL"].dotted
    assert "board:1" in places


@pytest.mark.parametrize("owners", [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3]])
def test_fight_tokens_leave_the_codes_of_their_tile_free(owners: list[int]) -> None:
    view = plain(two_tiles())
    view["players"][0]["pool"][0]["tokens"] = owners
    scene = presentation.scene(view, Wanted(reader=0), Marks(), full=True)
    cells = [item for item in scene.items if isinstance(item, Cell)]
    lying = [cell for cell in cells if cell.look == "fight_token"]
    left, right = [cell for cell in cells if cell.look == "coded" and cell.y - lying[0].y == 2][:2]
    # Two letters are at most 18 wide, in the middle of their 24.
    assert min(cell.x for cell in lying) >= left.x + 12 + 9
    assert max(cell.x + cell.width for cell in lying) <= right.x + 12 - 9


def test_what_is_drawn_depends_on_the_reader_only_by_the_words_for_them() -> None:
    state = two_tiles()
    marks = Marks(names=("Ann", "Ben"))
    own = presentation.scene(plain(state, 0), Wanted(reader=0, shown=0), marks, full=False)
    others = presentation.scene(plain(state, 1), Wanted(reader=1, shown=0), marks, full=False)
    differing = {
        (one.look, other.look)
        for one, other in zip(own.items, others.items, strict=True)
        if one != other and isinstance(one, Cell) and isinstance(other, Cell)
    }
    assert differing == {("pool", "pool_of")}


def test_every_legal_action_has_a_path_or_a_name_of_its_own() -> None:
    state = two_tiles()
    decision = decision_of(GAME, state, 0, GAME.decisions(state)[0].id)
    by_path: dict[Any, list[Any]] = {}
    for action in decision.choices:
        by_path.setdefault(presentation.touches(action), []).append(action)
    assert all(len(actions) == 1 for path, actions in by_path.items() if path)


def test_deeds_of_one_player_are_one_sentence_until_something_else_happens() -> None:
    def event(kind: str, seat: int | None) -> dict[str, Any]:
        return {"kind": kind, "seat": seat, "data": {}}

    events = [event("laid", 0), event("took", 0), event("over", None), event("over", None)]
    events += [event("laid", 0), event("laid", 1)]
    told = [(one.own, len(one.events)) for one in presentation.sentences(events)]
    assert told == [(False, 2), (True, 1), (True, 1), (False, 1), (False, 1)]
    assert presentation.sentences([]) == []


@pytest.mark.parametrize(
    ("kind", "data", "seats"),
    [
        ("bear_put", {"board": 1, "square": "D1", "tiles": [], "sp": 2}, [1]),
        ("swapped", {"gave": "camp-fire", "got": "feast-hunt", "pool": 2}, [2]),
        ("swapped", {"gave": "camp-fire", "got": "feast-hunt", "pool": None}, []),
        ("fight_placed", {"tile": "camp-fire", "pool": 1, "moved": None}, [1]),
        ("fight_paid", {"tile": "camp-fire", "owner": 1}, [1]),
        ("hunted", {"taken": 1, "converted": 0, "fp": 0, "left": 1}, []),
    ],
)
def test_an_event_concerns_the_seat_it_is_done_to(
    kind: str, data: dict[str, Any], seats: list[int]
) -> None:
    assert list(presentation.concerned({"kind": kind, "seat": 0, "data": data})) == seats


def test_steaks_are_drawn_where_somebody_has_some() -> None:
    def drawn(view: VIEW) -> list[Any]:
        shown = presentation.scene(view, Wanted(reader=0), Marks(), full=True)
        cells = [item for item in shown.items if isinstance(item, Cell)]
        return [cell.arguments for cell in cells if cell.look == "steaks"]

    view = plain(two_tiles())
    assert not drawn(view)
    view["players"][0]["steaks"] = 2
    assert drawn(view) == [(2,)]


def test_scenes_are_named_until_the_first_tile_lies() -> None:
    """Codes below the pool and the lesson speak of scenes, which a beginner knows by no picture."""
    before, after = (
        msgspec.to_builtins(GAME.view(position(own, board()), 0))
        for own in (board(), board(["hunt-fire.1 C1N C1"]))
    )
    for view, named in ((before, list(SCENES)), (after, [])):
        drawn = [
            presentation.scene(view, Wanted(reader=0, legend=True), Marks(), full=False),
            presentation.legend(view, 0),
        ]
        for scene in drawn:
            cells = [
                item for layer in scene.layers for item in layer.items if isinstance(item, Cell)
            ]
            assert [cell.arguments[0] for cell in cells if cell.look == "named_scene"] == named


def test_s8_8_the_shelter_of_a_bear_is_told_before_it_is_put() -> None:
    tiles = ["camp-fire.1 D1N D1", "hunt-fire.1 D3 D2", "feast-hunt.1 E4 E3"]
    fire = 1 << SCENE_INDEX["fire"]
    state = position(board(["feast-fight.1 C1N C1"]), board(tiles), phase=BONUS, bonuses=fire)
    [decision] = GAME.decisions(state)
    bears = [action for action in decision.choices if isinstance(action, PutBear)]
    assert len(bears) > 5
    for action in bears:
        [put] = [
            each
            for each in GAME.apply(state, 0, action, SeededChance(bytes(32))).events
            if each.kind == "bear_put"
        ]
        told = presentation.bear_shelter(action.square, action.board, plain(state))
        assert told == put.data["sp"], action
