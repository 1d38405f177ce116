"""The text of an action."""

from __future__ import annotations

from typing import Final

from engine.fire_and_stone import actions as do
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.notation import words
from engine.fire_and_stone.notation.plan_lines import LINES
from engine.fire_and_stone.state import State
from engine.protocol import Seat

_VERBS: Final[dict[type[Action], str]] = {
    do.Lead: "explorer",
    do.Invent: "card",
    do.Score: "vp",
    do.Decline: "none",
    do.Hold: "keep",
    do.Use: "cave",
    do.Barter: "swap",
    do.Swap: "objective",
}


def verb_of(kind: type[Action]) -> str:
    """The verb of a type of actions: mostly the name it has in records."""
    return _VERBS.get(kind) or str(kind.__struct_config__.tag)


def write(state: State, seat: Seat, action: Action, lang: str) -> str:
    """An action as text."""
    if isinstance(action, do.File):
        return LINES.write(action.plan, lang)
    said = [words.VERBS.write(verb_of(type(action)), lang)]
    if isinstance(action, do.Lead):
        return f"{said[0]} {action.explorer}"
    for field in action.__struct_fields__:
        value = getattr(action, field)
        names = value if isinstance(value, tuple) else (value,)
        said += words.OTHER["for"][lang] if field == "taken" else ()
        said += [words.NAMED.write(name, lang) for name in names]
    return " ".join(said)
