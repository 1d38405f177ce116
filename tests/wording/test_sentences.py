"""Sentences as they are read: persons, elisions, numbers first, and what a turn brings."""

from __future__ import annotations

import re
from typing import Any

import pytest

from service.mail.render.choices import Choice
from service.mail.render.letter_context import mail_environment
from service.matches.reading import Awaited
from service.render.templating import environment
from tests.wording.samples import NAMES


def word(lang: str) -> Any:
    return environment(lang).get_template("games/sapiens/wording.txt").module


def event(kind: str, seat: int, **data: Any) -> dict[str, Any]:
    return {"kind": kind, "seat": seat, "data": data}


BEAR = event("bear_put", 0, board=1, square="C3", tiles=["hunt-fire.1"], sp=1)
WON = event("token_claimed", 1, scene="hunt", place="C1N", by="cave")
LAID = event(
    "laid",
    1,
    tile="hunt-fire.1",
    first="C4",
    second="D4",
    how="turn",
    fp=3,
    connected=[{"scene": "hunt", "square": "C4", "fp": 3}],
    tribe=0,
)
HUNTED = event("hunted", 1, taken=1, converted=2, fp=3, left=0)
CAVE = event("cave_scored", 1, cave="C1N", value="high", sp=7)
TOOK = event("took", 1, tiles=["water-camp.1", "feast-ritual.2"])
SEEN = event("revealed", 1, tiles=["hunt-fire.2"], stack=3)


@pytest.mark.parametrize(
    ("me", "english", "french"),
    [
        (
            1,
            "Anna put a bear on your C3 (+1 shelter for Anna).",
            "Anna a mis un ours sur ta case C3 (+1\xa0d’abri pour Anna).",
        ),
        (
            0,
            "You put a bear on Marc’s C3 (+1 shelter).",
            "Tu as mis un ours sur la case C3 de Marc (+1\xa0d’abri).",
        ),
        (
            None,
            "Anna put a bear on Marc’s C3 (+1 shelter).",
            "Anna a mis un ours sur la case C3 de Marc (+1\xa0d’abri).",
        ),
    ],
)
def test_the_reader_is_spoken_to(me: int | None, english: str, french: str) -> None:
    assert word("en").event(BEAR, NAMES, me) == english
    assert word("fr").event(BEAR, NAMES, me) == french


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("Anna", "d’Anna"),
        ("Marc", "de Marc"),
        ("Élodie", "d’Élodie"),
        ("Œdipe", "d’Œdipe"),
        ("Hélène", "d’Hélène"),
        ("Harry", "de Harry"),
        ("Yves", "d’Yves"),
        ("Yann", "de Yann"),
        ("李", "de 李"),
        ("?", "de ?"),
    ],
)
def test_french_elides_before_a_vowel(name: str, of: str) -> None:
    assert word("fr").event(BEAR, ["X", name], 0).endswith(f"la case C3 {of} (+1\xa0d’abri).")


def test_a_whole_turn_is_one_line() -> None:
    turn = [LAID, HUNTED, CAVE, WON, TOOK, SEEN]
    assert word("en").story(turn, NAMES, 0) == (
        "Marc gained 6 food and 7 shelter with hunt–fire on C4–D4 (+3 food), took a steak and"
        " turned 2 into food (+3 food) and entered the cave above C1. Then Marc took the mountain"
        " token there (hunt)"
        " and took water–camp and feast–ritual."
    )
    assert word("fr").story(turn, NAMES, 1) == (
        "Tu as gagné 6\xa0de nourriture et 7\xa0d’abri avec Chasse–Feu en C4–D4"
        " (+3\xa0de nourriture), gagné un steak et converti 2 steaks (+3\xa0de nourriture)"
        " et occupé la caverne au-dessus de C1. Puis tu as pris le jeton Montagne qui s’y trouvait"
        " (Chasse)"
        " et pris Eau–Campement et Festin–Rituel."
    )


def test_a_story_tells_each_player_apart() -> None:
    out = event("out", 0)
    told = word("en").story([TOOK, out, event("camped", 2, sp=3)], NAMES, 0)
    assert told.startswith("Marc took water–camp and feast–ritual. You can neither")
    assert told.endswith(". Yann used a camp (+3 shelter).")


