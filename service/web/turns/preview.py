"""The contents of a turn's page: the plan, what it brings, what is wrong with what was typed."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from engine.play import NotYourDecision
from engine.protocol import Ambiguous, IllegalAction, NotationError
from service.core import verdicts
from service.core.models import DecisionRow, Match, Submission
from service.matches import journal, reading
from service.matches.moves import waiting_of
from service.matches.plans import CANONICAL, LONGEST, Draft, Plan, TurnBuilder
from service.web import language
from service.web.clocks import clock
from service.web.grants import Access
from service.web.turns.selection import (
    BoardSelection,
    address,
    board_selection,
    meant_by,
    subjects_of,
)

LONGEST_TEXT = 2000


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A text that would be right, and the plan it leads to."""

    text: str
    plan: str


class Blocked(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was touched and cannot be used, and the rule that says so (None: no single
    action would break one)."""

    spot: str
    verdict: verdicts.AnyFault | None


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The faults of a text: data for its sentence, and what would be right."""

    verdict: verdicts.AnyFault
    offers: list[Offer]
    expected: list[str]


def draft_of(texts: Sequence[str], shown: Sequence[str], own: str) -> Draft:
    """The plan that came back in a form. Nothing in it is trusted: texts that do not fit are left
    out.
    """
    count = int(own) if own.isascii() and own.isdecimal() and len(own) < 4 else 0
    return Draft(
        texts=tuple(text[:LONGEST_TEXT] for text in texts[:LONGEST]),
        shown=tuple(text[:LONGEST_TEXT] for text in shown[:LONGEST]),
        own=count,
    )


def form(
    database: Session,
    access: Access,
    row: DecisionRow,
    *,
    draft: Draft | None = None,
    linked: str | None = None,
    typed: str | None = None,
    look: bool = False,
    path: str = "",
    taps: Sequence[str] = (),
    why: str | None = None,
) -> dict[str, Any]:
    """The context of `pages/turn.html` for an open decision.

    What the reader `typed` is read, and what is wrong with it is told; so is the plan of a letter's
    link (`linked`): all of it is chosen, for the letter has named it. Otherwise the `draft` counts.
    `look` says that the reader pressed the button on something they
    had not been shown. `path` is the address of the page, `taps` are touches towards the next
    action, and `why` something that was touched though it cannot be used.
    """
    lang = language.current()
    match = access.match
    reached = journal.position(database, match)
    builder = TurnBuilder(journal.game_of(match), reached.state, access.seat, row.decision)
    answer = None
    draft = draft or Draft()
    text = typed if typed is not None else linked
    if text is not None:
        text = text.replace("\0", " ")[:LONGEST_TEXT]
        draft, answer = _read(builder, text, lang)
    plan = builder.write(draft)
    waiting = waiting_for(database, match, row)
    towards = (
        board_selection(plan, match.game, access.seat, path, taps)
        if path and answer is None
        else None
    )
    return {
        "match": match,
        "seat": access.seat,
        "waiting": waiting,
        "waiting_text": spoken(database, match, waiting, lang) if waiting is not None else "",
        "names": reading.names(match),
        "row": row,
        "clock": clock(access.row.player.zone if access.row.player else None),
        "match_view": reading.match_view(database, match, access.seat),
        "since": reading.since_own_turn(database, match, access.seat, match.last_entry),
        "plan": plan,
        "touch": towards,
        "barred": _barred(builder, plan, towards, match.game, why) if towards and why else None,
        "undo": address(path, plan.texts[: plan.own - 1]) if path and plan.own else None,
        "readable": address(path, draft.texts),
        "notation": _notation(builder, plan, lang),
        "dropped": builder.localised(draft, plan.dropped, lang),
        "typed": text if answer else None,
        "answer": answer,
        "look": look,
        "nonce": secrets.token_hex(12),
    }


def waiting_for(database: Session, match: Match, row: DecisionRow) -> Submission | None:
    """The turn the player has handed in for this, if it is held and can be taken back."""
    waiting = waiting_of(database, match, row.seat)
    if waiting is None or waiting.decision != row.decision or waiting.held_until is None:
        return None
    return waiting


def spoken(database: Session, match: Match, handed_in: Submission, lang: str) -> str:
    """A turn that waits to be played, as text in the reader's language; as it came if it cannot be
    read.
    """
    state = journal.position(database, match).state
    try:
        game, decision = journal.game_of(match), handed_in.decision
        builder = TurnBuilder(game, state, handed_in.seat, decision)
        read = builder.read(handed_in.body, handed_in.lang)
    except (NotYourDecision, NotationError, IllegalAction):
        return handed_in.body
    return "\n".join(builder.localised(Draft(texts=read, shown=read), read, lang))


def _read(builder: TurnBuilder, text: str, lang: str) -> tuple[Draft, Answer | None]:
    if not text.strip():
        return Draft(), None
    try:
        read = builder.read(text, lang)
    except (NotationError, IllegalAction) as error:
        begun = builder.beginning(text, lang)
        return Draft(texts=tuple(begun)), _answer(error, begun)
    return Draft(texts=tuple(read), shown=tuple(read), own=len(read)), None


def _barred(
    builder: TurnBuilder, plan: Plan, touched: BoardSelection, game: str, spot: str
) -> Blocked | None:
    """Why something cannot be touched now; None if it can, or is nothing anybody would touch."""
    if spot in touched.spots or spot not in touched.others:
        return None
    faults = []
    for text in meant_by(game, touched, builder.seat, spot):
        try:
            builder.read("\n".join([*plan.texts[: plan.own], text]), CANONICAL)
        except (NotationError, IllegalAction) as error:
            faults.append(verdicts.fault_of(error))
    # Of several the one is told that is about what was touched.
    faults.sort(key=lambda verdict: _distance(game, verdict, spot))
    return Blocked(spot=spot, verdict=faults[0] if faults else None)


def _distance(game: str, verdict: verdicts.AnyFault, spot: str) -> int:
    """How far from what was touched the rule is that this tells: 0 if it is about that."""
    context = verdict.context if isinstance(verdict, verdicts.Illegal) else {}
    if spot in subjects_of(game, context):
        return 0
    return 1 if spot in context.values() else 2


def _answer(error: NotationError | IllegalAction, begun: list[str]) -> Answer:
    """What to say to a text that cannot be played; `begun` is as much of it as can."""
    right = error.readings if isinstance(error, Ambiguous) else error.context.get("nearest", ())
    before = begun[: int(error.context.get("index", 0))]
    return Answer(
        verdict=verdicts.fault_of(error),
        offers=[Offer(text=other, plan="\n".join([*before, other])) for other in right],
        expected=[str(word) for word in error.context.get("expected", ())],
    )


def _notation(builder: TurnBuilder, plan: Plan, lang: str) -> str:
    """The plan as text in the reader's language."""
    draft = Draft(texts=plan.texts, shown=plan.texts)
    return "\n".join(builder.localised(draft, plan.texts, lang))
