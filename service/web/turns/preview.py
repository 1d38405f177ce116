"""The contents of a turn's page: the plan, what it brings, what is wrong with what was typed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from msgspec.structs import replace
from sqlalchemy.orm import Session
from werkzeug.datastructures import MultiDict

from engine.kit import selection
from engine.kit.presentation import HasForgone, HasFurtherChoices, Plain
from engine.play import NotYourDecision, Preview
from engine.protocol import (
    LONGEST_TEXT,
    Ambiguous,
    Filed,
    Game,
    IllegalAction,
    NotationError,
    Unreadable,
)
from service.core import randomness, verdicts
from service.core.errors import Refused
from service.core.models import DecisionRow, Match, Submission
from service.core.plain import whole_number
from service.matches import journal, lines, orders, reading
from service.matches.moves import waiting_of
from service.matches.orders import OpenOrder
from service.matches.plans import (
    CANONICAL,
    LONGEST,
    Draft,
    Further,
    Line,
    Option,
    Plan,
    Towards,
    TurnBuilder,
)
from service.matches.reading import FiledOrder, order_of
from service.render.reasons import reasons_of
from service.render.templating import environment, presentation_of
from service.web import language
from service.web.grants import Access
from service.web.rendering import clock
from service.web.turns import lessons
from service.web.turns.contents import (
    Along,
    Answer,
    Blocked,
    Contents,
    Forgone,
    Offer,
    Proposal,
    SaidWith,
    Writing,
)
from service.web.turns.selection import (
    LONGEST_ADDRESS,
    Advised,
    BoardSelection,
    actions_of,
    address,
    board_selection,
    meant_by,
    subjects_of,
    with_query,
)


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """The things a reader asks the page to show: the plan that came back from it, the line they
    `opened` to change, and the text they `typed`, for the turn or for the line `at` which it is to
    stand; and the text of `orders` to be handed in with it, and the line to be `said` (None: as it
    was before).
    """

    draft: Draft = Draft()
    opened: int | None = None
    typed: str | None = None
    at: int | None = None
    orders: str = ""
    said: str | None = None


LONGEST_SAID = 2000
"""Characters of a line that are shown back to be shortened."""

PROPOSED = 3
"""Whole turns that are offered in place of a text that cannot be read."""

NOTHING = Asked()
"""What is asked of a page by its bare address."""


def asked_of(sent: MultiDict[str, str]) -> Asked:
    """The things that the fields of a form or an address ask for. Nothing in them is trusted: texts
    that do not fit are left out. Raises Refused("bad_form") for more than any turn has.
    """
    texts, shown = sent.getlist("a"), sent.getlist("w")
    if max(len(texts), len(shown)) > LONGEST or any(
        sum(map(len, some)) > LONGEST_TEXT for some in (texts, shown)
    ):
        raise Refused("bad_form", problem="long", field="a")
    along = "\n".join(_clean(line) for line in sent.get("orders", "").splitlines()).strip()
    if len(along) + sum(map(len, texts)) > LONGEST_TEXT:
        raise Refused("bad_form", problem="long", field="orders")
    at, opened = _number(sent, "line"), _number(sent, "open")
    # Who asks for the whole turn takes the rest of what was shown as their own.
    own = len(texts) if "whole" in sent else _number(sent, "own") or 0
    if "update" in sent and texts == shown and own < len(texts):
        own += 1  # who changes nothing keeps the next step as it is suggested
    return Asked(
        draft=Draft(texts=texts, shown=shown, own=own),
        opened=_number(sent, "only") if opened is None else opened,
        typed=sent.get("order"),
        at=at if at is not None and at < len(texts) else None,
        orders=along,
        said=_clean(sent["said"])[:LONGEST_SAID] if "said" in sent else None,
    )


def _clean(line: str) -> str:
    return line.replace("\0", " ").strip()


def _number(sent: MultiDict[str, str], name: str) -> int | None:
    return whole_number(sent.get(name, ""), 3)


def form(
    database: Session,
    access: Access,
    row: DecisionRow,
    *,
    asked: Asked = NOTHING,
    linked: str | None = None,
    look: str = "",
    path: str = "",
    taps: Sequence[str] = (),
    why: str | None = None,
) -> Contents:
    """The contents of the page for an open decision.

    What the reader typed is read, and what is wrong with it is told; so is the plan of a letter's
    link (`linked`): all of it is chosen, for the letter has named it. Otherwise the draft counts.
    `look` says that the reader pressed the button on a "turn", or "orders", that they
    had not been shown. `path` is the address of the page, `taps` are touches towards the next
    action, and `why` something that was touched though it cannot be used.
    """
    lang = language.current()
    match = access.match
    reached = journal.position(database, match)
    builder = TurnBuilder(journal.game_of(match), reached.state, access.seat, row.decision)
    game, seat = builder.game, access.seat
    mine = orders.open_orders(database, match, seat, reached)
    answer = wrong = None
    draft, along = asked.draft, asked.orders
    text = asked.typed if asked.typed is not None else linked
    if text is not None:
        text = text.replace("\0", " ")
        if asked.at is None and mine:
            text, along = _parted(game, reached.state, row, text, lang, along)
    waiting = waiting_for(database, match, row)
    heard = any(each.player_id and each.seat != access.seat for each in match.seats)
    line = _line(game, reached.state, row, asked.said, waiting, heard=heard)
    carried = [("orders", along)] if along else []
    carried += [("said", line.text)] if line.kept else []
    path, bare = (with_query(path, carried) if carried else path), path
    if text is not None:
        if asked.at is not None:
            draft, wrong = _read_line(builder, draft, asked.at, text, lang, path)
        else:
            draft, answer = _read(builder, text, lang, path)
    opened = asked.opened if wrong is None else asked.at
    taps = taps[:LONGEST]
    plan = builder.write(draft, opened, _further(match.game, taps), _towards(match.game, taps))
    # Of what can be done in one way alone there is nothing to choose, only to confirm.
    alone = row.blocks and not plan.own and len(plan.lines) == 1 == len(plan.lines[0].options)
    if alone:
        plan = builder.write(Draft(texts=plan.texts, shown=plan.texts, own=1))
    written = builder.localised(Draft(texts=plan.texts, shown=plan.texts), plan.texts, lang)
    order = next((each for each in mine if each.decision == row.decision), None)
    towards = (
        board_selection(plan, match.game, access.seat, path, taps)
        if path and answer is None
        else None
    )
    # What was touched and leads nowhere is answered as what cannot be used.
    if towards and len(taps) > len(towards.taps):
        why = why or taps[len(towards.taps)]
    if towards and towards.prompt.ranked and towards.taps:
        towards = replace(towards, advised=_advised(builder, plan, path))
    match_view = reading.match_view(database, match, access.seat)
    names = reading.names(match, language.current())
    if towards and towards.prompt.listed and not plan.own:
        whys = _whys(game, reached.state, row, towards.line.options, names)
        towards = replace(towards, whys=whys)
    told = answer is None and row.blocks
    goes_on, since = reading.so_far(database, match, access.seat, row, match.last_entry)
    aim, because = _aim(game, reached.state, row, plan, names) if told else ("", "")
    return Contents(
        match=match,
        seat=access.seat,
        lesson=lessons.lesson(
            database, access, match_view.view, [line.chosen.action for line in plan.lines]
        )
        if row.blocks
        else None,
        waiting=waiting,
        waiting_text=spoken(database, match, waiting, lang) if waiting is not None else "",
        names=names,
        row=row,
        clock=clock(access.player.zone),
        match_view=match_view,
        goes_on=goes_on,
        since=since,
        plan=plan,
        touch=towards,
        barred=_barred(builder, plan, towards, match.game, why) if towards and why else None,
        forgone=_forgone(plan, match.game, path) if answer is None else None,
        undo=(
            _short(address(path, plan.texts[: plan.own - 1]))
            if path and plan.own and not alone
            else None
        ),
        readable=_short(address(path, draft.texts)) or address(path, ()),
        path=bare,
        may_decide=access.may_decide,
        base=path,
        line=line,
        order=order,
        alone=alone,
        aim=aim,
        because=because,
        says=_says(game, reached.state, row, plan) if order is not None else None,
        proposals=_proposals(game, reached.state, row, towards, order),
        others=[each for each in mine if each.decision != row.decision],
        awaited=_awaited(database, access, row),
        along=_along(game, reached.state, row, along, lang),
        stopped=orders.stopped(match, seat, reached) if row.blocks else None,
        posted=_short(address(path, (*plan.texts, *plan.texts))) is None,
        notation="\n".join(written),
        writing=None if answer else _writing(plan, asked, written, text, wrong, order, lang),
        opened=asked.opened,
        dropped=builder.localised(draft, plan.dropped, lang),
        typed=text if answer else None,
        answer=answer,
        look=look,
        nonce=randomness.token_hex(12),
    )


def _towards(game: str, taps: Sequence[str]) -> Towards | None:
    """True for the actions that begin with what has been touched; None if nothing has been."""
    touches = presentation_of(game).touches
    return (lambda action: selection.fits(touches(action), taps)) if taps else None


def _awaited(database: Session, access: Access, row: DecisionRow) -> DecisionRow | None:
    """The decision that the table waits for while another is filed that nobody waits for."""
    if row.blocks:
        return None
    asked = reading.open_decisions(database, access.match, access.seat)
    return next((each for each in asked if each.blocks and access.may_decide(each.decision)), None)


def _advised(builder: TurnBuilder, plan: Plan, path: str) -> Advised:
    """What is suggested for the first line that is not the reader's, whatever has been touched."""
    begun, at = plan.texts[: plan.own], plan.own
    option = builder.write(Draft(texts=begun, shown=begun, own=at)).lines[at].chosen
    return Advised(href=address(path, begun, option=option), option=option)


