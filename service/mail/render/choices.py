"""The strongest choices of a decision, as a letter offers them: in words, notation and a link."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

import msgspec

from engine.play import Preview, decision_of
from engine.protocol import Game, IllegalAction, NotationError
from service.core.verdicts import JsonObject
from service.mail.render.draft import Picture
from service.mail.render.letter_context import mail_environment
from service.mail.render.table import Table
from service.matches import journal
from service.matches.plans import CANONICAL, plain
from service.render.pictures import filled, patch_png
from service.render.reasons import reasons_of
from service.render.templating import lines

OFFERED = 4


MOST_BYTES = 160_000
"""What the pictures of one board and of the choices beside it weigh together, at most: inboxes load
long letters late, or cut them off.
"""


class Pictured(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a letter offers, with the board then, if it is to be `seen`."""

    seen: Picture | None = None


Offered = TypeVar("Offered", bound=Pictured)


class Choice(Pictured, frozen=True, kw_only=True):
    """A whole submission in words, which the text and the HTML of a letter share: its actions, and
    what they bring before the first reveal ("" for nothing), the `reason` why it stands where it
    does ("" where the game has none to tell). `actions` are they as plain data; `number` is that of
    the choice, where it is shown apart from the others. `shared` are the deeds that it has in
    common with all that are offered beside it, and `of_all` is the reason that these have, too,
    which is told once.
    """

    deeds: list[str]
    gain: str
    notation: str
    link: str
    reason: str = ""
    actions: tuple[JsonObject, ...] = ()
    number: int | None = None
    shared: tuple[str, ...] = ()
    of_all: str = ""


class Possible:
    """Every action a decision may begin with, as plain data, strong or not: made when it is first
    asked for, as most letters want to know no more than whether there are more than so many.
    """

    def __init__(self, choices: Iterable[Any]) -> None:
        self._choices = choices

    def __iter__(self) -> Iterator[JsonObject]:
        return iter(self._listed)

    @cached_property
    def _listed(self) -> list[JsonObject]:
        return [msgspec.to_builtins(action) for action in self._choices]

    def exceed(self, count: int) -> bool:
        """True if there are more than so many."""
        return next(islice(self._choices, count, None), None) is not None


def possible(table: Table, decision: str) -> Possible:
    """Every action the reader's decision may begin with. Raises NotYourDecision."""
    game = journal.game_of(table.match)
    return Possible(decision_of(game, table.position.state, table.seat, decision).choices)


def choices(
    table: Table, decision: str, *, seen: bool = False, most: int = OFFERED
) -> list[Choice]:
    """Up to OFFERED strong submissions for the reader's decision, best first, or the first `most`
    of these; none if another of their decisions comes before it. They have pictures if they are to
    be `seen`, the game draws what a choice does (`HasPatches`), and these tell them apart.
    """
    game, seat = journal.game_of(table.match), table.seat
    state = table.position.state
    own = [d for d in game.decisions(state) if d.seat == seat and d.blocks]
    if not own or own[0].id != decision:
        return []
    preview = Preview(game, state, seat)
    suggested = game.suggestions(state, seat, OFFERED)
    # Why one stands where it does may be told by those after it.
    reasons = _reasons(table, game, suggested)
    ranked = enumerate(zip(suggested, reasons, strict=True), start=1)
    found: list[Choice] = []
    explained: set[str] = set()
    for number, (actions, why) in islice(ranked, most):
        shown = f"choice{number}" if seen else None
        found.append(_choice(table, decision, game, preview, actions, why, shown, explained))
    return having_shared(told_apart(once_reasoned(found)))


def once_reasoned(found: list[Choice]) -> list[Choice]:
    """The choices with the reason that all of them have as `of_all`."""
    reasons = {choice.reason for choice in found}
    if len(found) < 2 or len(reasons) > 1 or "" in reasons:
        return found
    return [msgspec.structs.replace(each, reason="", of_all=each.reason) for each in found]


def having_shared(found: list[Choice]) -> list[Choice]:
    """The choices with the deeds that all of them have in common, in one order, as `shared`; none
    where a choice would have nothing else to be known by.
    """
    if len(found) < 2:
        return found
    first = found[0].deeds
    shared = tuple(deed for deed in first if all(deed in choice.deeds for choice in found))
    for choice in found:
        in_order = tuple(deed for deed in choice.deeds if deed in shared)
        if in_order != shared or len(choice.deeds) == len(shared):
            return found
    return [msgspec.structs.replace(choice, shared=shared) for choice in found]


def told_apart(found: list[Choice]) -> list[Choice]:
    """The choices without their pictures, if all of these are the same."""
    pictures = [choice.seen.png for choice in found if choice.seen is not None]
    if len(pictures) > 1 and len(set(pictures)) == 1:
        return [msgspec.structs.replace(choice, seen=None) for choice in found]
    return found


def with_room(offered: Iterable[Offered], shown: Iterable[Picture]) -> list[Offered]:
    """The same, the first of them with their pictures: as many as have room beside those that
    are `shown` besides.
    """
    room = MOST_BYTES - sum(len(picture.png) for picture in shown)
    found = []
    for choice in offered:
        room -= len(choice.seen.png) if choice.seen is not None else 0
        found.append(choice if room >= 0 else msgspec.structs.replace(choice, seen=None))
    return found


