"""Words of the game for people, before it is offered: every refusal and every line of a move."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from engine.kit.plans.alternatives import Alternative, Alternatives, If, Otherwise
from engine.kit.presentation import Prompt
from engine.mammoths import actions as do
from engine.mammoths.battles import Battle, Side
from engine.mammoths.components import BOARDS, EVENTS, TITLES, board
from engine.mammoths.errors import ERROR_CODES
from engine.mammoths.reasons import Fight, Home, Move
from service.mail.render import end
from service.mail.render.letter_context import mail_environment
from service.render.pictures import plot_svg
from service.render.templating import LANGUAGES, TEMPLATES, environment

NAMES: Final = ("Ana", "Bo", "Cleo", "Dan", "Eve", "Flo")
SAMPLES: Final[dict[str, Any]] = {
    "title": "T05",
    "window": "C",
    "phase": "combat",
    "to_move": 1,
    "hex": 35,
    "one": 35,
    "other": 45,
    "w": 2,
    "f": 1,
    "most": 3,
    "needed": 2,
    "left": 1,
    "number": 99,
}


def words(name: str, lang: str) -> Any:
    return environment(lang).get_template(f"games/mammoths/{name}.txt").module


def words_of(name: str, lang: str) -> Any:
    """Sentences that all games share."""
    return environment(lang).get_template(f"wording/{name}.txt").module


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_is_a_sentence(lang: str) -> None:
    errors = words("errors", lang)
    said = {
        code: str(errors.broken(code, {key: SAMPLES.get(key, "x") for key in keys}, NAMES, 0))
        for code, _, keys in ERROR_CODES
    }
    assert all(sentence.strip().endswith((".", ")")) for sentence in said.values())
    assert len(set(said.values())) == len(said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_line_of_a_move_has_words_of_its_own(lang: str) -> None:
    lines = (
        do.Move(w=2, f=1, path=(35, 45)),
        do.Move(w=2, f=1, path=(35, 46, 45)),
        do.Found(hex=35),
        do.TakeFire(hex=35),
        do.TakeFire(hex=35, camp=22),
        do.Card(title="T05", hexes=(35,)),
        do.Card(title="T05", hexes=(35,), drop="T08"),
        do.Card(title="T16", tribe=1),
        do.Card(title="T16", tribe=1, fire=True),
        do.Done(),
        do.Place(hexes=(35, 45)),
        do.Place(hexes=()),
    )
    actions = words("actions", lang)
    said = [str(actions.action(msgspec.to_builtins(line), {}, NAMES, 0)).strip() for line in lines]
    assert all(said)
    assert len({*said}) == len(said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_card_has_a_title_of_its_own(lang: str) -> None:
    terms = words("terms", lang)
    tricks = {str(terms.titled(title)) for title in TITLES}
    events = {str(terms.event(card)) for cards in EVENTS.values() for card in cards}
    assert (len(tricks), len(events)) == (20, 27)
    assert not tricks & {*TITLES}


def test_the_rules_say_the_same_in_both_languages() -> None:
    given = {"picture_of": lambda _: "", "what_you_see": ""}
    pages = [
        environment(lang).get_template(f"games/mammoths/rules.{lang}.html").render(given)
        for lang in ("en", "fr")
    ]
    for pattern in (r'id="([\w-]+)"', r'href="(\S+)"', r"<(\w+)", r'class="([^"]+)"'):
        english, french = (re.findall(pattern, page) for page in pages)
        assert english == french, pattern
    own = [re.sub(r'<tr id="s(5|14)-[snt]\d\d">.*', "", page) for page in pages]
    numbers = [sorted(re.findall(r"\d+", re.sub(r"<[^>]*>", "", page))) for page in own]
    assert numbers[0] == numbers[1]
    assert not re.search("(?<!\u00a0) (?=[:;!?»])|« ", re.sub(r"<[^>]*>|{#.*#}", "", pages[1]))
    ids = set(re.findall(r'id="([\w-]+)"', pages[0]))
    assert {rule.replace("M§", "s").replace(".", "-") for _, rule, _ in ERROR_CODES} <= ids


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_condition_of_a_plan_has_words_of_its_own(lang: str) -> None:
    actions = words("actions", lang)
    said = [
        str(actions.given(msgspec.to_builtins(If(condition=each, negated=negated)), NAMES))
        for what in do.CONDITION_FIELDS
        for negated in (False, True)
        for most in {False, "number" in do.CONDITION_FIELDS[what]}
        for each in (
            do.Condition(what=what, hexes=(24,), tribe=1, species="bison", most=most, number=2),  # type: ignore[arg-type]
        )
    ]
    assert len({*said}) == len(said)
    assert all(sentence[0].isupper() for sentence in said)


def test_a_plan_of_fights_is_told_without_its_notation() -> None:
    few = If(condition=do.Condition(what="animals", hexes=(24,), number=2), negated=True)
    one: Alternative[Any, Any] = Alternative(
        conditions=(few,), lines=(do.Loss(at=24, letters="wwf"),)
    )
    plan = do.PlanFight(plan=Alternatives(alternatives=(one,), otherwise=Otherwise.ORDERS))
    said = str(words("actions", "en").action(msgspec.to_builtins(plan), {}, NAMES, 0))
    assert "If fewer than 2 beasts are on 24: on 24, first lose 2 warriors, then 1 woman." in said


@pytest.mark.parametrize(
    ("lang", "hexes", "sow", "said"),
    [
        ("en", (21,), True, "Settle on 21"),
        ("fr", (21, 22), True, "S’installer en 21, sinon en 22"),
        ("en", (33,), True, "Settle on 33"),
        ("en", (21, 33, 35, 36, 46), True, "Settle on 21, else 33, 35, 36, 46"),
        ("fr", (33,), False, "S’installer en 33 (sans champ)"),
        ("en", (), True, "Settle where it is best"),
    ],
)
def test_the_first_wishes_are_named_and_a_field_for_plain_alone(
    lang: str, hexes: tuple[int, ...], sow: bool, said: str
) -> None:
    """M§3.3: on board 1 21 and 22 are forest, 33 and 35 plain."""
    wishes = msgspec.to_builtins(do.Place(hexes=hexes, sow=sow))
    assert str(words("actions", lang).action(wishes, {"board": 1}, (), 0)).strip() == said


def test_a_wish_is_headed_by_its_first_hex_and_says_why_below() -> None:
    wording = words("wording", "en")
    wishes = msgspec.to_builtins(do.Place(hexes=(34, 23, 12, 55, 63)))
    assert str(wording.steps([wishes], ["…"], {})).strip() == "Settle on 34"
    why = Home(terrain="forest", water=True, food=2, near=3, ways=4, lava=True,
               others=(23, 12, 55, 63))  # fmt: skip
    assert not str(wording.outcome(msgspec.to_builtins(why), NAMES))
    assert str(wording.reason(msgspec.to_builtins(why), 1, NAMES)).strip() == (
        "Forest by the water: in summer it gives 2 food a turn, and the 4 hexes beside it 3 "
        "more with a pawn of yours on each. An eruption would strike it. Otherwise 23, then 12, "
        "then 55, then 63."
    )


def test_m3_3_the_end_of_a_wish_list_names_the_hex_of_a_field() -> None:
    taps = words("taps", "en")
    view, places = {"board": 1}, board(1).places
    plain, forest = (
        next(at for at, place in places.items() if place.terrain == terrain)
        for terrain in ("plain", "forest")
    )

    def label(*hexes: int, sow: bool = True) -> str:
        place = msgspec.to_builtins(do.Place(hexes=hexes, sow=sow))
        return str(taps.short(place, [*map(str, hexes)], view)).strip()

    assert label(plain).startswith(f"Done, and sow a field on {plain}: −1 food now, +8")
    assert label(plain, forest).startswith("Done, with a field if you get plain: −1 food now")
    assert label(forest) == "Done"
    assert label(plain, sow=False) == "Done, without a field"


def test_a_trick_for_a_fight_is_offered_by_its_name_with_what_it_does_below() -> None:
    card = do.CombatCard(title="T08", at=24, trigger="start")
    answer = msgspec.to_builtins(do.Answer(orders=(card,)))
    taps = words("taps", "fr")
    assert str(taps.short(answer, [])).strip() == "Embuscade en 24 dès le premier lancer"
    assert "deux prochains lancers qui ne sont pas à égalité" in str(taps.effect(answer))
    several = msgspec.to_builtins(do.Answer(orders=(do.Loss(at=0, letters="wf"), card)))
    assert "; play Ambush on 24" in str(words("actions", "en").said(several, ()))


def test_the_halves_of_a_board_are_named_in_the_readers_language() -> None:
    boards = [board(number + 1) for number in range(len(BOARDS))]
    for name in {half for each in boards for half in each.name.split(" / ")}:
        assert str(words("terms", "en").half(name)) == name
        assert str(words("terms", "fr").half(name)) != name


@pytest.mark.parametrize(
    ("order", "en", "fr"),
    [
        (
            do.Fights(hexes=(23, 24)),
            "Fight first on 23, then on 24",
            "Combattre d’abord en 23, puis en 24",
        ),
        (
            do.Reenter(hexes=(11, 12)),
            "If the tribe is gone, come back on 11, else on 12",
            "Si la tribu disparaît, revenir en 11, sinon en 12",
        ),
        (
            do.Retreat(at=23, to=(22, 33)),
            "In a fight on 23 scatter to 22, else 33",
            "En cas de combat en 23, se disperser vers 22, sinon 33",
        ),
        (
            do.Stores(title="T14", trigger="always"),
            "Play Dried meat as soon as possible",
            "Jouer Viande séchée dès que possible",
        ),
        (
            do.Stores(title="T14", trigger="never"),
            "Never play Dried meat",
            "Ne jamais jouer Viande séchée",
        ),
        (
            do.CombatCard(title="T04", trigger="behind"),
            "Play War cry in any fight if you are losing",
            "Jouer Cri de guerre dans n’importe quel combat si tu es en train de perdre",
        ),
        (
            do.CombatCard(title="T09", trigger="start"),
            "Play Pit trap in any fight with beasts",
            "Jouer Fosse dans n’importe quel combat contre des bêtes",
        ),
    ],
)
def test_standing_orders_are_sentences(order: do.Order, en: str, fr: str) -> None:
    """M§23.15: the first legal hex of a retreat counts, and of coming back."""
    for lang, said in (("en", en), ("fr", fr)):
        assert str(words("actions", lang).said(msgspec.to_builtins(order), ())).strip() == said


@pytest.mark.parametrize(
    ("lang", "head", "fought", "food"),
    [
        (
            "en", "Attack Bo’s camp on 55, hunt 1 bison, occupy 12",
            "On 55: 3 warriors (die +3) against Bo with 1 warrior (die +2).",
            "Food: 9 + 4 fish + 3 from forests − 5 for meals = 11.",
        ),
        (
            "fr", "Attaquer le camp de Bo en 55, chasser 1 bison, occuper 12",
            "En 55 : 3 guerriers (dé +3) contre Bo avec 1 guerrier (dé +2).",
            "Nourriture : 9 + 4 (pêche) + 3 (forêts) − 5 (repas) = 11.",
        ),
    ],
)  # fmt: skip
def test_a_choice_is_headed_by_what_it_comes_to(
    lang: str, head: str, fought: str, food: str
) -> None:
    fight = Battle(
        hex=55, camp=1, herds=(), food=0,
        own=Side(seat=0, w=3, f=0, bonus=3), rivals=(Side(seat=1, w=1, f=0, bonus=2),),
    )  # fmt: skip
    why = Move(
        attacks=((55, 1, 1, 0, True),), hunts=((55, "bison", 1),), occupied=(12,),
        fights=(fight, replace(fight, hex=63)), stand=(63,), has=9, cost=5, give=7,
        forests=3,
    )  # fmt: skip
    wording, plain = words("wording", lang), msgspec.to_builtins(why)
    assert str(wording.outcome(plain, NAMES)) == head
    said = str(wording.reason(plain, 1, NAMES)).replace("\u00a0", " ")
    assert said.splitlines() == [fought, food]


def test_a_cost_is_told_below_the_title_and_hunger_is_named() -> None:
    site = Home(terrain="plain", water=True, food=1, near=4, ways=5, lava=False)
    why = msgspec.to_builtins(
        Move(sites=(35,), site=site, given_up=(24,), left=(13,), has=1, cost=5, give=2)
    )
    wording = words("wording", "en")
    assert str(wording.outcome(why, NAMES)) == "Prepare a camp on 35"
    assert str(wording.reason(why, 1, NAMES)) == (
        "Nobody of yours fights on 13 any more.\n"
        "Plain by the water: in summer it gives 1 food a turn, and the 5 hexes beside it 4 "
        "more with a pawn of yours on each.\n"
        "You give up the camp on 24.\n"
        "Food: 1 + 2 fish − 5 for meals: 2 short, so pawns will starve."
    )


@pytest.mark.parametrize(
    ("lang", "one", "several"),
    [
        ("en", "= 9, or 14 with the hunt on 13.",
         "= 9, or up to 15 with the hunts on 13 and 24."),
        ("fr", "= 9 ; avec la chasse en 13, il en resterait 14.",
         "= 9 ; avec les chasses en 13 et 24, il en resterait jusqu’à 15."),
    ],
)  # fmt: skip
def test_m10_14_what_hunts_can_bring_stands_in_the_food_of_a_choice(
    lang: str, one: str, several: str
) -> None:
    """The best choice looked like a loss without it. A fight that the choice leaves as it is counts
    too, and is told where a camp of the reader's hangs on it."""
    rhino = Battle(
        hex=13, camp=None, herds=(("rhino", 1, 1),), food=5, rivals=(), chance=99,
        own=Side(seat=0, w=4, f=0, bonus=4),
    )  # fmt: skip
    wolf = replace(rhino, hex=24, camp=0, herds=(("wolf", 1, 1),), food=1, chance=50)
    wording = words("wording", lang)
    for fights, food in (((rhino,), one), ((rhino, wolf), several)):
        why = msgspec.to_builtins(Move(fights=fights, stand=(24,), has=12, cost=7, give=4))
        said = str(wording.reason(why, 1, NAMES)).replace("\u00a0", " ")
        assert food in said
        still = {"en": "On 24, with your camp: still", "fr": "En 24, avec ton camp : toujours"}[
            lang
        ]
        assert (still in said) == (wolf in fights)


