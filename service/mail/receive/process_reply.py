"""Doing what a reply asks for: its commands are done, its turn is found and stored."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import msgspec

from service.access import reply_keys
from service.core import locks, verdicts
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.keys import Outdated
from service.core.models import DecisionRow, InboundMail, Key, Letter, SeatRow, Submission
from service.core.plain import tokens
from service.core.results import (
    GameCancelled,
    GameOver,
    LineUnsaid,
    Meant,
    MessageSaid,
    NoQuestion,
    NoSuchChoice,
    NotBegun,
    NothingFound,
    NotYourTurn,
    NumberAsked,
    OrderFiled,
    OrderInMessage,
    Result,
    RulesShown,
    SeatBack,
    SeatLost,
    SetBack,
    SeveralTurns,
    TurnChecked,
    TurnGivenUp,
    TurnHeld,
    TurnPlayed,
    TurnReleased,
    TurnStale,
    TurnWithdrawn,
    TurnWrong,
    Unsure,
    WordMisused,
    WordRefused,
)
from service.core.statuses import UNANSWERED, MailVerdict, MatchStatus
from service.mail.commands import orders, resigning
from service.mail.commands.command import Command, CommandContext
from service.mail.commands.copied import Printed
from service.mail.commands.courtesy import says_nothing
from service.mail.commands.numbers import choice_of
from service.mail.commands.questions import is_question, opens_like_a_question
from service.mail.commands.reading import Script, Spoken, read
from service.mail.commands.turn import CHECK
from service.mail.parse.message import Incoming
from service.mail.parse.text import LONGEST
from service.mail.receive.answered import is_of_messages, meant_by_yes
from service.mail.render.choices import beside
from service.mail.render.offered import has_offered, offered
from service.matches import journal, lines, moves, reading, standins
from service.matches.fairness import part_of_mail
from service.matches.orders import part

Results = list[Result]

NO_TURN = (
    NothingFound,
    Unsure,
    NotYourTurn,
    TurnStale,
    GameOver,
    SeatLost,
    NotBegun,
    GameCancelled,
)
"""Results that say that no turn was looked for, or none found."""

_OF_NO_TURN = (
    NothingFound,
    NotYourTurn,
    TurnStale,
    GameOver,
)
"""Results that only answer a mail in which nothing was found: who is asked about a line is asked
that alone.
"""

QUESTIONS = (
    SeveralTurns,
    OrderInMessage,
    NumberAsked,
    Unsure,
)
"""Results that ask something back."""

_OF_WHAT_STANDS = frozenset({"undo", "play", "withdraw", "resign", "yes", "no"})
"""Words that only who knows the board may mean, or what is asked."""


OF_A_SUBJECT = frozenset(
    {"mute", "unmute", "never", "status", "help", "rules", "board", "history", "orders"}
)
"""Words that an empty mail may have in its subject: an empty mail plays nothing."""


_LONGEST_QUESTION = 300
"""Characters of a question that are looked at."""

MOST_DOUBTFUL = 40
"""Paragraphs that may be a quote in which a turn is looked for, to ask about it."""


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a mail: the results to tell, or those so far and the turn to play."""

    results: Results
    submission: Submission | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The words that were done, in their order."""
        return tuple(each.word for each in self.results if each.word is not None)


def do(
    service: Service,
    work: Work,
    mail: InboundMail,
    incoming: Incoming,
    row: SeatRow,
    key: Key | None,
    outdated: Outdated | None = None,
    letters: Sequence[Letter] = (),
) -> Done:
    """Do what the words of a reply ask for and store its turn, for the decision whose letter it
    answers, or the question: that of the key it was sent to (another letter's has neither, and a
    turn means what is asked now). `letters` begin with the one it answers: prose in answer to what
    others said is said to the table, and "yes" means the turn that was asked about.

    Nothing is played for who answers an `outdated` letter: they have seen another board, maybe.
    """
    player, match = row.player, row.match
    assert player is not None
    context = CommandContext(
        service=service,
        work=work,
        player=player,
        match=match,
        row=row,
        dedupe=mail.dedupe,
        part=part_of_mail(incoming.message_id, mail.raw),
    )
    names = [guest.name for guest in match.invitees if guest.name] + [
        player.name,
        incoming.sender_name,
    ]
    reads = _reader(context, names)
    script = _script(incoming, reads)
    results: Results = []
    answered = None
    if key is not None and key.purpose == reply_keys.RESIGNING and outdated is None:
        answered = resigning.answered(context, script, key, mail.received_at)
        if answered is not None:
            results.append(answered)
            script = _without(script, resigning.ANSWERS)
            if not (script.words or script.paragraphs):
                return Done(results=results)
    asked_by = key.decision if key else None
    turn = _Turn(context, asked_by, names, reads, mail.received_at, outdated)
    above = next((s for s in script.words if s.below and turn.is_in(s.below)), None)
    if above is not None:
        # To the table it would tell what its writer meant to keep.
        results.append(OrderInMessage(below=above.word.name))
        return Done(results=results)
    if outdated is None:
        results += _return(context, script)
    if any(s.word.name == "withdraw" for s in script.words) and turn.lines_in(script.paragraphs):
        # Which of the two is meant is not for us to say, nor in which order.
        error = Refused("withdraw_alone")
        return Done(results=[*results, WordRefused(error=error.code, word="withdraw")])
    unasked = []
    suggested = meant_by_yes(letters, row) if outdated is None else None
    turn.only_checked = any(spoken.word.name == CHECK for spoken in script.words)
    script = _without(script, frozenset({CHECK}))
    script, unsaid = _take_line(script, turn)
    results += unsaid
    for spoken in script.words:
        if suggested is not None and spoken.word.name == "yes":
            script = msgspec.structs.replace(script, words=[], paragraphs=[suggested.split("\n")])
            break
        said = turn.set_back(spoken.word) or _say(context, spoken)
        if said is not None and said not in results:
            results.append(said)
        elif not says_nothing(spoken.line, names):
            unasked.append(NoQuestion(text=spoken.line[:80]))
    work.session.flush()
    released = next((r for r in results if isinstance(r, TurnReleased)), None)
    if released is not None:
        results = [r for r in results if not isinstance(r, TurnReleased)]
        if turn.line:
            results.append(LineUnsaid(text=turn.line, word="ps"))
        turn_ = work.session.get_one(Submission, released.submission)
        return Done(results=results, submission=turn_)
    if _is_for_table(incoming, letters, row, results, turn) and not turn.is_meant_in(
        script.paragraphs
    ):
        return Done(results=[*results, *_said_to_table(context, reads, incoming)])
    said_something = bool((results and (script.words or answered or unsaid)) or turn.line)
    if script.paragraphs or not said_something:
        found = turn.find(script.paragraphs, incoming, alone=not said_something)
        if isinstance(found, Submission):
            if turn.line and found.said is None:
                results.append(LineUnsaid(text=turn.line, word="ps"))
            return Done(results=results, submission=found)
        if found is not None and is_question(script.paragraphs):
            found = _explained(found, script, results)
        slips = _slips(script, found)
        if found is not None and found not in results and not (slips and _is_all(slips, script)):
            results.append(found)
        results += slips
    if turn.line:
        results.append(LineUnsaid(text=turn.line, word="ps"))
    results = _with_doubts(results, reads(incoming.doubtful), turn)
    if said_something:
        # A "yes" without a question is a greeting, but not among words that are all told of.
        results += unasked
    return Done(results=results)


def _is_for_table(
    incoming: Incoming, letters: Sequence[Letter], row: SeatRow, results: Results, turn: _Turn
) -> bool:
    """True for an answer to what others said that has no word of its own, and nothing that may be
    a quote.
    """
    done = [each for each in results if not isinstance(each, SeatBack)]
    said = incoming.whole_text.strip() and not (incoming.unmarked or incoming.doubtful.strip())
    return bool(said) and not done and not turn.line and is_of_messages(letters, row)


def _said_to_table(context: CommandContext, reads: _Reader, incoming: Incoming) -> Results:
    """What comes of a reply that says all of it to the table, as behind the word "message"."""
    spoken = reads(f"message {incoming.whole_text.strip()}").words
    said = [_say(context, each) for each in spoken[:1]]
    return [
        msgspec.structs.replace(each, by_reply=True) if isinstance(each, MessageSaid) else each
        for each in said
        if each is not None
    ]


_Reader = Callable[[str], Script]
"""Takes a text apart by what the players and the game of a match call things."""


def _reader(context: CommandContext, names: Sequence[str]) -> _Reader:
    match, row = context.table, context.row
    assert row is not None
    try:
        notation = journal.game_of(match).notation
    except KeyError:
        return partial(read, names=names)  # this server has its rules no more
    seat = row.seat
    if seat is None or match.status != MatchStatus.PLAYING:
        return partial(read, names=names, keeps=notation.keeps)

    def is_notation(line: str) -> bool:
        state = journal.position(context.work.session, match).state
        return orders.can_be_read(notation, state, seat, line, context.player.lang)

    return partial(read, names=names, keeps=notation.keeps, is_notation=is_notation)


def _with_doubts(results: Results, script: Script, turn: _Turn) -> Results:
    """The results, with a question about lines (`script`) that would do something if they were the
    writer's own, and may be a quote.
    """
    meant = [spoken.line for spoken in script.words] or turn.lines_in(script.paragraphs)
    if not meant:
        return results
    kept = [each for each in results if not isinstance(each, _OF_NO_TURN)]
    return [*kept, Unsure(text=meant[0][:200])]


def _explained(found: Result, script: Script, results: Results) -> Result:
    """What is said to a question in prose instead of `found`: where the game is explained. What its
    writer has to know besides goes into the `results`.
    """
    text = " ".join(line for lines in script.paragraphs for line in lines)[:_LONGEST_QUESTION]
    asked = RulesShown(question=True, text=text)
    match found:
        case NothingFound(forwarded=False, marked=False) | NotYourTurn():
            return asked
        case TurnWrong(verdict=verdicts.Unreadable()) if opens_like_a_question(script.paragraphs):
            return asked
        case NotBegun() | GameOver():
            results.append(found)
            return asked
    return found


def _slips(script: Script, found: Result | None) -> Results:
    """The lines that were meant as words, unless a turn was found that they may belong to."""
    if found is not None and not isinstance(found, NO_TURN):
        return []
    return [WordMisused(name=missed.word.name, text=missed.line[:80]) for missed in script.missed]


def _is_all(slips: Results, script: Script) -> bool:
    """True if nothing else was written."""
    return len(slips) == sum(map(len, script.paragraphs))


def _script(incoming: Incoming, reads: _Reader) -> Script:
    """The reply taken apart. Without a text of its own its subject may be a word: mail programs
    write so to the addresses in List-Unsubscribe (RFC 2369).
    """
    if incoming.own_text.strip() or incoming.quoted or incoming.forwarded:
        script = reads(incoming.own_text)
        # To an order "See you soon" is only its end; to the table it is meant to be said.
        takes_all = any(spoken.word.takes_all for spoken in script.words)
        return reads(incoming.whole_text) if takes_all else script
    words = reads(incoming.subject).words
    return Script(
        words=[spoken for spoken in words if spoken.word.name in OF_A_SUBJECT],
        paragraphs=[],
    )


def _take_line(script: Script, turn: _Turn) -> tuple[Script, Results]:
    """The reply without the line that is said with its turn, which the turn gets, and what is wrong
    with that line.
    """
    written = [s.arguments["text"] for s in script.words if s.word.name == "ps"]
    said = " ".join(" ".join(written).split())
    try:
        turn.line = lines.line(said)
    except Refused as refused:
        return _without(script, frozenset({"ps"})), [
            WordRefused(error=refused.code, context=refused.context, word="ps"),
            LineUnsaid(text=said, word="ps"),
        ]
    return _without(script, frozenset({"ps"})), []


def _without(script: Script, names: frozenset[str]) -> Script:
    """The reply without these words."""
    kept = [spoken for spoken in script.words if spoken.word.name not in names]
    return msgspec.structs.replace(script, words=kept)


def _return(context: CommandContext, script: Script) -> Results:
    """Who writes is there again: the seat is theirs, unless all they say is that they are away."""
    row = context.row
    if row is None or row.stand_in is None or row.left_at is not None or row.seat is None:
        return []
    if context.table.status != MatchStatus.PLAYING:
        return []
    if script.words and not script.paragraphs and all(s.word.stays_away for s in script.words):
        return []
    took = standins.take_back(context.service, context.work, context.table, row.seat)
    return [SeatBack()] if took else []


def _say(context: CommandContext, spoken: Spoken) -> Result | None:
    """Do what one word asks for. What is refused leaves no trace, but is told."""
    jobs = len(context.work.jobs)
    try:
        with context.work.session.begin_nested():
            done = spoken.word.act(context, spoken.arguments)
    except Refused as error:
        del context.work.jobs[jobs:]
        said = msgspec.to_builtins(error.context, str_keys=True)
        done = WordRefused(error=error.code, context=said)
    return None if done is None else msgspec.structs.replace(done, word=spoken.word.name)


class _Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What a reply may decide: the decision it is about; a `move` as well, or orders alone;
    `only` of these decisions, None of all that are open.
    """

    row: DecisionRow
    move: bool
    only: frozenset[str] | None = None


