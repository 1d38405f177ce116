"""Legal turns in place of one that is none: what may have been meant, completed or with its slips
mended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import SequenceMatcher, get_close_matches
from itertools import islice, product
from typing import Any

from engine.play import Incomplete, Preview, texts
from engine.protocol import LANGUAGES, Ambiguous, IllegalAction, NotationError, Unreadable
from service.core.plain import plain, tokens
from service.mail.commands.asked import Asked

_MOST_INSTEAD = 2
"""Turns that are shown instead of one that cannot be played: more are no help to choose."""
_MOST_SUGGESTED = 40
_MOST_SLIPS = 3
_ALIKE = (0.7, 0.66)
"""How alike a word and its slip are at least (difflib); of three letters two, exchanged, are so by
the second, which is tried where the first finds nothing.
"""
_COMMA = re.compile(r"\s*,\s*")
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_OF_SENTENCES = frozenset(
    tokens(
        """
        a all and another at back be bin but cave chuck claim draw drop earlier eat eating
        eats for from game get give go goes hand have hello hi hold i if in into is it
        keep last later left let like line mean meant more move my need next no not now of
        off oh on one onto or other out over pick place play please pool put right round
        same see so some sorry spend still swap than thank that the them then there this
        throw tile tiles time to token too try turn up use want will with would you your
        alors apres au aussi autre avant avec bien ca ce cette chez comme cote dans de des
        dire donc du elle en encore enleve est et faire fait finalement garde gauche il je
        jeter jette joue jouer jouons la le les leur lui ma mais mange manger me mes mets
        mettre mon ne non nous on ou par pas place plus pour prefere puis que qui sa sans
        se ses si son sont sur ta tard tes toi ton tour tout tu tuile tuiles un une vais
        vers veux voudrais vous
        """
    )
)
"""Words of every sentence: no slips of others."""


class Slips:
    """Looks for what was meant in answer to one decision."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._words = asked.game.notation.words

    def instead(self, text: str, error: Exception, *, order: bool) -> tuple[str, ...]:
        """Legal turns in place of a text that has this error, at most two; one that was meant as an
        `order` may be any, another decides what is asked.
        """
        if isinstance(error, Incomplete):
            return self._completed(text, error)
        if isinstance(error, NotationError | IllegalAction) and (mended := self._mended(text)):
            return mended
        if isinstance(error, Ambiguous):
            # What was read as more than was typed stands by itself.
            part = error.fragment if error.fragment in text else text
            read = self._asked.whole([text.replace(part, one, 1) for one in error.readings])
            return self._best_first(read)[:_MOST_INSTEAD]
        if isinstance(error, IllegalAction):
            wrong = str(error.context.get("text", text))
            near = [
                each for each in error.context.get("nearest", ()) if self._is_alike(wrong, each)
            ]
            whole = self._asked.whole([text.replace(wrong, each, 1) for each in near])
            found = whole or self._asked.whole(near)
            if not order:
                found = tuple(each for each in found if self._answers(each))
            return found[:_MOST_INSTEAD]
        if isinstance(error, Unreadable):
            lines = _COMMA.sub("\n", text)  # commas where lines are parted, as orders are
            return () if isinstance(self._asked.tried(lines), Exception) else (lines,)
        return ()

    def spelled(self, text: str) -> Iterator[str]:
        """The text with words of the game in place of those that are near to them, the nearest
        first; none if no word is.
        """
        for alike in _ALIKE:
            near = {
                part: get_close_matches(plain(part), self._words, 2, alike)
                for part in dict.fromkeys(_LETTERS.findall(text))
                if plain(part) not in self._words and plain(part) not in _OF_SENTENCES
            }
            slips = sorted(
                (part for part in near if near[part]), key=lambda part: -_ratio(part, near[part][0])
            )[:_MOST_SLIPS]
            for chosen in product(*(near[part] for part in slips)) if slips else ():
                mended = text
                for part, word in zip(slips, chosen, strict=True):
                    mended = re.sub(rf"(?<!\w){re.escape(part)}(?!\w)", word, mended)
                yield mended

    def _answers(self, text: str) -> bool:
        """True if a legal turn decides what is asked, where a move is: no order is offered instead
        of one.
        """
        own = [
            each
            for each in self._asked.game.decisions(self._asked.state)
            if each.seat == self._asked.seat
        ]
        blocking = {each.id for each in own if each.blocks}
        return not blocking or self._asked.decision_of(text) in blocking

    def _is_alike(self, written: str, near: str) -> bool:
        """True if the text of a turn has, in any language, more than one word of what was written
        behind the verb, or half of it, or if that is one word: another turn is nothing to be
        offered instead.
        """
        game, seat, spelled = self._asked.game, self._asked.seat, [near]
        with suppress(NotationError, IllegalAction):  # of a later action, which is not read here
            actions = game.notation.parse(self._asked.state, seat, near, self._asked.lang)
            for lang in LANGUAGES:
                spelled += texts(game, self._asked.state, seat, actions, lang)
        _, *said = dict.fromkeys(tokens(written)) or ("",)
        shared = len(set(said).intersection(tokens(" ".join(spelled))))
        return len(said) == 1 or shared > 1 or 2 * shared >= len(said)

    def _completed(self, text: str, error: Incomplete) -> tuple[str, ...]:
        """The turn with the rest as the game would play it, then with each action that could come
        next, and whatever must come after that.
        """
        game, seat = self._asked.game, self._asked.seat
        begun = game.notation.parse(self._asked.state, seat, text, self._asked.lang)
        preview = Preview(game, self._asked.state, seat)
        best = game.suggestions(error.state, seat, 1) if error.remaining.blocks else ()
        found = [self._asked.written((*begun, *rest)) for rest in best]
        for action in islice(error.remaining.choices, _MOST_INSTEAD):
            step = preview.step(error.state, action)
            rest = () if step.reveals else preview.complete(step.state, self._asked.decision)
            found.append(self._asked.written((*begun, action, *rest)))
        return tuple(dict.fromkeys(found))[:_MOST_INSTEAD]

    def _best_first(self, turns: Sequence[str]) -> tuple[str, ...]:
        """These turns, those first that begin as one does which the game would play."""
        game, state, seat = self._asked.game, self._asked.state, self._asked.seat
        if not any(each.seat == seat and each.blocks for each in game.decisions(state)):
            return tuple(turns)
        begun = [best[0] for best in game.suggestions(state, seat, _MOST_SUGGESTED) if best]

        def rank(turn: str) -> int:
            first = game.notation.parse(state, seat, turn, self._asked.lang)[0]
            return begun.index(first) if first in begun else len(begun)

        return tuple(sorted(turns, key=rank))

    def _mended(self, text: str) -> tuple[str, ...]:
        """The turn with its slips mended, if it is legal."""
        found: dict[tuple[Any, ...], str] = {}
        for mended in self.spelled(text):
            for whole in self._asked.whole([mended]):
                actions = self._asked.tried(whole)
                if not isinstance(actions, Exception):
                    found.setdefault(actions, self._asked.written(actions))
        return tuple(found.values())[:_MOST_INSTEAD]


def _ratio(written: str, word: str) -> float:
    """How alike a word as it was written and one of the game's are."""
    return SequenceMatcher(None, plain(written), word).ratio()