def _further(game: str, taps: Sequence[str]) -> Further | None:
    """Choices that are made of what has been touched, of a game that has such."""
    shown = presentation_of(game)
    if not isinstance(shown, HasFurtherChoices):
        return None
    return partial(shown.further, touched=taps)


def _line(
    game: Game[Any, Any],
    state: Any,
    row: DecisionRow,
    said: str | None,
    waiting: Submission | None,
    *,
    heard: bool,
) -> SaidWith:
    """The line as it was typed, else that of the turn which waits to be played. Unless it is
    `heard` by other people there is none.
    """
    before = (waiting.said or "") if waiting is not None else ""
    may = heard and lines.may_be_said(game, state, row.seat, row.decision)
    text = before if said is None else said
    return SaidWith(text=text, may=may, kept=may and bool(text or before))


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
    found = _read_back(database, match, handed_in)
    if found is None:
        return handed_in.body
    builder, read = found
    return "\n".join(builder.localised(Draft(texts=read, shown=read), read, lang))


def foreseen(database: Session, match: Match, handed_in: Submission) -> Plan | None:
    """A turn that waits to be played, with the board it leads to; None if it cannot be read."""
    found = _read_back(database, match, handed_in)
    if found is None:
        return None
    builder, read = found
    return builder.write(Draft(texts=read, shown=read, own=len(read)))