class _Turn:
    """The turn in a reply, and what there is to say if there is none."""

    def __init__(
        self,
        context: CommandContext,
        decision: str | None,
        names: Sequence[str],
        reads: _Reader,
        arrived: dt.datetime,
        outdated: Outdated | None,
    ) -> None:
        self._context = context
        self._decision = decision
        self._names = names
        self._reads = reads
        self._arrived = arrived
        self._outdated = outdated
        self.line = ""
        """What is to be told with the turn."""
        self.only_checked = False
        """True if the turn is to be told to its writer as it was read, and not played."""

    def set_back(self, word: Command | None = None) -> Result | None:
        """What is said instead of a turn, or of a word about one, to who answers an outdated
        letter; None to everybody else.
        """
        if self._outdated is None or (word is not None and word.name not in _OF_WHAT_STANDS):
            return None
        return SetBack(copied_at=self._outdated.copied_at, reply=True)

    def is_in(self, lines: Sequence[str]) -> bool:
        """True if these lines hold a legal turn."""
        asked = self._asked()
        if asked is None:
            return False
        below = self._reads("\n".join(lines)).paragraphs
        return isinstance(self._finder(asked, numbers=False).find(below), orders.Turn)

    def lines_in(self, paragraphs: Sequence[Sequence[str]]) -> list[str]:
        """The lines in which a turn stands, or the number of one."""
        asked = self._asked()
        if asked is None or not paragraphs:
            return []
        finder = self._finder(asked)
        words = journal.game_of(self._context.table).notation.words
        for paragraph in paragraphs[:MOST_DOUBTFUL]:
            found = finder.find([paragraph])
            if isinstance(found, orders.Turn | orders.Several | orders.Unsure):
                alike = [line for line in paragraph if orders.resembles(words, line)]
                return alike or list(paragraph)
        return []

    def is_meant_in(self, paragraphs: Sequence[Sequence[str]]) -> bool:
        """True if these lines hold a turn, or one with a slip: what somebody may have kept secret.
        A word of the game alone is none.
        """
        words = journal.game_of(self._context.table).notation.words
        return bool(self.lines_in(paragraphs)) or any(
            orders.resembles(words, line) and len(tokens(line)) > 1
            for lines in paragraphs
            for line in lines
        )

    def find(
        self, paragraphs: Sequence[Sequence[str]], incoming: Incoming, *, alone: bool
    ) -> Submission | Result | None:
        """Store the turn, or say what is to be mended. None if nothing needs to be said: prose
        beside words. `alone`: there were no words.
        """
        context = self._context
        match, row = context.table, context.row
        assert row is not None
        if match.status != MatchStatus.PLAYING or row.seat is None or row.left_at is not None:
            return self._too_late(row) if alone else None
        if (set_back := self.set_back()) is not None:
            return set_back if alone or self._looks_like_a_turn(paragraphs) else None
        asked = self._asked()
        if asked is None:
            told = alone or self._looks_like_a_turn(paragraphs)
            return self._not_asked(orders_too=False) if told else None
        finder = self._finder(asked)
        found = finder.find(paragraphs)
        if not asked.move and not finder.is_order(found):
            told = alone or self._looks_like_a_turn(paragraphs)
            return self._not_asked(orders_too=True) if told else None
        if isinstance(found, orders.Turn) and incoming.length > LONGEST:
            found = orders.cut_off(found, incoming.length)
        match found:
            case orders.Turn() if self.only_checked:
                return self._checked(found)
            case orders.Turn():
                return self._store(asked.row, finder.decision_of(found), found.text, incoming)
            case orders.Mend():
                fault = msgspec.structs.replace(
                    verdicts.fault_of(found.error), possible=tuple(found.instead)
                )
                order = finder.speaks_of_orders(found.text)
                meant = self._meant(finder, paragraphs, fault)
                return TurnWrong(text=found.text[:500], verdict=fault, order=order, meant=meant)
            case orders.Several():
                return SeveralTurns(texts=tuple(found.texts))
            case orders.NoSuchChoice():
                return NoSuchChoice(number=found.number, offered=found.offered)
            case orders.Unsure():
                return NumberAsked(numbers=tuple(found.numbers), texts=tuple(found.texts))
            case orders.Nothing():
                forwarded = incoming.forwarded and not incoming.own_text.strip()
                if not alone:
                    return None
                inside = incoming.unmarked and not incoming.forwarded
                return NothingFound(
                    forwarded=forwarded,
                    marked=incoming.marked,
                    inside=inside,
                    meant=self._meant(finder, paragraphs),
                )

    def _meant(
        self,
        finder: orders.Finder,
        paragraphs: Sequence[Sequence[str]],
        fault: verdicts.AnyVerdict | None = None,
    ) -> Meant | None:
        """The choice that a reply comes near to, where the notation itself had no better guess."""
        if fault is not None and (not isinstance(fault, verdicts.Unreadable) or fault.possible):
            return None
        found = finder.near(paragraphs)
        return None if found is None else Meant(named=found.named, number=found.number)

    def _checked(self, found: orders.Turn) -> Result:
        """The turn as it was read."""
        context, row = self._context, self._context.row
        assert row is not None
        assert row.seat is not None
        game = journal.game_of(context.table)
        state = journal.position(context.work.session, context.table).state
        # No decision of its own: the moves are told by themselves, all orders apart.
        read = part(game, state, row.seat, "", found.text, context.player.lang)
        filed = [action for order in read.orders for action in order.actions]
        return TurnChecked(text=read.own, filed=tuple(filed), word=CHECK)

    def _not_asked(self, *, orders_too: bool) -> Result:
        """Nothing can be played: the letter's question is answered, or there was none."""
        decided = self._decided()
        if decided is None:
            return NotYourTurn(orders=orders_too)
        return TurnStale(entry=decided.closed_entry, orders=orders_too)

    def _too_late(self, row: SeatRow) -> Result:
        match = self._context.table
        if row.left_at is not None:
            return SeatLost(why=row.left_why)
        if match.status == MatchStatus.ENDED:
            return GameOver()
        if match.status == MatchStatus.CANCELLED:
            return GameCancelled()
        return NotBegun(invited=row.status in UNANSWERED)

    def _decided(self) -> DecisionRow | None:
        """The decision whose letter was answered, if it is made."""
        if self._decision is None:
            return None
        key = (self._context.table.id, self._decision)
        row = self._context.work.session.get(DecisionRow, key)
        return row if row is not None and row.closed_entry is not None else None

    def _asked(self) -> _Asked | None:
        """What the reply decides, if it is still open: of the letter answered, else what is asked
        now, else any order. Orders have no letter of their own: they answer also a letter whose
        question is answered, if they could be filed by then (what is asked later is about a board
        that the letter does not show).
        """
        context = self._context
        row = context.row
        if row is None or row.seat is None or context.table.status != MatchStatus.PLAYING:
            return None
        mine = reading.open_decisions(context.work.session, context.table, row.seat)
        if self._decision is None:
            found = mine
        else:
            found = [each for each in mine if each.decision == self._decision]
        if found:
            move = any(each.blocks for each in mine)
            return _Asked(row=found[0], move=move)
        decided = self._decided()
        until = decided.closed_entry if decided is not None else None
        if until is None:
            return None
        known = [each for each in mine if not each.blocks and each.opened_entry <= until]
        if not known:
            return None
        return _Asked(row=known[0], move=False, only=frozenset(each.decision for each in known))

    def _looks_like_a_turn(self, paragraphs: Sequence[Sequence[str]]) -> bool:
        words = journal.game_of(self._context.table).notation.words
        return any(
            orders.resembles(words, line) or choice_of(line, self._names) is not None
            for lines in paragraphs
            for line in lines
        )

    def _finder(self, asked: _Asked, *, numbers: bool = True) -> orders.Finder:
        context, row = self._context, asked.row
        match, session = context.table, context.work.session
        chosen = None
        if numbers and self._decision is not None:
            chosen = lambda: self._printed(row)  # noqa: E731
        return orders.Finder(
            journal.game_of(match),
            journal.position(session, match).state,
            row.seat,
            row.decision,
            context.player.lang,
            chosen,
            self._names,
            asked.only,
        )

    def _printed(self, row: DecisionRow) -> list[Printed]:
        """The choices as the letter prints them; none if it had not left."""
        context, lang = self._context, self._context.player.lang
        session = context.work.session
        if not has_offered(session, row, context.player.id, self._arrived):
            return []
        return [
            Printed(text=choice.notation, words=tuple(choice.deeds), beside=beside(choice, lang))
            for choice in offered(context.service, session, context.table, row)
        ]

    def _store(
        self, asked: DecisionRow, decision: str, text: str, incoming: Incoming
    ) -> Submission:
        context = self._context
        jobs = len(context.work.jobs)
        stored = moves.receive(
            context.service,
            context.work,
            match=locks.locked(context.service, context.work, context.table),
            seat=asked.seat,
            decision=decision,
            body=text,
            lang=context.player.lang,
            source="reply",
            dedupe=f"reply.{context.dedupe}",
            received_at=self._arrived,
            said=self._line_with(asked, decision),
        )
        # Played at once, by who handles the mail: a job for another would make them race.
        del context.work.jobs[jobs:]
        return stored

    def _line_with(self, asked: DecisionRow, decision: str) -> str:
        """The line that goes with this turn: that of the mail, or of the turn it takes the place
        of; none where it would tell what is secret.
        """
        session, match = self._context.work.session, self._context.table
        state = journal.position(session, match).state
        if not lines.may_be_said(journal.game_of(match), state, asked.seat, decision):
            return ""
        if self.line:
            return self.line
        waiting = moves.waiting(session, match, decision)
        return (waiting.said or "") if waiting is not None else ""


