"""The turn in a reply: which lines are one, and whether it is one turn, several, or a slip.

Prose around a turn does not hinder it; a turn with a slip is never played in part. So a line
belongs to the turn as soon as it looks like one, readable or not, and all of it must be legal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import cache, partial
from itertools import chain, islice
from typing import Any

import msgspec

from engine.play import Incomplete, NotYourDecision
from engine.protocol import (
    LANGUAGES,
    LONGEST_TEXT,
    Ambiguous,
    EndsTurns,
    IllegalAction,
    Seat,
    Unreadable,
    too_long,
)
from service.core.plain import plain, tokens
from service.mail.commands import partly
from service.mail.commands.amended import (
    Changed,
    amended,
    confirmed,
    corrected,
    number_amended,
    refuses,
)
from service.mail.commands.asked import MOST_COMPARED, Asked
from service.mail.commands.copied import Near, Printed, leads, named, nearest, repeated
from service.mail.commands.courtesy import says_nothing
from service.mail.commands.found import (
    Found,
    Mend,
    Nothing,
    NotOffered,
    Several,
    Turn,
    Unsure,
)
from service.mail.commands.likeness import near_to
from service.mail.commands.lines import Lines, without_marker
from service.mail.commands.numbers import Choice
from service.mail.commands.slips import Slips

_MOST_PIECES = 12
_MOST_EXAMPLES = 40
_LONGEST_LINE = 3
"""Words of a reply that is nothing else and is a turn with a slip, not prose."""
_MOST_SPELLED = 6
"""Spellings of a text that are read in parts."""
_SHORTEST_NAME = 3
"""Letters of a name that is known from a word."""
_PASSING = ("pass", "passe")


Filled = Callable[[Any, Any, Seat, str, Sequence[Any]], tuple[Any, ...]]
"""Fills a turn of a game, in a position, of a seat and a decision, with what it leaves unused."""


class Finder:
    """Looks for the turn in a reply about what one seat is `asked`.

    `choices` gives the turns a letter offered, by their numbers from 1; None if numbers mean
    nothing. Who repeats the words in which one is printed means it. `asked_about` is the turn
    which the letter that is answered asked about, None for none. `players` are the names of those
    who sit at the table, by seat.
    """

    def __init__(
        self,
        asked: Asked,
        choices: Callable[[], Sequence[Printed]] | None = None,
        names: Collection[str] = (),
        asked_about: str | None = None,
        players: Sequence[str] = (),
    ) -> None:
        self._asked = asked
        self._asked_about = asked_about
        self._choices = cache(choices) if choices is not None else None
        self._names = names
        self._called = {
            re.compile(rf"\b{re.escape(name)}(?P<own>['’]?s)?\b", re.IGNORECASE): word
            for name, word in asked.called(players).items()
            if len(name) >= _SHORTEST_NAME and plain(name) not in asked.game.notation.words
        }
        self._words = asked.game.notation.words
        self._lines = Lines(asked.game.notation, asked.reads, names)
        self.as_typed = self._lines.as_typed

    def find(self, paragraphs: Sequence[Sequence[str]]) -> Found:
        """The turn in these lines."""
        typed, found = _text_of(paragraphs), self._found(paragraphs)
        text = typed
        if not isinstance(found, Turn):
            renamed = self._renamed(paragraphs)
            text = _text_of(renamed)
            again = self._found(renamed) if text != typed else found
            if isinstance(again, Turn) or (isinstance(again, Mend) and again.instead):
                found = again
                if isinstance(found, Mend):
                    found = msgspec.structs.replace(found, text=typed)
        if isinstance(found, Turn) or not text:
            return found
        if isinstance(found, Mend | Nothing | Unsure) and self._asked_about is not None:
            return self._corrected(found, typed, text, self._asked_about)
        if self._choices is None:
            return self._in_parts(found, typed, text)
        offered = self._choices()
        copied = tuple(
            dict.fromkeys(offered[n - 1].text for n in repeated(offered, typed, self._names))
        )
        if len(copied) > 1:
            return Several(copied)
        if copied:
            return Turn(copied[0])
        if not isinstance(found, Mend | Nothing | Unsure):
            return found
        if turn := confirmed(self._asked, offered, text, self._names):
            return Mend(typed, Unreadable("", partly=True), (turn,))
        changed = amended(self._asked, offered, text, self._names)
        unread = isinstance(found, Mend) and isinstance(found.error, Unreadable)
        if not changed.turns and not (unread and number_amended(text, self._names)):
            return self._in_parts(found, typed, text)
        return _asks_changed(typed, changed)

    def _renamed(self, paragraphs: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
        """The lines with the notation's words for players and things that have other names."""

        def said(line: str) -> str:
            for name, word in self._called.items():
                line = name.sub(partial(_as_called, word), line)
            return self._asked.by_names(line)

        return [[said(line) for line in lines] for lines in paragraphs]

    def _corrected(self, found: Found, typed: str, text: str, about: str) -> Found:
        """What was found, or where that is no turn, the turn that was asked `about` with what a
        text wants otherwise; that turn as it was if it is not known what.
        """
        changed = corrected(self._asked, about, text)
        parts = self._read_partly(found, typed, text)
        whole = parts is not None and 2 * parts.read >= len(named(self._words, about))
        if changed is not None and changed.turns and not (whole and refuses(text)):
            return _asks_changed(typed, changed)
        if changed is None and isinstance(found, Mend) and found.instead:
            return found
        if parts is not None and (changed is None or whole):
            return _asks(typed, parts)
        if changed is None and not named(self._words, text):
            return found
        return Mend(typed, Unreadable(typed, unchanged=True), (about,))

    def _in_parts(self, found: Found, typed: str, text: str) -> Found:
        """What was found, or where that is no turn and nothing to be played instead, the turn that
        parts of the text make.
        """
        parts = self._read_partly(found, typed, text)
        return found if parts is None else _asks(typed, parts)

    def _read_partly(self, found: Found, typed: str, text: str) -> partly.Partly | None:
        if len(text) > partly.LONGEST:
            return None
        error = found.error if isinstance(found, Mend) and not found.instead else None
        if isinstance(error, IllegalAction) and error.code != "long_line":
            # What nobody wrote may be our own misreading.
            error = error if str(error.context.get("text", "")) not in typed else None
        elif not isinstance(error, Unreadable | Ambiguous | IllegalAction):
            error = None
        if error is None and not isinstance(found, Nothing):
            return None
        in_lines = error is not None and "line" in error.context
        if in_lines or not self._verbs(blocks=True) or self.speaks_of_orders(text):
            return None
        slips = Slips(self._asked)
        spelled = (text, *islice(slips.spelled(text), _MOST_SPELLED))
        read = [partly.read(self._asked, typed, each) for each in spelled]
        if not any(read):
            # Where it is to lie was not understood: where the game would lay it.
            lines = chain(self._firsts(), self._asked.choices(""))
            first = next((line for line in lines if partly.names_tile(line, text)), "")
            read = [partly.read(self._asked, typed, each, first) for each in spelled[:2] if first]
        return max(filter(None, read), key=lambda each: each.read, default=None)

    def _firsts(self) -> Sequence[str]:
        """The actions that turns begin with which the game would play, as they are written."""
        asked = self._asked
        best = asked.game.suggestions(asked.state, asked.seat, _MOST_PIECES)
        return [asked.spelled(each[:1], asked.lang)[0] for each in best if each]

    def near(self, paragraphs: Sequence[Sequence[str]]) -> Near | None:
        """The choice that lines which are no turn are most like, if they have words of the game;
        the one whose number they begin with, if there is one.
        """
        text, offered = _text_of(paragraphs), self._choices or tuple
        found = nearest(offered, self._words, text)
        number = number_amended(text, self._names) if found is not None else None
        return Near(number=number) if number in range(1, len(offered()) + 1) else found

    def example(self, paragraphs: Sequence[Sequence[str]], *, order: bool = False) -> str:
        """A legal turn, or an `order`, that has as much as may be of what lines name which are
        none; "" if nothing of the kind is asked.
        """
        asked = self._asked
        game, state, seat = asked.game, asked.state, asked.seat
        own = [d for d in game.decisions(state) if d.seat == seat and d.blocks is not order]
        if not own:
            return ""
        text = _text_of(paragraphs)
        said = {each for word in named(self._words, text) for each in tokens(word)}
        begun = [] if order else list(game.suggestions(state, seat, _MOST_EXAMPLES))
        if said or not begun:
            most = _MOST_EXAMPLES if order else MOST_COMPARED
            begun += [(action,) for each in own for action in islice(each.choices, most)]

        def rank(actions: tuple[Any, ...]) -> tuple[bool, int]:
            spelled = {lang: ", ".join(self._asked.spelled(actions, lang)) for lang in LANGUAGES}
            alike = said.intersection(tokens(" ".join(spelled.values())))
            return leads(spelled[self._asked.lang], text), len(alike)

        for actions in sorted(begun, key=rank, reverse=True)[:_MOST_PIECES]:
            written = "\n".join(self._asked.spelled(actions, self._asked.lang))
            whole = self._asked.whole(["\n".join([written, *self._asked.end_of(written)])])
            if whole:
                return whole[0] if order else ", ".join(whole[0].split("\n"))
        return ""

    def passing(self) -> str:
        """The turn by which nothing is done; "" if there is none here."""
        asked = self._asked
        game, state, seat = asked.game, asked.state, asked.seat
        end = game.end_of_turn(state, seat) if isinstance(game, EndsTurns) else None
        written = (
            [game.notation.format(state, seat, end, self._asked.lang)] if end is not None else []
        )
        for text in (*(word for word in _PASSING if word in self._words), *written):
            actions = self._asked.tried(text)
            if not isinstance(actions, Exception):
                return self._asked.written(actions)
        return ""

    def _found(self, paragraphs: Sequence[Sequence[str]]) -> Found:
        choices, blocks = self._lines.sorted(paragraphs)
        sure = [choice for choice in choices if choice.sure]
        if not sure and not blocks:
            found = self._unsure(choices)
            slip = self._only_line(paragraphs) if isinstance(found, Nothing) else ""
            if not slip:
                return found
            blocks = [[slip]]
        numbers = list(dict.fromkeys(number for choice in sure for number in choice.numbers))
        offered = self._choices() if numbers and self._choices else ()
        beyond = next((n for n in numbers if not 1 <= n <= len(offered)), None)
        if beyond is not None:
            return NotOffered(beyond, len(offered))
        chosen = [offered[n - 1].text for n in numbers]
        written = ["\n".join(block) for block in blocks]
        if written:
            written += self._asked.end_of("\n".join(written))
        if not written and not chosen:
            return Nothing()
        whole = "\n".join(written)
        if len(whole) > LONGEST_TEXT:
            return Mend(whole, too_long(len(whole)))
        pieces = [*chosen, *([whole] if written else [])]
        tried = [self._asked.tried(piece) for piece in pieces]
        if written and isinstance(tried[-1], Exception):
            split = self._apart(blocks)
            if split is None:
                return Mend(whole, tried[-1], self._instead(whole, tried[-1]))
            pieces, tried = [*chosen, *split], [self._asked.tried(p) for p in (*chosen, *split)]
        failed = next((e for e in tried if isinstance(e, Exception)), None)
        if failed is not None:
            piece = pieces[tried.index(failed)]
            return Mend(piece, failed, self._instead(piece, failed))
        legal = [actions for actions in tried if not isinstance(actions, Exception)]
        different = dict(zip(legal, pieces, strict=True))
        if len(different) == 1:
            return Turn(pieces[0])
        return Several(tuple(self._asked.written(actions) for actions in different))

    def _instead(self, text: str, error: Exception) -> tuple[str, ...]:
        return Slips(self._asked).instead(text, error, order=self.speaks_of_orders(text))

    def fuller(self, turns: Sequence[str], fill: Filled) -> tuple[str, ...]:
        """Legal turns, each with what it would leave unused, by `fill`."""
        asked, found = self._asked, dict[str, None]()
        for text in turns:
            actions = asked.tried(text)
            if isinstance(actions, Exception):
                found[text] = None
                continue
            whole = fill(asked.game, asked.state, asked.seat, asked.decision_of(text), actions)
            found[text if whole == actions else asked.written(whole)] = None
        return tuple(found)

    def decision_of(self, turn: Turn) -> str:
        """The decision that a turn is for, which was found here."""
        return self._asked.decision_of(turn.text)

    def is_order(self, found: Found) -> bool:
        """True if what was found, where no move is asked for, is an order or was meant as one."""
        match found:
            case Turn() | Several():
                return True
            case Mend(error=NotYourDecision()):
                return False
            case Mend(error=Ambiguous()):
                return True
            case Mend(error=IllegalAction()) if not isinstance(found.error, Incomplete):
                return self.speaks_of_orders(found.text)
            case Mend():
                return bool(found.instead) or self.speaks_of_orders(found.text)
        return False

    def speaks_of_orders(self, text: str) -> bool:
        """True if a line of a text begins as an order of the seat may, or nearly, and as no move
        that is asked for.
        """
        asked = self._verbs(blocks=True)
        near = near_to(self._verbs(blocks=False) - asked)
        lines = (tokens(without_marker(line))[:1] for line in re.split(r"[,;\n]", text))
        first = (token for written in lines for token in written if token not in asked)
        return any(near(token) and token.isalpha() for token in first)

    def _verbs(self, *, blocks: bool) -> frozenset[str]:
        """The words that lines of what the seat may decide begin with."""
        game, seat = self._asked.game, self._asked.seat
        return frozenset(
            tokens(line)[0]
            for decision in game.decisions(self._asked.state)
            if decision.seat == seat and decision.blocks is blocks
            for action in islice(decision.choices, _MOST_EXAMPLES)
            for lang in LANGUAGES
            for line in game.notation.format(self._asked.state, seat, action, lang).splitlines()
            if tokens(line)
        )

    def _unsure(self, choices: Sequence[Choice]) -> Found:
        """A question about the numbers that may be choices."""
        offered = self._choices() if choices and self._choices else ()
        numbers = dict.fromkeys(number for choice in choices for number in choice.numbers)
        known = tuple(number for number in numbers if 1 <= number <= len(offered))
        if offered and numbers and not known:
            return NotOffered(next(iter(numbers)), len(offered))
        return Unsure(known, tuple(offered[n - 1].text for n in known)) if known else Nothing()

    def _only_line(self, paragraphs: Sequence[Sequence[str]]) -> str:
        """The line of a reply of a few words that begins with a word of what is asked, as a turn
        does whose rest is a slip: "go Mordor"; "" if it is none.
        """
        lines = [line for paragraph in paragraphs for line in paragraph if line.strip()]
        said = tokens(lines[0]) if len(lines) == 1 else ()
        begun = 1 < len(said) <= _LONGEST_LINE and said[0] in self._verbs(blocks=True)
        return lines[0] if begun and not says_nothing(lines[0], self._names) else ""

    def _apart(self, blocks: Sequence[Sequence[str]]) -> list[str] | None:
        """The lines as several turns: paragraphs, or else single lines, each legal by itself, or
        but for its end.
        """
        by_lines = [line for block in blocks for line in block]
        for split in (["\n".join(block) for block in blocks], by_lines):
            if 2 <= len(split) <= _MOST_PIECES:
                whole = self._asked.whole(split) if _begin_alike(split) else ()
                if not any(isinstance(self._asked.tried(piece), Exception) for piece in split):
                    return split
                if len(whole) == len(split):
                    return list(whole)
        return None


def _text_of(paragraphs: Sequence[Sequence[str]]) -> str:
    return "\n".join(line for paragraph in paragraphs for line in paragraph)


def _as_called(word: str, name: re.Match[str]) -> str:
    """A player's name, maybe as an owner's, by this word."""
    return f"{word}'s" if name["own"] else word


def _asks(text: str, parts: partly.Partly) -> Mend:
    """The question whether the turn is meant which parts of a text make."""
    return Mend(text, Unreadable(", ".join(parts.unread), partly=True), (parts.turn,))


def _asks_changed(text: str, changed: Changed) -> Mend:
    """The question whether these turns are meant by a text that changes one."""
    fragment = ", ".join(changed.unread) if changed.turns else text
    return Mend(text, Unreadable(fragment, amended=True), changed.turns)


def _begin_alike(lines: Sequence[str]) -> bool:
    """True if all begin with the same word: turns of one kind, though each may lack its end."""
    return len({tokens(line)[0] if tokens(line) else "" for line in lines}) == 1
