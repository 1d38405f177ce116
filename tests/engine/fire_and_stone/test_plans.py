"""Plans with conditions (F§19) and the scenarios about them (F§20), from text to entries."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import NoChance
from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone import actions as do
from engine.fire_and_stone.components import INVENTION
from engine.fire_and_stone.notation.plan_lines import LINES as GRAMMAR
from engine.fire_and_stone.plans.asked import Asked
from engine.fire_and_stone.plans.explaining import explained
from engine.fire_and_stone.plans.filing import EXAMPLES
from engine.fire_and_stone.plans.lines import Plan, Test, Wish
from engine.fire_and_stone.state import State
from engine.journal import Position, extend, follow_plans
from engine.kit.plans.reactions import Branch, When
from engine.play import complete, decision_for, planned
from engine.protocol import Ambiguous, IllegalAction, Unreadable
from tests.engine.fire_and_stone.positions import begun, cave, forest, play, put, tile, turn

SEED = bytes(32)

ENGLISH = """go namib
when gathering if food at most 1: 2 food else mushroom > nut > food
when forest: hunt then mammoth > bear > most food
when fire if held at least 1: cook all else pass
when hut: cape then go italy
when other: go congo > angola"""
FRENCH = """va namib
quand cueillette si nourriture au plus 1 : 2 nourriture sinon champignons ou noix ou nourriture
quand forêt : chasse puis mammouth ou ours ou plus de nourriture
quand feu si gibier au moins 1 : cuis tout sinon passe
quand hutte : cape puis va italie
quand autre : va congo ou angola"""


class Table:
    """A match by entries: what is handed in, and what plans make of it."""

    def __init__(self, state: State) -> None:
        self.position = Position(n=0, state=state, events=(), next_draw=0)
        self.entries: list[tuple[str, tuple[str, ...]]] = []

    @property
    def state(self) -> State:
        return self.position.state

    @property
    def asked(self) -> str:
        return GAME.decisions(self.state)[0].kind

    def submit(self, text: str, lang: str = "en", cause: str = "player") -> None:
        """Hand a text in for the seat to move."""
        seat = self.state.turn.seat
        self._hand_in(GAME.notation.parse(self.state, seat, text, lang), cause)
        self._follow(())

    def time_is_up(self) -> None:
        """Each decision of the turn by plan, failing that by default (F§17)."""
        number, seat = self.state.turn.number, self.state.turn.seat
        while self.state.turn.number == number:
            decision = GAME.decisions(self.state)[0].id
            self._follow((seat,))
            if self.state.turn.number != number or GAME.decisions(self.state)[0].id != decision:
                continue
            self._hand_in(complete(GAME, self.state, seat, decision, NoChance()), "default")

    def _hand_in(self, actions: tuple[Any, ...], cause: str) -> None:
        asked = GAME.decisions(self.state)[0]
        decision = decision_for(GAME, self.state, asked.seat, asked.id, actions)
        made = extend(GAME, self.position, asked.seat, decision, actions, cause, SEED)
        self._note(made)

    def _follow(self, expired: tuple[int, ...]) -> None:
        for made in follow_plans(GAME, self.position, SEED, expired=expired):
            self._note(made)

    def _note(self, made: Any) -> None:
        entry, self.position, _ = made
        self.entries.append((entry.cause, tuple(action["do"] for action in entry.actions)))


def plan(*lines: str) -> Plan:
    """The plan of these lines."""
    (file,) = GAME.notation.parse(begun(), 0, "\n".join(lines), "en")
    assert isinstance(file, do.File)
    assert file.plan is not None
    return file.plan


def test_36_what_stands_behind_a_reveal_is_not_played_f16_3() -> None:
    table = Table(tile(begun(), "namib", "forest", up=False))
    table.submit("go namib, hunt")
    assert table.entries == [("player", ("go",))]
    assert table.asked == "action"


def test_43_a_plan_takes_what_its_line_names_f19_3() -> None:
    table = Table(tile(begun(), "namib", "nut", up=False))
    table.submit("go namib\nwhen mushroom: take\nwhen gathering: nut > 2 food")
    assert table.entries == [("player", ("plan", "go")), ("plan", ("take",))]
    assert table.state.players[0].columns == ("n", "")
    assert table.state.turn.seat == 1


def test_44_a_plan_hunts_and_keeps_f19_4() -> None:
    state = tile(begun(), "namib", "forest", up=False)
    state = replace(state, stacks=((), ((0, 3, 2),), *state.stacks[2:]))
    table = Table(state)
    table.submit("go namib\nwhen forest: hunt then mammoth > most food")
    causes = [cause for cause, _ in table.entries]
    assert table.entries[1:] == [("plan", ("hunt",)), ("plan", ("keep",))]
    assert causes == ["player", "plan", "plan"]
    assert table.state.players[0].held == (2,), "the boar"
    assert table.state.turn.seat == 1


def test_a_plan_goes_on_behind_a_keep_that_is_not_asked_ruling_62() -> None:
    state = put(begun(plays_forced=True), explorers=("cape", "sahara"))
    state = tile(forest(tile(state, "namib", "forest"), "namib", 2), "italy", "")
    table = Table(state)
    table.submit("go 1 namib\nwhen forest: hunt then most food then go italy")
    assert [cause for cause, _ in table.entries] == ["player", "plan", "plan"]
    assert GAME.view(table.state, 0).players[0].explorers == ("namib", "italy")


def test_45_a_plan_returns_and_sends_the_other_explorer_f19_4() -> None:
    state = put(begun(), explorers=("cape", "sahara"))
    state = tile(tile(state, "kalahari", "hut", up=False), "italy", "")
    table = Table(state)
    table.submit("go 1 kalahari\nwhen hut: alps then go italy")
    assert [cause for cause, _ in table.entries] == ["player", "plan"]
    from_hut, other = table.state.players[0].explorers
    assert GAME.view(table.state, 0).players[0].explorers == ("alps", "italy")
    assert from_hut != other
    assert table.asked == "action", "on Italy the plan says nothing"


def test_46_a_plan_that_cannot_act_stops_and_is_replaced_f19_4() -> None:
    state = put(tile(begun(), "namib", "fire", up=False), held=(0,))
    table = Table(state)
    table.submit("go namib\nwhen fire: cook bear")
    assert (table.entries, table.asked) == ([("player", ("plan", "go"))], "action")
    assert table.state.plan is not None
    table.submit("when fire: pass")
    assert table.entries[1:] == [("player", ("plan",)), ("plan", ("pass",))]
    assert table.state.players[0].held == (0,)


def test_47_food_is_legal_if_it_is_stored_f19_3() -> None:
    lines = "go namib\nwhen gathering if food at most 1: 2 food else mushroom"
    state = tile(begun(), "namib", "apple", up=False)
    full, empty = Table(put(state, food=2)), Table(state)
    full.submit(lines)
    assert full.asked == "action"
    assert len(full.entries) == 1
    empty.submit(lines)
    assert empty.state.players[0].food == 2
    assert empty.entries[-1] == ("plan", ("food",))


@pytest.mark.parametrize(
    ("kind", "last"), [("root", ("plan", ("take",))), ("forest", ("default", ("pass",)))]
)
def test_48_when_time_is_up_the_plan_speaks_before_the_default_f17(
    kind: str, last: tuple[str, tuple[str, ...]]
) -> None:
    table = Table(tile(begun(), "namib", kind, up=False))
    table.submit("quand cueillette : prends sinon demande", "fr")
    assert table.entries == [("player", ("plan",))], "before a command it only waits"
    table.time_is_up()
    assert table.entries[1:] == [("default", ("go",)), last]


@pytest.mark.parametrize(
    "text",
    [
        "go namib\nwhen forest, hunt",
        "go namib\nwhen forest: take",
        "when forest: hunt\ngo namib",
        "go namib\nno plan\nwhen forest: hunt",
        "go namib\nwhen forest: hunt; keep bear",
        "go namib\nwhen nothing: hunt",
        "go namib\nwhen hut: cape then",
    ],
)
def test_49_a_wrong_line_refuses_all_f16_3(text: str) -> None:
    with pytest.raises((Unreadable, Ambiguous)) as refused:
        GAME.notation.parse(begun(), 0, text, "en")
    assert refused.value.context["line"]


def test_49_a_plan_has_bounds_f19_1() -> None:
    for text in (
        "when fire: " + " > ".join(["pass"] * 13),
        "when fire: pass" + " else pass" * 6,
        "\n".join(["when fire: pass"] * 25),
    ):
        with pytest.raises((IllegalAction, Unreadable)):
            GAME.notation.parse(begun(), 0, text, "en")


def test_the_example_is_read_in_both_languages_f19_9() -> None:
    english, french = (
        GAME.notation.parse(begun(), 0, text, lang)
        for text, lang in ((ENGLISH, "en"), (FRENCH, "fr"))
    )
    assert english == french
    assert [type(action) for action in english] == [do.File, do.Go]
    again = GAME.notation.format(begun(), 0, english[0], "fr")
    assert GAME.notation.parse(begun(), 0, again, "en") == english[:1]


@pytest.mark.parametrize(
    "said", ["garde le plus nourrissant", "le plus nourrissant", "plus de nourriture"]
)
def test_french_keeps_what_feeds_most_in_french_words(said: str) -> None:
    read = GAME.notation.parse(begun(), 0, f"quand forêt : chasse puis {said}", "fr")
    assert read == GAME.notation.parse(begun(), 0, "when forest: hunt then most food", "en")
    written = GAME.notation.format(begun(), 0, read[0], "fr").replace("\N{NO-BREAK SPACE}", " ")
    assert written == "quand forêt : chasse puis garde le plus nourrissant"
    basket = GAME.notation.parse(begun(), 0, "quand panier : garde", "fr")
    assert GAME.notation.format(begun(), 0, basket[0], "en") == "when basket: keep"


def test_examples_name_fires_of_the_regions_in_which_the_explorers_are() -> None:
    for where, fires in (
        (("zambezi",), {"cape", "alps"}),
        (("turan", "indus"), {"mesopotamia", "yellow_river"}),
        (("sonora", "atlas"), {"cape", "alps", "mississippi"}),
    ):
        state = put(begun(), explorers=where)
        plan = next(each for each in GAME.decisions(state) if each.kind == "plan")
        named = {
            (line.event, wish.what)
            for action in plan.choices
            if isinstance(action, do.File) and action.plan is not None
            for line in action.plan.lines
            for branch in line.branches
            for wish in branch.lists[0]
            if wish.do == "place"
        }
        assert {place for event, place in named if event == "hut"} == fires
        assert {place for event, place in named if event == "other"} <= fires | {"congo"}


LINES = """when cave: cave alps > cave boats > cave boats for clay pots > cave all > pass
when shaman stone: cave dark
when hearth hall: cave bear deer > pass
when card: boats > vp clay pots > vp > none
when basket: keep
when look: look gobi tibet > look
when arrange: same
when council: kin and neighbours > keep
when ember: cook deer deer > pass
when empty: forage namib dark > 1 food
when village if cost at most 2: build cape else pass
when apple if light is apple and dark is free and space >= 2: apple dark > take light > food
when return if shown is hut and explorer is 1: cape then boats then gobi then ask
when anything: default"""


def test_every_sort_of_line_is_read_back_f19_3() -> None:
    _, lines = GRAMMAR.read(LINES, "en")
    assert len(lines) == 14
    for line in lines:
        for lang in ("en", "fr"):
            text = GRAMMAR.write_line(line, lang)
            assert GRAMMAR.read(text, "fr") == ("", [line]), text
    for plan in EXAMPLES:
        text = GAME.notation.format(begun(), 0, do.File(plan=plan), "fr")
        assert GAME.notation.parse(begun(), 0, text, "en") == (do.File(plan=plan),)


def test_wrapped_lines_are_joined_f19_2() -> None:
    _, lines = GRAMMAR.read("when hut: cape\nor alps\nthen go italy\nelse alps", "en")
    assert [GRAMMAR.write_line(line, "en") for line in lines] == [
        "when hut: Cape Hearth or Alpine Hearth then Italy else Alpine Hearth"
    ]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_line_that_names_every_invention_can_be_read_again(lang: str) -> None:
    wishes = (*(Wish("invention", card) for card in list(INVENTION)[:11]), Wish("none"))
    line: When[str, Test, Wish] = When(
        event="card", branches=(Branch(lists=(wishes,)), Branch(lists=(wishes,)))
    )
    assert GRAMMAR.read(GRAMMAR.write_line(line, lang), lang) == ("", [line])


def test_lines_that_a_mailer_wrapped_anywhere_are_joined_f19_2() -> None:
    texts = (
        "when gathering: nut or\napple >\nfood\nthen\ngo italy",
        "when hut if food is\n1: alps",
    )
    assert [GRAMMAR.write_line(line, "en") for line in GRAMMAR.read(texts[0], "en")[1]] == [
        "when gathering: nut or apple or food then Italy"
    ]
    with pytest.raises(Unreadable):  # it could not be told from an action
        GAME.notation.parse(begun(), 0, texts[1], "en")


def test_a_hearth_is_called_by_its_place_f19_3() -> None:
    (line,) = GRAMMAR.read("quand hutte : alpes ou foyer du cap ou deux fleuves ou cap", "fr")[1]
    assert GRAMMAR.write_line(line, "en") == (
        "when hut: Alpine Hearth or Cape Hearth or Two Rivers Hearth or Cape Hearth"
    )


def _says(state: State, wish: Wish) -> tuple[Any, ...] | None:
    """The actions of a wish here, if they are legal."""
    asked = Asked(state, state.turn.phase)
    try:
        actions = asked.actions(wish)
        for action in actions:
            asked = asked.play(action)
    except IllegalAction:
        return None
    return actions


def test_a_wish_without_a_column_f19_3() -> None:
    state = play(tile(begun(), "namib", "apple"), do.Go(place="namib"))
    assert _says(state, Wish("take")) == (do.Take(column="light"),), "they are alike"
    both = put(state, columns=("S", "M"))
    assert _says(both, Wish("take")) is None
    dark = (do.Take(column="dark"),)
    assert _says(both, Wish("kind", "apple", column="dark")) == dark
    assert _says(both, Wish("kind", "nut")) is None
    assert _says(put(state, columns=("n", "a")), Wish("take")) == dark


def test_a_tracking_pack_keeps_the_best_two_f19_3() -> None:
    state = cave(put(begun(), explorers=("indus",)), "tracking_pack")
    state = forest(tile(state, "deccan", "forest"), "deccan", 0, 2, 6)
    state = play(state, do.Go(place="deccan"), do.Hunt())

    def kept(*wishes: str) -> Any:
        filed = replace(state, plan=plan(f"when hunt: {' > '.join(wishes)}"))
        return planned(GAME, filed, 0)[0].actions[0]

    assert kept("bear", "mammoth", "hare") == do.Keep(pieces=("hare", "bear"))
    assert kept("mammoth", "bear") == do.Keep(pieces=("bear",)), "the list holds one"
    assert kept("most food") == do.Keep(pieces=("hare", "boar"))


def test_a_look_leaves_out_what_is_no_longer_face_down_f19_3() -> None:
    state = cave(put(begun(), explorers=("indus",)), "lookout")
    state = tile(tile(state, "gobi", "nut"), "lena", "nut", up=False)
    state = play(state, do.Go(place="tibet"), do.Use())
    wish = Wish("look", names=("gobi", "lena"))
    assert _says(state, wish) == (do.Name(place="lena"), do.Look())
    assert play(state, do.Look()).players[0].food == 1


def test_a_plan_ends_with_the_turn_f19_1() -> None:
    table = Table(tile(begun(), "namib", "apple", up=False))
    table.submit("go namib\nwhen gathering: food")
    assert (table.state.turn.seat, table.state.plan, table.state.waiting) == (1, None, None)


def test_a_plan_waits_until_a_command_was_carried_out_f19_4() -> None:
    table = Table(tile(begun(), "namib", "apple", up=False))
    table.submit("when anything: default")
    assert (table.entries, table.state.turn.step) == ([("player", ("plan",))], 0)
    table.submit("go namib")
    assert table.entries[1:] == [("player", ("go",)), ("plan", ("food",))]


def test_a_cave_is_shown_by_its_card_f19_3() -> None:
    state = replace(cave(put(begun(), explorers=("indus",)), "hidden_spring"), cave_up=False)
    table = Table(tile(state, "tibet", "cave", up=False))
    lines = ("when cave if shown is lookout: pass", "when cave if shown is hidden spring: cave")
    table.submit("\n".join(("go tibet", *lines)))
    assert table.entries[1:] == [("plan", ("use",))]


def test_what_is_secret_is_a_submission_of_its_own_f15() -> None:
    state = play(tile(begun(), "namib", "forest"), do.Go(place="namib"), do.Hunt())
    assert [d.sealed for d in GAME.decisions(begun())] == [False, True]
    assert GAME.decisions(state)[0].sealed
    council = play(
        cave(put(begun(), explorers=("indus",), food=1), "council_of_elders"),
        do.Go(place="tibet"),
        do.Use(),
    )
    assert GAME.decisions(council)[0].sealed


@pytest.mark.parametrize(("explorers", "said"), [(("cape",), 0), (("cape", "alps"), 1)])
def test_who_has_one_explorer_is_shown_no_line_for_another(
    explorers: tuple[str, ...], said: int
) -> None:
    state = put(begun(), explorers=explorers)
    filing = next(each for each in GAME.decisions(state) if each.kind == "plan")
    shown = [GAME.notation.format(state, 0, each, "en") for each in filing.choices]
    assert sum("when other" in each for each in shown) == said


def test_no_plan_drops_the_one_on_file_f19_1() -> None:
    table = Table(begun())
    table.submit("when fire: pass")
    table.submit("sans plan")
    assert table.state.plan is None


def test_a_plan_is_told_to_its_seat_alone_f15_3() -> None:
    state = begun()
    after = GAME.apply(state, 0, do.File(plan=EXAMPLES[0]), NoChance())
    assert [event.audience for event in after.events] == [(0,)]
    assert GAME.view(after.state, 1) == GAME.view(state, 1)
    assert GAME.view(after.state, None) == GAME.view(state, None)


def test_guards_ask_what_the_seat_knows_f19_3() -> None:
    state = put(begun(), food=1, bags=1, held=(0, 3), columns=("Sa", ""))
    state = turn(tile(state, "namib", "apple"), shown=("apple", "gathering"))
    state = play(state, do.Go(place="namib"))
    tests = (
        "food is 1 and space at least 2 and bags is 1 and huts is 20 and track is 0",
        "cost is 0 and tiles is 0 and held >= 2 and light is 2 and light is apple",
        "dark is free and shown is gathering and explorer is 1 and food at most 1",
    )
    for text in tests:
        (line,) = plan(f"when apple if {text}: take").lines
        asked = Asked(state, state.turn.phase)
        assert all(asked.holds(test) for test in line.branches[0].guard)
    (line,) = plan("when apple if dark is apple and shown is hut and food at least 2: take").lines
    assert not any(asked.holds(test) for test in line.branches[0].guard)


def test_a_plan_is_explained_with_what_it_does_not_cover_f19_8() -> None:
    told = explained(begun(), 0, plan("when gathering: take", "when forest if held is 0: hunt"))
    assert told.uncovered == ("hut", "fire"), "in region I is no cave; a cache asks nothing"
    assert told.conditional == ("forest",)
    two = put(begun(), explorers=("cape", "alps"))
    assert explained(two, 0, plan("when gathering: take", "when hut: cape")).uncovered == (
        "forest",
        "fire",
        "other",
    )
    far = put(replace(begun(), track=9), explorers=("yellow_river",))
    assert explained(far, 0, plan("when gathering: take")).uncovered == (
        "forest",
        "hut",
        "fire",
        "cave",
    )
