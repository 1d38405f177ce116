"""Turns in the words of who has read no notation: understood, and asked about if in doubt."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from engine.chance import SeededChance, seed_of_number
from engine.games import games
from engine.play import submit
from engine.sapiens.notation.sentences import as_notation
from service.core import verdicts
from service.core.plain import tokens
from service.mail.commands.asked import Asked
from service.mail.commands.copied import Printed
from service.mail.commands.found import Found, Mend, Nothing, Turn
from service.mail.commands.orders import Finder
from tests.support.cases import part

SENTENCES = Path(__file__).with_name("sentences.txt")
"""What people wrote, most of it newcomers, about the tiles of these positions."""

SEED, TURNS = 2, 6
"""A deal, and how many turns of it are played: next come a ritual and a token to be played."""

TURN = {
    "en": "lay ritual-fire C5 C4, ritual D1N, take camp-fire, remove ritual-fight",
    "fr": "pose rituel-feu C5 C4, rituel D1N, prends campement-feu, retire rituel-baston",
}
TOKEN = {"en": "token camp", "fr": "jeton campement"}


def finder(lang: str, about: str | None = None, turns: int = TURNS) -> tuple[Finder, list[str]]:
    """A finder about that turn, whose letter asked `about` one; and the turns the letter offers."""
    game, chance = games()["sapiens"], SeededChance(seed_of_number(SEED))
    state = game.setup(2, game.options_type(), chance).state
    for _ in range(turns):
        decision = next(each for each in game.decisions(state) if each.blocks)
        actions = next(iter(game.suggestions(state, decision.seat, 1)))
        state = submit(game, state, decision.seat, decision.id, actions, chance).state
    decision = next(each for each in game.decisions(state) if each.blocks)
    asked = Asked(game, state, decision.seat, decision.id, lang)
    offered = [asked.written(each) for each in game.suggestions(state, decision.seat, 3)]
    choices = [Printed(text=text) for text in offered]
    players = ["Ana", "Bruno"]
    return Finder(asked, lambda: choices, players, about, players), offered


def understood(found: Found, lang: str, turns: int = TURNS) -> str:
    """The turn that was found or is asked about, as it is written."""
    if isinstance(found, Mend):
        assert len(found.instead) == 1, found
        return found.instead[0]
    assert isinstance(found, Turn), found
    written = finder(lang, turns=turns)[0]._asked
    actions = written.tried(found.text)
    assert not isinstance(actions, Exception)
    return written.written(actions)


def sentences(which: str) -> list[tuple[int, str, str]]:
    """Of that kind, how many turns were played before, the language, and what was written."""
    found = (line.partition(": ") for line in SENTENCES.read_text(encoding="utf-8").splitlines())
    said = ((head.split(), text) for head, _, text in found)
    return [(int(turns), lang, text) for (kind, turns, lang), text in said if kind == which]


def with_token(lang: str) -> str:
    """The turn with the token played as well."""
    laid, ritual, *rest = TURN[lang].split(", ")
    return ", ".join([laid, ritual, TOKEN[lang], *rest])


@pytest.mark.parametrize(("turns", "lang", "text"), sentences("kept"))
def test_a_token_that_is_kept_is_not_played(turns: int, lang: str, text: str) -> None:
    found = finder(lang, turns=turns)[0].find([[text]])
    assert isinstance(found, Turn), found
    assert understood(found, lang) == TURN[lang]


@pytest.mark.parametrize(("turns", "lang", "text"), sentences("slips"))
def test_slips_and_words_of_ones_own_are_asked_about_as_the_whole_turn(
    turns: int, lang: str, text: str
) -> None:
    found = finder(lang, turns=turns)[0].find([[text]])
    assert isinstance(found, Mend), found
    assert understood(found, lang) == TURN[lang]


@pytest.mark.parametrize(("turns", "lang", "text"), sentences("named"))
def test_what_is_done_is_understood_by_what_it_names(turns: int, lang: str, text: str) -> None:
    found = finder(lang, turns=turns)[0].find([[text]])
    assert isinstance(found, Mend), found
    assert understood(found, lang) == with_token(lang)


STEAK = {
    "en": "lay water-hunt H5 G5, hunt, take ritual-hunt, remove feast-picking",
    "fr": "pose eau-chasse H5 G5, chasse, prends rituel-chasse, retire festin-cueillette",
}
SWAP = {
    "en": (
        "lay water-fire H4 H3, water fight-camp picking-hunt, take picking-hunt, remove fight-camp"
    ),
    "fr": (
        "pose eau-feu H4 H3, eau baston-campement cueillette-chasse, prends cueillette-chasse, "
        "retire baston-campement"
    ),
}


@pytest.mark.parametrize(("turns", "lang", "text"), sentences("whole"))
def test_whole_turns_of_newcomers_are_understood(turns: int, lang: str, text: str) -> None:
    found = finder(lang, turns=turns)[0].find([[text]])
    assert understood(found, lang, turns) == (STEAK if turns == 2 else SWAP)[lang]
    if isinstance(found, Mend):
        fault = verdicts.fault_of(found.error)
        assert (
            not isinstance(fault, verdicts.Unreadable)
            or fault.why is not verdicts.Misread.PARTLY
            or not fault.fragment
        )


BEAR = {
    "en": "lay camp-fire C2 C3, fire yellow H1, take camp-fire, remove feast-picking",
    "fr": "pose campement-feu C2 C3, feu jaune H1, prends campement-feu, retire festin-cueillette",
}


@pytest.mark.parametrize(("turns", "lang", "text"), sentences("bear"))
def test_a_bear_goes_on_the_square_of_who_is_named(turns: int, lang: str, text: str) -> None:
    found = finder(lang, turns=turns)[0].find([[text]])
    assert understood(found, lang, turns) == BEAR[lang]


EATEN = "lay water-hunt H5 G5, hunt 1, take ritual-hunt, remove feast-picking"


@pytest.mark.parametrize(("turns", "lang", "text"), sentences("steaks"))
def test_steaks_are_eaten_by_their_number(turns: int, lang: str, text: str) -> None:
    found = finder(lang, turns=turns)[0].find([[text]])
    assert understood(found, lang, turns) == EATEN


@pytest.mark.parametrize(("turns", "lang", "text"), sentences("unplaced"))
def test_where_a_tile_goes_is_ours_to_say_where_that_is_not_understood(
    turns: int, lang: str, text: str
) -> None:
    found = finder(lang, turns=turns)[0].find([[text]])
    assert isinstance(found, Mend)
    fault = verdicts.fault_of(found.error)
    assert isinstance(fault, verdicts.Unreadable)
    assert "right next to the others" in fault.fragment
    (turn,) = found.instead
    assert turn.startswith("lay ritual-fire ")
    assert turn.endswith(", take camp-fire, remove ritual-fight")
    assert "token" not in turn


@pytest.mark.parametrize(("turns", "lang", "text"), sentences("claim"))
def test_a_token_is_claimed_with_the_ritual(turns: int, lang: str, text: str) -> None:
    found = finder(lang, turns=turns)[0].find([[text]])
    assert understood(found, lang, turns) == TURN[lang]


def test_a_change_that_nobody_understands_leaves_the_turn_in_question() -> None:
    about = with_token("en")
    found = finder("en", about)[0].find([["Yes, but turn the bear upside down, please"]])
    assert isinstance(found, Mend)
    fault = verdicts.fault_of(found.error)
    assert isinstance(fault, verdicts.Unreadable)
    assert fault.why is verdicts.Misread.UNCHANGED
    assert found.instead == (about,)


def test_what_else_was_changed_is_not_lost_with_what_cannot_be_read() -> None:
    about = with_token("en")
    text = "Yes, but take ritual-camp, and put the bear of D4 upside down on his head"
    found = finder("en", about)[0].find([[text]])
    assert isinstance(found, Mend)
    fault = verdicts.fault_of(found.error)
    assert isinstance(fault, verdicts.Unreadable)
    assert fault.why is verdicts.Misread.AMENDED
    assert fault.fragment == "put the bear of D4 upside down on his head"
    assert found.instead == (about.replace("camp-fire", "ritual-camp"),)


def test_a_tile_that_is_thrown_out_is_never_taken() -> None:
    text = "Ritual on C5 and fire on C4. I take something nice, and I throw out camp-fire."
    found = finder("en")[0].find([[text]])
    assert isinstance(found, Mend)
    (turn,) = found.instead
    assert "take camp-fire" not in turn
    assert turn.endswith("remove camp-fire")


def test_what_is_left_over_is_told() -> None:
    text = "ritual on C5 and fire on C4, feast on the bear, take camp-fire, remove ritual-fight"
    found = finder("en")[0].find([[text]])
    assert isinstance(found, Mend)
    fault = verdicts.fault_of(found.error)
    assert isinstance(fault, verdicts.Unreadable)
    assert (fault.why, fault.fragment) == (verdicts.Misread.PARTLY, "feast on the bear")
    assert found.instead == ("lay ritual-fire C5 C4, take camp-fire, remove ritual-fight",)


@pytest.mark.parametrize(
    "text",
    [
        "Nice hunt on D5 last turn, Bruno!",
        "The fire in the camp is lovely, and the water too",
        "I will think about it and take my time",
        "What a feast.",
    ],
)
def test_prose_is_no_turn(text: str) -> None:
    found = finder("en")[0].find([[text]])
    assert isinstance(found, Nothing) or (isinstance(found, Mend) and not found.instead), found


@pytest.mark.parametrize(
    ("lang", "text", "changed"),
    [
        ("en", "yes, but take ritual-camp", ("camp-fire", "ritual-camp")),
        ("en", "no, remove picking-hunt", ("ritual-fight", "picking-hunt")),
        ("en", "Yes but keep the token for later", (", token camp", "")),
        (
            "en",
            "Yes exactly, but let's rather throw out picking-hunt instead of the ritual-fight.",
            ("ritual-fight", "picking-hunt"),
        ),
        ("fr", "Oui, mais je ne veux pas du rituel : je garde le jeton", (", jeton campement", "")),
        (
            "en",
            "Yes, but throw out picking-hunt instead, the bot would love that one.",
            ("ritual-fight", "picking-hunt"),
        ),
        (
            "en",
            "Yes, but I'd rather take ritual-camp than camp-fire.",
            ("camp-fire", "ritual-camp"),
        ),
        (
            "fr",
            "Oui mais je retire plutôt Cueillette-Chasse",
            ("rituel-baston", "cueillette-chasse"),
        ),
        (
            "fr",
            "Oui, mais je ne joue pas le jeton Campement, je le garde.",
            (", jeton campement", ""),
        ),
        ("fr", "oui mais sans le jeton", (", jeton campement", "")),
    ],
)
def test_who_is_asked_about_a_turn_may_change_it(
    lang: str, text: str, changed: tuple[str, str]
) -> None:
    about = with_token(lang)
    found = finder(lang, about)[0].find([[text]])
    assert isinstance(found, Mend)
    assert found.instead == (about.replace(*changed),)


def test_who_says_what_was_meant_is_asked_where() -> None:
    about = with_token("en")
    found = finder("en", about)[0].find([["sorry, I meant ritual-camp"]])
    assert isinstance(found, Mend)
    taken, removed = (tokens(turn) for turn in found.instead)
    assert taken != removed
    for turn in (taken, removed):
        assert turn[:9] == tokens(about)[:9]
    assert isinstance(finder("en", about)[0].find([["Sorry, I am late"]]), Nothing)


@pytest.mark.parametrize(
    ("lang", "change", "changes"),
    [
        ("en", "keep the token for later", [(", token camp", "")]),
        (
            "en",
            "take ritual-camp, remove the one with fight and keep the camp token for later",
            [("camp-fire", "ritual-camp"), (", token camp", "")],
        ),
        (
            "fr",
            "je garde le jeton Campement pour plus tard et je prends rituel-campement",
            [("campement-feu", "rituel-campement"), (", jeton campement", "")],
        ),
    ],
)
def test_a_choice_is_changed_in_several_things(
    lang: str, change: str, changes: list[tuple[str, str]]
) -> None:
    look, offered = finder(lang)
    found = look.find([[f"1, {'but' if lang == 'en' else 'mais'} {change}"]])
    expected = offered[0]
    for old, new in changes:
        assert old in expected
        expected = expected.replace(old, new)
    assert isinstance(found, Mend)
    assert found.instead == (expected,)


TWO_TAKEN = 14
"""After so many turns the second that is offered takes two tiles."""


@pytest.mark.parametrize(
    ("lang", "new", "said"),
    [
        ("en", "fight-camp", "Yes, but I'd rather take {new} instead of {old}"),
        ("en", "fight-camp", "Yes, but {new} rather than the {old} one, please"),
        ("fr", "baston-campement", "Oui, mais finalement je prends {new} à la place de {old}."),
        ("fr", "baston-campement", "Oui, mais je prends {new} au lieu du {old}"),
    ],
)
@pytest.mark.parametrize("at", [0, 1])
def test_a_tile_is_taken_in_the_place_of_the_one_that_is_named(
    lang: str, new: str, said: str, at: int
) -> None:
    about = finder(lang, turns=TWO_TAKEN)[1][1]
    *_, take, _removed = about.split(", ")
    taken = take.split()[1:]
    text = said.format(new=new, old=taken[at])
    found = finder(lang, about, TWO_TAKEN)[0].find([[text]])
    assert isinstance(found, Mend)
    taken[at] = new
    (turn,) = found.instead
    assert set(turn.split(", ")[-2].split()[1:]) == set(taken)
    assert turn.split(", ")[:-2] == about.split(", ")[:-2]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "1, the ritual and the fire"),
        ("en", "I'd like 1, the fire tile with the ritual please"),
        ("fr", "Bonjour, je prends le 1, le rituel et le feu."),
    ],
)
def test_who_names_what_a_choice_lays_is_asked_about_that_choice(lang: str, text: str) -> None:
    """It was changed into a turn that takes such a tile."""
    look, offered = finder(lang)
    found = look.find([[text]])
    assert isinstance(found, Mend)
    assert found.instead == (offered[0],)
    fault = verdicts.fault_of(found.error)
    assert isinstance(fault, verdicts.Unreadable)
    assert fault.why is verdicts.Misread.PARTLY


def test_a_bear_is_put_besides_where_a_player_has_it() -> None:
    _, offered = finder("en", turns=8)
    without = offered[0].replace(", fire yellow H1", "")
    assert without != offered[0]
    for text in (
        "with a bear on Bruno's H1",
        "put the bear on Bruno’s H1",
        "fire: a bear on Bruno's H1",
    ):
        found = finder("en", without, 8)[0].find([[f"Yes, but {text}"]])
        assert isinstance(found, Mend), text
        assert found.instead == (offered[0],)


BEGUN = "I lay ritual on C5 and fire on C4, ritual D1N, "
REST = ", take camp-fire, remove ritual-fight"


@pytest.mark.parametrize(
    "text",
    [
        "I will not lay ritual on C5 and fire on C4" + REST,
        "If I lay ritual on C5 and fire on C4" + REST + ", do I get 5?",
        "ritual on C5 would be bad, so no fire on C4, ritual D1N" + REST,
        "lay ritual on C5, water would be better with fire on C4, ritual D1N" + REST,
        "lay ritual on C5 and fire not on C4, ritual D1N" + REST,
        "lay ritual-fire, ritual on C5 or maybe fire on C4, ritual D1N" + REST,
        "lay ritual on C5 I wonder whether to put the fire on C4, ritual D1N" + REST,
        BEGUN + "token camp, but I don't play my camp token" + REST,
        BEGUN + "token camp and don't use it" + REST,
        BEGUN + "token camp, keep it" + REST,
        BEGUN + "token camp (or none, tell me first)" + REST,
        BEGUN + "don't take camp-fire, remove ritual-fight",
        "never lay ritual on C5 and fire on C4" + REST,
        "You could lay ritual on C5 and fire on C4" + REST,
    ],
)
def test_what_is_refused_or_in_doubt_is_never_played(text: str) -> None:
    assert not isinstance(finder("en")[0].find([[text]]), Turn)


@pytest.mark.parametrize("owner", ["nobody's", "my"])
def test_a_tile_is_exchanged_with_who_has_it(owner: str) -> None:
    text = (
        f"lay water-fire H4 H3, swap my fight-camp for {owner} picking-hunt, take picking-hunt, "
        "remove fight-camp"
    )
    assert not isinstance(finder("en", turns=4)[0].find([[text]]), Turn)


def test_what_is_in_question_never_comes_from_a_player_of_two_names() -> None:
    look, _ = finder("en", turns=8)
    assert look._asked.called(["Ana", "Ana", "Bruno"]) == {"Bruno": "green"}


@pytest.mark.parametrize("spaces", [1_000, 20_000])
def test_many_spaces_are_no_work(spaces: int) -> None:
    began = time.process_time()
    finder("en")[0].find([["fire hello" + " " * spaces + "there friends of ritual"]])
    as_notation(" " * spaces)
    assert time.process_time() - began < 20, "it was minutes"


SAID = (
    "I Je and et the le la my mon Yes, Oui, but mais no not keep garde steak token jeton camp "
    "campement fire feu ritual rituel hunt chasse water eau picking cueillette feast festin fight "
    "baston ritual-fire rituel-feu camp-fire ritual-fight water-fire C5 C4 D1N H3 WL on sur in en "
    "with avec take prends remove retire lay pose swap échange for contre bear ours Bruno's Ana "
    "below dessous , . : ! 1 2 first both one stones tent later"
)


@pytest.mark.parametrize("number", range(part(60)))
def test_no_words_of_the_game_raise_anything(number: int) -> None:
    """Whatever is written is a turn, or is asked about, or is none; and what is asked is legal."""
    draw = random.Random(number)
    lang = draw.choice(["en", "fr"])
    look, _ = finder(lang, draw.choice([None, with_token(lang)]), draw.choice([2, 4, 6, 8]))
    for _ in range(5):
        text = " ".join(draw.choices(SAID.split(), k=draw.randint(3, 40)))
        found = look.find([[text]])
        for turn in getattr(found, "instead", ()):
            assert not isinstance(look._asked.tried(turn), Exception) or turn == with_token(lang)
