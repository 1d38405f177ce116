"""The valley as a scene: all that lies on it is told, moves are arrows, actions have paths."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.kit.plans.alternatives import Alternative, Alternatives
from engine.kit.presentation import Marks, Wanted
from engine.kit.scene import Arrow, EdgeKind, Form, Label, Mark, MarkKind, Scene, Token, Veil, walk
from engine.kit.shapes import box_of
from engine.mammoths import actions as do
from engine.mammoths.choices import of_move
from engine.mammoths.game import MAMMOTHS
from engine.mammoths.presentation import MammothsPresentation, telling
from engine.mammoths.presentation.valley import Valley, standing
from engine.mammoths.state import Closed, Field, Options
from tests.engine.mammoths.positions import A, B, position

SHOWN = MammothsPresentation()
AT = position(
    {(35, A): (4, 2), (13, A): (0, 1), (35, B): (1, 1)},
    camps={35: A, 13: A},
    herds={(35, "wolf"): 3, (56, "mammoth"): 1},
    options=Options(board=1),
)


def view_of(state: Any) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(MAMMOTHS.view(state, None))
    return found


def scene_of(state: Any, **marks: Any) -> Scene:
    return SHOWN.scene(view_of(state), Wanted(), Marks(**marks), full=False)


def test_all_that_stands_on_a_hex_is_told() -> None:
    stops = {stop.place.id: stop for stop in walk(scene_of(AT))}
    assert len(stops) == 37
    told = [(t.look, t.seat, t.counts) for t in stops["35"].tokens]
    assert told == [
        ("village", A, ()),
        ("tribe", A, (4, 2)),
        ("tribe", B, (1, 1)),
        ("wolf", None, (3,)),
    ]
    assert [t.look for t in stops["13"].tokens] == ["cave", "tribe"]
    across = {beside.place: beside.told for beside in stops["34"].beside}
    assert across["33"] == (EdgeKind.RIVER,)
    assert across["35"] == ()


def test_every_river_edge_of_every_board_is_drawn_once() -> None:
    for number in (1, 2, 3, 4):
        valley = Valley(number)
        drawn = [pair for edge in valley._rivers() for pair in edge.between]
        edges = sum(len(place.rivers) for place in valley.board.places.values()) // 2
        assert len(drawn) == len({*drawn}) == edges


def test_closed_frozen_and_contested_hexes_are_marked() -> None:
    state = msgspec.structs.replace(
        AT,
        closed=(Closed(hex=31, cause="burn"), Closed(hex=45, cause="flood")),
        frozen=(21,),
        fields=(Field(hex=35, ears=1),),
        phase="combat",
    )
    scene = scene_of(state)
    assert [v.colour for v in scene.items if isinstance(v, Veil)] == ["burnt", "flood", "frozen"]
    marks = [m for m in scene.items if isinstance(m, Mark) and m.kind is MarkKind.HIGHLIGHT]
    assert len(marks) == 2, "on its hex, and in the legend"
    ears = [token.detail for token in standing(view_of(state))[35] if token.look == "ears"]
    assert ears == ["1"]


def test_a_page_outlines_the_fights_of_its_reader_and_every_outline_is_explained() -> None:
    state = position(
        {(35, A): (1, 1), (35, B): (1, 1), (13, B): (1, 0)}, herds={(13, "bear"): 1}, phase="combat"
    )

    def drawn(seat: int | None, full: bool) -> tuple[int, set[str]]:
        view = msgspec.to_builtins(MAMMOTHS.view(state, seat))
        marks = Marks(last={A: {"35"}})
        items = [*SHOWN.scene(view, Wanted(legend=False, reader=seat), marks, full=full).items]
        outlined = [m for m in items if isinstance(m, Mark) and m.kind is MarkKind.HIGHLIGHT]
        words = {item.text for item in items if isinstance(item, Label)}
        # One of the outlines is the sign of the legend.
        return len(outlined) - 1, words & {"legend.fight", "legend.new"}

    explained = {"legend.fight", "legend.new"}
    assert drawn(A, full=True) == (1, explained)
    assert drawn(B, full=True) == drawn(None, full=True) == (2, explained)
    assert drawn(A, full=False) == (2, explained), "one picture for all"


def test_what_is_touched_next_of_a_move_is_named() -> None:
    actions = list(of_move(position({(35, A): (2, 1), (13, B): (1, 0)}, camps={35: A}), A))

    def code(*touched: str) -> str:
        return SHOWN.prompt("move", actions, touched).code

    assert code() == "move"
    assert code("35") == "go"
    assert code("35", "36") == "further"
    assert code("35", "36", "46") == "who"
    assert code("do:T07") == "more"


def test_a_fight_asks_for_what_is_offered_alone() -> None:
    def code(*orders: do.FightOrder) -> str:
        actions = [do.Answer(), *(do.Answer(orders=(each,)) for each in orders)]
        return SHOWN.prompt("combat", actions, ()).code

    trick, falls = do.CombatCard(title="T08", at=35, trigger="start"), do.Loss(at=35, letters="f")
    assert code() == code(do.CampChoice(at=0, burn=True)) == "combat"
    assert code(falls) == "combat.loss"
    assert code(trick) == "combat.trick"
    assert code(falls, trick) == "combat.trick.loss"


def test_people_are_drawn_in_one_way_with_both_numbers_and_what_they_mean() -> None:
    """Whoever stands alone is a warrior or a woman at a glance, in every letter."""
    scene = scene_of(position({(46, A): (0, 1), (13, B): (2, 0)}))
    on_map = [token for token in scene.items if isinstance(token, Token) and token.look == "tribe"]
    placed = [token for token in on_map if token.place]
    assert {token.counts for token in placed} == {(0, 1), (2, 0)}
    assert {token.form for token in placed} == {Form.CHIP}
    words = [item.text for item in scene.items if isinstance(item, Label)]
    assert "legend.pawns" in words


def test_moves_are_arrows_and_new_things_marked() -> None:
    events = [
        {"kind": "pawns_moved", "seat": B, "data": {"path": [46, 45, 35], "hexes": [46, 35]}},
        {"kind": "camp_founded", "seat": A, "data": {"hexes": [13]}},
    ]
    last: dict[int, set[str]] = {}
    for seat, place in SHOWN.filled(events):
        last.setdefault(seat, set()).add(place)
    scene = scene_of(AT, last=last)
    arrow, *_ = [item for item in scene.items if isinstance(item, Arrow)]
    assert (arrow.seat, len(arrow.points)) == (B, 3)
    assert any(isinstance(m, Mark) and m.kind is MarkKind.LAST for m in scene.items)


def test_suggested_moves_lie_over_all_else_and_past_ones_stand_back() -> None:
    last, advised = {B: {"46>45>35"}}, {A: {"35>34"}}
    scene = scene_of(AT, last=last, advised=advised, asked=True)
    moves = [
        (item.suggested, layer.over, layer.opacity)
        for layer in scene.layers
        for item in layer.items
        if isinstance(item, Arrow) and len(item.points) in (2, 3)
    ][:2]
    assert moves == [(False, False, 0.45), (True, True, 1.0)]
    plain = scene_of(AT, last=last)
    assert all(layer.opacity == 1.0 for layer in plain.layers)


def test_the_columns_of_the_tribes_are_named_above_their_numbers() -> None:
    """A tent, a figure, a drumstick and a sheet do not explain themselves."""
    labels = {each.text: each.at for each in scene_of(AT).items if isinstance(each, Label)}
    heads = [labels[f"column.{name}"] for name in ("camps", "pawns", "food", "card")]
    drawn = {each.look: each.at for each in scene_of(AT).items if isinstance(each, Token)}
    for head, look in zip(heads, ("camps", "pawns", "food", "card"), strict=True):
        assert abs(head.x - drawn[look].x) < 10
        assert head.y < drawn[look].y


def test_numbers_of_hexes_can_be_read_on_a_phone_and_stay_on_their_hex() -> None:
    """A unit is hardly a pixel there."""
    scene = scene_of(AT)
    assert scene.width == 360
    valley = Valley(1)
    low = max(shape.y for shape in valley.shapes.values())
    plates = [e for e in scene.items if isinstance(e, Label) and e.kind == "plate" and e.at.y < low]
    for plate in plates:
        up = abs(plate.at.y - valley.shapes[int(plate.text)].y)
        room = 2 * valley.size - up * 2 / 3**0.5
        assert plate.size >= 9.5
        assert plate.width < room, "between the slanting sides"


def test_a_legend_explains_what_is_there_and_once_on_a_page() -> None:
    """A page has the marks beside the picture."""
    view, begun = view_of(AT), view_of(position({}, options=Options(board=1)))

    def told(view: dict[str, Any], *, legend: bool, full: bool = False, last: Any = ()) -> set[str]:
        marks = Marks(last={A: last})
        scene = SHOWN.scene(view, Wanted(legend=legend), marks, full=full)
        words = (each.text for each in scene.items if isinstance(each, Label))
        return {each.removeprefix("legend.") for each in words if each.startswith("legend.")}

    always = {"stream", "lava", "number", "letter", "compass"}
    brief = {"pawns", "cave", "herd", "mover", "number"}
    assert told(begun, legend=True) == {*always, "mover"}
    assert told(view, legend=True) == {*always, "mover", "pawns", "village", "cave", "herd"}
    assert told(view, legend=False, last=("35>45",)) == {*brief, "arrow"}
    burns = view_of(msgspec.structs.replace(AT, closed=(Closed(hex=31, cause="burn"),)))
    assert told(burns, legend=False) == {*brief, "fire"}
    assert told(view, legend=True, full=True) == set()
    pages = {f"sign.{each}" for each in always}
    first = view_of(msgspec.structs.replace(position({}), phase="setup"))
    assert {*SHOWN.legend(first, A)} == pages, "no fire, fight or cave before there is one"
    there = {
        f"sign.{each}"
        for each in ("arrow", "advised", "mover", "new", "pawns", "village", "cave", "herd")
    }
    assert {*SHOWN.legend(view, A)} == pages | there


def test_m3_5_wishes_and_choices_are_numbers_on_their_hexes() -> None:
    """They are on the picture of the set-up alone, and on no small picture of a choice."""
    placed = {"kind": "placed", "seat": A, "data": {"wishes": (22, 24), "hexes": ()}}
    last = [place for _, place in SHOWN.filled([placed])]
    assert last == ["1.22", "2.24", "22"]
    setup = msgspec.structs.replace(AT, phase="setup")

    def numbers(state: Any, **marks: Any) -> list[str]:
        scene = scene_of(state, **marks)
        found = [t for t in scene.items if isinstance(t, Token) and t.look == "choice"]
        middles = {Valley(1).at(at): at for at in (22, 24, 46)}
        return [f"{each.detail}.{middles[each.at]}" for each in found]

    assert numbers(setup, last={A: last}) == ["1.22", "2.24"]
    marked = scene_of(setup, last={A: last}).items
    assert not [each for each in marked if isinstance(each, Mark)], "nothing has changed yet"
    offered = [{"do": "place", "hexes": hexes} for hexes in ((22, 24), (46,), ())]
    turns: list[dict[str, Any]] = [*offered, {"do": "done"}]
    leads = [SHOWN.leads_to([each]) for each in turns]
    assert leads == ["22", "46", "", ""]
    assert numbers(setup, choices=leads) == ["1.22", "2.46"]
    assert not numbers(AT, last={A: last})
    patch = SHOWN.patch(view_of(setup), A, last)
    assert patch is not None
    assert not [t for t in patch.items if isinstance(t, Token) and t.look == "choice"]


def test_m5_6_a_pack_that_comes_is_told_once() -> None:
    pack = _event("event_hit", None, card="N03", protected=())
    came = _event("wolves_placed", None, number=3)
    told = [[each["kind"] for each in s.events] for s in telling.told([pack, came], ("event_hit",))]
    assert told == [["wolves_placed"]]
    spared = _event("event_hit", None, card="N03", protected=(22,))
    assert telling.told([spared], ("event_hit",))


@pytest.mark.parametrize("kind", ["card", "film", "glance"])
def test_every_kind_of_picture_has_the_same_valley(kind: str) -> None:
    view = view_of(AT)
    scenes = {
        "card": SHOWN.card(view, A, ("Ana",)),
        "film": SHOWN.film(view, None, ()),
        "glance": SHOWN.glance(view, A, ()),
    }
    assert len(scenes[kind].places) == 37


def test_no_two_lines_of_a_move_have_the_same_path() -> None:
    hand = position(
        {(35, A): (2, 1), (71, B): (1, 1)}, camps={35: A}, hands={A: ["T01", "T05", "T16", "T18"]}
    )
    lines = next(d for d in MAMMOTHS.decisions(hand) if d.kind == "move").choices
    paths = [SHOWN.touches(line) for line in lines]
    assert len(paths) == len({*paths}) > 10
    assert SHOWN.touches(do.Move(w=2, f=1, path=(35, 45)))[:2] == ("35", "45")


def test_a_story_of_nothing_has_no_sentence_and_lists_of_herds_are_one_each() -> None:
    kinds = ("herd_moved", "herd_held", "herd_moved", "move_began")
    events: list[dict[str, Any]] = [{"kind": k, "seat": None, "data": {}} for k in kinds]
    assert telling.told([], ()) == []
    told = [[each["kind"] for each in sentence.events] for sentence in telling.told(events, ())]
    assert told == [["herd_moved", "herd_moved"], ["herd_held"]]


def test_a_fight_is_drawn_with_every_die_and_who_loses() -> None:
    """M§25.4: all rolls are seen, a side to a line, in lines of five."""

    def rolled(own: int, herd: int) -> dict[str, Any]:
        sides = [{"seat": A, "die": own, "bonus": 3, "total": own + 3},
                 {"seat": None, "die": herd, "bonus": 1, "total": herd + 1}]  # fmt: skip
        losers = [] if own + 3 == herd + 1 else [A if own + 3 < herd + 1 else None]
        return {"kind": "round_rolled", "data": {"hexes": [35], "sides": sides, "losers": losers}}

    began = {
        "kind": "fight_began",
        "data": {"hexes": [35], "against": "wolf", "sides": [[A, 3], [None, 1]]},
    }
    rounds = [rolled(5, 5), *[rolled(1, 3)] * 7, rolled(1, 5)]
    scene = SHOWN.story_scene([began, *rounds])
    assert scene is not None
    dice = [item for item in scene.items if isinstance(item, Token) and item.look == "die"]
    faces = [die.detail for die in sorted(dice, key=lambda die: (die.at.y, die.at.x))]
    assert faces == ["5", *["1"] * 4, "5x", *["3"] * 4, *["1"] * 3, "1x", *["3"] * 3, "5"]
    sums = {item.text for item in scene.items if isinstance(item, Label) and "=" in item.text}
    assert sums == {"+3=8", "+1=6", "+3=4", "+1=4"}, "the sum stands behind its die"
    assert SHOWN.story_scene([began]) is None


def test_the_valley_is_a_table_of_37_rows_and_a_choice_a_piece_of_it() -> None:
    (table,) = SHOWN.board_tables(view_of(AT))
    assert len(table.rows) == 37
    there = {square.place: square for row in table.squares for square in row if square}
    kinds = [(piece.kind, piece.look) for piece in there["35"].lies]
    assert kinds[:4] == [("tribe", "0.4.2"), ("tribe", "1.1.1"), ("camp", "0"), ("herd", "wolf.3")]
    assert ("across", "33") in [(piece.kind, piece.look) for piece in there["34"].lies]
    patch = SHOWN.patch(view_of(AT), A, ["34>35"])
    assert patch is not None
    assert patch.window is not None
    assert patch.window.width < patch.width / 2
    assert SHOWN.patch(view_of(AT), A, []) is None


def test_a_choice_shows_its_move_whole_from_start_to_end() -> None:
    for path in ("24>23", "24>35>45", "13>24>35>46"):
        patch = SHOWN.patch(view_of(AT), A, [path])
        assert patch is not None
        assert patch.window is not None
        seen = box_of(patch.window.corners).grown(0.5)  # it begins at a whole unit
        there = {place.id: place.shape for place in patch.places}
        for at in path.split(">"):
            xs, ys = zip(*there[at].corners, strict=True)
            assert seen.left <= min(xs) <= max(xs) <= seen.right, (path, at)
            assert seen.top <= min(ys) <= max(ys) <= seen.bottom, (path, at)


def test_a_choice_of_several_places_shows_all_of_them() -> None:
    """A camp founded is as much of it as a move."""
    patch = SHOWN.patch(view_of(AT), A, ["12", "35", "13>24", "2.45"])
    assert patch is not None
    assert patch.window is not None
    seen = box_of(patch.window.corners).grown(0.5)
    for place in patch.places:
        if place.id in ("12", "13", "24", "35"):
            middle = box_of(place.shape.corners)
            assert seen.left <= middle.left <= middle.right <= seen.right, place.id
            assert seen.top <= middle.top <= middle.bottom <= seen.bottom, place.id


def test_a_choice_of_several_moves_shows_its_own_hexes_alone_and_who_stands_there() -> None:
    """All others are on the large board; warriors and women are told apart as in its legend."""
    at = position({(12, A): (1, 1), (13, A): (3, 0), (24, A): (1, 1), (35, A): (1, 1),
                   (23, B): (2, 2)}, camps={24: A, 23: B}, herds={(25, "bison"): 1})  # fmt: skip
    patch = SHOWN.patch(view_of(at), A, ["12", "35", "13>23>24"])
    assert patch is not None
    shown = [each for each in patch.items if isinstance(each, Token) and each.place]
    assert {each.place for each in shown} == {"12", "13", "24", "35"}
    assert {each.form for each in shown if each.look == "tribe"} == {Form.CHIP}
    plates = [e for e in patch.items if isinstance(e, Label) and e.kind == "plate"]
    assert {(each.text, each.more) for each in plates} == {
        (n, "") for n in ("12", "13", "24", "35")
    }


def test_a_choice_whose_hexes_lie_at_both_ends_of_the_valley_has_no_picture() -> None:
    """Its words say it better than numbers that nobody can read."""
    assert SHOWN.patch(view_of(AT), A, ["12>23", "63>64"]) is None
    assert SHOWN.patch(view_of(AT), A, ["13>23", "34>35>46"]) is not None


def test_m24_12_a_plan_is_drawn_where_it_leads() -> None:
    lines = (do.Found(hex=24), do.Move(w=1, f=0, path=(35, 36)))
    for each, places in (
        (do.PlanMove(plan=Alternatives(alternatives=(Alternative(lines=lines),))), ["24", "35>36"]),
        (do.PlanMove(plan=Alternatives(alternatives=(Alternative(),))), []),
        (do.Withdraw(plan="move"), []),
    ):
        assert SHOWN.foretold(msgspec.to_builtins(each)) == places


def test_all_choices_about_as_long_are_pieces_of_one_ground() -> None:
    """It is drawn once for them."""
    patches = [SHOWN.patch(view_of(AT), A, [path]) for path in ("24>23", "23>24", "46>45")]
    assert len({tuple(e for e in each.layers if e.kept) for each in patches if each}) == 1
    assert len({each.window for each in patches if each}) > 1


def _event(name: str, seat: int | None, **data: Any) -> dict[str, Any]:
    return {"kind": name, "seat": seat, "chapter": "combats", "data": {"hexes": (35,), **data}}


def test_losses_with_one_cause_name_it_once() -> None:
    lost = [_event("pawn_lost", A, sex="w", cause="N13", hexes=(at,)) for at in (35, 24)]
    fallen = _event("camp_lost", A, kind="cave", cause="S13")
    told = telling.repeated([*lost, fallen])
    assert [event["data"]["cause"] for event, _ in told] == ["", "N13", "S13"]
    assert [again for _, again in told] == [False, True, True]


def test_pawns_that_starve_on_a_hex_are_told_together() -> None:
    starved = _event("pawn_lost", A, sex="f", cause="starved")
    (alone,) = telling.told([starved, starved], ())
    (hungry,) = alone.events
    assert (hungry["data"]["cause"], hungry["data"]["w"], hungry["data"]["f"]) == ("starved", 0, 2)


def test_m5_what_an_event_did_is_told_once_and_the_readers_loss_first() -> None:
    """Neither the card nor that a hex is closed is told again with each loss."""

    def at(name: str, seat: int | None, hex: int, **data: Any) -> dict[str, Any]:
        return {**_event(name, seat, **data, hexes=(hex,)), "chapter": "dawn"}

    flood: list[dict[str, Any]] = [
        {**at("event_hit", None, 34, card="S06", protected=()), "mine": True},
        at("pawn_lost", B, 33, sex="w", cause="S06"), at("hex_closed", None, 33, cause="flood"),
        at("herd_returned", None, 34, species="wolf", number=1),
        at("pawn_lost", A, 34, sex="f", cause="S06"),
        at("camp_lost", A, 34, kind="village", cause="S06"),
        at("hex_closed", None, 34, cause="flood"),
    ]  # fmt: skip
    before, own, others = telling.places(flood, A)
    assert (before.events[0]["data"]["closing"], own.loud, others.loud) == ("closed", True, False)
    (lost,) = own.events
    assert (lost["kind"], lost["data"]["f"], lost["data"]["cause"]) == ("camp_lost", 1, "")
    assert [each["kind"] for each in others.events] == ["pawn_lost", "herd_returned"]
    assert [each.events[0]["seat"] for each in telling.told(flood, ("event_hit",))] == [
        None, A, B, None,
    ]  # fmt: skip


def test_m5_who_loses_nothing_by_an_event_is_told_so_wherever_they_are() -> None:
    slide = _event("event_hit", None, card="N04", protected=(), hexes=(47,))
    loss = _event("pawn_lost", B, sex="w", cause="N04", hexes=(47,))
    assert set(telling.concerned(slide)) >= {A, B}
    for who, spared in ((A, True), (B, False), (None, False)):
        (first, *_) = telling.places([slide, loss], who)
        assert first.events[0]["data"]["spared"] is spared
        (again, *_) = telling.told(first.events, ("event_hit",), who)
        assert again.events[0]["data"]["spared"] is spared


def test_m4_4_everybody_is_told_who_settles_where() -> None:
    assert set(telling.concerned(_event("settled_down", B, camp=35))) >= {A, B}


def test_m15_5_the_tribes_stand_in_the_order_of_the_result_at_the_end() -> None:
    view = {"order": [A, B], "rows": []}
    assert SHOWN.rows(view) == [A, B]
    assert SHOWN.rows({**view, "rows": [{"seat": B}, {"seat": A}]}) == [B, A]


def test_m15_4_who_may_win_out_of_the_readers_reach_is_known() -> None:
    view = view_of(
        position({(35, A): (3, 2), (34, B): (0, 1)}, camps=dict.fromkeys((34, 71, 63, 41), B))
    )
    stay = {"do": "done"}
    assert telling.out_of_reach(view, A, [stay]) == [B]
    assert not telling.out_of_reach(view, A, [stay, {"do": "move", "path": [35, 34]}])
    assert not telling.out_of_reach(view, B, [stay]), "the reader's own are no rival's"


@pytest.mark.parametrize(
    ("event", "at", "dry"),
    [("", 34, False), ("N02", 34, True), ("N01", 34, False), ("N01", 13, True), ("N02", 25, False)],
)
def test_m11_1_a_hex_by_water_without_fish_in_this_event_is_known(
    event: str, at: int, dry: bool
) -> None:
    """34 lies by the lake, 13 by a river alone, 25 by neither."""
    assert telling.is_dry({"board": 1, "event": event}, at) is dry


def test_others_are_told_in_short() -> None:
    """What became of each tribe: no roll, no path, but every pawn and camp that is gone."""
    lost = [_event("pawn_lost", B, sex=sex, cause="combat") for sex in "wwf"]
    story = [
        _event("begun", None, board="Ashfold"),
        _event("round_rolled", None, sides=(), losers=(B,)),
        *lost,
        _event("camp_lost", B, cause="combat", kind="village"),
        _event("settled", B, after=4),  # stands in the rows of the picture
    ]
    news, [change] = telling.summary(story)
    assert [event["kind"] for event in news] == ["begun"]
    assert (change.seat, change.lost, change.abandoned) == (B, {"w": 2, "f": 1}, [35])


def test_what_a_tribe_does_at_home_concerns_nobody_else() -> None:
    beside = {"concerns": (A, B)}
    fight, birth = (_event(kind, B, **beside) for kind in ("camp_lost", "birth_rolled"))
    assert A in telling.concerned(fight)
    assert A not in telling.concerned({**birth, "chapter": "births"})
    assert A in telling.concerned({**_event("tribe_announced", B), "chapter": "dusk"})


def _fight() -> list[dict[str, Any]]:
    """A camp is taken on 35, and a wolf hunted; before it something else."""

    def rolled(own: int, other: int, whose: int | None, *losers: int | None) -> dict[str, Any]:
        sides = ({"seat": A, "die": own, "bonus": 2, "total": own + 2},
                 {"seat": whose, "die": other, "bonus": 1, "total": other + 1})  # fmt: skip
        return _event("round_rolled", A, sides=sides, losers=losers)

    return [
        _event("field_sown", B),
        _event("location_opened", None, pawns=((A, 2, 1), (B, 2, 0)), herds=(("wolf", 1),)),
        _event("fight_began", A, against="", sides=((A, 2), (B, 2))),
        _event("trick_played", B, title="T08"),
        rolled(1, 5, B, A),
        _event("pawn_lost", A, sex="w", cause="combat"),
        rolled(6, 2, B, B),
        _event("pawn_lost", B, sex="w", cause="combat"),
        _event("camp_conquered", A, victim=B, loot=2, burnt=False),
        _event("food_lost", B, cause="loot", before=8, after=6),
        _event("food_gained", A, cause="loot", before=3, after=5),
        _event("fight_began", A, against="wolf", sides=((A, 1), (None, 1))),
        rolled(4, 1, None, None),
        _event("animal_killed", None, species="wolf", cause="combat"),
        _event("hunt_paid", A, species="wolf", number=1),
        _event("location_closed", None, holder=A),
    ]


def test_a_drawn_fight_says_its_hex_and_who_wins_and_short_ones_stand_side_by_side() -> None:
    scene = SHOWN.story_scene(_fight())
    assert scene is not None
    titles = [item for item in scene.layers[0].items
              if isinstance(item, Label) and item.text.startswith("fight.")]  # fmt: skip
    assert [each.text for each in titles] == [f"fight.35.{A}"] * 2
    named = SHOWN.story_scene(_fight(), B, ("Ana", "Bo"))
    assert named is not None
    assert "fight.35.@Ana" in {item.text for item in named.items if isinstance(item, Label)}
    told = SHOWN.story_scene(_fight(), A)
    assert told is not None
    mine = [item.text for item in told.layers[0].items
            if isinstance(item, Label) and item.text.startswith("fight.")]  # fmt: skip
    assert mine == ["fight.35.me"] * 2
    assert titles[0].at.y == titles[1].at.y
    assert titles[1].at.x > scene.width / 2


def test_m25_1_a_fight_is_told_by_its_outcome_first() -> None:
    """Behind its hex its deeds, the loot once, and who fell; that the victor holds it goes without
    saying. What else happened stands by itself, and a fight without its beginning as it is."""
    before, there = telling.places(_fight())
    assert (before.hex, [event["kind"] for event in before.events]) == (0, ["field_sown"])
    assert (there.hex, [event["kind"] for event in there.events]) == (
        35, ["trick_played", "camp_conquered", "hunt_paid", "location_closed"],
    )  # fmt: skip
    last = there.events[-1]["data"]
    assert (last["fallen"], last["held"]) == ([(A, 1, 0), (B, 1, 0)], False)
    assert {event["data"]["hexes"] for event in there.events} == {()}
    (cut,) = telling.places(_fight()[2:])
    assert (cut.hex, cut.events, cut.rolled) == (0, _fight()[2:], [])


def test_m25_1_who_is_gone_is_told_the_fight_by_its_outcome_too() -> None:
    """The end of the fight concerns nobody who is gone; that they are is said last."""
    out = _event("tribe_out", A, cause="combat", due=True)
    opened, *told = _fight()[1:6]
    (there,) = telling.places([opened, *told[:-1], out, told[-1]])
    assert [event["kind"] for event in there.events] == [
        "trick_played", "location_closed", "tribe_out",
    ]  # fmt: skip
    assert (there.hex, there.events[1]["data"]["held"]) == (35, False)


def test_m25_1_where_nothing_was_won_it_is_said_who_holds_the_hex() -> None:
    opened, closed = _fight()[1], _fight()[-1]
    (there,) = telling.places([opened, closed])
    assert [event["data"]["held"] for event in there.events] == [True]


def test_m25_1_animals_that_nobody_is_paid_for_are_told() -> None:
    unpaid = [event for event in _fight() if event["kind"] != "hunt_paid"]
    assert "animal_killed" in [event["kind"] for event in telling.places(unpaid)[1].events]


def test_m25_4_every_number_that_is_rolled_is_told() -> None:
    """Dice, bonuses and totals, of the same fight together."""
    rolled = telling.places(_fight())[1].rolled
    assert [(each.hex, each.against) for each in rolled] == [(35, ""), (35, "wolf")]
    totals = [
        [[side["total"] for side in each["sides"]] for each in roll.rounds] for roll in rolled
    ]
    assert totals == [[[3, 6], [8, 3]], [[6, 2]]]


def test_m15_5_the_end_says_what_decided_between_those_who_had_four_camps_twice() -> None:
    def view(*rows: tuple[int, tuple[int, int, int], bool]) -> dict[str, Any]:
        tribes = {seat: {"announced": twice, "fire": 0} for seat, _, twice in rows}
        return {"rows": [{"seat": seat, "score": score} for seat, score, _ in rows],
                "tribes": tribes, "options": {"fire_rules": False}}  # fmt: skip

    close = view((B, (4, 13, 18), True), (A, (4, 10, 20), True), (2, (1, 2, 3), False))
    assert telling.deciding(close) == ([B, A], 1, 13, 10)
    assert telling.deciding(view((B, (4, 9, 1), True), (A, (4, 10, 20), False))) == (
        [B], None, 0, 0,
    )  # fmt: skip
    assert telling.deciding(view((B, (4, 9, 1), True), (A, (4, 9, 1), True))).by is None


def test_an_inbox_shows_the_weightiest_news() -> None:
    """M§15.1, M§10.9, M§15.4: a tribe that is gone, a camp taken, four camps announced."""
    kinds = ("camp_founded", "tribe_announced", "camp_conquered", "tribe_out")
    for number, kind in enumerate(kinds, start=1):
        weightiest = telling.weightiest([_event(each, A) for each in kinds[:number]])
        assert weightiest is not None
        assert weightiest["kind"] == kind
    assert telling.weightiest([_event("herd_moved", None)]) is None


def test_m15_9_nobody_comes_back_once_the_game_has_ended() -> None:
    def told(*kinds: str) -> Any:
        events = [_event(kind, A, due=True) for kind in kinds]
        found = [each for sentence in telling.told(events, ()) for each in sentence.events]
        return next(each["data"]["due"] for each in found if each["kind"] == "tribe_out")

    assert told("tribe_out") is True
    assert told("tribe_out", "game_ended") is False
    view = {"tribes": [{"status": "due"}, {"status": "out"}], "termination": None}
    assert [SHOWN.status(view, seat) for seat in (A, B)] == ["due", "out"]
    ended = {**view, "termination": "camps"}
    assert [SHOWN.status(ended, seat) for seat in (A, B)] == ["gone", "out"]


def test_what_is_done_again_is_said_in_short() -> None:
    kinds = ("pawns_moved", "pawns_moved", "camp_founded", "pawns_moved")
    again = [again for _, again in telling.repeated([_event(kind, A) for kind in kinds])]
    assert again == [False, True, False, False]
