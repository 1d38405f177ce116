"""A turn in a text of which only parts can be read: each is tried behind those before it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import product
from typing import Any

import msgspec

from engine.play import Incomplete
from engine.protocol import IllegalAction, NotationError
from service.core.plain import tokens
from service.mail.commands.asked import Asked
from service.mail.commands.copied import SMALL, named, says_otherwise

LONGEST = 600
"""Characters of a text that is tried so: a longer one is a letter, and no turn."""

_MOST_PARTS = 16
_MOST_JOINED = 5
"""Parts that are one action: "water on H5 and hunt on G5"."""
_PURPOSE = re.compile(
    r"\s+(?:pour\s+(?:que|qu['’]|\w+(?:er|ir|re)\b)|afin\s+(?:de|que)|so\s+that|in\s+order\s+to"
    r"|because|since|parce\s+que|puisque|car)\b",
    re.IGNORECASE,
)
"""What an action is good for."""
_MOST_ENDS = 8
"""Ends of a turn that the game suggests, of which the shortest is ours to choose."""
_MOST_LED = 40
"""Actions that are tried before one that is understood."""
_WORDS_ALONE = 2
"""Words of a part that is nothing but a name."""
_KEPT = re.compile(
    r"\b(?:keep(?:ing)?|sav(?:e|ing)|(?:hang|hold)(?:ing)?\s+on|gard(?:e[rz]?|ant)|conserve[rz]?)\b",
    re.IGNORECASE,
)
_FEWEST = 2
"""Words of the game that are read at least."""

_PARTED = re.compile(
    r"(?:[,;.!?:]+(?=\s|\Z)|\n|\s[-–—]\s|\b(?:and|then|but|et|puis|ensuite|mais)\b)\s*",
    re.IGNORECASE,
)


class Partly(msgspec.Struct, frozen=True, kw_only=True):
    """A legal `turn`, how many words of the game were `read` in the text, and the parts of it that
    have such words and are not in the turn.
    """

    turn: str
    read: int
    unread: tuple[str, ...] = ()


def read(asked: Asked, typed: str, text: str, first: str = "") -> Partly | None:
    """The turn that the parts of a text make which can be read, with the rest of it as the game
    would play it; None if they make none. The text is what was `typed`, maybe with its slips
    mended: what is unread is told as it was typed. It goes on from a `first` action, if there is
    one, of which nothing counts as read.
    """
    if max(len(text), len(typed)) > LONGEST:
        return None
    spans, as_typed = _spans(text), _spans(typed)
    if not 0 < len(spans) == len(as_typed) <= _MOST_PARTS:
        return None
    begun, unread, at = first, list[int](), 0
    while at < len(spans):
        # All that is left, or what may be one action.
        ends = dict.fromkeys((len(spans), *range(min(len(spans), at + _MOST_JOINED), at, -1)))
        joined = ((end, text[spans[at][0] : spans[end - 1][1]]) for end in ends)
        part = text[slice(*spans[at])]
        further = next(
            (
                (end, found)
                for end, more in joined
                if (found := _read(asked, begun, more, len(part)))
            ),
            None,
        )
        if further is None and (
            matched := _matched(asked, begun, part) or _led(asked, begun, part)
        ):
            further = at + 1, matched
        if further is None:
            unread.append(at)
            at += 1
        else:
            at, begun = further
    count = len(named(asked.game.notation.words, begun.removeprefix(first)))
    if count < _FEWEST:
        return None
    refused = [part for n in unread if says_otherwise(part := text[slice(*spans[n])])]
    turn = _completed(asked, begun, refused)
    if not turn or (first and not any(names_tile(line, text) for line in turn.split(", ")[1:])):
        return None
    left = [
        n
        for n in unread
        if _adds(asked, begun, part := text[slice(*spans[n])])
        and (not _is_done(asked, turn, part) or names_tile(first, part))
    ]
    told = [
        typed[as_typed[n][0] : as_typed[_last(left, n)][1]]
        for n in left
        if n - 1 not in left  # where some stand together, they are quoted as they stand
    ]
    return Partly(turn=turn, read=count, unread=tuple(told))


def _last(numbers: Collection[int], number: int) -> int:
    """The last of the numbers that follow on one."""
    while number + 1 in numbers:
        number += 1
    return number


def _spans(text: str) -> list[tuple[int, int]]:
    """Where the parts of a text begin and end."""
    found, start = [], 0
    for gap in _PARTED.finditer(text):
        found.append((start, gap.start()))
        start = gap.end()
    whole = [(a, b) for a, b in [*found, (start, len(text))] if text[a:b].strip()]
    return [(a, a + len(text[a:b].rstrip())) for a, b in whole]


def _read(asked: Asked, begun: str, part: str, within: int) -> str:
    """What was begun with a part behind it, or with the end of one that begins within so many
    characters, before which it names nothing else; "" if neither can be played.
    """
    words = asked.game.notation.words
    found = re.finditer(r"\w+", part[:within])
    starts = [each.start() for each in found if named(words, each[0])]
    tails = () if says_otherwise(part) or _KEPT.search(part) else starts
    purpose = next((each for each in _PURPOSE.finditer(part) if _is_last(part, each)), None)
    ends = (len(part), *([purpose.start()] if purpose else ()))
    for start, end in product(dict.fromkeys((0, *tails)), ends) if starts else ():
        if start >= end or said_in(asked, part[:start]) - said_in(asked, part[start:]):
            continue
        said = part[start:end]
        for each in dict.fromkeys((said, asked.guessed(said))):
            written = f"{begun}\n{each}".strip()
            if _goes_on(asked.tried(written)):
                return written
    return ""


def _is_last(part: str, purpose: re.Match[str]) -> bool:
    """True if nothing follows on a purpose."""
    return _PARTED.search(part, purpose.end()) is None


def _matched(asked: Asked, begun: str, part: str) -> str:
    """What was begun with the one action behind it that a part means; "" if there is none, or are
    several.
    """
    refused = says_otherwise(part) or _KEPT.search(part)
    action = "" if refused else naming_all(asked, begun, said_in(asked, part))
    if not asked.same_verb(part, action):
        return ""
    written = f"{begun}\n{action}".strip()
    return written if action and _goes_on(asked.tried(written)) else ""


def _led(asked: Asked, begun: str, part: str) -> str:
    """What was begun with a part that names a tile, behind as little as must come before it of what
    the game would play: what is taken, where only what is removed was understood. "" for none.
    """
    tried = asked.tried(begun) if begun and not says_otherwise(part) else None
    if not isinstance(tried, Incomplete) or not any(
        len(tokens(word)) > 1 for word in named(asked.game.notation.words, part)
    ):
        return ""
    actions = asked.game.notation.parse(asked.state, asked.seat, begun, asked.lang)
    ends = asked.game.suggestions(tried.state, asked.seat, _MOST_ENDS)
    led = [
        asked.spelled((*actions, *end), asked.lang)[len(actions) :]
        for end in sorted(map(tuple, ends), key=len)
    ]
    verbs = {line.split()[0] for lines in led for line in lines}
    # Or any other action of that kind, where the best are of what is to be removed.
    led += [(line, "") for line in asked.choices(begun)[:_MOST_LED] if line.split()[0] in verbs]
    for lines in led:
        for most in range(1, len(lines)):
            if any(names_tile(line, part) for line in lines[:most]):
                break
            # The last alone, if what would come before it can be left.
            for before in ([lines[most - 1]], lines[:most]):
                written = "\n".join([begun, *before, part])
                if _goes_on(asked.tried(written)):
                    return written
    return ""


def naming_all(asked: Asked, begun: str, said: set[str]) -> str:
    """The one action that may follow and has all that is said; of several the one that has nothing
    else but its verb, and of those again that which lacks one word alone, such as whose square.
    """
    having = [
        (line, set(tokens(line)))
        for line in asked.choices(begun)
        if said and said <= set(tokens(line))
    ]
    if begun and len(having) == 1:
        return having[0][0]
    for most in (1, 2):
        found = [line for line, own in having if len(own - said) <= most]
        if found:
            return found[0] if len(found) == 1 and len(said) > most - 1 else ""
    return ""


def _completed(asked: Asked, begun: str, refused: Sequence[str]) -> str:
    """What was begun with the least that ends the turn, of what the game would play and nobody has
    `refused`: nothing that may be kept is spent by us. "" if it cannot be ended.
    """
    game, seat, tried = asked.game, asked.seat, asked.tried(begun)
    if not isinstance(tried, Incomplete):
        return "" if isinstance(tried, Exception) else asked.written(tried)
    actions = game.notation.parse(asked.state, seat, begun, asked.lang)
    turn, best = "", list[Any]()
    for end in sorted(map(tuple, game.suggestions(tried.state, seat, _MOST_ENDS)), key=len):
        written = _turn_of(asked, (*actions, *end))
        lines = written.split(", ")[len(actions) :]
        if written and not any(names_tile(line, part) for line in lines for part in refused):
            turn, best = written, list(end)
            break
    for action in tuple(best):
        shorter = [each for each in best if each is not action]
        if less := _turn_of(asked, (*actions, *shorter)):
            turn, best = less, shorter
    return turn


def _turn_of(asked: Asked, actions: Sequence[Any]) -> str:
    """A turn of these actions, as it is written; "" if it is not legal."""
    try:
        written = asked.written(actions)
    except (IllegalAction, NotationError):
        return ""
    return "" if isinstance(asked.tried(written), Exception) else written


def _is_done(asked: Asked, turn: str, part: str) -> bool:
    """True of a part that need not be told as left out: it names nothing of the game, a tile that
    the turn names as well, something that is kept, or refuses what the turn has not.
    """
    written, others = tokens(turn), set(asked.seat_words())
    runs = [run for word in named(asked.game.notation.words, part) if (run := tokens(word))]
    runs = [run for run in runs if not others.issuperset(run)]
    there = [
        any(written[at : at + len(run)] in (run, run[::-1]) for at in range(len(written)))
        for run in runs
    ]
    if says_otherwise(part) or _KEPT.search(part):
        return not any(there) or bool(_KEPT.search(part))
    alone = len(tokens(part)) <= _WORDS_ALONE
    return all(found and (alone or len(run) > 1) for found, run in zip(there, runs, strict=True))


def names_tile(action: str, text: str) -> bool:
    """True if a text names what is joined in an action ("feast-water"), in either order."""
    joined = [word for word in action.split() if len(tokens(word)) > 1]
    written = [token for token in tokens(text) if token not in SMALL]
    return any(
        written[at : at + len(run)] in (run, run[::-1])
        for run in map(tokens, joined)
        for at in range(len(written))
    )


def said_in(asked: Asked, text: str) -> set[str]:
    """The words of the game in a text."""
    return {each for word in named(asked.game.notation.words, text) for each in tokens(word)}


def _adds(asked: Asked, begun: str, part: str) -> bool:
    """False of a part that can be read behind what was begun, and changes nothing of it."""
    notation, seat = asked.game.notation, asked.seat
    try:
        read = notation.parse(asked.state, seat, f"{begun}\n{part}", asked.lang)
    except (NotationError, IllegalAction):
        return True
    return read != notation.parse(asked.state, seat, begun, asked.lang)


def _goes_on(tried: tuple[Any, ...] | Exception) -> bool:
    """True of what can be played, be it all of a turn or its beginning."""
    return not isinstance(tried, Exception) or isinstance(tried, Incomplete)
