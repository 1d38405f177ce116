"""The turn in a reply: which lines are one, and whether it is one turn, several, or a slip.

Prose around a turn does not hinder it; a turn with a slip is never played in part. So a line
belongs to the turn as soon as it looks like one, readable or not, and all of it must be legal.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import islice, product
from typing import Any

import msgspec

from engine.chance import SeededChance
from engine.play import Incomplete, NotYourDecision, Preview, decision_for, submit, texts
from engine.protocol import (
    LANGUAGES,
    LONGEST_TEXT,
    Ambiguous,
    EndsTurns,
    Game,
    IllegalAction,
    Notation,
    NotationError,
    Seat,
    Unreadable,
    too_long,
)
from service.core.plain import plain, tokens, typed
from service.mail.commands.copied import Near, Printed, leads, named, nearest, repeated
from service.mail.commands.courtesy import says_nothing, without_politeness
from service.mail.commands.kept import is_kept, without_marker
from service.mail.commands.numbers import Choice, choice_of

_MOST_PIECES = 12
_MOST_EXAMPLES = 40

_OR = frozenset({"or", "ou", "and", "et"})
_ELSE = _OR | {"bien", "sinon", "else", "rather", "plutot", "alternatively"}
_BEFORE_A_VERB = (
    "i i'll i'd je j' then puis et and ensuite alors donc so now will would like want to "
    "j'aimerais voudrais aimerais veux vais"
)
_IN_A_SENTENCE = (
    "i would like to the tile tiles with on and then please a an of from "
    "je voudrais la le les tuile tuiles avec sur et puis svp un une de du"
)
_LEADING = frozenset(_BEFORE_A_VERB.split())
_TOWARDS = frozenset(("a", "au", "aux", "en", "vers", "jusqu"))
"""Words that make a verb of the "vais" before them, which elsewhere only leads to one."""
_PASSING = ("pass", "passe")
_EMPTY = frozenset(_IN_A_SENTENCE.split())
"""Words that say nothing of whether a line is a turn."""
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_MOST_INSTEAD = 2
"""Turns that are shown instead of one that cannot be played: more are no help to choose."""
_MOST_COMPARED = 3000
"""Actions that are looked through for an example of what a text may mean."""
_MOST_SLIPS = 3
_LONGEST_SLIP = 7
"""Words of a line beginning with a game's verb that is a turn with a slip, and no prose."""


class Nothing(msgspec.Struct, frozen=True, tag=True):
    """No turn is in it."""


class Turn(msgspec.Struct, frozen=True, tag=True):
    """One turn, legal as far as it can be known before it is played."""

    text: str


class Mend(msgspec.Struct, frozen=True, tag=True):
    """Something that was meant to be a turn. `error` says why it is none; `instead` are legal turns
    that are it, completed or with its slips mended.
    """

    text: str
    error: Exception
    instead: tuple[str, ...] = ()


class Several(msgspec.Struct, frozen=True, tag=True):
    """Different legal turns; `texts` are how each is written."""

    texts: tuple[str, ...]


class NoSuchChoice(msgspec.Struct, frozen=True, tag=True):
    """The number of a choice the letter did not offer, and how many it did."""

    number: int
    offered: int


class Unsure(msgspec.Struct, frozen=True, tag=True):
    """Numbers that may be choices and may be something else; `texts` are the turns they offer."""

    numbers: tuple[int, ...]
    texts: tuple[str, ...]


Found = Nothing | Turn | Mend | Several | NoSuchChoice | Unsure