def test_m9_1_a_choice_that_founds_no_camp_says_so() -> None:
    why = msgspec.to_builtins(Move(joined=(24,), left_bare=(12, 35)))
    for lang, said in (
        ("en", "Strengthen the fight on 24, found no camp on 12 and 35"),
        ("fr", "Renforcer le combat en 24, ne pas installer de camp en 12 et 35"),
    ):
        assert str(words("wording", lang).outcome(why, NAMES)) == said


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "No trick needed: confirm"),
        ("fr", "Pas besoin d’astuce\xa0: confirme"),
    ],
)
def test_the_only_choice_says_why_it_is_asked_for(lang: str, said: str) -> None:
    """M§19.8: who holds a trick is asked, whichever it is."""
    why, wording = (
        msgspec.to_builtins(Fight(cards=(), standing=0, alone=True)),
        words("wording", lang),
    )
    assert str(wording.outcome(why, NAMES)) == said
    assert {"en": "nobody learns", "fr": "n’apprenne"}[lang] in str(wording.reason(why, 1, NAMES))


def test_m10_5_a_fight_with_women_alone_is_won_but_for_a_war_cry() -> None:
    fight = msgspec.to_builtins(Battle(
        hex=24, camp=None, herds=(), food=0, chance=100, own=Side(seat=0, w=1, f=0, bonus=1),
        rivals=(Side(seat=1, w=0, f=1, bonus=0, fights=False),),
    ))  # fmt: skip
    wording = words("wording", "en")
    assert "you win, unless the trick War cry lets the women fight" in str(
        wording.fight(fight, NAMES, 0)
    )
    assert "about 72% to win" in str(wording.fight({**fight, "chance": 72}, NAMES, 0))


