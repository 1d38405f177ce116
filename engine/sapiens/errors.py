"""Every way an action can break a rule: code, rule, and what the wording is given with it.

In a context squares, caves and waterfalls are names ("C4", "C1N", "WL"), tiles "hunt-fire.1",
scenes "hunt", players seats. One sentence per code stands in the wording, in every language."""

from __future__ import annotations

from typing import Final

from engine.kit.refusals import Refusals

ERROR_CODES: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    # Names that are nothing's.
    ("unknown_tile", "S§1.1", ("tile",)),
    ("unknown_scene", "S§1.1", ("scene",)),
    ("unknown_place", "S§1.3", ("place",)),
    ("unknown_player", "S§2", ("seat",)),
    # The right action at the right time.
    ("game_over", "S§12.1", ()),
    ("not_your_turn", "S§2.5", ("to_move",)),
    ("lay_first", "S§4.1", ()),
    ("already_laid", "S§4.1", ()),
    ("stuck", "S§11.4", ()),
    ("not_stuck", "S§11.4", ()),
    ("remove_first", "S§13.1", ()),
    ("refill_first", "S§10.1", ()),
    ("removal_for_two_only", "S§13.1", ("players",)),
    # The starting turn.
    ("start_on_cave", "S§3.1", ("first", "second")),
    ("start_no_token", "S§3.2", ()),
    # Laying a tile.
    ("not_in_own_pool", "S§5", ("tile", "pool", "common")),
    ("not_side_by_side", "S§5.1", ("first", "second")),
    ("not_the_entrance", "S§5.1", ("cave", "entrance", "given")),
    ("no_such_cave", "S§1.4", ("place", "caves")),
    ("on_waterfall", "S§1.5", ("place",)),
    ("under_tile", "S§5.1", ("square", "tile")),
    ("under_bear", "S§5.1", ("square",)),
    ("cave_closed", "S§7.3", ("cave", "entrance", "by")),  # by: "tile" or "bear"
    ("touches_abandoned", "S§5.2", ("square", "other", "tile")),
    ("touches_nothing", "S§5.2", ("first", "second")),
    ("scene_mismatch", "S§5.3", ("square", "scene", "other", "other_scene", "tile")),
    ("picking_on_plain", "S§5.4", ("square",)),
    ("not_the_tokens_scene", "S§5.5", ("cave", "scene", "token")),
    ("order_needed", "S§6.1", ("tile", "owners")),
    ("order_wrong", "S§6.1", ("tile", "owners", "order")),
    ("order_without_effect", "S§6.1", ("tile",)),
    # Abandoning.
    ("can_still_lay", "S§11.1", ("tile", "first", "second")),  # one placement that is legal
    ("abandon_on_cave", "S§11.2", ("first", "second")),
    ("abandon_touches", "S§11.2", ("square", "other", "tile")),
    # Bonuses.
    ("bonus_not_earned", "S§6.3", ("scene", "earned")),
    ("no_token_there", "S§8.3", ("place", "lying")),  # lying: the places where tokens lie
    ("token_is_the_tiles", "S§6.3", ("place",)),
    ("tokens_still_lie", "S§8.3", ("lying",)),
    ("token_not_used", "S§8.3", ("scene", "used")),
    ("in_no_pool", "S§8.4", ("tile",)),
    ("fight_tokens_all_out", "S§8.4", ("tiles",)),  # tiles: where they lie
    ("fight_token_at_home", "S§8.4", ("home",)),
    ("no_fight_token_on", "S§4.4", ("tile", "tiles")),
    ("swap_with_own", "S§8.5", ("tile",)),
    ("too_few_steaks", "S§8.7", ("convert", "steaks")),
    ("token_converts_nothing", "S§9.2", ("convert",)),
    ("bear_on_own_board", "S§8.8", ()),
    ("no_bear_left", "S§8.8", ()),
    ("bear_off_squares", "S§8.8", ("place",)),
    ("bear_on_tile", "S§8.8", ("board", "square", "tile")),
    ("bear_on_bear", "S§8.8", ("board", "square")),
    ("bear_touches_nothing", "S§8.8", ("board", "square")),
    ("no_bear_there", "S§8.8", ("square", "bears")),
    # Mountain tokens.
    ("token_already_played", "S§4.3", ()),
    ("token_too_late", "S§4.3", ()),
    ("token_not_claimed", "S§9.1", ("scene", "claimed")),
    # Refill and removal.
    ("not_in_common_pool", "S§10.1", ("tile", "common")),
    ("taken_twice", "S§10.1", ("tile",)),
    ("take_number", "S§10.1", ("given", "needed")),
    ("take_order", "S§10.1", ("tiles",)),  # tiles: the same in pool order
)
"""(code, rule, keys of the context), in the order of the rules."""

illegal: Final = Refusals(ERROR_CODES)