def written(table: Table, decision: str, texts: Iterable[str]) -> list[Choice]:
    """These whole turns, in the reader's notation, as choices with pictures; those left out that
    are none.
    """
    game, state, seat = journal.game_of(table.match), table.position.state, table.seat
    preview = Preview(game, state, seat)
    read: list[tuple[Any, ...]] = []
    for text in texts:
        with suppress(NotationError, IllegalAction):
            read.append(tuple(game.notation.parse(state, seat, text, table.context.lang)))
    # Each beside itself alone: what is told of a turn, and nothing that compares.
    whys = [_reasons(table, game, [actions, actions])[0] for actions in read]
    found = []
    for number, (actions, why) in enumerate(zip(read, whys, strict=True), start=1):
        with suppress(IllegalAction):
            shown = f"instead{number}"
            found.append(_choice(table, decision, game, preview, actions, why, shown, None))
    return found


def numbered(found: Iterable[Choice], offered: Sequence[Choice]) -> list[Choice]:
    """These choices; in place of one that is `offered`, too, that one, with its number."""
    numbers = {choice.notation: number for number, choice in enumerate(offered, start=1)}
    return [
        msgspec.structs.replace(offered[number - 1], number=number)
        if (number := numbers.get(choice.notation)) is not None
        else choice
        for choice in found
    ]


def beside(choice: Choice, lang: str) -> tuple[str, ...]:
    """Texts that letters print beside the words of a choice: who copies it may copy them too."""
    words: Any = mail_environment(lang).get_template("mail/_words.txt").module
    return (choice.gain, choice.reason, words.preview(), words.reply_with_turn())


def shown_of(offered: Iterable[Pictured]) -> tuple[Picture, ...]:
    """Their pictures."""
    return tuple(choice.seen for choice in offered if choice.seen is not None)


def _reasons(
    table: Table, game: Game[Any, Any], suggested: Sequence[tuple[Any, ...]]
) -> list[tuple[str, str]]:
    words = _wording(table, game)
    return reasons_of(game, words, table.position.state, table.seat, suggested, table.names)


def _wording(table: Table, game: Game[Any, Any]) -> Any:
    template = f"games/{game.key}/wording.txt"
    return mail_environment(table.context.lang).get_template(template).module


def _choice(
    table: Table,
    decision: str,
    game: Game[Any, Any],
    preview: Preview[Any, Any],
    actions: tuple[Any, ...],
    why: tuple[str, str],
    shown: str | None,
    explained: set[str] | None,
) -> Choice:
    """A submission as a choice, with a picture of this name, if it has one. What it leaves is not
    explained again where that is `explained`, and not at all if that is None: it is not our advice.
    """
    seat, lang, state = table.seat, table.context.lang, preview.start
    words = _wording(table, game)
    deeds: list[str] = []
    events, plan, spoken = [], [], []
    for action in actions:
        view = msgspec.to_builtins(game.view(state, seat)) if deeds else table.match_view.view
        deeds.append(words.action(msgspec.to_builtins(action), view, table.names, seat))
        plan.append(game.notation.format(state, seat, action, CANONICAL))
        spoken.append(game.notation.format(state, seat, action, lang))
        step = preview.step(state, action)
        events += plain(step.events)
        if step.reveals:
            state = step.state_before_reveal or state
            break
        state = step.state
    if plan and (end := _end_of(words, msgspec.to_builtins(actions[len(deeds) - 1]))) is not None:
        deeds[-1:] = [] if deeds[1:] else [end]
    if hasattr(words, "steps"):
        done = [msgspec.to_builtins(action) for action in actions[: len(deeds)]]
        told = str(words.steps(done, deeds, table.match_view.view))
        deeds = lines(told)
    if explained is None and hasattr(words, "keeping"):
        done = [msgspec.to_builtins(action) for action in actions]
        deeds += lines(str(words.keeping(done, table.match_view.view, seat)))
    gain = ", ".join(filter(None, [why[0], str(words.gain(events))]))
    if len(deeds) == 1 and gain and hasattr(words, "headed"):
        deeds, gain = [str(words.headed(deeds[0], gain))], ""
    seen = None
    if shown is not None:
        view = msgspec.to_builtins(game.view(state, seat))
        seen = _seen(table, view, filled(game.key, len(table.names), [events])[seat], shown)
    spared = _spared(words, events) if explained is not None else ""
    if explained is not None:
        spared = "" if spared in explained else spared
        explained.add(spared)
    return Choice(
        deeds=deeds,
        gain=gain,
        notation=", ".join(spoken),
        link=table.context.links.turn(table.match, seat, decision, ", ".join(plan)),
        reason=" ".join(filter(None, [spared, why[1]])),
        actions=tuple(msgspec.to_builtins(action) for action in actions),
        seen=seen,
    )


def _spared(words: Any, events: list[JsonObject]) -> str:
    """Why this turn leaves something that it could have (`wording.spared`)."""
    return str(words.spared(events)).strip() if hasattr(words, "spared") else ""


def _end_of(words: Any, action: JsonObject) -> str | None:
    """The words for a turn of this action alone, if it only ends a turn (`wording.ends`): behind
    others it need not be said.
    """
    said = str(words.ends(action)).strip() if hasattr(words, "ends") else ""
    return said or None


def _seen(table: Table, view: dict[str, Any], last: Collection[str], name: str) -> Picture | None:
    """The board about the places that a choice fills, as it is then."""
    if not table.context.drawn:
        return None
    lang = table.context.lang
    patch = patch_png(table.match.game, view, seat=table.seat, last=last, lang=lang)
    return None if patch is None else table.context.picture(name, patch)