@pytest.mark.parametrize(
    ("lang", "head", "then"),
    [
        ("en", "Your orders for the fights are in", "the dice are rolled"),
        ("fr", "Tes ordres de combat sont arrivés", "les dés sont jetés"),
    ],
)
def test_m19_4_the_answer_to_orders_for_fights_is_headed_by_them_and_says_what_comes(
    lang: str, head: str, then: str
) -> None:
    wording, orders = words("wording", lang), words_of("orders", lang)
    given = SimpleNamespace(kind="combat")
    assert str(orders.answered(wording, given)).strip() == head
    assert then in str(orders.then(wording, given))
    assert str(orders.changeable(wording, given)) != str(orders.changeable(wording, None))


@pytest.mark.parametrize(
    ("lang", "one", "other"),
    [
        ("en", "The chances stay as they are above. You keep your tricks.",
         "Ambush: In one fight +2"),
        ("fr", "Les chances restent celles indiquées plus haut. Tu gardes tes cartes astuce.",
         "Embuscade : Dans un combat"),
    ],
)  # fmt: skip
def test_orders_that_change_no_chance_say_so_once_and_what_tells_them_apart(
    lang: str, one: str, other: str
) -> None:
    wording = words("wording", lang)

    def said(why: Fight, number: int) -> str:
        return str(wording.reason(msgspec.to_builtins(why), number, NAMES)).replace("\xa0", " ")

    assert said(Fight(cards=(), standing=0), 1).strip() == one
    both = said(Fight(cards=("T10", "T08"), standing=0), 2)
    assert other in both
    assert "above" not in both
    assert "plus haut" not in both


def test_a_hunt_that_a_choice_is_headed_by_is_told_by_its_dice() -> None:
    hunt = Battle(
        hex=13, camp=None, herds=(("rhino", 1, 1),), food=4, chance=99,
        own=Side(seat=0, w=4, f=0, bonus=4), rivals=(),
    )  # fmt: skip
    said = str(words("wording", "en").reason(msgspec.to_builtins(Move(fights=(hunt,))), 1, NAMES))
    assert said.startswith("On 13: about 99% to win – die +4 against +1.\n")


def test_m10_16_women_who_are_to_fall_first_have_their_reason() -> None:
    why = msgspec.to_builtins(Fight(cards=(), standing=0, losses=True))
    said = str(words("wording", "en").reason(why, 2, NAMES)).strip()
    assert said.startswith("Against beasts, so that warriors are left")


def test_m19_4_what_is_done_without_a_standing_order_is_said_in_words() -> None:
    said = str(words("wording", "en").unplanned("orders"))
    assert len(said.splitlines()) == 5, "a list: one point each"
    for part in ("warriors fall first", "camp you conquer is kept", "3 food", "Dried meat"):
        assert part in said
    assert "default" not in said


def test_m11_4_a_plan_to_stay_says_that_food_is_short() -> None:
    wording = words("wording", "en")
    stay = do.PlanMove(plan=Alternatives(alternatives=(Alternative(lines=()),)))
    order = SimpleNamespace(actions=[msgspec.to_builtins(stay)])
    own = {"meal": (1, 1, 6), "fights": ()}

    def good_for(food: int) -> str:
        tribe = {"food": food, "farm": 1, "pawns": 6}
        return str(wording.proposed(order, {"phase": "move", "tribes": [tribe], "own": own}, 0))

    assert good_for(2) == (
        "Food: 3 + 1 fish + 1 from forests − 6 for meals: 1 short, so pawns will starve."
    )
    assert good_for(9) == "Food: 10 + 1 fish + 1 from forests − 6 for meals = 6."


