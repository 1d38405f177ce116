"""The answer to a mail: what became of each thing in it, and what the reader needs to go on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from engine.games import games
from engine.kit.presentation import Occasion
from engine.protocol import ExplainsSuggestions, HasOrders, Seat
from service.core.letter_details import AnswerDetails
from service.core.models import DecisionRow, EntryRow, Match
from service.core.results import (
    BoardShown,
    GameOver,
    HelpShown,
    HistoryShown,
    NoSuchChoice,
    NothingFound,
    NotYourTurn,
    NumberAsked,
    OrderFiled,
    OrdersListed,
    Rematched,
    ResignAsked,
    Result,
    RulesShown,
    SeveralTurns,
    TableLine,
    TablesListed,
    TurnChecked,
    TurnHeld,
    TurnPlayed,
    TurnStale,
    TurnWrong,
    Unsure,
)
from service.core.statuses import Actor, MuteReason, SeatStatus
from service.core.verdicts import Fault, JsonObject, Unreadable
from service.mail.render import forgone
from service.mail.render.boards import Board, boards, pictures
from service.mail.render.choices import (
    Choice,
    choices,
    numbered,
    possible,
    shown_of,
    with_room,
    written,
)
from service.mail.render.draft import Draft
from service.mail.render.filing import Filing, filings
from service.mail.render.forgone import Forgone
from service.mail.render.glossary import Explained, explained
from service.mail.render.lessons import learn_page
from service.mail.render.letter_context import LetterContext, seat_name, seat_names, table_name
from service.mail.render.order_lines import order_lines, said_of
from service.mail.render.table import Table
from service.mail.render.turn import so_far
from service.matches import journal, reading
from service.matches.answering import offers_turns, shows_board
from service.matches.reading import FiledOrder

MOST_TOLD = 60
"""Entries of a history in one letter: about as much as stays well under what inboxes clip."""


_AMISS = TurnWrong | NothingFound | NoSuchChoice | SeveralTurns
"""The results after which choices are offered beside what is to be put right."""


class ListedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a "status" as the letter lists it: with whom, and its reader's page of it."""

    standing: TableLine
    game: str
    called: str | None
    others: list[str]
    page: str | None


def write(context: LetterContext) -> Draft:
    """One letter, whatever was asked: about a table if the mail was, else in a few words."""
    details = context.letter.details_as(AnswerDetails)
    if context.letter.entry is None or context.letter.seat is None:
        draft = _short(context, details)
    else:
        draft = _of_table(Table.at(context), details)
    return msgspec.structs.replace(
        draft,
        in_reply_to=f"<{details.message_id}>" if details.message_id else None,
        references=tuple(f"<{one}>" for one in details.references),
    )


def _turn_first(results: Sequence[Result]) -> list[Result]:
    """What became of a turn before all else that its mail asked for."""
    return sorted(results, key=lambda each: not isinstance(each, TurnPlayed))


def _asked(context: LetterContext, game: str, results: Sequence[Result]) -> list[Explained]:
    """What a question in prose names, explained."""
    asked = next((each.text for each in results if isinstance(each, RulesShown)), "")
    return explained(game, asked, context.lang)


def _code(result: Result) -> str:
    """The code of a result; of orders: whether they were filed, answer a question, or were taken
    back.
    """
    if isinstance(result, OrderFiled) and (result.answer or result.withdrawn):
        return "taken_back" if result.withdrawn else "answered"
    return result.code


def _values(
    context: LetterContext, details: AnswerDetails, results: Sequence[Result]
) -> dict[str, Any]:
    """What the templates are given of any answer."""
    game = context.match.game if context.letter.match_id is not None else None
    return {
        "results": results,
        "codes": {_code(result) for result in results},
        "subject_of_mail": details.subject,
        "orders_too": game is not None and isinstance(games().get(game), HasOrders),
        "tables": _tables(context, results),
        "learn": learn_page(context, game) if game is not None else None,
        "explained": _asked(context, game, results) if game is not None else [],
    }


def _short(context: LetterContext, details: AnswerDetails) -> Draft:
    """About no seat of a match that has begun."""
    match = context.match if context.letter.match_id is not None else None
    subject, text, html = context.write(
        game=match.game if match is not None else None,
        names=seat_names(match, context.lang) if match is not None else [],
        me=None,
        view=None,
        open_answer=None,
        **_values(context, details, details.results),
    )
    return Draft(subject=subject, text=text, html=html, reply_to=context.reply_to)


