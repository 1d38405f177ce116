"""The contents of the box (F§1.7) and the set-up (F§3)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.chance import SeededChance, seed_of_number
from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.setup import Options
from tests.engine.fire_and_stone.positions import begun, play


def test_the_box_is_complete_f1_7() -> None:
    assert [len(tiles) for tiles in box.DISCOVERY_TILES] == [0, 24, 25, 14]
    assert sum(tile.copies for tile in box.GAME) == 24
    assert sum(tile.copies * tile.food for tile in box.GAME) == 67
    assert sum(tile.copies * tile.bags for tile in box.GAME) == 16
    assert sum(card.copies for card in box.INVENTIONS) == 17
    assert (len(box.STARTING), len(box.CAVES), len(box.OBJECTIVES)) == (4, 24, 5)
    assert Counter(box.VP_CARDS) == {4: 3, 3: 3, 2: 4, 1: 4}
    assert sum(1 for card in box.CAVES if not card.expert) == 12
    forests = [tiles.count(box.FOREST) for tiles in box.DISCOVERY_TILES]
    assert tuple(forests) == box.STACKS


def test_the_map_is_what_the_rules_say_f2_1() -> None:
    assert len(land.TERRITORIES) == 68
    assert [len(food) for food in land.FOOD[1:]] == [24, 25, 14]
    printed = [(land.PRINTED & land.IN_REGION[region]).bit_count() for region in (1, 2, 3)]
    assert printed == [2, 2, 1]
    for borders in (land.LAND, land.SEA):
        for place, others in enumerate(borders):
            assert not others >> place & 1
            assert all(borders[other] >> place & 1 for other in land.members(others))
    everywhere = (1 << 68) - 1
    assert max(land.distances(land.START, everywhere)) < 40


@pytest.mark.parametrize(
    ("seats", "options", "columns"),
    [
        (2, {}, ("", "")),
        (3, {}, ("S", "")),
        (3, {"start_tile": "moon"}, ("", "M")),
        (4, {}, ("S", "M")),
    ],
)
def test_start_tiles_f3_8(seats: int, options: dict[str, Any], columns: tuple[str, str]) -> None:
    state = begun(seats, **options)
    assert {player.columns for player in state.players} == {columns}
    assert len({player.objective for player in state.players} | set(state.undealt)) == 5


def test_tiles_lie_face_down_in_their_regions_f3_1() -> None:
    state = begun()
    for region in (1, 2, 3):
        lying = sorted(state.tiles[place] for place in land.FOOD[region])
        assert lying == sorted(box.DISCOVERY_TILES[region])
    assert state.down == sum(1 << place for food in land.FOOD for place in food)
    assert [len(stacks) for stacks in state.stacks] == [0, 3, 4, 1]


def test_draws_come_in_their_order_f3_14() -> None:
    chance = SeededChance(seed_of_number(1))
    GAME.setup(3, Options(starting_inventions=True), chance)
    assert [draw.what for draw in chance.draws] == [
        "tiles of region 1",
        "tiles of region 2",
        "tiles of region 3",
        "game tiles",
        "cave card",
        "inventions",
        "objectives",
        "starting inventions",
        "first player",
    ]


def test_beginner_caves_alone_f3_3() -> None:
    expert = {card.id for card in box.CAVES if card.expert}
    drawn = {begun(number=number, cave_level="beginner").cave for number in range(40)}
    assert not drawn & expert
    assert {begun(number=number).cave for number in range(40)} & expert


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_as_many_starting_inventions_as_players_f3_12(seats: int) -> None:
    state = begun(seats, starting_inventions=True)
    assert len(set(state.starting)) == seats
    decisions = GAME.decisions(state)
    assert [d.seat for d in decisions] == list(range(seats))
    assert all(d.sealed and d.blocks for d in decisions)
    listed = len(list(decisions[0].choices))
    assert listed == {2: 2, 3: 6, 4: 24}[seats]
    short = GAME.notation.parse(state, 0, f"rank {state.starting[1]}", "en")
    rest = [card for card in state.starting if card != state.starting[1]]
    assert short[0].cards == (state.starting[1], *rest)  # type: ignore[union-attr]
    played = play(state, GAME.default(state, state.turn.seat))
    again = next(d for d in GAME.decisions(played) if d.seat == state.turn.seat)
    assert not again.blocks


@pytest.mark.parametrize("options", [{"card_spaces": (1,)}, {"first": 2}])
def test_options_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        GAME.setup(2, Options(**options), SeededChance(seed_of_number(1)))