def _read_back(
    database: Session, match: Match, handed_in: Submission
) -> tuple[TurnBuilder, list[str]] | None:
    """The builder of a turn that was handed in, and its actions."""
    state = journal.position(database, match).state
    try:
        game, decision = journal.game_of(match), handed_in.decision
        builder = TurnBuilder(game, state, handed_in.seat, decision)
        return builder, builder.read(handed_in.body, handed_in.lang)
    except (NotYourDecision, NotationError, IllegalAction):
        return None


def _short(href: str) -> str | None:
    """An address, unless a server on the way might find it too long."""
    return href if len(href) <= LONGEST_ADDRESS else None


def _read(builder: TurnBuilder, text: str, lang: str, path: str) -> tuple[Draft, Answer | None]:
    if not text.strip():
        return Draft(), None
    try:
        read = builder.read(text, lang)
    except (NotationError, IllegalAction) as error:
        begun = builder.begun(error)
        answer = _answer(builder, error, begun, lang, path)
        if isinstance(error, Unreadable):
            answer = replace(answer, offers=_proposed(builder, lang, path))
        return Draft(texts=tuple(begun)), answer
    return Draft(texts=tuple(read), shown=tuple(read), own=len(read)), None


def _proposed(builder: TurnBuilder, lang: str, path: str) -> list[Offer]:
    """Whole turns for who wrote what nobody can read."""
    found = []
    for texts in builder.proposals(PROPOSED):
        written = builder.localised(Draft(texts=texts, shown=texts), texts, lang)
        to, lines = _offered(path, written), builder.steps(texts)
        found.append(Offer(text=", ".join(written), href=to, lines=lines))
    return found