def test_s8_1_a_tile_laid_by_feast_says_that_it_earns_nothing() -> None:
    fed = LAID | {"data": LAID["data"] | {"how": "feast", "fp": 0, "connected": []}}
    assert "hunt–fire on C4–D4 (no food)" in word("en").event(fed, NAMES, 0)
    assert "Chasse–Feu en C4–D4 (sans nourriture)" in word("fr").event(fed, NAMES, 0)


def test_who_leads_by_how_much_and_why() -> None:
    def view(*points: tuple[int, int]) -> dict[str, Any]:
        return {"players": [{"fp": fp, "sp": sp} for fp, sp in points]}

    told = word("en").lead(view((11, 14), (12, 10), (9, 18)), ["Ana", "Bruno", "Greta"], 0)
    assert told == (
        "You lead with 11, 1 more than Bruno."
        " Your score is your food, 11: the lower of the two (shelter 14)."
    )
    told = word("fr").lead(view((11, 14), (12, 12), (14, 8)), ["Ana", "Bruno", "Greta"], 2)
    assert told == (
        "Bruno mène\xa0: 12, soit 1 d’avance sur Ana. Tu as 8. Ton score est ton abri, 8\xa0:"
        " le plus bas des deux (nourriture 14)."
    )
    told = word("en").result(
        view((23, 32), (22, 30), (24, 23)), ["Ana", "Bruno", "Greta"], None, (0, 2)
    )
    assert told == (
        "23 points each, 1 more than Bruno. What counts is the lower of food and shelter."
    )


def test_the_last_letter_says_which_of_the_two_held_its_reader_back() -> None:
    def told(lang: str, fp: int, sp: int) -> str:
        position: Any = mail_environment(lang).get_template("games/sapiens/letter.txt").module
        return str(position.held_back({"players": [{"fp": fp, "sp": sp}]}, 0)).strip()

    assert told("en", 23, 25) == "Food held you at 23: 2 more shelter counted for nothing."
    assert told("en", 23, 20) == "Shelter held you at 20: 3 more food counted for nothing."
    assert told("fr", 23, 25).startswith("La nourriture a fixé ton score à 23")
    assert told("en", 23, 23) == ""


def test_gains_come_numbers_first() -> None:
    assert word("en").gain([LAID]) == "+3 food, bonus: hunt"
    assert word("fr").gain([LAID]) == "+3\xa0de nourriture, effet\xa0: Chasse"
    assert (
        word("en").gain([LAID, HUNTED, CAVE, WON, TOOK])
        == "+6 food, +7 shelter, −1 steak, +1 mountain token (hunt)"
    )
    played = event("token_played", 1, scene="camp")
    told = word("en").gain([LAID, played, WON])
    assert told.endswith("+1 mountain token (hunt), −1 mountain token (camp), bonus: hunt")
    told = word("fr").gain([LAID, played, WON])
    assert told.endswith(
        "+1 jeton Montagne (Chasse), −1 jeton Montagne (Campement), effet\xa0: Chasse"
    )
    assert word("en").gain([LAID, played]).startswith("+3 food, −1 mountain token (camp)")
    assert "camp" not in word("en").gain([LAID, played, WON], True), "what it earned"
    assert word("en").gain([event("fight_paid", 1, tile="hunt-fire.1", owner=0)]) == "−1 food"
    assert word("en").gain([TOOK]) == ""


def test_a_bonus_that_is_declined_is_no_longer_open() -> None:
    assert word("en").gain([LAID, event("declined", 1, scenes=["hunt"])]) == "+3 food"


def test_a_choice_names_places_and_gain() -> None:
    lay = {"do": "lay", "tile": "hunt-fire.1", "first": "C1N", "second": "C1", "order": []}
    view = {
        "players": [{"fp": 0, "pool": [{"tile": "hunt-fire.1", "tokens": []}]}],
        "common": [],
        "to_move": 0,
    }
    assert word("en").action(lay, view, NAMES, 0) == "Hunt on the cave above C1, fire on C1"
    assert (
        word("fr").action(lay, view, NAMES, 0, "+7\xa0d’abri")
        == "Chasse sur la caverne au-dessus de C1, Feu sur C1 (+7\xa0d’abri)"
    )


