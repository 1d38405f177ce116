"""Every way an action can break a rule: code, rule, and what the wording is given with it."""

from __future__ import annotations

from typing import Final

from engine.kit.refusals import Refusals

ERROR_CODES: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    # Names that are nothing's.
    ("no_such_hex", "M§2.2", ("hex",)),
    ("named_twice", "M§24.3", ("hex",)),
    ("nothing_named", "M§24.3", ("word",)),
    ("no_such_title", "M§14.5", ("title",)),
    ("no_such_tribe", "M§26.1", ("seat",)),
    # The right action at the right time.
    ("game_over", "M§15.6", ()),
    ("out_of_play", "M§15.1", ()),
    ("not_now", "M§19.1", ("phase",)),
    ("not_your_turn", "M§8.2", ("to_move",)),
    ("not_asked", "M§19.2", ()),
    ("same_order", "M§19.4", ()),
    ("nothing_to_forget", "M§19.4", ("word", "title")),
    ("nothing_to_withdraw", "M§24.10", ("plan",)),
    # Set-up.
    ("on_lake", "M§3.2", ("hex",)),
    # Moves.
    ("nobody_moves", "M§8.2", ()),
    ("bad_path", "M§8.3", ("one", "other")),
    ("path_too_long", "M§8.3", ("steps", "most")),
    ("visited_twice", "M§8.3", ("hex",)),
    ("too_few_pawns", "M§8.2", ("hex", "w", "f")),
    ("start_closed", "M§5.4", ("hex",)),
    ("start_frozen", "M§5.6", ("hex",)),
    ("hex_closed", "M§5.4", ("hex",)),
    ("into_lake", "M§8.3", ("hex",)),
    ("ends_on_lake", "M§14.5", ("hex",)),
    ("across_river", "M§8.3", ("one", "other")),
    ("mountain_stops", "M§8.3", ("hex",)),
    ("mountains_barred", "M§5.6", ("hex",)),
    ("must_stay", "M§8.5", ("hex", "needed", "left")),
    ("not_free", "M§9.1", ("hex",)),
    ("no_pair", "M§9.1", ("hex",)),
    ("no_camp_marker", "M§9.1", ()),
    ("camp_there", "M§9.1", ("hex",)),
    # Fire.
    ("no_fire_rules", "M§16", ()),
    ("has_fire", "M§16.1", ()),
    ("no_camp_for_fire", "M§16.1", ()),
    ("no_fire_there", "M§16.2", ("hex",)),
    ("not_own_camp", "M§16.3", ("hex",)),
    # Tricks.
    ("not_in_hand", "M§14.1", ("title",)),
    ("wrong_window", "M§14.1", ("title", "window")),
    ("wrong_target", "M§14.5", ("title",)),
    ("used_here", "M§14.2", ("title",)),
    ("no_marker", "M§14.5", ("title",)),
    ("blizzard", "M§14.5", ("title",)),
    ("wrong_season", "M§14.5", ("title",)),
    ("no_extra_discard", "M§17.4", ()),
    # Orders and plans.
    ("bad_letters", "M§24.3", ("letters",)),
    ("bad_number", "M§24.3", ("number", "most")),
    ("bad_direction", "M§2.2", ("direction",)),
    ("bad_against", "M§14.4", ("against",)),
    ("bad_trigger", "M§14.4", ("trigger",)),
    ("bad_hex_there", "M§24.3", ("word",)),
    ("too_many_alternatives", "M§24.2", ("most",)),
    ("empty_alternative", "M§24.4", ()),
    ("nothing_left", "M§24.3", ()),
    ("no_alternative", "M§24.2", ()),
    ("too_many_lines", "M§24.2", ("most",)),
    ("bad_otherwise", "M§24.2", ("otherwise",)),
    ("bad_condition", "M§24.4", ("what",)),
    ("board_not_shown", "M§24.5", ("shown",)),
)
"""(code, rule, keys of the context), in the order of the rules."""

illegal: Final = Refusals(ERROR_CODES)
