"""Choosing an action by touching what it is about: a tile, then a place, then the next place.

The picture is the form. Every thing that can be touched next is a link to the same page with one
touch more, or with the action chosen, so nothing of it needs a script. Which things an action is
about, and in which order they are touched, the game's `taps.txt` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

import msgspec

from service.plans import LONGEST, Line, Option, Plan
from service.templating import SOURCE_LANGUAGE, environment

Path = tuple[str | tuple[str, ...], ...]
"""What is touched for an action; a tuple in it is touched in any order."""

BOARD = "board:"
WORD = "do:"
"""What is touched as a word beside the picture, for it has no place there."""


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be touched now. `option` is what that chooses; None: more is to be
    touched. `count` is how many options it leads to. A thing that is not `lit` can be touched
    instead of what has been touched so far; what is `chosen` has been, and is put back."""

    href: str
    lit: bool
    option: Option | None
    count: int
    chosen: bool = False


class Touch(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a plan that is being chosen by touch.

    `taps` are the touches so far, `spots` what can be touched on the picture now by its name,
    `words` what can be touched beside it, `options` what can be chosen by a word instead: what has
    been touched already names them, or nothing does.
    `board` is the seat whose board is to be touched (None: the reader's), `back` leads to one touch
    less. `others` are things that somebody may touch though they cannot be used: the name of one
    after `asking` leads to why it cannot.
    """

    line: Line
    number: int
    taps: list[str]
    spots: dict[str, Spot]
    words: dict[str, Spot]
    options: list[tuple[str, Option]]
    board: int | None
    back: str | None
    others: list[str]
    asking: str


def touch(plan: Plan, game: str, seat: int, path: str, taps: Sequence[str]) -> Touch | None:
    """The first line of a plan that is not the reader's own yet; None if all of them are.

    Touches that lead nowhere are left out. `seat` is the reader's, `path` the address of the page.
    """
    at = plan.own
    if at >= len(plan.lines):
        return None
    line = plan.lines[at]
    begun = plan.texts[:at]
    paths = [(option, path_of(game, option.action)) for option in line.options]
    made: list[str] = []
    for tap in taps[:LONGEST]:
        if any(tap in next_of(way, made) for _, way in paths if fits(way, made)):
            made.append(tap)
    found: dict[str, list[Option]] = {}
    done: list[Option] = []
    for option, way in paths:
        if not fits(way, made):
            continue
        following = next_of(way, made)
        if not following:
            done.append(option)
        for spot in following:
            found.setdefault(spot, []).append(option)
    if made:
        # Another thing may be touched instead of the first one, unless it can be the next.
        for _, way in paths:
            for spot in next_of(way, []):
                if spot not in found:
                    found[spot] = []
    spots = {}
    for spot, options in found.items():
        again = options or [o for o, way in paths if spot in next_of(way, [])]
        only = again[0] if len(again) == 1 else None
        touched = [*made, spot] if options else [spot]
        href = address(path, begun, option=only, taps=touched)
        spots[spot] = Spot(href=href, lit=bool(options), option=only, count=len(again))
    for index, tap in enumerate(made):
        if tap not in spots or not spots[tap].lit:
            href = address(path, begun, taps=made[:index])
            spots[tap] = Spot(href=href, lit=False, option=None, count=0, chosen=True)
    others: list[str] = []
    _module(game).note_others(line, made, seat, others)
    boards = [int(tap.removeprefix(BOARD)) for tap in made if tap.startswith(BOARD)]
    return Touch(
        line=line,
        number=at + 1,
        taps=made,
        spots={name: spot for name, spot in spots.items() if not name.startswith(WORD)},
        words={name: spot for name, spot in spots.items() if name.startswith(WORD)},
        options=[(address(path, begun, option=option), option) for option in done],
        board=boards[-1] if boards else None,
        back=address(path, begun, taps=made[:-1]) if made else None,
        others=[other for other in others if other not in spots],
        asking=address(path, begun, taps=made, asking=True),
    )


def meant_by(game: str, touched: Touch, seat: int, spot: str) -> list[str]:
    """Texts of what somebody may have meant who touches a thing that cannot be touched now."""
    found: list[str] = []
    _module(game).note_meant(touched.line, touched.taps, seat, spot, found)
    return found


def address(
    path: str,
    begun: Sequence[str],
    *,
    option: Option | None = None,
    taps: Sequence[str] = (),
    asking: bool = False,
) -> str:
    """The page with these lines chosen, and then an option, or touches towards one; or (`asking`)
    the beginning of the address that says why something cannot be touched."""
    chosen = [*begun, option.text] if option is not None else begun
    touched = () if option is not None else taps
    query = [*(("a", text) for text in chosen), *(("tap", tap) for tap in touched)]
    if asking:
        return f"{path}?{urlencode([*query, ('why', '')])}"
    return f"{path}?{urlencode(query)}#plan" if query else f"{path}#plan"


def fits(way: Path, taps: Sequence[str]) -> bool:
    """Whether these touches are a beginning of this path."""
    return _rest(way, taps) is not None


def next_of(way: Path, taps: Sequence[str]) -> list[str]:
    """What may be touched after these touches on this path, each once; nothing at its end."""
    rest = _rest(way, taps)
    if not rest:
        return []
    first = rest[0]
    return [first] if isinstance(first, str) else list(dict.fromkeys(first))


def _rest(way: Path, taps: Sequence[str]) -> list[str | tuple[str, ...]] | None:
    left: list[str | tuple[str, ...]] = [part for part in way if part]
    for tap in taps:
        if not left:
            return None
        first = left[0]
        if isinstance(first, str):
            if first != tap:
                return None
            left.pop(0)
            continue
        if tap not in first:
            return None
        others = list(first)
        others.remove(tap)
        left[0] = tuple(others)
        if not others:
            left.pop(0)
    return left


def path_of(game: str, action: dict[str, Any]) -> Path:
    """What is touched for an action, as its game says."""
    return _path(game, msgspec.msgpack.encode(action))


@lru_cache(maxsize=8192)
def _path(game: str, packed: bytes) -> Path:
    found: list[Any] = []
    _module(game).note_taps(msgspec.msgpack.decode(packed), found)
    return tuple(part if isinstance(part, str) else tuple(map(str, part)) for part in found)


def _module(game: str) -> Any:
    return environment(SOURCE_LANGUAGE).get_template(f"games/{game}/taps.txt").module