class Finder:
    """Looks for the turn in a reply about one open decision of one seat: a move, orders, or both,
    for whichever of the seat's decisions takes them (`engine.play.decision_for`).

    `choices` gives the turns a letter offered, by their numbers from 1; None if numbers mean
    nothing. Who repeats the words in which one is printed means it. `only` are the decisions that
    may be answered, None all of the seat.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        state: Any,
        seat: Seat,
        decision: str,
        lang: str,
        choices: Callable[[], Sequence[Printed]] | None = None,
        names: Collection[str] = (),
        only: Collection[str] | None = None,
    ) -> None:
        self._game = game
        self._state = state
        self._seat = seat
        self._decision = decision
        self._lang = lang
        self._choices = cache(choices) if choices is not None else None
        self._names = names
        self._only = only
        self._words = game.notation.words
        self._keeps = game.notation.keeps
        self._else = _ELSE - self._keeps
        self._leading = _LEADING - self._keeps
        self._typed: dict[str, str] = {}

    def find(self, paragraphs: Sequence[Sequence[str]]) -> Found:
        """The turn in these lines."""
        found = self._found(paragraphs)
        if isinstance(found, Turn) or self._choices is None or not any(paragraphs):
            return found
        text = _text_of(paragraphs)
        offered = self._choices()
        copied = tuple(
            dict.fromkeys(offered[n - 1].text for n in repeated(offered, text, self._names))
        )
        if len(copied) > 1:
            return Several(copied)
        return Turn(copied[0]) if copied else found

    def near(self, paragraphs: Sequence[Sequence[str]]) -> Near | None:
        """The game's words in lines that are no turn, and the choice that they are most like."""
        return nearest(self._choices or tuple, self._words, _text_of(paragraphs))

    def as_typed(self, text: str) -> str:
        """The lines of a text that was found as they were written, with what led to them."""
        return "\n".join(self._typed.get(line, line) for line in text.split("\n"))

    def example(self, paragraphs: Sequence[Sequence[str]], *, order: bool = False) -> str:
        """A legal turn, or an `order`, that has as much as may be of what lines name which are
        none; "" if nothing of the kind is asked.
        """
        game, state, seat = self._game, self._state, self._seat
        own = [d for d in game.decisions(state) if d.seat == seat and d.blocks is not order]
        if not own:
            return ""
        text = _text_of(paragraphs)
        said = {each for word in named(self._words, text) for each in tokens(word)}
        begun = [] if order else list(game.suggestions(state, seat, _MOST_EXAMPLES))
        if said or not begun:
            most = _MOST_EXAMPLES if order else _MOST_COMPARED
            begun += [(action,) for each in own for action in islice(each.choices, most)]

        def rank(actions: tuple[Any, ...]) -> tuple[bool, int]:
            spelled = {lang: ", ".join(self._spelled(actions, lang)) for lang in LANGUAGES}
            alike = said.intersection(tokens(" ".join(spelled.values())))
            return leads(spelled[self._lang], text), len(alike)

        for actions in sorted(begun, key=rank, reverse=True)[:_MOST_PIECES]:
            written = "\n".join(self._spelled(actions, self._lang))
            whole = self._whole(["\n".join([written, *self._end_of(written)])])
            if whole:
                return whole[0] if order else ", ".join(whole[0].split("\n"))
        return ""

    def passing(self) -> str:
        """The turn by which nothing is done; "" if there is none here."""
        game, state, seat = self._game, self._state, self._seat
        end = game.end_of_turn(state, seat) if isinstance(game, EndsTurns) else None
        written = [game.notation.format(state, seat, end, self._lang)] if end is not None else []
        for text in (*(word for word in _PASSING if word in self._words), *written):
            actions = self._try(text)
            if not isinstance(actions, Exception):
                return self._write(actions)
        return ""

    def _spelled(self, actions: Sequence[Any], lang: str) -> tuple[str, ...]:
        """The texts of actions up to the first that reveals something."""
        game, preview = self._game, Preview(self._game, self._state, self._seat)
        state, found = preview.start, []
        for n, action in enumerate(actions):
            found.append(game.notation.format(state, self._seat, action, lang))
            if n + 1 < len(actions):
                step = preview.step(state, action)
                if step.reveals:
                    break
                state = step.state
        return tuple(found)

    def _found(self, paragraphs: Sequence[Sequence[str]]) -> Found:
        choices, blocks = self._sorted(paragraphs)
        sure = [choice for choice in choices if choice.sure]
        if not sure and not blocks:
            return self._unsure(choices)
        numbers = list(dict.fromkeys(number for choice in sure for number in choice.numbers))
        offered = self._choices() if numbers and self._choices else ()
        beyond = next((n for n in numbers if not 1 <= n <= len(offered)), None)
        if beyond is not None:
            return NoSuchChoice(beyond, len(offered))
        chosen = [offered[n - 1].text for n in numbers]
        written = ["\n".join(block) for block in blocks]
        if written:
            written += self._end_of("\n".join(written))
        if not written and not chosen:
            return Nothing()
        whole = "\n".join(written)
        if len(whole) > LONGEST_TEXT:
            return Mend(whole, too_long(len(whole)))
        pieces = [*chosen, *([whole] if written else [])]
        tried = [self._try(piece) for piece in pieces]
        if written and isinstance(tried[-1], Exception):
            split = self._apart(blocks)
            if split is None:
                return Mend(whole, tried[-1], self._instead(whole, tried[-1]))
            pieces, tried = [*chosen, *split], [self._try(p) for p in (*chosen, *split)]
        failed = next((e for e in tried if isinstance(e, Exception)), None)
        if failed is not None:
            piece = pieces[tried.index(failed)]
            return Mend(piece, failed, self._instead(piece, failed))
        legal = [actions for actions in tried if not isinstance(actions, Exception)]
        different = dict(zip(legal, pieces, strict=True))
        if len(different) == 1:
            return Turn(pieces[0])
        return Several(tuple(self._write(actions) for actions in different))

    def decision_of(self, turn: Turn) -> str:
        """The decision that a turn is for, which was found here."""
        actions = self._game.notation.parse(self._state, self._seat, turn.text, self._lang)
        return decision_for(self._game, self._state, self._seat, self._decision, actions)

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
        near = _near_to(self._verbs(blocks=False) - self._verbs(blocks=True))
        first = (tokens(without_marker(line))[:1] for line in re.split(r"[,;\n]", text))
        return any(near(token) and token.isalpha() for written in first for token in written)

    def _verbs(self, *, blocks: bool) -> frozenset[str]:
        """The words that lines of what the seat may decide begin with."""
        game, seat = self._game, self._seat
        return frozenset(
            tokens(line)[0]
            for decision in game.decisions(self._state)
            if decision.seat == seat and decision.blocks is blocks
            for action in islice(decision.choices, _MOST_EXAMPLES)
            for lang in LANGUAGES
            for line in game.notation.format(self._state, seat, action, lang).splitlines()
            if tokens(line)
        )

    def _unsure(self, choices: Sequence[Choice]) -> Found:
        """A question about the numbers that may be choices."""
        offered = self._choices() if choices and self._choices else ()
        numbers = dict.fromkeys(number for choice in choices for number in choice.numbers)
        known = tuple(number for number in numbers if 1 <= number <= len(offered))
        if offered and numbers and not known:
            return NoSuchChoice(next(iter(numbers)), len(offered))
        return Unsure(known, tuple(offered[n - 1].text for n in known)) if known else Nothing()

    def _apart(self, blocks: Sequence[Sequence[str]]) -> list[str] | None:
        """The lines as several turns, each legal by itself: paragraphs, or else single lines."""
        by_lines = [line for block in blocks for line in block]
        for split in (["\n".join(block) for block in blocks], by_lines):
            if 2 <= len(split) <= _MOST_PIECES and not any(
                isinstance(self._try(piece), Exception) for piece in split
            ):
                return split
        return None

    def _end_of(self, text: str) -> list[str]:
        """The line that closes a turn left open, where the game lets a reply leave it out."""
        game, seat = self._game, self._seat
        end = game.end_of_turn(self._state, seat) if isinstance(game, EndsTurns) else None
        if end is None or not isinstance(self._try(text), Incomplete):
            return []
        line = game.notation.format(self._state, seat, end, self._lang)
        return [] if isinstance(self._try(f"{text}\n{line}"), Exception) else [line]

    def _try(self, text: str) -> tuple[Any, ...] | Exception:
        """The actions of a legal turn, or what is wrong with it."""
        game, seat = self._game, self._seat
        try:
            actions = game.notation.parse(self._state, seat, text, self._lang)
            start = Preview(game, self._state, seat).start
            decision = decision_for(game, start, seat, self._decision, actions)
            if self._only is not None and decision not in self._only:
                raise NotYourDecision(seat, decision)
            submit(game, start, seat, decision, actions, SeededChance(b"reply"))
        except (IllegalAction, Unreadable, Ambiguous, Incomplete, NotYourDecision) as error:
            return error
        return tuple(actions)

    def _write(self, actions: Sequence[Any]) -> str:
        return ", ".join(self._spelled(actions, self._lang))

    # What may have been meant by a turn that is none

    def _instead(self, text: str, error: Exception) -> tuple[str, ...]:
        if isinstance(error, Incomplete):
            return self._completed(text, error)
        if isinstance(error, Ambiguous):
            read = self._whole([text.replace(error.fragment, one, 1) for one in error.readings])
            return self._best_first(read)[:_MOST_INSTEAD] if len(read) > 1 else ()
        if isinstance(error, IllegalAction):
            wrong = str(error.context.get("text", text))
            near = [
                each for each in error.context.get("nearest", ()) if self._is_alike(wrong, each)
            ]
            whole = self._whole([text.replace(wrong, each, 1) for each in near])
            found = whole or self._whole(near)
            if not self.speaks_of_orders(text):
                found = tuple(each for each in found if self._answers(each))
            return found[:_MOST_INSTEAD]
        return self._mended(text) if isinstance(error, Unreadable) else ()

    def _answers(self, text: str) -> bool:
        """True if a legal turn decides what is asked, where a move is: no order is offered instead
        of one.
        """
        own = [each for each in self._game.decisions(self._state) if each.seat == self._seat]
        blocking = {each.id for each in own if each.blocks}
        return not blocking or self.decision_of(Turn(text)) in blocking

    def _is_alike(self, written: str, near: str) -> bool:
        """True if the text of a turn has, in any language, more than one word of what was written
        behind the verb, or half of it, or if that is one word: another turn is nothing to be
        offered instead.
        """
        game, seat, spelled = self._game, self._seat, [near]
        with suppress(NotationError, IllegalAction):  # of a later action, which is not read here
            actions = game.notation.parse(self._state, seat, near, self._lang)
            for lang in LANGUAGES:
                spelled += texts(game, self._state, seat, actions, lang)
        _, *said = dict.fromkeys(tokens(written)) or ("",)
        shared = len(set(said).intersection(tokens(" ".join(spelled))))
        return len(said) == 1 or shared > 1 or 2 * shared >= len(said)

    def _whole(self, begun: Sequence[str]) -> tuple[str, ...]:
        """These turns, each with the rest of it as the game would play it where it is not all."""
        game, seat = self._game, self._seat
        found = []
        for text in begun:
            tried = self._try(text)
            if isinstance(tried, Incomplete):
                actions = game.notation.parse(self._state, seat, text, self._lang)
                rest = next(iter(game.suggestions(tried.state, seat, 1)), ())
                found.append(self._write((*actions, *rest)))
            elif not isinstance(tried, Exception):
                found.append(text)
        return tuple(dict.fromkeys(found))

    def _completed(self, text: str, error: Incomplete) -> tuple[str, ...]:
        """The turn with the rest as the game would play it, then with each action that could come
        next, and whatever must come after that.
        """
        game, seat = self._game, self._seat
        begun = game.notation.parse(self._state, seat, text, self._lang)
        preview = Preview(game, self._state, seat)
        best = game.suggestions(error.state, seat, 1) if error.remaining.blocks else ()
        found = [self._write((*begun, *rest)) for rest in best]
        for action in islice(error.remaining.choices, _MOST_INSTEAD):
            step = preview.step(error.state, action)
            rest = () if step.reveals else preview.complete(step.state, self._decision)
            found.append(self._write((*begun, action, *rest)))
        return tuple(dict.fromkeys(found))[:_MOST_INSTEAD]

    def _best_first(self, turns: Sequence[str]) -> tuple[str, ...]:
        """These turns, those first that begin as one does which the game would play."""
        game, state, seat = self._game, self._state, self._seat
        if not any(each.seat == seat and each.blocks for each in game.decisions(state)):
            return tuple(turns)
        begun = [best[0] for best in game.suggestions(state, seat, _MOST_EXAMPLES) if best]

        def rank(turn: str) -> int:
            first = game.notation.parse(state, seat, turn, self._lang)[0]
            return begun.index(first) if first in begun else len(begun)

        return tuple(sorted(turns, key=rank))

    def _mended(self, text: str) -> tuple[str, ...]:
        """The turn with words of the game in place of those near to them, as far as it is legal."""
        slips = [
            (part, difflib.get_close_matches(plain(part), self._words, 2, 0.7))
            for part in dict.fromkeys(_LETTERS.findall(text))
            if plain(part) not in self._words
        ]
        slips = [(part, near) for part, near in slips if near]
        if not 0 < len(slips) <= _MOST_SLIPS:
            return ()
        found: dict[tuple[Any, ...], str] = {}
        for chosen in product(*(near for _, near in slips)):
            mended = text
            for (part, _), word in zip(slips, chosen, strict=True):
                mended = re.sub(rf"(?<!\w){re.escape(part)}(?!\w)", word, mended)
            actions = self._try(mended)
            if not isinstance(actions, Exception):
                found.setdefault(actions, self._write(actions))
        return tuple(found.values())[:_MOST_INSTEAD]

    # Telling a turn from prose

    def _sorted(self, paragraphs: Sequence[Sequence[str]]) -> tuple[list[Choice], list[list[str]]]:
        """The lines that say the number of a choice, and those of turns by paragraph.

        A number is the answer if it is the first line: below prose it may be about anything.
        """
        choices: list[Choice] = []
        clear: list[Choice] = []
        blocks: list[list[str]] = []
        first, answered = True, False
        for paragraph in (part for whole in paragraphs for part in self._parted(whole)):
            lines = []
            written = [typed(line) for line in paragraph]
            for at, line in enumerate(written):
                order = self._kept_order(line)
                choice = choice_of(line, self._names) if order is None else None
                if choice is None:
                    stripped = self._stripped(line) if order is None else order
                    self._typed.setdefault(stripped, line)
                    lines.append(stripped)
                else:
                    goes_on = self._is_prose(written[at + 1]) if at + 1 < len(written) else False
                    sure = choice.sure and (first or answered) and not goes_on
                    clear.append(choice)
                    choices.append(Choice(choice.numbers, sure))
                    answered = answered or sure
                first = False
            block = self._block(lines)
            if block:
                blocks.append(block)
        # Beside a turn in writing a number is a second one, wherever it stands: which is it?
        return clear if blocks else choices, blocks

    def _is_prose(self, line: str) -> bool:
        """True if a line goes on with the sentence of the one before it."""
        return line[:1].islower() and not self._resembles(line) and not self._is_else(line)

    def _kept_order(self, line: str) -> str | None:
        """The order in a line that begins with a word which the notation keeps; None if the
        notation cannot read it. So "take 2" is no number of a choice where it takes two.
        """
        order = self._stripped(line) if self._keeps else line
        if not is_kept(order, self._keeps):
            return None
        shorter = without_politeness(order)
        return next((text for text in (order, shorter) if self._reads(text)), None)

    def _block(self, lines: Sequence[str]) -> list[str]:
        """The lines of one paragraph that belong to a turn.

        What stands between two of them belongs to it even if it looks like nothing, and so does a
        line beside one that begins with a verb: rather a question back than half a turn.
        """
        alike = [self._resembles(line) for line in lines]
        if not any(alike):
            return []
        first, last = alike.index(True), len(alike) - 1 - alike[::-1].index(True)
        while first > 0 and self._begins(lines[first - 1]):
            first -= 1
        while last + 1 < len(lines) and self._begins(lines[last + 1]):
            last += 1
        return [line for line in lines[first : last + 1] if line]

    def _stripped(self, line: str) -> str:
        """A line without list marks, without polite fragments at its ends, without what leads to a
        turn ("my move:", "I", "then").
        """
        line = without_marker(line).strip().strip('*_"“”«»` ')
        before, colon, after = line.partition(":")
        led = colon and after.strip() and not is_kept(before, self._keeps)
        if led and not self._resembles(before) and self._resembles(after):
            line = after.strip()
        parts = re.split(r"([,;])", line)
        while len(parts) > 2 and self._says_nothing(parts[-1]):
            parts = parts[:-2]
        while len(parts) > 2 and self._says_nothing(parts[0]):
            parts = parts[2:]
        line = "".join(map(self._without_lead, parts)).strip()
        while line.endswith(".") and not line.endswith(".."):
            line = line[:-1].rstrip()
        return line

    def _without_lead(self, part: str) -> str:
        """A part of a line without the words that lead to a turn: "I", "then"."""
        space = part[: len(part) - len(part.lstrip())]
        words = part.strip().split(" ")
        while len(words) > 1 and plain(words[0]) in self._leading and not self._goes(words):
            words = words[1:]
        return space + " ".join(words)

    def _goes(self, words: Sequence[str]) -> bool:
        """True if a word that may lead to a turn is the verb of one: "vais en ..."."""
        first, second = plain(words[0]), plain(re.split(r"['’]", words[1])[0])
        return first in self._words and (
            (first == "vais" and second in _TOWARDS) or self._reads(" ".join(words))
        )

    def _says_nothing(self, part: str) -> bool:
        return not is_kept(part, self._keeps) and says_nothing(part, self._names)

    def _is_else(self, line: str) -> bool:
        """True if a line only says that something else follows."""
        written = tokens(line)
        return all(token in self._else for token in written) and not any(
            c.isalpha() and not c.isascii() for c in plain(line)
        )

    def _parted(self, paragraph: Sequence[str]) -> list[list[str]]:
        """A paragraph in parts where a line only says that something else follows ("or")."""
        parts: list[list[str]] = [[]]
        for line in paragraph:
            if self._is_else(line):
                parts.append([])
            else:
                parts[-1].append(line)
        return parts

    def _resembles(self, line: str) -> bool:
        """True if most of its words are words of the game, or nearly, or begin one; or if it reads
        as it stands.
        """
        known, count = _known(self._words, line)
        return 2 * known > count or (0 < count == 2 * known and self._reads(line))

    def _reads(self, line: str) -> bool:
        return can_be_read(self._game.notation, self._state, self._seat, line, self._lang)

    def _begins(self, line: str) -> bool:
        written = tokens(line)
        return bool(written) and written[0] in self._words and len(written) <= _LONGEST_SLIP