def test_a_proposed_plan_says_what_it_is_good_for() -> None:
    """M§24.12: what is proposed is no advice, but nobody has to guess why it stands there."""
    wording = words("wording", "en")
    view = {"board": 1, "season": "summer", "number": 1, "event": "", "groups": (), "phase": "move",
            "tribes": [{"camps": 1, "food": 9, "farm": 0, "pawns": 2}],
            "own": {"meal": (1, 0, 2), "fights": ()}}  # fmt: skip

    def good_for(action: Any) -> str:
        order = SimpleNamespace(actions=[msgspec.to_builtins(action)])
        return str(wording.proposed(order, view, 0)).strip()

    def plan(kind: Any, *lines: Any) -> Any:
        return kind(plan=Alternatives(alternatives=(Alternative(lines=lines),)))

    move = do.Move(w=1, f=1, path=(24, 34))
    assert good_for(plan(do.PlanMove, move)) == good_for(do.Draft(lines=(move,)))
    assert good_for(do.Draft(lines=(move,))) == (
        "2 food a turn in summer; your second camp of four."
    ), "short: a phone has narrow lines"
    both = good_for(plan(do.PlanMove, do.Found(hex=24), do.Move(w=1, f=0, path=(35, 34))))
    assert both.startswith("24: ")
    assert "; your second camp of four." in both
    assert both.endswith(" 34: 2 food a turn in summer."), "each behind its hex"
    view["number"] = 3
    assert " in winter, " in good_for(do.Draft(lines=(move,))), "the season it is for"
    assert good_for(plan(do.PlanMove)) == "Food: 9 + 1 fish − 2 for meals = 8."
    assert good_for(plan(do.PlanFight, do.Loss(at=24, letters="fww"))) == (
        "Against beasts, so that warriors are left; among tribes warriors fall first all the same."
        " Warriors and women of yours stand there together."
    )
    trap = do.CombatCard(title="T09", trigger="start")
    assert good_for(plan(do.PlanFight, trap)).startswith("Before a fight")
    assert good_for(do.Loss(at=24, letters="fww")).startswith("Against beasts, so that warriors")
    assert good_for(do.Sow(hexes=())).startswith("To keep the food that fields cost. Otherwise")
    assert good_for(do.Fights(hexes=(24, 35))).startswith("To fight first what matters most")
    assert good_for(do.EventLoss(sex="f")).startswith("So that your warriors are left. Otherwise")
    assert good_for(do.CampChoice(at=0, burn=True)).startswith("So that nobody can take them back.")
    assert "If you leave without saving" in str(wording.unplanned("file"))
    assert good_for(do.Spirits(hexes=(24,))) == "A hex that you occupy is spared by the event."
    assert good_for(do.Retreat(at=24, to=(34,))).startswith("Before a fight your pawns leave")
    assert not good_for(do.Forget(word="all"))


def test_m3_5_the_first_choice_says_why_it_is_a_list() -> None:
    for lang, said in (
        ("en", "all choose in secret"),
        ("fr", "choisissent en secret"),
    ):
        assert said in str(words("taps", lang).prompt(SimpleNamespace(code="setup")))


def test_a_fight_planned_without_a_condition_says_what_is_done_and_no_more() -> None:
    trap = do.CombatCard(title="T09", trigger="start")
    falls = do.Loss(at=24, letters="fww")
    plan = do.PlanFight(plan=Alternatives(alternatives=(Alternative(lines=(trap, falls)),)))
    for lang, said in (
        (
            "en",
            "Play Pit trap in any fight with beasts; on 24, first lose 1 woman, then 2",
        ),
        (
            "fr",
            "Jouer Fosse dans n’importe quel combat contre des bêtes\xa0; en 24, perdre d’abord ",
        ),
    ):
        order = SimpleNamespace(actions=[msgspec.to_builtins(plan)])
        told = str(words("actions", lang).filed(order, SimpleNamespace(own=None), NAMES, 0)).strip()
        assert told.startswith(said)


def test_plans_for_when_time_runs_out_stand_below_one_heading() -> None:
    wording, groups = words("wording", "en"), words("groups", "en")
    line = do.Move(w=1, f=0, path=(24, 35))
    draft, plan = (
        msgspec.to_builtins(each)
        for each in (
            do.Draft(lines=(line,)),
            do.PlanMove(plan=Alternatives(alternatives=(Alternative(lines=(line,)),))),
        )
    )
    assert groups.group(draft) == "If your time runs out before you move"
    assert groups.group(plan) == "For when it is your turn"
    order = SimpleNamespace(actions=[draft])
    assert str(wording.proposal(order)).strip() == "Occupy 35"


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Your fights are outlined in red. No trick that you hold applies to them."),
        ("fr", "Tes combats sont entourés de rouge. Aucune de tes cartes astuce n’y sert."),
    ],
)
def test_a_fight_that_no_trick_applies_to_says_so(lang: str, said: str) -> None:
    taps = words("taps", lang)
    assert str(taps.prompt(Prompt(code="combat"))).strip() == said
    for code in ("combat.loss", "combat.trick", "combat.trick.loss"):
        assert str(taps.prompt(Prompt(code=code))).strip().endswith(".")


@pytest.mark.parametrize(
    ("lang", "sides", "stake"),
    [
        (
            "en",
            "1 woman (die +1 for the camp) against Bo with 1 warrior (die +1).",
            "Your camp is at stake. The hunt is worth 4 food.",
        ),
        (
            "fr",
            "1 femme (dé +1 pour le camp) contre Bo avec 1 guerrier (dé +1).",
            "Ton camp est en jeu. La chasse rapporte 4 de nourriture.",
        ),
    ],
)  # fmt: skip
def test_a_fight_of_ones_own_is_a_line_with_the_dice_and_what_is_at_stake(
    lang: str, sides: str, stake: str
) -> None:
    fight = Battle(
        hex=24, camp=0, herds=(), food=4,
        own=Side(seat=0, w=0, f=1, bonus=1, camp=1), rivals=(Side(seat=1, w=1, f=0, bonus=1),),
    )  # fmt: skip
    assert (
        str(words("wording", lang).fight(msgspec.to_builtins(fight), NAMES, 0))
        == f"{sides} {stake}"
    )


@pytest.mark.parametrize(
    ("lang", "yours", "theirs"),
    [
        (
            "en",
            "Your last woman fell on 46 against 1 rhino: your tribe is gone.",
            "Bo’s last woman was captured on 46: the tribe is gone.",
        ),
        (
            "fr",
            "Ta dernière femme a succombé en 46 face à 1 rhinocéros : ta tribu n’est plus.",
            "La dernière femme de Bo a été prise en 46 : la tribu n’est plus.",
        ),
    ],
)
def test_m15_1_who_is_gone_is_told_by_what_took_the_last_pawn(
    lang: str, yours: str, theirs: str
) -> None:
    def told(seat: int, kind: str, by: int | None, **data: Any) -> dict[str, Any]:
        return {"kind": kind, "seat": by, "data": {"hexes": (46,), **data}, "chapter": "combats"}

    fight = told(0, "fight_began", 0, against="rhino", sides=((0, 1), (None, 1)))
    lost = told(0, "pawn_lost", 0, sex="f", cause="combat")
    taken = told(1, "women_captured", 0, victim=1, joined=1, died=0)
    for seat, (blow, line) in enumerate((([fight, lost], yours), ([taken], theirs))):
        out = told(seat, "tribe_out", seat, cause="combat", due=0)
        said = str(words("wording", lang).story([*blow, out], NAMES, 0))
        assert line.replace(" :", "\u00a0:") in said


