"""Choosing an action by touching what it is about: a tile, then a place, then the next place.

The picture is the form. Every thing that can be touched next is a link to the same page with one
touch more, or with the action chosen, so nothing of it needs a script. Which things an action is
about, and in which order they are touched, the game's presentation says; what they are called, its
`taps.txt`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from engine.games import games
from engine.kit import selection
from engine.kit.presentation import Points, Prompt
from engine.kit.selection import BOARD, WORD, Path
from service.core.verdicts import JsonObject
from service.matches.plans import LONGEST, Line, Option, Plan
from service.render.pictures import Touchable
from service.render.templating import presentation_of

LONGEST_ADDRESS = 4000
"""Characters of an address that every server on the way takes: what is longer is posted."""


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be touched now. `option` is what that chooses; None: more is to be
    touched. `options` are all that it leads to. A thing
    that is not `lit` can be touched instead of what has been touched so far; what is `chosen` has
    been, and is put back."""

    href: str
    lit: bool
    option: Option | None
    options: Sequence[Option] = ()
    chosen: bool = False

    @property
    def count(self) -> int:
        """The number of options that it leads to."""
        return len(self.options)


class Most(msgspec.Struct, frozen=True, kw_only=True):
    """The most that a target brings, and the option that does; `exact`: all that it leads to bring
    the same.
    """

    points: Points
    option: Option
    exact: bool

    @property
    def written(self) -> str:
        """The number, as it is written on the place."""
        number = f"{self.points.count:+d}".replace("-", "−")
        return number if self.exact else f"{number}?"


class Advised(msgspec.Struct, frozen=True, kw_only=True):
    """The option that is suggested for a line, whatever has been touched, and the page on which it
    is chosen.
    """

    href: str
    option: Option


