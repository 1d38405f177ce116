"""Words of Fire & Stone for people."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from engine.fire_and_stone import actions as do
from engine.fire_and_stone.components import CAVES
from engine.fire_and_stone.notation.plan_lines import LINES
from service.render.templating import LANGUAGES, TEMPLATES, environment


def words(name: str, lang: str) -> Any:
    return environment(lang).get_template(f"games/fire_and_stone/{name}.txt").module


@pytest.mark.parametrize(
    ("lang", "pieces", "said"),
    [
        ("en", ("ibex",), "Keep the ibex: 1 bag and 3 food when cooked"),
        ("fr", ("bear",), "Garder l’ours : 2 sacs et 1 de nourriture une fois cuit"),
        (
            "fr",
            ("hare", "boar"),
            "Garder le lièvre et le sanglier : 7 de nourriture une fois cuits",
        ),
    ],
)
def test_f7_2_a_tile_to_keep_says_what_it_gives(
    lang: str, pieces: tuple[str, ...], said: str
) -> None:
    action = msgspec.to_builtins(do.Keep(pieces=pieces))
    assert str(words("actions", lang).said(action)).replace("\N{NO-BREAK SPACE}", " ") == said


def test_the_game_of_a_forest_is_counted() -> None:
    met = ("fowl", "fowl", "ibex")
    assert str(words("game", "en").herd(met)) == "two wildfowl and an ibex"
    assert str(words("game", "fr").herd(met)) == "deux gibiers à plumes et un bouquetin"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_f19_3_a_plan_can_be_written_with_the_orders_that_the_rules_list(lang: str) -> None:
    when = {"en": "when", "fr": "quand"}[lang]
    source = (TEMPLATES / f"games/fire_and_stone/rules.{lang}.html").read_text()
    table = source.partition('id="s19-3"')[2].partition('id="s19-4"')[0]
    rows = re.findall(r"<dt><code>(.*?)</code></dt><dd>(.*?)</dd>", table)
    assert len(rows) == 19
    lines = [
        (event, wish) for event, said in rows for wish in re.findall("<code>(.*?)</code>", said)
    ]
    for event, wish in lines:
        if event != wish or event in ("grotte", "cave"):
            assert LINES.read(f"{when} {event}: {wish}", lang)[1], (event, wish)
    examples = re.findall(rf"<code>({when} .*?)</code>", source)
    assert any(line.count(" si ") + line.count(" if ") for line in examples)
    assert all(LINES.read(line, lang)[1] for line in examples)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_f12_2_each_cave_says_what_happens_once_what_is_an_action_and_what_always_holds(
    lang: str,
) -> None:
    once, action, always = {
        "en": ("Once:", "Action", "Always:"),
        "fr": ("Une fois\N{NO-BREAK SPACE}:", "Action", "Toujours\N{NO-BREAK SPACE}:"),
    }[lang]
    acting = {"hidden_spring", "garden_of_eden", "painted_walls", "flint_vein", "hearth_hall"}
    acting |= {"lookout", "shaman_stone", "burial_mound", "barter_stone", "long_pilgrimage"}
    acting |= {"council_of_elders"}
    finding = {"hidden_spring", "hearth_hall", "old_store", "earthquake", "collapsed_tunnel"}
    finding |= {"ice_bridges"}
    for cave in CAVES:
        said = str(words("cards", lang).effect(cave.id))
        assert said.startswith((once, action, always)), cave.id
        assert (action in said) == (cave.id in acting)
        assert (once in said) == (cave.id in finding)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_f11_2_the_rules_say_once_what_an_objective_brings_at_most(lang: str) -> None:
    listed = environment(lang).get_template("games/fire_and_stone/cards.html").module
    page = str(listed.listed("objectives", "s11"))  # type: ignore[attr-defined]
    assert page.count("<p id=") == 5
    assert "10" not in page