def test_m25_4_dice_are_told_with_what_is_added_to_them() -> None:
    sides = ({"seat": 0, "die": 1, "bonus": 2, "total": 3},
             {"seat": None, "die": 5, "bonus": 1, "total": 6})  # fmt: skip
    rolled = {"kind": "round_rolled", "seat": 0, "chapter": "combats",
              "data": {"hexes": (35,), "sides": sides, "losers": (0,)}}  # fmt: skip
    said = str(words("wording", "en").event(rolled, NAMES, 0)).strip()
    assert said == "Dice: you 1+2=3, the animals 5+1=6."


def test_only_a_letter_about_fights_begins_with_them() -> None:
    wording = words("wording", "en")
    general: Any = environment("en").get_template("mail/_words.txt").module
    first = [str(general.fights_first(wording, kind)) for kind in ("combat", "move")]
    assert first == ["1", ""]
    assert str(wording.fighting("move")) == "Fights already under way:"
    assert not str(wording.fighting("combat"))


def _tribes(*held: tuple[int, bool]) -> dict[str, Any]:
    """A view in which tribes have so many camps, and whether they had four last turn."""
    tribes = [{"camps": camps, "announced": before} for camps, before in held]
    return {"rows": (), "tribes": tribes, "options": {"fire_rules": False}}


@pytest.mark.parametrize(
    ("lang", "fresh", "again"),
    [
        (
            "en",
            "Bo holds 4 camps: with four at the end of this turn and of the next, Bo wins.",
            "You hold 5 camps: with four at the end of this turn, too, you win.",
        ),
        (
            "fr",
            "Bo tient 4 camps\u00a0: avec quatre à la fin de ce tour et du suivant, Bo gagne.",
            "Tu tiens 5 camps\u00a0: avec quatre à la fin de ce tour aussi, tu gagnes.",
        ),
    ],
)
def test_m15_4_who_may_win_by_camps_is_told_before_all_else(
    lang: str, fresh: str, again: str
) -> None:
    say = words("wording", lang)
    tie = {"en": " If several hold four then, more camps win;", "fr": " Si plusieurs en ont"}[lang]
    for held, said in (((2, False), (4, False)), fresh), (((5, True), (3, True)), again):
        alert = str(say.alert(_tribes(*held), NAMES, 0)).strip()
        assert alert.startswith(said + tie), "whoever reaches four, too, must know who wins"
    assert not str(say.alert(_tribes((3, True), (3, False)), NAMES, 0)).strip()
    both = str(say.alert(_tribes((5, True), (4, True)), NAMES, 0))
    assert both.count(tie) == 1
    assert str(say.lead(_tribes((2, False), (4, False)), NAMES, 0)).strip().startswith(fresh)
    few = {"en": "Camps: you 2, Bo 1. Hold", "fr": "Camps\u00a0: toi 2, Bo 1. Tiens-en"}[lang]
    assert str(say.lead(_tribes((2, False), (1, False)), NAMES, 0)).strip().startswith(few)


@pytest.mark.parametrize(
    ("food", "leads"), [((5, 4), ("You lead.", "Tu mènes.")), ((4, 5), ("Bo leads.", "Bo mène."))]
)
def test_m15_4_a_choice_says_how_the_race_stands_before_the_fights_and_who_leads(
    food: tuple[int, int], leads: tuple[str, str]
) -> None:
    """With as many camps and pawns food decides (M§15.5)."""
    for won, then in ((4, 4), ""), ((5, 3), " If you win: you 5, Bo 3."):
        race = ((0, 4, 9, food[0], won[0]), (1, 4, 9, food[1], won[1]))
        why = msgspec.to_builtins(Move(race=race, has=9, cost=9))
        held = f"you 4 camps, 9 pawns, {food[0]} food; Bo 4 camps, 9 pawns, {food[1]} food"
        said = str(words("wording", "en").reason(why, 1, NAMES)).splitlines()
        assert said[0] == f"Before the fights: {held}. {leads[0]}{then}"
        assert leads[1] in str(words("wording", "fr").reason(why, 1, NAMES))


def test_m15_8_who_moves_last_is_told_what_is_left_to_eat() -> None:
    meal = {"kind": "settled", "seat": 0, "chapter": "survival", "data": {
        "hexes": (), "before": 12, "fish": 2, "forage": 0, "harvest": 0, "cost": 7, "spared": 0,
        "after": 7}}  # fmt: skip
    said = str(words("wording", "en").played(None, [meal, {**meal, "seat": 1}], NAMES, 0)).strip()
    assert said == "You were the last to move. You had 12 food: fish +2, meals −7; 7 left."


@pytest.mark.parametrize(
    ("lang", "title", "said"),
    [
        ("en", "Four camps at the end of the turn: you and Bo", "You held 4 camps at the end"),
        ("fr", "Quatre camps à la fin du tour\u00a0: toi et Bo", "Tu as tenu 4 camps à la fin"),
    ],
)
def test_m15_4_four_camps_head_a_notice(lang: str, title: str, said: str) -> None:
    own: dict[str, Any] = {"kind": "camp_founded", "seat": 1, "chapter": "moves",
                           "data": {"hexes": (12,), "kind": "cave"}}  # fmt: skip
    held = [{"kind": "tribe_announced", "seat": seat, "chapter": "dusk",
             "data": {"hexes": (), "camps": 4}} for seat in (0, 1)]  # fmt: skip
    say = words("wording", lang)
    assert str(say.headline([own, *held], NAMES, 0)).strip() == title
    assert said in str(say.story(held, NAMES, 0))


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Born to you: 1 woman on 23 and 1 warrior and 1 woman on 24."),
        ("fr", "Enfants nés chez toi : 1 femme en 23 et 1 guerrier et 1 femme en 24."),
    ],
)
def test_m12_2_births_are_told_as_children_without_their_dice(lang: str, said: str) -> None:
    def event(kind: str, at: int, **data: Any) -> dict[str, Any]:
        return {"kind": kind, "seat": 0, "chapter": "births", "data": {"hexes": (at,), **data}}

    events = [
        event("birth_rolled", 23, die=2, twins=()),
        event("child_born", 23, sex="f"),
        event("birth_rolled", 24, die=6, twins=(3, 1)),
        event("child_born", 24, sex="w"),
        event("child_born", 24, sex="f"),
    ]
    assert str(words("wording", lang).story(events, NAMES, 0)).strip() == said
    none = [event("birth_rolled", 23, die=2, twins=()), event("birth_cancelled", 23, sex="f")]
    left = str(words("wording", "en").story(none, NAMES, 0)).strip()
    assert left == "You had no pawn left for a birth on 23."


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            "1 wolf 42–43. 1 bear on 33 stays (people there: a fight after the moves, unless",
        ),
        ("fr", "1 loup 42–43. 1 ours en 33 ne bouge pas"),
    ],
)
def test_m7_5_herds_are_told_without_the_word_that_heads_their_chapter(
    lang: str, said: str
) -> None:
    def event(kind: str, species: str, *hexes: int, **data: Any) -> dict[str, Any]:
        facts = {"hexes": hexes, "species": species, "number": 1, **data}
        return {"kind": kind, "seat": None, "chapter": "herds", "data": facts}

    say = words("wording", lang)
    came = event("herd_arrived", "wolf", 42, herd=1)
    assert str(say.story([came], NAMES, 0)).strip().startswith("1 ")
    events = [
        event("herd_moved", "wolf", 43, path=(42, 43), reversed=False, joined=False),
        event("herd_held", "bear", 33, cause="pawns"),
    ]
    assert str(say.story(events, NAMES, 0)).strip().startswith(said)