def _of_table(table: Table, details: AnswerDetails) -> Draft:
    context, match, seat = table.context, table.match, table.seat
    session, decision = context.session, context.letter.decision
    kinds = {type(result) for result in details.results}
    asked = session.get(DecisionRow, (match.id, decision)) if decision is not None else None
    story = _story(session, table, details.results)
    offering = asked is not None and offers_turns(details.results)
    offered = choices(table, decision, seen=True) if offering and decision is not None else []
    shown: tuple[Board, ...] = ()
    if BoardShown in kinds or GameOver in kinds:
        shown = boards(table, occasion=Occasion.END)
    elif shows_board(details.results) and not _asked(context, table.match.game, details.results):
        shown = boards(table, story, legend=RulesShown in kinds, offered=offered)
    worked = choices(table, decision, most=1) if HelpShown in kinds and decision is not None else []
    results = [
        msgspec.structs.replace(each, choices=bool(offered)) if isinstance(each, Unsure) else each
        for each in _turn_first(details.results)
    ]
    closest = numbered(_closest(table, decision, results), offered)
    closest = with_room(closest, pictures(shown))
    offered = with_room(offered, [*pictures(shown), *shown_of(closest)])
    guess = next(filter(None, map(_guessed, results)), None)
    # Beside something to be put right what comes close stands first, and no choice below a board.
    amiss = any(isinstance(each, _AMISS) for each in results)
    near = [*closest, *(offered[guess - 1 : guess] if guess else [])] if amiss else []
    beside, below = shown_of([*near, *offered]), pictures(shown)
    drawn = [*beside, *below] if amiss else [*below, *beside]
    return table.draft(
        tuple({picture.cid: picture for picture in drawn}.values()),
        boards=shown,
        story=story,
        history=_history(session, table) if HistoryShown in kinds else None,
        kind=asked.kind if asked is not None else None,
        deadline=asked.deadline if asked is not None else None,
        held=asked.held if asked is not None else None,
        awaited=reading.awaited(session, match, table.match_view),
        outcome=reading.outcome_of(match) if details.ended else table.match_view.outcome,
        choices=offered,
        worked=worked,
        possible=possible(table, decision) if offering and decision is not None else [],
        closest=closest,
        offering=offering,
        goes_on=asked is not None and _goes_on(table, asked, results),
        begun=_begun(table, asked) if amiss or HelpShown in kinds else [],
        guess=guess,
        form=None if decision is None else context.links.turn(match, seat, decision),
        unreadable=any(
            isinstance(each, TurnWrong)
            and isinstance(each.verdict, Unreadable)
            and not each.verdict.possible
            and not (each.meant and each.meant.number)
            for each in results
        ),
        why=_why(table, results),
        unplayed=_unplayed(results),
        forgone=_forgone(table, results),
        filed=_filed(table, results),
        open_answer=_open_answer(table, results),
        orders=order_lines(table) if OrdersListed in kinds else [],
        rematch=(
            context.links.rematch(match, seat) if details.ended and Rematched not in kinds else None
        ),
        opened=_opened(context, results),
        resign=context.links.resign(match, seat) if ResignAsked in kinds else None,
        held_turn=details.held_turn,
        pause_asked=details.pause_asked,
        silenced=match.seats[seat].muted_why is MuteReason.COMPLAINT,
        **_values(context, details, results),
    )


def _story(session: Session, table: Table, results: Sequence[Result]) -> list[reading.HistoryEntry]:
    """What the reader's own turn brought, or what has happened since the one they missed."""
    match, seat, last = table.match, table.seat, table.match_view.n
    for result in results:
        if isinstance(result, TurnPlayed) and result.entry is not None:
            until = _last_by_plan(session, match, seat, result.entry)
            return reading.history(session, match, seat, result.entry, until)
        if isinstance(result, OrderFiled) and result.entry is not None:
            # A plan that is asked at once has played by now.
            return reading.history(session, match, seat, result.entry + 1, last)[-MOST_TOLD:]
        if isinstance(result, TurnStale) and result.entry is not None:
            return reading.history(session, match, seat, result.entry, last)[-MOST_TOLD:]
    return []


def _last_by_plan(session: Session, match: Match, seat: Seat, n: int) -> int:
    """The last entry that the seat's plan made right after this one."""
    for row in journal.rows(session, match, n + 1):
        if row.seat != seat or row.cause.actor is not Actor.PLAN:
            break
        n = row.n
    return n


class History(msgspec.Struct, frozen=True):
    """The history that "history" asks for: all of it, or the end of a long one and how many entries
    come before.
    """

    entries: list[reading.HistoryEntry]
    left_out: int


def _history(session: Session, table: Table) -> History:
    last = table.match_view.n
    first = max(0, last - MOST_TOLD + 1)
    return History(reading.history(session, table.match, table.seat, first, last), first)


def _opened(context: LetterContext, results: Sequence[Result]) -> str | None:
    """The page of the table that a "rematch" opened, for who sits at it; None for who is invited,
    whose letter has the link.
    """
    match_id = next((result.match for result in results if isinstance(result, Rematched)), None)
    if match_id is None:
        return None
    match = context.session.get_one(Match, match_id)
    mine = next((row for row in match.invitees if row.player_id == context.letter.player_id), None)
    if mine is None or mine.seat is None or mine.status != SeatStatus.ACCEPTED:
        return None
    return (
        context.links.seat(match, mine.seat)
        if match.started_at
        else context.links.table(match, mine.seat)
    )


