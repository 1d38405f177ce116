"""Choices in the words of a letter: which one a reply repeats, or comes nearest to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec

from service.core.plain import plain, tokens
from service.mail.commands.courtesy import says_nothing

_FEWEST = 3
"""Words of the game that a text has at least if it may mean a choice it only resembles."""

SMALL = frozenset(
    tokens(
        "a the to is if and of or at in on for from any all one two no not else then same de du "
        "des en au et est ou si vers le la les un une deux tout sur pas non oui yes pour sans "
        "go going vais va aller"
    )
)
"""Words of a notation that are in every text, and name nothing."""

_OTHERWISE = frozenset(
    tokens(
        "no not non but instead except without never cannot nobody neither nor mais plutôt pas "
        "sauf sans don't ne jamais ni"
    )
)
"""Words of who wants something else than what they name."""

_TO = frozenset(tokens("to towards into at on in à vers en au aux sur dans jusqu"))
_FROM = frozenset(tokens("from off de du des depuis"))
_NOUNS = frozenset(tokens("the a hex square space case le la l"))
"""Words between such a one and the number it is about: "to hex 24"."""

_SPEAKING = frozenset(tokens("i i'd i'll would like want to will let me my turn je j'aimerais"))
"""Words that make a sentence of a choice: "I walk to Congo, please"."""


class Printed(msgspec.Struct, frozen=True, kw_only=True):
    """A choice as a letter prints it: the `text` of its turn, what it does in `words`, those of
    them that stand by it and not once above all choices (`own`), and what may be copied with them,
    such as its points and the labels of its links (`beside`).
    """

    text: str
    words: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


class Near(msgspec.Struct, frozen=True, kw_only=True):
    """The number of the choice that a text which is no turn and has words of the game is most like;
    None if none is, or several are.
    """

    number: int | None = None


def repeated(choices: Sequence[Printed], text: str, names: Collection[str]) -> list[int]:
    """The numbers of the choices whose printed words a text repeats, and nothing else but what is
    printed beside them.
    """
    written = tokens(text)
    return [
        number
        for number, choice in enumerate(choices, start=1)
        if any(
            _repeats(choice, words, number, written, names)
            for words in (choice.words, choice.own)
            if words
        )
    ]


def _repeats(
    choice: Printed,
    words: Sequence[str],
    number: int,
    written: list[str],
    names: Collection[str],
) -> bool:
    rest = _without(written, [token for line in words for token in tokens(line)])
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


def says_otherwise(text: str) -> bool:
    """True if a text wants something else than what it names: "turn 2, but ..."."""
    return not _OTHERWISE.isdisjoint(tokens(text))


def named(words: Collection[str], text: str) -> tuple[str, ...]:
    """The words of the game in a text, as they are written there and in that order, each once: what
    is joined by a hyphen or a stroke is one ("feast-water").
    """
    found: dict[str, str] = {}
    for word in text.split():
        for run in _runs(words, word):
            found.setdefault(plain(run), run)
    return tuple(found.values())


def _runs(words: Collection[str], word: str) -> list[str]:
    """The parts of a word, as written, of which every token is one of the game's."""
    if len(plain(word)) != len(word):
        return [token for token in tokens(word) if _names(words, token)]
    runs: list[tuple[int, int]] = []
    end = 0
    for token in tokens(word):
        first = plain(word).index(token, end)
        joined = bool(runs) and runs[-1][1] == end and first == end + 1 and word[end] in _JOINS
        end = first + len(token)
        if _names(words, token):
            runs[len(runs) - joined :] = [(runs[-1][0] if joined else first, end)]
    return [word[first:end] for first, end in runs]


_JOINS = "-‐‑/+&"


def _names(words: Collection[str], token: str) -> bool:
    """True for a word of the game that names something: neither a scrap nor a small word."""
    return len(token) > 1 and token in words and token not in SMALL


def nearest(
    choices: Callable[[], Sequence[Printed]], words: Collection[str], text: str
) -> Near | None:
    """The words of the game in a text, and the choice that it is most like. None for one without
    any; then the choices are not asked for.
    """
    found = named(words, text)
    if not found:
        return None
    said = {token for word in found for token in tokens(word)}
    offered = choices()
    mine = dict(enumerate(map(_tokens_of, offered), start=1))
    led = [
        n
        for n in mine
        if leads(offered[n - 1].text, text) and all(_has(offered[n - 1], word) for word in found)
    ]
    if len(said) < _FEWEST:
        only = _only(mine, said, text)
        return Near(number=only if only in led else None)
    alike = Counter(
        {
            number: len(said & own) - len(said - own)
            for number, own in mine.items()
            if number in led and 2 * len(said & own) >= len(said)
        }
    )
    best = alike.most_common(2)
    clear = bool(best) and (len(best) == 1 or best[0][1] > best[1][1])
    return Near(number=best[0][0] if clear else None)


def _has(choice: Printed, word: str) -> bool:
    """True if a choice has what is joined in a word ("feast-water"), in this order or the other:
    who names a tile is never asked about a turn without it.
    """
    run = tokens(word)
    written = [tokens(line) for line in (choice.text, *choice.words)]
    return len(run) < 2 or any(
        line[at : at + len(run)] in (run, run[::-1]) for line in written for at in range(len(line))
    )


def leads(turn: str, text: str) -> bool:
    """True if a turn goes where a text says: a number behind "to", or the only one that both have,
    ends a path of it ("24-35-46") or stands alone in it, and one behind "from" begins a path. Who
    wants to go to 24 is never asked about a turn that leaves it.
    """
    paths = [path for word in turn.split() if (path := tokens(word))]
    ends, begins = {path[-1] for path in paths}, {path[0] for path in paths}
    written = tokens(text)
    numbers = [at for at, token in enumerate(written) if any(c.isdigit() for c in token)]
    shared = {written[at] for at in numbers if any(written[at] in path for path in paths)}
    for at in numbers:
        token = written[at]
        before = next((word for word in written[:at][::-1] if word not in _NOUNS), "")
        if before in _FROM:
            if token not in begins:
                return False
        elif (before in _TO or shared == {token}) and token not in ends:
            return False
    return True


def _only(choices: Mapping[int, set[str]], said: Collection[str], text: str) -> int | None:
    """The one choice that alone has something which a short text names: a place, a tile."""
    if len(tokens(text)) > _SHORT or says_otherwise(text):
        return None
    having = [[n for n, own in choices.items() if token in own] for token in said]
    alone = {numbers[0] for numbers in having if len(numbers) == 1}
    return alone.pop() if len(choices) > 1 and len(alone) == 1 else None


_SHORT = 12
"""Words of a text that is about what it names, and little else."""


def _tokens_of(choice: Printed) -> set[str]:
    return {token for line in (choice.text, *choice.words) for token in tokens(line)}