def test_camps_founded_one_after_the_other_are_told_together() -> None:
    founded = [{"kind": "camp_founded", "seat": 0, "chapter": "moves",
                "data": {"hexes": (at,), "kind": kind}}
               for at, kind in ((33, "village"), (32, "village"), (21, "cave"))]  # fmt: skip
    said = str(words("wording", "en").story(founded, NAMES, 0)).strip()
    assert said == "You founded camps on 33 and 32 and founded a camp in the cave on 21."
    french = str(words("wording", "fr").story(founded[:2], NAMES, 0)).strip()
    assert french == "Tu as installé des camps en 33 et 32."


def test_m4_3_a_season_that_was_held_says_so_in_the_turn_it_gained() -> None:
    terms = words("terms", "en")
    view = {"season": "winter", "number": 1, "held": False, "lengthened": True}
    assert str(terms.season(view)) == "Winter, turn 1 of 3 again (Endless winter)"
    assert (
        str(terms.season({**view, "number": 2}))
        == "Winter, turn 2 of 3 (a turn was added: Endless winter)"
    )
    held = str(terms.season({**view, "held": True}))
    assert held == "Winter, turn 1 of 3 (this turn comes twice)"
    assert str(terms.season({**view, "lengthened": False})) == "Winter, turn 1 of 3"
    told = {"season": "winter", "number": 2, "held": True}
    assert str(terms.season(told)) == "Winter, turn 2 of 3 again (Endless winter)", (
        "the event tells what came of it"
    )


@pytest.mark.parametrize("drawn", [True, False])
def test_m25_4_dice_that_a_letter_draws_are_not_said_once_more(drawn: bool) -> None:
    def event(kind: str, **data: Any) -> dict[str, Any]:
        return {"kind": kind, "seat": 0, "chapter": "combats", "mine": True,
                "data": {"hexes": (35,), **data}}  # fmt: skip

    sides = ({"seat": 0, "die": 1, "bonus": 2, "total": 3},
             {"seat": None, "die": 1, "bonus": 1, "total": 2})  # fmt: skip
    events = [
        event("location_opened", pawns=(), herds=()),
        event("fight_began", against="wolf", sides=((0, 2), (None, 1))),
        event("round_rolled", sides=sides, losers=(None,)),
        event("hunt_paid", species="wolf", number=1, before=4, after=5),
        {**event("location_closed", holder=0), "seat": None},
    ]
    told = SimpleNamespace(events=events, names=None, said="", by_clock=False, by_plan=False)
    parts: Any = mail_environment("en").get_template("mail/_macros.html").module
    wording, table = (
        words("wording", "en"),
        environment("en").get_template("games/mammoths/letter.html").module,
    )
    scene = {"picture": {"cid": "dice"}, "width": 472} if drawn else None
    said = str(parts.story([told], wording, table, NAMES, 0, drawn=scene, rolled=events))
    assert "You hunted 1 wolf" in said
    assert ("cid:dice" in said) is drawn, "below the fight that it shows"
    assert "<br>" not in said, "the first fight stands behind the name of its chapter"
    assert (">Dice:" in said) is not drawn
    assert str(wording.rolled(events, NAMES, 0)).strip() == "Dice: you 1+2=3, wolf 1+1=2."


@pytest.mark.parametrize(
    ("reader", "said"),
    [(0, "You against Bea: lost"), (1, "You against Ana: won"), (2, "Ana against Bea: Bea wins")],
)
def test_the_dice_of_a_fight_say_whose_they_are_and_who_won(reader: int, said: str) -> None:
    def event(kind: str, **data: Any) -> dict[str, Any]:
        return {"kind": kind, "seat": 0, "chapter": "combats", "data": {"hexes": (35,), **data}}

    sides = ({"seat": 0, "die": 1, "bonus": 2, "total": 3},
             {"seat": 1, "die": 4, "bonus": 1, "total": 5})  # fmt: skip
    events = [
        event("location_opened", pawns=((0, 2, 0), (1, 1, 0)), herds=()),
        event("fight_began", against="tribes", sides=((0, 2), (1, 1))),
        event("round_rolled", sides=sides, losers=(0,)),
        {**event("location_closed", holder=1), "seat": None},
    ]
    page = environment("en").get_template("games/mammoths/told.html")
    told = page.render(events=events, reader=reader, whose=("Ana", "Bea", "Carl"), note="")
    assert f"<b>{said}</b>" in told
    lost, won = told.split('<svg class="die')[1:]
    assert "M-44 44 44-44" in lost, "its die is crossed out"
    assert "M-44 44 44-44" not in won


def test_tricks_stand_apart_from_what_is_under_the_board() -> None:
    table: Any = environment("en").get_template("games/mammoths/letter.html").module
    view = {"season": "summer", "number": 2, "held": False, "lengthened": False, "event": "",
            "lasting": (), "own": {"hand": ("T01",)}}  # fmt: skip
    assert "Palisade" not in str(table.under(view, NAMES, 0))
    assert "Palisade" in str(table.below(view, NAMES, 0))
    letter = (TEMPLATES / "mail/turn/body.html").read_text(encoding="utf-8")
    marks = (
        "{{ said }}",
        "table.under(view",
        "if not ahead",
        "table.below(view",
    )
    assert sorted(marks, key=letter.index) == list(marks)


