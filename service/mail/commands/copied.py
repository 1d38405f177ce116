"""Choices in the words of a letter: which one a reply repeats, or comes nearest to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

import msgspec

from service.core.plain import plain, tokens
from service.mail.commands.courtesy import says_nothing

_FEWEST = 3
"""Words of the game that a text has at least if it may mean a choice."""

_SPEAKING = frozenset(tokens("i i'd i'll would like want to will let me my turn je j'aimerais"))
"""Words that make a sentence of a choice: "I walk to Congo, please"."""


class Printed(msgspec.Struct, frozen=True, kw_only=True):
    """A choice as a letter prints it: the `text` of its turn, what it does in `words`, and what may
    be copied with them, such as its points and the labels of its links (`beside`).
    """

    text: str
    words: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


class Near(msgspec.Struct, frozen=True, kw_only=True):
    """Words of the game in a text that is no turn, as they are written there, and the number of the
    choice that it is most like; None if none is, or several are.
    """

    named: tuple[str, ...]
    number: int | None = None


def repeated(choices: Sequence[Printed], text: str, names: Collection[str]) -> list[int]:
    """The numbers of the choices whose printed words a text repeats, and nothing else but what is
    printed beside them.
    """
    written = tokens(text)
    return [
        number
        for number, choice in enumerate(choices, start=1)
        if choice.words and _repeats(choice, number, written, names)
    ]


def _repeats(choice: Printed, number: int, written: list[str], names: Collection[str]) -> bool:
    rest = _without(written, [token for line in choice.words for token in tokens(line)])
    if rest is None:
        return False
    for run in sorted(map(tokens, (choice.text, *choice.beside, str(number))), key=len)[::-1]:
        shorter = _without(rest, run)
        rest = rest if shorter is None else shorter
    rest = [token for token in rest if token not in _SPEAKING]
    return not rest or says_nothing(" ".join(rest), names)


def _without(written: list[str], run: list[str]) -> list[str] | None:
    """What is left without the first place where these tokens stand in a row; None if nowhere."""
    for at in range(len(written) - len(run) + 1):
        if run and written[at : at + len(run)] == run:
            return written[:at] + written[at + len(run) :]
    return None


def named(words: Collection[str], text: str) -> tuple[str, ...]:
    """The words of the game in a text, each once and as they are written there."""
    found: dict[str, str] = {}
    for word in text.split():
        for token in tokens(word):
            if token in words:
                found.setdefault(token, _as_typed(word, token))
    return tuple(found.values())


def _as_typed(word: str, token: str) -> str:
    at = plain(word).find(token)
    return word[at : at + len(token)] if len(plain(word)) == len(word) else token


def nearest(
    choices: Callable[[], Sequence[Printed]], words: Collection[str], text: str
) -> Near | None:
    """The words of the game in a text, and the choice that it is most like. None for one with too
    few to be meant as a turn; then the choices are not asked for.
    """
    found = named(words, text)
    if len(found) < _FEWEST:
        return None
    said = {token for word in found for token in tokens(word)}
    alike = Counter(
        {
            number: len(said & mine) - len(said - mine)
            for number, mine in enumerate(map(_tokens_of, choices()), start=1)
            if 2 * len(said & mine) >= len(said)
        }
    )
    best = alike.most_common(2)
    clear = bool(best) and (len(best) == 1 or best[0][1] > best[1][1])
    return Near(named=found, number=best[0][0] if clear else None)


def _tokens_of(choice: Printed) -> set[str]:
    return {token for line in (choice.text, *choice.words) for token in tokens(line)}