def _guessed(result: Result) -> int | None:
    """The number of the choice that a result asks about; None for none."""
    match result:
        case TurnWrong() | NothingFound() if result.meant is not None:
            return result.meant.number
        case NumberAsked(numbers=(number,)):
            return number
    return None


def _goes_on(table: Table, asked: DecisionRow, results: Sequence[Result]) -> bool:
    """True if the mail played a part of a turn, and its reader is asked for the rest."""
    if not any(_is_newest(table, each) for each in results):
        return False
    played = table.context.session.get_one(EntryRow, (table.match.id, table.match_view.n))
    return bool(played.turn) and played.turn == asked.turn


def _begun(table: Table, asked: DecisionRow | None) -> Sequence[reading.HistoryEntry]:
    """The turn so far that its reader is asked to go on with, as the letter tells it that asks for
    the rest; nothing where a turn begins.
    """
    goes_on, story = so_far(table, asked) if asked is not None else (False, [])
    return story if goes_on else []


def _is_newest(table: Table, result: Result) -> bool:
    """True for a turn that is the newest of the match."""
    return isinstance(result, TurnPlayed) and result.entry == table.match_view.n


def _why(table: Table, results: Sequence[Result]) -> JsonObject | None:
    """The reason for a turn like the one that was played, where its game tells reasons."""
    session, match = table.context.session, table.match
    n = next((each.entry for each in results if isinstance(each, TurnPlayed)), None)
    if n is None:
        return None
    game = journal.game_of(match)
    entry = journal.entry_of(session.get_one(EntryRow, (match.id, n)))
    if not isinstance(game, ExplainsSuggestions) or not entry.actions:
        return None
    state = journal.position(session, match, n - 1).state
    actions = tuple(msgspec.convert(action, game.action_type) for action in entry.actions)
    (found,) = game.reasons(state, entry.seat, [actions])
    return None if found is None else dict(msgspec.to_builtins(found))


def _forgone(table: Table, results: Sequence[Result]) -> Forgone | None:
    """What the turn in the mail leaves unused, played or waiting; None for a mail without one."""
    session, match = table.context.session, table.match
    for result in results:
        if isinstance(result, TurnPlayed) and result.entry is not None:
            newest = _is_newest(table, result) and table.match_view.outcome is None
            return forgone.of_entry(session, match, result.entry, newest=newest)
        if isinstance(result, TurnHeld):
            return forgone.of_text(session, match, table.seat, result.text, table.context.lang)
    return None


def _closest(table: Table, decision: str | None, results: Sequence[Result]) -> list[Choice]:
    """The turns that are close to one that could not be played, or else an example of one; those
    of which it is not known which is meant.
    """
    for result in results if decision is not None else ():
        found: tuple[str, ...] = ()
        if isinstance(result, TurnWrong) and not result.order and isinstance(result.verdict, Fault):
            found = result.verdict.possible
        if isinstance(result, TurnWrong | NothingFound) and not found:
            order = isinstance(result, TurnWrong) and result.order
            found = (result.meant.example,) if result.meant and not order else ()
        if isinstance(result, SeveralTurns):
            found = result.texts
        if any(found):
            return written(table, decision or "", found)
    return []


def _unplayed(results: Sequence[Result]) -> list[JsonObject]:
    played = (result for result in results if isinstance(result, TurnPlayed))
    return [action for result in played for action in result.unplayed]


def _filed(table: Table, results: Sequence[Result]) -> list[FiledOrder]:
    """The orders that were filed by the mail, alone or with a turn."""
    for result in results:
        if isinstance(result, OrderFiled) and not result.withdrawn:
            return said_of(table, result.orders, result.actions)
        if isinstance(result, TurnChecked):
            return said_of(table, (), result.filed)
        if isinstance(result, TurnPlayed) and result.orders:
            return said_of(table, result.orders, result.filed)
    return []


def _open_answer(table: Table, results: Sequence[Result]) -> Filing | None:
    """The answer that can be changed until the last one is in: that which was given by the mail, or
    before a mail that gives none, as nothing is asked any more.
    """
    told = any(isinstance(each, NotYourTurn) for each in results)
    given = any(isinstance(each, OrderFiled) and each.answer for each in results)
    return next((each for each in filings(table) if each.answered), None) if given or told else None


def _tables(context: LetterContext, results: Sequence[Result]) -> list[ListedTable]:
    """The reader's tables, as a "status" found them."""
    found = []
    for line in next((each.tables for each in results if isinstance(each, TablesListed)), ()):
        match = context.session.get_one(Match, line.match)
        mine = line.seat
        begun = mine is not None and match.started_at is not None
        if mine is not None and begun and match.seats[mine].player_id != context.letter.player_id:
            continue  # another plays on: the link of the seat is theirs
        others = [
            seat_name(row, context.lang)
            for row in match.occupied
            if row.player_id != context.letter.player_id
        ]
        page = context.links.seat(match, mine) if mine is not None and begun else None
        found.append(
            ListedTable(
                standing=line,
                game=match.game,
                called=table_name(match),
                others=others,
                page=page,
            )
        )
    return found
