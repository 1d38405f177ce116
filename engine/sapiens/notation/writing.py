"""Actions as canonical text: the shortest that is read back as the same action in that position."""

from __future__ import annotations

from collections.abc import Sequence

from engine.protocol import Seat
from engine.sapiens import actions as do
from engine.sapiens.components import SCENES, TILE_INDEX, TILE_SCENES
from engine.sapiens.notation import naming, words
from engine.sapiens.state import State


def write(state: State, seat: Seat, action: do.Action, lang: str) -> str:
    """The text of an action the seat may play here. Raises KeyError for an unknown language."""
    return " ".join(_words(state, seat, action, lang))


def tile_text(state: State, tile: str, scope: Sequence[int], lang: str) -> str:
    """The name of a tile, with its number where the plain name does not mean it."""
    index = TILE_INDEX[tile]
    name = _plain(index, lang)
    if naming.plain_is_enough(state, index, scope):
        return name
    return f"{name}.{naming.copy_of(index)}"


def verb_text(verb: str, lang: str) -> str:
    return words.VERBS[verb][lang]


def colour_text(seat: Seat, lang: str) -> str:
    return words.COLOURS[seat][lang]


def _plain(tile: int, lang: str) -> str:
    return "-".join(words.SCENES[SCENES[scene]][lang] for scene in TILE_SCENES[tile])


def _words(state: State, seat: Seat, action: do.Action, lang: str) -> list[str]:
    match action:
        case do.Lay() | do.Abandon() | do.Feast():
            verb = verb_text(verb_of(action), lang)
            tile = _named(state, seat, action, action.tile, lang)
            return [verb, tile, action.first, action.second, *_pay(action.order, lang)]
        case do.Out() | do.Picking() | do.Camp():
            return [verb_text(verb_of(action), lang)]
        case do.Claim():
            return [verb_text("ritual", lang), action.place]
        case do.Recall():
            return [verb_text("ritual", lang), words.SCENES[action.scene][lang]]
        case do.Fight():
            text = [
                verb_text("fight", lang),
                _named(state, seat, action, action.tile, lang),
            ]
            if action.moved:
                text.append(words.FROM["from"][lang])
                text.append(_named(state, seat, action, action.moved, lang, 1))
            return text
        case do.Water():
            return [
                verb_text("water", lang),
                _named(state, seat, action, action.give, lang),
                _named(state, seat, action, action.get, lang, 1),
            ]
        case do.Hunt():
            number = [str(action.convert)] if action.convert else []
            return [verb_text("hunt", lang), *number]
        case do.PutBear():
            return [verb_text("fire", lang), colour_text(action.board, lang), action.square]
        case do.RemoveBear():
            return [verb_text("fire", lang), action.square]
        case do.Token():
            return [verb_text("token", lang), *_words(state, seat, action.effect, lang)]
        case do.Take():
            tiles = _taken(state, action.tiles, lang)
            return [verb_text("take", lang), *tiles] if tiles else [verb_text("done", lang)]
        case do.Retrieve() | do.Remove():
            tile = _named(state, seat, action, action.tile, lang)
            return [verb_text(verb_of(action), lang), tile]


def _named(state: State, seat: Seat, action: do.Action, tile: str, lang: str, nth: int = 0) -> str:
    return tile_text(state, tile, naming.scope_of(state, seat, verb_of(action), nth), lang)


def verb_of(action: do.Action) -> str:
    """The key in `words.VERBS` of the word an action begins with."""
    match action:
        case do.Claim() | do.Recall():
            return "ritual"
        case do.PutBear() | do.RemoveBear():
            return "fire"
        case _:
            return str(type(action).__struct_config__.tag)


def _pay(order: Sequence[Seat], lang: str) -> list[str]:
    return [words.PAY["pay"][lang], *(colour_text(seat, lang) for seat in order)] if order else []


def _taken(state: State, tiles: Sequence[str], lang: str) -> list[str]:
    """Names of several tiles: plain where the plain names together mean exactly these."""
    indexes = [TILE_INDEX[tile] for tile in tiles]
    text = []
    for index, tile in zip(indexes, tiles, strict=True):
        alike = [other for other in indexes if TILE_SCENES[other] == TILE_SCENES[index]]
        present = [other for other in state.common if TILE_SCENES[other] == TILE_SCENES[index]]
        name = _plain(index, lang)
        if len(alike) == len(present) or _first_of_one_kind(state, alike, present):
            text.append(name)
        else:
            text.append(f"{name}.{tile.rpartition('.')[2]}")
    return text


def _first_of_one_kind(state: State, alike: Sequence[int], present: Sequence[int]) -> bool:
    kinds = {naming.kind(state, tile) for tile in present}
    return len(kinds) == 1 and list(present[: len(alike)]) == list(alike)