def _read_line(
    builder: TurnBuilder, shown: Draft, at: int, text: str, lang: str, path: str
) -> tuple[Draft, Answer | None]:
    """The plan with a text in place of one line of what was shown."""
    before, texts = list(shown.texts[:at]), list(shown.texts)
    try:
        read = builder.read("\n".join([*before, text]), lang)
    except (NotationError, IllegalAction) as error:
        kept = Draft(texts=texts, shown=texts, own=min(shown.own, at))
        return kept, _answer(builder, error, builder.begun(error), lang, path)
    if len(read) != at + 1:
        return Draft(texts=read, shown=read, own=len(read)), None
    own = max(shown.own, at + 1) if read[at] == texts[at] else shown.own
    return Draft(texts=[*before, read[at], *texts[at + 1 :]], shown=texts, own=own), None


def _writing(
    plan: Plan,
    asked: Asked,
    written: Sequence[str],
    typed: str | None,
    wrong: Answer | None,
    order: OpenOrder | None,
    lang: str,
) -> Writing | None:
    """The field for an open line: what is wrong comes first, then the line that was opened, then
    the one that is chosen next. What is on file stands in it, to be changed.
    """
    if wrong is not None and asked.at is not None:
        return Writing(line=asked.at, text=typed or "", answer=wrong)
    for at in (asked.opened, plan.own):
        if at is not None and at < len(plan.lines) and plan.lines[at].open:
            on_file = order.filed if order is not None and not plan.own else None
            return Writing(line=at, text=on_file.text[lang] if on_file else written[at])
    return None


def _parted(
    game: Game[Any, Any], state: Any, row: DecisionRow, text: str, lang: str, along: str
) -> tuple[str, str]:
    """What was typed for a decision, and what is handed in along with it, which grows by the orders
    in the text that are for others.
    """
    try:
        parted = orders.part(game, state, row.seat, row.decision, text, lang)
    except (NotationError, IllegalAction):
        return text, along  # what is wrong with it is told where it was typed
    if not parted.along:
        return text, along
    return parted.own, "\n".join(each for each in (along, parted.along) if each)


def _along(game: Game[Any, Any], state: Any, row: DecisionRow, text: str, lang: str) -> Along:
    """What a text of orders says that are handed in along with what the page is for."""
    if not text:
        return Along()
    try:
        parted = orders.part(game, state, row.seat, row.decision, text, lang)
        if parted.own:
            raise IllegalAction("no_order", "", text=parted.own)
    except (NotationError, IllegalAction) as error:
        return Along(
            text=text, answer=Answer(verdict=verdicts.fault_of(error), offers=[], expected=[])
        )
    return Along(text=text, orders=parted.orders)


def _forgone(plan: Plan, game: str, path: str) -> Forgone | None:
    """What the lines chosen so far leave, as far as their choices are listed."""
    shown = presentation_of(game)
    if not isinstance(shown, HasForgone):
        return None
    for at, line in enumerate(plan.lines[: plan.own]):
        names = shown.forgone(line.chosen.events, actions_of(game, line))
        if names:
            return Forgone(names=names, href=_short(address(path, plan.texts[:at])))
    return None