def test_twins_in_a_pool_are_told_apart() -> None:
    pool = [{"tile": f"hunt-fire.{n}", "tokens": [1] if n == 2 else []} for n in (1, 2)]
    view = {"players": [{"pool": []}], "common": pool, "bonuses": []}
    say = word("en").action
    assert say({"do": "take", "tiles": ["hunt-fire.1"]}, view, NAMES, 0) == "Take hunt–fire no. 1"
    assert (
        say({"do": "take", "tiles": ["hunt-fire.2"]}, view, NAMES, 0)
        == "Take hunt–fire no. 2 (fight token: Marc)"
    )


def test_twins_that_are_alike_have_no_numbers() -> None:
    pool = [{"tile": f"hunt-fire.{n}", "tokens": [1]} for n in (1, 2)]
    view = {"players": [{"pool": []}], "common": pool, "bonuses": []}
    take = {"do": "take", "tiles": ["hunt-fire.2"]}
    assert word("en").action(take, view, NAMES, 0) == "Take hunt–fire (fight token: Marc)"


def test_taking_says_what_is_left_unused() -> None:
    view = {"players": [], "common": [], "bonuses": ["hunt", "camp"]}
    told = word("en").action({"do": "take", "tiles": []}, view, NAMES, 0)
    assert told == "End the turn: there is nothing to take, and skip the hunt and camp bonuses"


def test_s5_3_the_error_names_both_squares() -> None:
    context = {
        "square": "C4",
        "scene": "hunt",
        "other": "C3",
        "other_scene": "water",
        "tile": "water-camp.1",
    }
    told = word("en").error("scene_mismatch", "S§5.3", context, NAMES, 0)
    assert told.startswith("Hunt on C4 would touch water on C3.")
    told = word("fr").error("scene_mismatch", "S§5.3", context, NAMES, 0)
    assert told.startswith("Chasse sur C4 toucherait Eau sur C3.")


def test_s12_2_scores_are_the_lower_of_the_two() -> None:
    view = {"players": [{"fp": 38, "sp": 28}]}
    assert word("en").score_line(view, 0) == "38 food, 28 shelter: score 28"
    assert word("fr").score_line(view, 0) == "38 de nourriture et 28 d’abri\xa0: score\xa028"


def test_winners_are_named() -> None:
    over = event(
        "over", 0, scores=[28, 30], fp=[38, 30], sp=[28, 31], winners=[1], termination="normal"
    )
    over["seat"] = None
    assert word("en").event(over, NAMES, 1).startswith("The game is over. You win with 30 points.")
    assert word("fr").event(over, NAMES, 0) == (
        "La partie est finie. Marc gagne avec 30\xa0points."
        " Anna\xa0: 38 de nourriture et 28 d’abri\xa0: score\xa028."
        " Marc\xa0: 30 de nourriture et 31 d’abri\xa0: score\xa030."
    )


@pytest.mark.parametrize(
    ("winners", "english", "french"),
    [
        ([0], "You win.", "Tu gagnes."),
        ([1], "Marc wins.", "Marc gagne."),
        ([0, 1], "You share the victory with Marc.", "Tu partages la victoire avec Marc."),
    ],
)
def test_a_game_without_points_is_won_without_any(
    winners: list[int], english: str, french: str
) -> None:
    over = {"winners": winners, "scores": [1, 1], "termination": "normal"}
    for lang, said in (("en", english), ("fr", french)):
        letters: Any = environment(lang).get_template("mail/_words.txt").module
        assert letters.result(over, NAMES, 0, False) == said
        assert "points" in letters.result(over, NAMES, 0)