@pytest.mark.parametrize(
    ("lang", "title"),
    [("en", "Bo took your camp on 34"), ("fr", "Bo a pris ton camp en 34")],
)
def test_a_notice_is_headed_by_what_befell_its_reader(lang: str, title: str) -> None:
    sealed = {"kind": "answered", "seat": 0, "chapter": "", "data": {"hexes": (), "orders": 1}}
    taken: dict[str, Any] = {"kind": "camp_conquered", "seat": 1, "chapter": "combats",
             "data": {"hexes": (34,), "victim": 0, "burnt": False, "loot": 0}}  # fmt: skip
    headline = words("wording", lang).headline
    assert str(headline([sealed, taken], NAMES, 0)).strip(" .") == title
    won = {**taken, "seat": 0, "data": {**taken["data"], "victim": 1}}
    said = str(headline([won, taken], NAMES, 0)).strip(" .")
    assert said == title, "a loss comes before what was won"
    assert str(headline([sealed], NAMES, 0)).strip()


@pytest.mark.parametrize(
    ("lang", "winner", "rival"),
    [
        (
            "en",
            "You alone held four camps two turns running.",
            "Ana alone held four camps two turns running.",
        ),
        (
            "fr",
            "Ta tribu est la seule à avoir tenu quatre camps deux tours de suite.",
            "Deux tours de suite, Ana a tenu quatre camps, et personne d’autre.",
        ),
    ],
)
def test_m15_4_who_alone_held_four_camps_is_told(lang: str, winner: str, rival: str) -> None:
    tribes = [{"announced": True, "fire": 0}, {"announced": False, "fire": 0}]
    view = {"termination": "camps", "tribes": tribes, "options": {"fire_rules": False},
            "rows": [{"seat": 0, "rank": 1, "result": "won", "score": (4, 9, 1)}]}  # fmt: skip
    say = words("letter", lang)
    assert str(say.decided(view, [0], [0], NAMES, 0)).strip() == winner
    assert str(say.decided(view, [0], [0], NAMES, 1)).strip() == rival


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "You still hold 24 and 55, 2 camps. You can take 34 back: go there with warriors"),
        ("fr", "Il te reste 2 camps, en 24 et 55. Tu peux reprendre 34\xa0: vas-y avec des"),
    ],
)
def test_m10_10_who_lost_a_camp_is_told_what_is_left_and_how_to_take_it_back(
    lang: str, said: str
) -> None:
    taken: dict[str, Any] = {"kind": "camp_conquered", "seat": 1, "chapter": "combats",
             "data": {"hexes": (34,), "victim": 0, "burnt": False, "loot": 4}}  # fmt: skip
    view = {"camps": [{"hex": at, "seat": seat} for at, seat in ((24, 0), (34, 1), (55, 0))],
            "tribes": [{"status": "map"}] * 2}  # fmt: skip
    say = words("wording", lang)
    assert str(say.still([taken], view, 0)).strip().startswith(said)
    burnt = {**taken, "data": {**taken["data"], "burnt": True}}
    assert " 34" not in str(say.still([burnt], view, 0))
    assert not str(say.still([burnt], {**view, "tribes": [{"status": "out"}]}, 0)).strip()
    for events, reader in (([taken], 1), ([], 0)):
        assert not str(say.still(events, view, reader)).strip()


def test_m25_1_the_end_names_the_camps_that_decided() -> None:
    """Those taken, and those that the winner founded; the others' are no story."""

    def event(kind: str, seat: int, at: int, **data: Any) -> dict[str, Any]:
        data = {"hexes": (at,), "turn": 9, "kind": "village", "quick": False, **data}
        return {"kind": kind, "seat": seat, "chapter": "moves", "data": data}

    taken = event("camp_conquered", 0, 34, victim=1, burnt=False, loot=0)
    long_ago = event("camp_founded", 0, 24, turn=6)
    events = [long_ago, taken, event("camp_founded", 0, 33), event("camp_founded", 1, 45)]
    assert str(words("letter", "en").turned(events, [0], NAMES, 1)).strip() == (
        "In the last three turns: Ana took your camp on 34 and founded a camp on 33."
    )
    for nothing in (events[3:], []):  # A match that all leave may end before anything happens.
        assert not str(words("letter", "en").turned(nothing, [0], NAMES, 1)).strip()


@pytest.mark.parametrize(
    ("lang", "expected", "said"),
    [("en", ("1w1f", "2w"), "“move 1w1f 34-35-46”"), ("fr", ("1g1f", "2g"), "aller 1g1f 34-35-46")],
)
def test_m24_1_who_wrote_no_pawns_is_shown_a_whole_line(
    lang: str, expected: tuple[str, ...], said: str
) -> None:
    verdict = SimpleNamespace(code="unreadable", possible=(), why="unknown", line="move xyzzy",
                              fragment="xyzzy", expected=expected)  # fmt: skip
    say = words_of("answers", lang)
    assert said in str(say.wrong(verdict, NAMES, 0, words("wording", lang), alone=True))
    other = SimpleNamespace(**{**verdict.__dict__, "expected": ("35",)})
    assert said not in str(say.wrong(other, NAMES, 0, words("wording", lang), alone=True))


def test_m7_a_herd_that_was_barred_says_what_it_did() -> None:
    moved = {"kind": "herd_moved", "seat": None, "chapter": "herds", "data": {
        "hexes": (14, 24), "species": "tiger", "number": 1, "path": (14, 24), "reversed": True,
        "joined": False}}  # fmt: skip
    assert "1 tiger 14–24 (its first step was barred, so it turned back)" in str(
        words("wording", "en").story([moved], NAMES, 0)
    )


def test_m24_12_in_winter_a_place_is_told_by_its_food_in_winter() -> None:
    why = {"terrain": "forest", "water": True, "food": 2, "near": 3, "lava": False}
    said = str(words("wording", "en").ground(SimpleNamespace(**why), True)).strip()
    assert said == "Forest by the water: 1 food a turn in winter, 2 in summer."
    why |= {"terrain": "plain", "food": 1}
    for lang, same in (("en", "1 food a turn, none now (Drought)"),
                       ("fr", "par tour, rien ce tour-ci (Drought)")):  # fmt: skip
        said = str(words("wording", lang).gives(SimpleNamespace(**why), True, "Drought")).strip()
        assert said.endswith(same)


def test_m5_where_an_event_struck_and_that_nothing_is_lost_is_told() -> None:
    slide = {"kind": "event_hit", "seat": None, "chapter": "dawn",
             "data": {"hexes": (47,), "card": "N04", "protected": ()}}  # fmt: skip
    said = str(words("wording", "en").story([slide], NAMES, 0)).strip()
    assert said.endswith("on 47, held by snow this turn. You lose nothing by it.")


def test_camps_to_come_and_what_an_occupied_hex_brings_head_a_choice() -> None:
    wording = words("wording", "en")

    def head(why: Move) -> str:
        return str(wording.outcome(msgspec.to_builtins(why), NAMES)).strip()

    assert head(Move(founded=(12, 35), camps=4)) == "Found camps on 12 and 35 (4 of the 4 you need)"
    assert head(Move(occupied=(45,), more=1)) == "Occupy 45, 1 food more than if all stay"
    assert head(Move(occupied=(45,), more=0)) == "Occupy 45"


