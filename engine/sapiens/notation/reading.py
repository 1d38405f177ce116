"""A submission's text as actions: each read in the position after those before it."""

from __future__ import annotations

import msgspec

from engine.chance import NoChance
from engine.protocol import Decision, IllegalAction, NotationError, Seat
from engine.sapiens import actions as do
from engine.sapiens import flow
from engine.sapiens.notation.complaint import Asker
from engine.sapiens.notation.grammar import Order, Reader
from engine.sapiens.notation.meaning import Meaning, meanings
from engine.sapiens.notation.naming import signature
from engine.sapiens.notation.text import LONGEST, Plain, fragments
from engine.sapiens.state import State

_OF_TIME = frozenset(
    {
        "game_over",
        "not_your_turn",
        "lay_first",
        "already_laid",
        "stuck",
        "not_stuck",
        "remove_first",
        "refill_first",
        "removal_for_two_only",
        "can_still_lay",
        "bonus_not_earned",
        "tokens_still_lie",
        "token_already_played",
        "token_too_late",
        "token_not_claimed",
    }
)
"""Rules that an action can break whatever its tiles and places are."""

_MOST_PER_MEANING = 4
"""Of several meanings, as many completions of each as are listed."""


class _Typed(msgspec.Struct, frozen=True):
    """The text of one action, and every way its syntax can be read."""

    text: str
    orders: tuple[Order, ...]


def parse(state: State, seat: Seat, text: str, lang: str) -> tuple[do.Action, ...]:
    """The actions of a submission; at least one.

    Both languages are read; `lang` is that of the texts in errors. An error's `context` has the
    `text` of the action at fault and its `index`. Unreadable has `kind` ("verb", "tile", "place",
    "colour", "scene", "number" or "end") and `expected`, texts of that kind; Ambiguous
    `total`, of which `readings` are the first; IllegalAction `nearest`, texts of legal choices.
    Raises Unreadable, Ambiguous, IllegalAction.
    """
    typed = _actions_of(text)
    decision = _decision(state, seat)
    if not typed:
        asker = Asker(state, seat, decision.choices if decision else (), lang)
        raise _placed(asker.unreadable(text.strip(), text.strip(), "verb", ""), 0)
    read: list[do.Action] = []
    for index, part in enumerate(typed):
        here = _decision(state, seat)
        if read and (here is None or decision is None or here.id != decision.id):
            # S§4.5: the turn is made, and what it revealed may not be built on.
            raise _placed(IllegalAction("turn_over", "", text=part.text, nearest=()), index)
        asker = Asker(state, seat, here.choices if here else (), lang)
        try:
            read.append(_choose(asker, part))
            if index + 1 < len(typed):
                state = flow.apply(state, seat, read[-1], NoChance()).state
        except (NotationError, IllegalAction) as error:
            _placed(error, index)
            raise
    return tuple(read)


def _actions_of(text: str) -> list[_Typed]:
    """Texts between separators; one that is no action belongs to the action before it, if it fits.

    So tiles to take and squares may be separated by commas as well.
    """
    found: list[_Typed] = []
    for fragment in fragments(text):
        orders = _orders(fragment)
        if not orders and found:
            joined = f"{found[-1].text} {fragment}"
            together = _orders(joined)
            if together:
                found[-1] = _Typed(joined, together)
                continue
        found.append(_Typed(fragment, orders))
    return found


def _orders(text: str) -> tuple[Order, ...]:
    return tuple(Reader(Plain(text)).orders()) if len(text) <= LONGEST else ()


def _decision(state: State, seat: Seat) -> Decision[do.Action] | None:
    return next((d for d in flow.decisions(state) if d.seat == seat), None)


def _placed(error: NotationError | IllegalAction, index: int) -> NotationError | IllegalAction:
    """The error with the place of the action at fault in the submission."""
    if isinstance(error, IllegalAction):
        error.index = index
    error.context["index"] = index
    return error


def _choose(asker: Asker, part: _Typed) -> do.Action:
    """The one action a text means. Raises Unreadable, Ambiguous, IllegalAction."""
    meant = [
        meaning for order in part.orders for meaning in meanings(asker.state, asker.seat, order)
    ]
    # What names only tiles that lie there goes before what does not, whatever is legal.
    meant = [meaning for meaning in meant if meaning.present] or meant
    if not meant:
        raise asker.stuck(part.text)
    if len(meant) > 1:
        return _agreed(asker, part, meant)
    completions = _distinct(asker, meant[0])
    if len(completions) > 1:
        raise asker.ambiguous(part.text, completions)
    return completions[0] if completions else _refused(asker, part, meant[0])


def _distinct(asker: Asker, meaning: Meaning) -> list[do.Action]:
    """The completions of a meaning, of interchangeable copies the first."""
    found: dict[object, do.Action] = {}
    for action in meaning.completions(asker.choices):
        found.setdefault(signature(asker.state, action), action)
    return list(found.values())


def _refused(asker: Asker, part: _Typed, meaning: Meaning) -> do.Action:
    """Raises the rule an action breaks; Unreadable if the text says too little to break one."""
    error = _broken(asker, meaning)
    if error is not None:
        raise asker.illegal(error, part.text, meaning.action)
    verb = part.orders[0].verb
    kind = "place" if meaning.tiles or verb in ("fire", "ritual") else "tile"
    raise asker.unreadable(part.text, part.text, kind, verb)


def _broken(asker: Asker, meaning: Meaning) -> IllegalAction | None:
    """The rule that everything a text can mean breaks; None if it says too little to break one."""
    try:
        flow.apply(asker.state, asker.seat, meaning.action, NoChance())
    except IllegalAction as error:
        return error if meaning.whole or error.code in _OF_TIME else None
    return None


def _agreed(asker: Asker, part: _Typed, meant: list[Meaning]) -> do.Action:
    """The action all of several meanings come to."""
    readings: dict[do.Action, None] = {}
    for meaning in meant:
        readings.update(dict.fromkeys(_distinct(asker, meaning)[:_MOST_PER_MEANING]))
    if not readings:
        raise _all_refused(asker, part, meant)
    readings.update((meaning.action, None) for meaning in meant if meaning.whole)
    if len(readings) > 1 or not all(meaning.whole for meaning in meant):
        raise asker.ambiguous(part.text, list(readings))
    return next(iter(readings))


def _all_refused(asker: Asker, part: _Typed, meant: list[Meaning]) -> NotationError | IllegalAction:
    """The error for several meanings none of which is legal: the rule if all break the same."""
    errors = [_broken(asker, meaning) for meaning in meant]
    first = errors[0]
    if first is not None and all(
        error is not None and (error.code, error.context) == (first.code, first.context)
        for error in errors
    ):
        return asker.illegal(first, part.text, meant[0].action)
    verbs = {order.verb for order in part.orders}
    if len(verbs) > 1:
        return asker.unreadable(part.text, part.text, "verb", "")
    whole = [meaning.action for meaning in meant if meaning.whole and meaning.present]
    if whole:
        return asker.ambiguous(part.text, whole)
    return asker.unreadable(part.text, part.text, "tile", part.orders[0].verb)
