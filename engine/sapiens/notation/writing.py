"""Actions as canonical text: the shortest that is read back as the same action in that position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.protocol import Seat
from engine.sapiens import actions as do
from engine.sapiens.components import SCENES, TILE_INDEX, TILE_SCENES
from engine.sapiens.notation import naming, words
from engine.sapiens.notation.meaning import NAMED
from engine.sapiens.state import State


def write(state: State, seat: Seat, action: do.Action, lang: str) -> str:
    """The text of an action the seat may play here. Raises KeyError for an unknown language."""
    return " ".join(_words(state, seat, action, lang))


def tile_text(state: State, tile: int, scope: Sequence[int], lang: str) -> str:
    """The name of a tile, with its number where the plain name does not mean it."""
    return _text(tile, lang, plain=naming.plain_is_enough(state, tile, scope))


def verb_of(action: do.Action) -> str:
    """The key in `words.VERBS` of the word an action begins with."""
    match action:
        case do.Claim() | do.Recall():
            return "ritual"
        case do.PutBear() | do.RemoveBear():
            return "fire"
        case _:
            return str(type(action).__struct_config__.tag)


def _text(tile: int, lang: str, *, plain: bool) -> str:
    name = "-".join(words.SCENES[SCENES[scene]][lang] for scene in TILE_SCENES[tile])
    return name if plain else f"{name}.{naming.copy_of(tile)}"


def _words(state: State, seat: Seat, action: do.Action, lang: str) -> Iterator[str]:
    verb = verb_of(action)
    nothing = isinstance(action, do.Take) and not action.tiles
    yield words.VERBS["done" if nothing else verb][lang]
    for nth, field in enumerate(NAMED[verb][1] if verb in NAMED else ()):
        if tile := getattr(action, field):
            if field == "moved":
                yield words.FROM.write("from", lang)
            scope = naming.scope_of(state, seat, verb, nth)
            yield tile_text(state, TILE_INDEX[tile], scope, lang)
    match action:
        case do.Lay() | do.Abandon() | do.Feast():
            yield from (action.first, action.second)
            if action.order:
                yield words.PAY.write("pay", lang)
                yield from (words.COLOURS[other][lang] for other in action.order)
        case do.Claim():
            yield action.place
        case do.Recall():
            yield words.SCENES[action.scene][lang]
        case do.Hunt() if action.convert:
            yield str(action.convert)
        case do.PutBear():
            yield from (words.COLOURS[action.board][lang], action.square)
        case do.RemoveBear():
            yield action.square
        case do.Token():
            yield from _words(state, seat, action.effect, lang)
        case do.Take():
            yield from _taken(state, [TILE_INDEX[tile] for tile in action.tiles], lang)


def _taken(state: State, tiles: Sequence[int], lang: str) -> Iterator[str]:
    """Names of several tiles: plain where the plain names together mean exactly these."""
    for tile in tiles:
        alike = [other for other in tiles if TILE_SCENES[other] == TILE_SCENES[tile]]
        present = [other for other in state.common if TILE_SCENES[other] == TILE_SCENES[tile]]
        plain = len(alike) == len(present) or _are_first_of_one_kind(state, alike, present)
        yield _text(tile, lang, plain=plain)


def _are_first_of_one_kind(state: State, alike: list[int], present: list[int]) -> bool:
    return len({naming.kind(state, tile) for tile in present}) == 1 and (
        present[: len(alike)] == alike
    )