def test_a_plan_in_writing_is_hidden_on_phones_as_turns_are() -> None:
    parts: Any = mail_environment("en").get_template("mail/_macros.html").module
    wording = SimpleNamespace(filed=lambda *of: "Occupy 13")
    order = SimpleNamespace(
        text={"en": "plan move 2w 24-13"}, actions=(), kind="file", answered=False, filed=None
    )
    example = SimpleNamespace(order=order, link="/t", seen=None)
    shown = parts.example(example, wording, {}, (), 0)
    assert 'class="quiet typed"' in shown
    assert "24-13" in shown


def test_what_explains_a_written_line_is_hidden_on_phones_where_the_line_is() -> None:
    parts: Any = mail_environment("en").get_template("mail/_macros.html").module
    choice = SimpleNamespace(
        deeds=["1 warrior"], gain="", reason="", notation="move 1w 23-13", link="/t", seen=None,
        shared=(), of_all="",
    )  # fmt: skip
    wording, possible = words("wording", "en"), SimpleNamespace(exceed=lambda number: False)
    view = {"own": None, "rows": (), "tribes": (), "camps": (), "seat": 0}
    offered = parts.offer([choice], "setup", possible, wording, view, "/t", "", on=True)
    assert '<span class="typed">The line after ~ is the same' in offered
    assert '~ move 1w <span style="white-space:nowrap">23-13</span></div>' in offered


def test_m25_1_who_falls_in_a_fight_is_told_as_their_loss_and_twins_by_number() -> None:
    say = words("wording", "en")
    closed = {"kind": "location_closed", "seat": None, "chapter": "combats",
              "data": {"hexes": (), "holder": 1, "held": False,
                       "fallen": [(0, 0, 1), (1, 2, 0)]}}  # fmt: skip
    assert str(say.story([closed], NAMES, 0)).strip() == "You lost 1 woman. Bo lost 2 warriors."
    twins = [{"kind": "child_born", "seat": 0, "chapter": "births",
              "data": {"hexes": (24,), "sex": "w"}}] * 2  # fmt: skip
    assert str(say.story(twins, NAMES, 0)).strip() == "Born to you: 2 warriors on 24."


def test_m11_1_an_example_says_that_there_is_no_fish_in_this_event() -> None:
    wording = words("wording", "en")
    move = msgspec.to_builtins(do.Draft(lines=(do.Move(w=1, f=1, path=(24, 13)),)))
    view = {"board": 1, "season": "winter", "number": 1, "event": "N01", "groups": (), "own": None}
    said = str(wording.proposed(SimpleNamespace(actions=[move]), view)).strip()
    assert ", none now (Frozen rivers); one more camp." in said, (
        "not 1 food and no fish in one breath"
    )
    spring = str(wording.proposed(SimpleNamespace(actions=[move]), {**view, "number": 3})).strip()
    assert spring.endswith("No fish there this turn: Frozen rivers.")


@pytest.mark.parametrize("kind", ["notice", "orders", "digest", "end", "answer"])
def test_every_letter_with_a_board_says_what_the_event_changes(kind: str) -> None:
    letter = (TEMPLATES / f"mail/{kind}/body.html").read_text(encoding="utf-8")
    assert ".reigns(" in letter
    table: Any = environment("en").get_template("games/mammoths/letter.html").module
    view = {"season": "winter", "number": 2, "held": False, "lengthened": False, "event": "N01",
            "lasting": ()}  # fmt: skip
    assert "Rivers stop nobody and give no fish." in str(table.reigns(view))


@pytest.mark.parametrize("kind", ["turn", "orders", "notice"])
def test_a_letter_draws_the_fights_it_tells(kind: str) -> None:
    """A camp that was lost is no less than a hunt."""
    letter = (TEMPLATES / f"mail/{kind}/body.html").read_text(encoding="utf-8")
    assert "drawn=scene" in letter


def test_the_last_letter_tells_what_came_of_its_readers_own_last_move() -> None:
    def entry(*chapters: str) -> Any:
        return SimpleNamespace(events=[{"chapter": each} for each in chapters])

    assert end.tells_more(entry("moves", "combats", "births", "dusk"))
    assert not end.tells_more(entry("moves", "moves"))
    assert not end.tells_more(entry("", ""))


@pytest.mark.parametrize(("lang", "said"), [("en", "Hex 35: Bo wins"), ("fr", "Case 35 : Bo")])
def test_a_drawn_fight_names_who_wins_as_the_letter_does(lang: str, said: str) -> None:
    assert str(words("terms", lang).called("fight.35.@Bo")).replace("\u00a0", " ").startswith(said)


@pytest.mark.parametrize(
    ("lang", "ended", "place"),
    [
        ("en", "<bdi>Bo</bdi> has won.", "You come second, with 2 camps."),
        ("fr", "<bdi>Bo</bdi> a gagné.", "Tu arrives deuxième, avec 2 camps."),
    ],
)
def test_m15_8_the_page_of_an_ended_match_says_how_its_reader_stands_in_place_of_lost(
    lang: str, ended: str, place: str
) -> None:
    """Whoever came second of many has not simply lost."""
    parts: Any = environment(lang).get_template("pages/_match.html").module
    rows = [{"seat": 1, "rank": 1, "result": "won", "score": (5, 8, 0)},
            {"seat": 0, "rank": 2, "result": "lost", "score": (2, 6, 4)}]  # fmt: skip
    view = {"rows": rows, "termination": "camps", "tribes": [{"status": "map"}] * 2}
    outcome = SimpleNamespace(winners=[1], scores=(0, 1), termination="camps")
    said = str(parts.result(outcome, view, words("wording", lang), NAMES, 0))
    assert " ".join(said.split()) == f"<strong>{ended}</strong> {place}"
    watched = str(parts.result(outcome, view, words("wording", lang), NAMES, None))
    assert " ".join(watched.split()) == f"<strong>{ended}</strong>"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_m25_4_curves_name_their_players_and_the_last_letter_says_why_they_fall(lang: str) -> None:
    """An initial of a colour at the end of a line does not say whose it is."""
    views = [{"tribes": [{"camps": n, "pawns": 7}] * 3} for n in (1, 2, 1)]
    names = ("Ana", "Bo", "Maximiliane-Charlotte")
    drawn = plot_svg("mammoths", views, seat=0, names=names, lang=lang)
    for name in (">Ana<", ">Bo<", ">Maximiliane-C…<"):
        assert name in drawn
    falls = {
        "en": "A line of camps falls where one was conquered",
        "fr": "La courbe des camps baisse",
    }
    assert falls[lang] in str(words("letter", lang).length(36))