class BoardSelection(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a plan that is being chosen by touch.

    `prompt` says what to touch, `taps` are the touches so far, `spots` what can be touched on the
    picture now by its name, `words` what can be touched beside it, `options` what can be chosen by
    a word instead: what has been touched already names them, or nothing does.
    `board` is the seat whose board is to be touched (None: the reader's), `back` leads to one touch
    less. `others` are things that somebody may touch though they cannot be used: the name of one
    after `asking` leads to why it cannot. `ghosts` wait on their places for another touch, `brings`
    is the most that a spot does, where that are points. `uses` are the things that may be touched
    first, by the places that they can lead to. `advised` is what was suggested before any touch,
    where the first of them counts most. `whys` say what speaks for what is listed, by its text.
    """

    line: Line
    number: int
    prompt: Prompt
    taps: list[str]
    spots: dict[str, Target]
    words: dict[str, Target]
    options: list[tuple[str, Option]]
    board: int | None
    back: str | None
    others: list[str]
    asking: str
    ghosts: Mapping[str, str]
    brings: Mapping[str, Most]
    uses: Mapping[str, list[str]]
    advised: Advised | None = None
    whys: Mapping[str, str] = {}

    @property
    def bounded(self) -> bool:
        """True if something that can be touched now is marked with no more than a bound."""
        return any(self.spots[name].lit and not most.exact for name, most in self.brings.items())

    @property
    def lit(self) -> list[str]:
        """The names of what can be touched on the picture now, to go on."""
        return [name for name, spot in self.spots.items() if spot.lit]

    def on_board(
        self, label: Callable[[str, Target], str], *, asking: bool
    ) -> dict[str, Touchable]:
        """Links on the picture of the board; `label` says what a target leads to.
        With `asking` also what cannot be used.
        """
        drawn = {
            name: Touchable(
                href=spot.href,
                label=label(name, spot),
                lit=spot.lit,
                chosen=spot.chosen,
                ghost=self.ghosts.get(name),
                mark=self._mark(name, spot),
                gain=self.brings[name].points.kind if name in self.brings else "",
            )
            for name, spot in self.spots.items()
        }
        if asking:
            for name in self.others:
                href = f"{self.asking}{quote(name)}#plan"
                drawn[name] = Touchable(href=href, label="", lit=False, chosen=False, barred=True)
        return drawn

    def _mark(self, name: str, spot: Target) -> str:
        """What is written on a target: its place among the touches, or what it brings."""
        if spot.chosen:
            return str(self.taps.index(name) + 1) if self.prompt.ranked else ""
        return self.brings[name].written if name in self.brings else ""


Ways = list[tuple[Option, Path]]
"""The options of a line with what is touched for each."""


def board_selection(
    plan: Plan, game: str, seat: int, path: str, taps: Sequence[str]
) -> BoardSelection | None:
    """The first line of a plan that is not the reader's own yet; None if all of them are.

    Path that lead nowhere are left out. `seat` is the reader's, `path` the address of the page.
    """
    at = plan.own
    if at >= len(plan.lines):
        return None
    line = plan.lines[at]
    begun = plan.texts[:at]
    ways = [(option, path_of(game, option.action)) for option in line.options]
    made = selection.leading([way for _, way in ways], taps[:LONGEST])
    spots = _spots(ways, made, path, begun)
    done = [
        option
        for option, way in ways
        if selection.fits(way, made) and not selection.next_of(way, made)
    ]
    shown = presentation_of(game)
    open_to = actions_of(game, line)
    prompt = shown.prompt(line.kind, open_to, made)
    others = shown.untouchable(line.kind, open_to, line.view, seat, made)
    boards = [int(tap.removeprefix(BOARD)) for tap in made if tap.startswith(BOARD)]
    return BoardSelection(
        line=line,
        number=at + 1,
        prompt=prompt,
        taps=made,
        spots={name: spot for name, spot in spots.items() if not name.startswith(WORD)},
        words=_words(spots, made, listed=prompt.listed and not made),
        options=[(address(path, begun, option=option), option) for option in done],
        board=boards[-1] if boards else None,
        back=address(path, begun, taps=made[:-1]) if made else None,
        others=[other for other in others if other not in spots],
        asking=address(path, begun, taps=made, asking=True),
        ghosts=shown.waiting(made),
        brings=_brings(game, spots),
        uses={} if made else _uses(ways),
    )


def _words(spots: Mapping[str, Target], made: Sequence[str], *, listed: bool) -> dict[str, Target]:
    """What can be touched beside the picture, places too where they are `listed`; as long as
    nothing is touched, what ends the choice at once stands last, as it leaves the most out."""
    words = [(name, spot) for name, spot in spots.items() if listed or name.startswith(WORD)]
    return dict(sorted(words, key=lambda each: not made and each[1].option is not None))


def _brings(game: str, spots: Mapping[str, Target]) -> dict[str, Most]:
    """The most that each target can bring; points of several kinds cannot be compared."""
    shown, found = presentation_of(game), {}
    for name, spot in spots.items():
        ways = [(shown.brought(option.events), option) for option in spot.options]
        if len({points.kind for points, _ in ways if points.count}) != 1:
            continue
        most, option = max(ways, key=lambda way: way[0].count)
        exact = all(points == most for points, _ in ways)
        if most.count > 0 or exact:
            found[name] = Most(points=most, option=option, exact=exact)
    return found


def _uses(ways: Ways) -> dict[str, list[str]]:
    """The first things of paths, by all that is touched after them; none of other boards."""
    found: dict[str, list[str]] = {}
    for _, path in ways:
        flat = [thing for part in path for thing in ([part] if isinstance(part, str) else part)]
        if any(thing.startswith(BOARD) for thing in flat):
            continue
        for thing in flat[1:]:
            if flat[0] not in found.setdefault(thing, []):
                found[thing].append(flat[0])
    return found


def _spots(ways: Ways, made: list[str], path: str, begun: Sequence[str]) -> dict[str, Target]:
    """Everything that can be touched now: what leads on, another thing instead of the first one
    unless it can be the next, and what has been touched, to be put back."""
    spots = {}
    paths = {option.text: way for option, way in ways}
    for spot, options in selection.following(ways, made).items():
        spots[spot] = _leading(options, paths, path, begun, [*made, spot], lit=True)
    if made:
        for spot, options in selection.following(ways, []).items():
            if spot not in spots:
                spots[spot] = _leading(options, paths, path, begun, [spot], lit=False)
    for index, tap in enumerate(made):
        if tap not in spots or not spots[tap].lit:
            href = address(path, begun, taps=made[:index])
            spots[tap] = Target(href=href, lit=False, option=None, chosen=True)
    return spots


def _leading(
    options: list[Option],
    paths: Mapping[str, Path],
    path: str,
    begun: Sequence[str],
    taps: list[str],
    *,
    lit: bool,
) -> Target:
    """Something that leads to these options. An option is chosen by the last touch it takes and
    never before, also where it is the only one left: nobody sees a tile go where they have not
    pointed.
    """
    only = options[0] if len(options) == 1 else None
    last = only is not None and not selection.next_of(paths[only.text], taps)
    chosen = only if last else None
    href = address(path, begun, option=chosen, taps=taps)
    return Target(href=href, lit=lit, option=chosen, options=options)


def meant_by(game: str, touched: BoardSelection, seat: int, spot: str) -> list[str]:
    """Texts of what somebody may have meant who touches a thing that cannot be touched now."""
    line = touched.line
    actions = actions_of(game, line)
    return presentation_of(game).meant(actions, line.view, seat, touched.taps, spot)


def subjects_of(game: str, context: JsonObject) -> list[str]:
    """The things to touch that a broken rule is about, of all that its context names."""
    return presentation_of(game).subjects(context)


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
        return with_query(path, [*query, ("why", "")])
    return f"{with_query(path, query)}#plan"


def with_query(path: str, query: Sequence[tuple[str, str]]) -> str:
    """An address, which may have a query already, with more of it."""
    if not query:
        return path
    return f"{path}{'&' if '?' in path else '?'}{urlencode(query)}"


def path_of(game: str, action: JsonObject) -> Path:
    """The targets that are touched for an action, as its game says."""
    return _path(game, msgspec.msgpack.encode(action))


@lru_cache(maxsize=8192)
def _path(game: str, packed: bytes) -> Path:
    action = msgspec.msgpack.decode(packed, type=games()[game].action_type)
    return presentation_of(game).touches(action)


def actions_of(game: str, line: Line) -> list[Any]:
    """All that could stand in a line, as actions of its game."""
    kind = games()[game].action_type
    return [msgspec.convert(option.action, kind) for option in line.options]
