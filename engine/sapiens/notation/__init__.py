"""Text of actions, both ways (docs/notation.md)."""

from __future__ import annotations

from typing import Final

from engine.chance import NoChance
from engine.kit.notation.actions import ActionNotation
from engine.protocol import Notation
from engine.sapiens import flow
from engine.sapiens.actions import Action
from engine.sapiens.notation.complaint import distance, expected, form
from engine.sapiens.notation.grammar import ACTION, TILE
from engine.sapiens.notation.meaning import meanings
from engine.sapiens.notation.naming import signature
from engine.sapiens.notation.sentences import as_notation, guessed
from engine.sapiens.notation.sentences.terms import by_names
from engine.sapiens.notation.words import COLOURS, WORDS
from engine.sapiens.notation.writing import write
from engine.sapiens.state import State

_OF_TIME = """
    game_over not_your_turn lay_first already_laid stuck not_stuck remove_first refill_first
    removal_for_two_only can_still_lay bonus_not_earned tokens_still_lie token_already_played
    token_too_late token_not_claimed
"""

NOTATION: Final[Notation[State, Action]] = ActionNotation(
    words=WORDS,
    grammar=ACTION,
    meanings=meanings,
    format=write,
    decisions=flow.decisions,
    apply=lambda state, seat, action: flow.apply(state, seat, action, NoChance()),
    kinds=("verb", "tile", "other tile", "place", "scene", "colour", "number", "end"),
    expected=expected,
    operand=TILE,
    of_time=frozenset(_OF_TIME.split()),
    meaning=lambda state, seat, action: signature(state, action),
    form=form,
    distance=distance,
    # S§4.5: a turn ends with what it reveals, and that may not be built on.
    reads_past_reveals=False,
    spoken=as_notation,
    by_names=by_names,
    guessed=guessed,
    seat_words={seat: names["en"] for seat, names in COLOURS.items()},
)