_VERDICTS: Final[Mapping[type[Result], MailVerdict]] = {
    TurnStale: MailVerdict.STALE,
    TurnWithdrawn: MailVerdict.WITHDRAWN,
    TurnGivenUp: MailVerdict.DEAD_LETTER,
    NotYourTurn: MailVerdict.WAITING,
    GameOver: MailVerdict.OVER,
    GameCancelled: MailVerdict.CANCELLED,
    NotBegun: MailVerdict.NOT_BEGUN,
    SeatLost: MailVerdict.LEFT,
    SeatBack: MailVerdict.SEAT_BACK,
    SetBack: MailVerdict.SET_BACK,
    OrderInMessage: MailVerdict.ORDER_IN_MESSAGE,
    RulesShown: MailVerdict.NOTHING_SAID,
}


def verdict_of(results: Sequence[Result]) -> MailVerdict:
    """The verdict on a mail, for the operator."""
    if any(isinstance(r, TurnWrong) and isinstance(r.verdict, verdicts.Ambiguous) for r in results):
        return MailVerdict.QUESTION
    if any(isinstance(each, TurnPlayed) for each in results):
        return MailVerdict.PLAYED
    if any(isinstance(each, OrderFiled) for each in results):
        return MailVerdict.FILED
    if any(isinstance(each, TurnHeld) for each in results):
        return MailVerdict.HELD
    if any(isinstance(each, (TurnWrong, NoSuchChoice)) for each in results):
        return MailVerdict.MEND
    if any(isinstance(each, QUESTIONS) for each in results):
        return MailVerdict.QUESTION
    if any(each.word is not None for each in results):
        return MailVerdict.WORD
    if not results or any(isinstance(each, (NothingFound, WordMisused)) for each in results):
        return MailVerdict.NOTHING_SAID
    return _VERDICTS.get(type(results[0]), MailVerdict.WORD)