@pytest.mark.parametrize("name", ["mail/_macros.txt", "mail/_macros.html"])
def test_a_choice_without_points_is_headed_by_what_is_done(name: str) -> None:
    part: Any = mail_environment("en").get_template(name).module
    choice = Choice(deeds=["Take two"], gain="", notation="take 2", link="https://here/")
    said = re.sub(r"<[^>]*>", "", str(part.choice(choice, 1)))
    assert "1. Take two" in " ".join(said.split())
    assert said.count("Take two") == 1


@pytest.mark.parametrize("name", ["mail/_macros.txt", "mail/_macros.html"])
def test_what_choices_have_in_common_is_said_once_above_them(name: str) -> None:
    part: Any = mail_environment("en").get_template(name).module
    choices = [
        Choice(
            deeds=[f"Lay {tile}", "Take fire"],
            gain="+1 food",
            notation=f"lay {tile}, take fire",
            link="https://here/",
            shared=("Take fire",),
        )
        for tile in ("one", "two")
    ]
    told = part.numbered(choices, "") if name.endswith("html") else part.numbered(choices)
    said = " ".join(re.sub(r"<[^>]*>", " ", str(told)).split())
    assert said.startswith("In all of these: Take fire 1. +1 food Lay one ~ lay one, take fire")
    assert said.count("Take fire") == 1
    alone = re.sub(r"<[^>]*>", " ", str(part.choice(choices[0], 1)))
    assert "Take fire" in alone, "one that is shown without the others is whole"


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("unreachable", "Your turn. Your clock is stopped until letters reach you again."),
        ("replaced", "while somebody is asked to take your seat over."),
        ("unsent", "until the letter that asks for this turn gets through."),
    ],
)
def test_a_clock_that_is_stopped_has_its_reason(held: str, said: str) -> None:
    words: Any = mail_environment("en").get_template("mail/_words.txt").module
    assert words.your_move(None, None, held).strip().endswith(said)


def test_a_tile_that_alone_fits_is_named() -> None:
    pool = [{"tile": "camp-fire.1"}, {"tile": "hunt-fire.1"}]
    view = {"ending": False, "to_move": 0, "players": [{"pool": pool}]}
    fire, camp = ({"do": "lay", "tile": tile} for tile in ("hunt-fire.1", "camp-fire.1"))
    said = "Of your tiles only hunt–fire can be laid now."
    assert word("en").advice("lay", view, [fire, fire, {"do": "token"}]) == said
    assert word("en").advice("lay", view, [fire, camp]) == ""
    assert word("en").advice("lay", view, [fire]) == "", "there is nothing to choose from"


def test_s11_1_a_new_tribe_is_explained() -> None:
    view = {"ending": False}
    lay, abandon, token = ({"do": do, "tile": "a-b.1"} for do in ("lay", "abandon", "token"))
    assert word("en").advice("lay", view, [token, lay]) == ""
    told = word("en").advice("lay", view, [abandon])
    assert told.startswith("No tile of yours fits beside your tribe, so a new one begins")
    assert "second number" in told
    assert "S§" not in told
    assert "mountain token" not in told, "there is none to play"
    assert "Unless a mountain token" in word("en").advice("lay", view, [token, abandon])
    assert word("en").task("lay", [abandon]) == "Begin a new tribe"
    assert word("en").task("lay", [token, abandon]) == "Lay a tile", "which may still be done"
    assert word("en").task("lay", [token, lay]) == "Lay a tile"
    assert word("fr").advice("stuck", view, [token]).startswith("Aucune de tes tuiles")


def test_s12_1_the_last_turn_is_announced() -> None:
    view = {"ending": True}
    last = "This is the last round, and your last turn."
    assert word("en").advice("lay", view, []) == last
    assert word("en").advice("lay", view, [{"do": "abandon"}]).endswith(last)


def test_letters_that_ask_for_nothing_say_whose_turn_it_is() -> None:
    words: Any = mail_environment("en").get_template("mail/_words.txt").module

    def told(*named: int) -> str:
        return str(words.whose_turn(["Ana", "Bruno"], Awaited(named=named), 0)).strip()

    assert told(0) == "It is your turn: another letter asks you to play."
    assert told(1).startswith("It is Bruno’s turn. You will get a letter")
    assert told() == ""
