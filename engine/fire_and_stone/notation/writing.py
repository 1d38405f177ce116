"""The text of an action."""

from __future__ import annotations

from engine.fire_and_stone import actions as do
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.notation import words
from engine.fire_and_stone.notation.plan_lines import write_plan
from engine.fire_and_stone.state import State
from engine.kit.notation.words import Vocabulary
from engine.protocol import Seat

VERB_OF: dict[type[Action], str] = {
    do.Rank: "rank",
    do.Lead: "explorer",
    do.Go: "go",
    do.Pass: "pass",
    do.Food: "food",
    do.Take: "take",
    do.Forage: "forage",
    do.Hunt: "hunt",
    do.Keep: "keep",
    do.Piece: "piece",
    do.Done: "done",
    do.Build: "build",
    do.Return: "return",
    do.Second: "second",
    do.Invent: "card",
    do.Score: "vp",
    do.Decline: "none",
    do.Hold: "keep",
    do.Drop: "drop",
    do.Use: "cave",
    do.Discard: "discard",
    do.Barter: "swap",
    do.Name: "name",
    do.Look: "look",
    do.Arrange: "arrange",
    do.Swap: "objective",
}
NAMED: dict[str, Vocabulary[str]] = {
    "place": words.PLACES,
    "fire": words.PLACES,
    "piece": words.PIECES,
    "pieces": words.PIECES,
    "card": words.CARDS,
    "cards": words.CARDS,
    "covers": words.CARDS,
    "given": words.CARDS,
    "taken": words.CARDS,
    "column": words.COLUMNS,
    "tiles": words.TILES,
    "objective": words.GOALS,
}
"""By field of an action, the names of what is in it."""


def write(state: State, seat: Seat, action: Action, lang: str) -> str:
    """An action as text."""
    if isinstance(action, do.File):
        return write_plan(action.plan, lang)
    said = [words.VERBS.write(VERB_OF[type(action)], lang)]
    if isinstance(action, do.Lead):
        return f"{said[0]} {action.explorer}"
    for field in action.__struct_fields__:
        value = getattr(action, field)
        names = value if isinstance(value, tuple) else (value,)
        said += [words.FOR[lang]] if field == "taken" else []
        said += [NAMED[field].write(name, lang) for name in names]
    return " ".join(said)