def _text_of(paragraphs: Sequence[Sequence[str]]) -> str:
    return "\n".join(line for paragraph in paragraphs for line in paragraph)


def can_be_read(notation: Notation[Any, Any], state: Any, seat: Seat, line: str, lang: str) -> bool:
    """True if the notation reads a line here, though it may be illegal or mean several things."""
    try:
        notation.parse(state, seat, line, lang)
    except Unreadable:
        return False
    except (IllegalAction, Ambiguous):
        return True
    return True


def cut_off(turn: Turn, length: int) -> Mend:
    """The answer to a turn in a reply of so many characters, whose end was cut off: the rest of the
    turn may stand there.
    """
    return Mend(turn.text, too_long(length))


def resembles(words: frozenset[str], line: str) -> bool:
    """True if most of a line's words are words of the game, or nearly, or begin one."""
    known, count = _known(words, line)
    return 2 * known > count


def _known(words: frozenset[str], line: str) -> tuple[int, int]:
    """How many words of the line are near to the game's, and how many it has; numbers are none."""
    written = [
        token
        for token in tokens(line)
        if not token.isdecimal() and (token in words or token not in _EMPTY)
    ]
    near = _near_to(words)
    return sum(near(token) for token in written), len(written)


@lru_cache(maxsize=16)
def _near_to(words: frozenset[str]) -> Callable[[str], bool]:
    """A test of a token: it is one of these words, begins one, is two of them in one or has one
    slip.
    """

    @lru_cache(maxsize=4096)
    def near(token: str) -> bool:
        if token in words or (len(token) > 1 and any(word.startswith(token) for word in words)):
            return True
        if any(token[:n] in words and token[n:] in words for n in range(2, len(token) - 1)):
            return True
        if re.fullmatch(r"[a-z]?\d[a-z]?", token):
            return True  # a square that does not exist, or is written the other way round
        return len(token) > 2 and bool(difflib.get_close_matches(token, words, 1, 0.75))

    return near