def _aim(
    game: Game[Any, Any], state: Any, row: DecisionRow, plan: Plan, names: list[str]
) -> tuple[str, str]:
    """What the whole turn comes to, of a game whose wording heads turns with that (`outcome`);
    where that is nothing, or nothing else can be done, what it is judged by (`reason`).
    """
    turn = tuple(msgspec.convert(line.chosen.action, game.action_type) for line in plan.lines)
    # Told beside another unless it is all that is offered.
    others = any(len(line.options) > 1 for line in plan.lines)
    turns = [turn, turn] if others else [turn]
    aim, why = _reasons(game, state, row, turns, names)[0]
    return aim, "" if aim and others else why.strip()


def _whys(
    game: Game[Any, Any], state: Any, row: DecisionRow, options: list[Option], names: list[str]
) -> dict[str, str]:
    """What speaks for each of these options, by its text."""
    turns = [(msgspec.convert(each.action, game.action_type),) for each in options]
    told = _reasons(game, state, row, turns, names)
    return {each.text: why for each, (_, why) in zip(options, told, strict=True)}


def _reasons(
    game: Game[Any, Any],
    state: Any,
    row: DecisionRow,
    turns: Sequence[tuple[Any, ...]],
    names: list[str],
) -> list[tuple[str, str]]:
    words: Any = (
        environment(language.current()).get_template(f"games/{game.key}/wording.txt").module
    )
    return reasons_of(game, words, state, row.seat, turns, names, first=0)


def _says(game: Game[Any, Any], state: Any, row: DecisionRow, plan: Plan) -> FiledOrder | None:
    """What an order says that is chosen and not filed yet."""
    chosen = [line.chosen.action for line in plan.lines[: plan.own]]
    return _as_filed(game, state, row, chosen) if chosen else None


def _proposals(
    game: Game[Any, Any],
    state: Any,
    row: DecisionRow,
    touched: BoardSelection | None,
    order: OpenOrder | None,
) -> list[Proposal]:
    """The orders that can be chosen by one word before anything is touched, but for the one that
    takes off file what is on it: that has a button."""
    if order is None or touched is None or touched.taps or touched.number > 1:
        return []
    removes = order.filed.withdraws if order.filed else {}
    found = [
        Proposal(
            href=href,
            action=option.action,
            says=_as_filed(game, state, row, [option.action]),
        )
        for href, option in touched.options
    ]
    return [each for each in found if each.says.text != removes]


def _as_filed(
    game: Game[Any, Any], state: Any, row: DecisionRow, chosen: Sequence[Plain]
) -> FiledOrder:
    actions = tuple(msgspec.convert(action, game.action_type) for action in chosen)
    here = Preview(game, state, row.seat).start
    return order_of(game, here, row.seat, row.kind, Filed(decision=row.decision, actions=actions))


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


def _answer(
    builder: TurnBuilder,
    error: NotationError | IllegalAction,
    begun: list[str],
    lang: str,
    path: str,
) -> Answer:
    """What to say to a text that cannot be played; `begun` is as much of it as can."""
    right = error.readings if isinstance(error, Ambiguous) else error.context.get("nearest", ())
    return Answer(
        verdict=verdicts.fault_of(error),
        offers=[
            Offer(
                text=other,
                href=_offered(path, [*begun, other]),
                lines=_meaning(builder, begun, other, lang),
            )
            for other in right
        ],
        expected=[str(word) for word in error.context.get("expected", ())],
    )


def _meaning(builder: TurnBuilder, begun: list[str], text: str, lang: str) -> Sequence[Line]:
    """The lines that a text adds to a plan; none if nothing is read in it as it stands."""
    try:
        read = builder.read("\n".join([*begun, text]), lang)
    except (NotationError, IllegalAction):
        return ()
    return builder.steps(read)[len(begun) :]


def _offered(path: str, texts: Sequence[str]) -> str | None:
    query = urlencode({"order": "\n".join(texts)}, quote_via=quote)
    return _short(f"{path}{'&' if '?' in path else '?'}{query}#plan")
