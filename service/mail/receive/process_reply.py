"""Doing what a reply asks for: its commands are done, its turn is found and stored."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from service.access import reply_keys
from service.core import verdicts
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.keys import Outdated
from service.core.models import InboundMail, Key, Letter, SeatRow, Submission
from service.core.results import (
    GameCancelled,
    GameOver,
    LineUnsaid,
    MessageSaid,
    NoQuestion,
    NotBegun,
    NothingFound,
    NotYourTurn,
    OrderInMessage,
    Result,
    RulesShown,
    SeatBack,
    SeatLost,
    TurnReleased,
    TurnStale,
    TurnWrong,
    Unsure,
    WordMeant,
    WordMisused,
    WordRefused,
)
from service.core.statuses import MatchStatus
from service.mail.commands import resigning
from service.mail.commands.arguments import Text
from service.mail.commands.asked import can_be_read
from service.mail.commands.command import CommandContext
from service.mail.commands.courtesy import says_nothing
from service.mail.commands.questions import asks_leave, is_question, opens_like_a_question
from service.mail.commands.reading import Script, Spoken, nearly_a_word, read
from service.mail.commands.turn import CHECK
from service.mail.parse.message import Incoming
from service.mail.receive.answered import (
    is_of_messages,
    meant_of,
    says_yes,
    turns_asked,
    word_meant_by_yes,
)
from service.mail.receive.turn_of_reply import Reader, TurnOfReply
from service.matches import journal, lines, standins
from service.matches.fairness import part_of_mail

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


OF_A_SUBJECT = frozenset(
    {"mute", "unmute", "never", "status", "help", "rules", "board", "history", "orders"}
)
"""Words that an empty mail may have in its subject: an empty mail plays nothing."""


_LONGEST_QUESTION = 300
"""Characters of a question that are looked at."""


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
    meant = word_meant_by_yes(letters, row) if outdated is None else None
    if meant is not None and _is_yes(script):
        script = reads(meant)
    asked_by = key.decision if key else None
    asked_about = turns_asked(letters, row) if outdated is None else ()
    suggested = asked_about[0] if len(asked_about) == 1 else None
    turn = TurnOfReply(context, asked_by, names, reads, mail.received_at, outdated, suggested)
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
    turn.only_checked = asks_leave(script.paragraphs) or any(
        spoken.word.name == CHECK for spoken in script.words
    )
    script = _without(script, frozenset({CHECK}))
    script, unsaid = _take_line(script, turn)
    results += unsaid
    for spoken in script.words:
        if suggested is not None and spoken.word.name == "yes":
            script = _agreed(script, spoken, suggested, names)
            break
        said = turn.set_back(spoken.word) or _say(context, spoken)
        if said is not None and said not in results:
            results.append(said)
        elif not says_nothing(spoken.line, names):
            unasked.append(NoQuestion(text=spoken.line[:80]))
    work.session.flush()
    # Until a turn takes it, or if none does.
    line: Results = [LineUnsaid(text=turn.line, word="ps")] if turn.line else []
    released = next((r for r in results if isinstance(r, TurnReleased)), None)
    if released is not None:
        results = [r for r in results if not isinstance(r, TurnReleased)]
        played = work.session.get_one(Submission, released.submission)
        return Done(results=[*results, *line], submission=played)
    if (
        suggested is not None
        and not script.words
        and says_yes(script.paragraphs)
        and not turn.is_meant_in(script.paragraphs)
    ):
        script = _with_turn(script, suggested)
    elif not script.words and (chosen := meant_of(asked_about, script.paragraphs)) is not None:
        script = _with_turn(script, chosen)
    if _is_for_table(incoming, letters, row, results, turn) and not turn.is_meant_in(
        script.paragraphs
    ):
        return Done(results=[*results, *_said_to_table(context, reads, incoming)])
    said_something = bool((results and (script.words or answered or unsaid)) or turn.line)
    if script.paragraphs or not said_something:
        found = turn.find(script.paragraphs, incoming, alone=not said_something)
        if isinstance(found, Submission):
            unsaid = line if found.said is None else []
            return Done(results=[*results, *unsaid], submission=found)
        if suggested is None and _is_yes(script) and _says_nothing_else(found):
            found = NothingFound(yes=True)
        results += _without_turn(found, script, incoming, names, results)
    results = _with_doubts([*results, *line], reads(incoming.doubtful), turn)
    if said_something:
        # A "yes" without a question is a greeting, but not among words that are all told of.
        results += unasked
    return Done(results=results)


def _without_turn(
    found: Result | None,
    script: Script,
    incoming: Incoming,
    names: Sequence[str],
    before: Results,
) -> Results:
    """What is told of a reply in which no turn was found, besides what words came to `before`."""
    told: Results = []
    if found is not None and is_question(script.paragraphs) and not _is_wish(found):
        found = _explained(found, script, told)
    if not script.words:
        found = _slip_of_word(found, incoming, names) or found
    slips = _slips(script, found)
    known = found is None or found in before or found in told
    if found is not None and not known and not (slips and _is_all(slips, script)):
        told.append(found)
    return [*told, *slips]


def _agreed(script: Script, yes: Spoken, turn: str, names: Sequence[str]) -> Script:
    """The reply as if it said the turn that its yes means; with the yes before the rest, where it
    goes on: "Yes,", and below it "but take ritual-camp".
    """
    rest = [line for lines in script.paragraphs for line in lines]
    if all(says_nothing(line, names) for line in rest):
        return _with_turn(script, turn)
    words = [each for each in script.words if each is not yes]
    return msgspec.structs.replace(script, words=words, paragraphs=[[yes.line, *rest]])


def _with_turn(script: Script, turn: str) -> Script:
    """The reply as if it said this turn, and had no words."""
    return msgspec.structs.replace(script, words=[], paragraphs=[turn.split("\n")])


def _is_yes(script: Script) -> bool:
    """True for a reply that says yes, and nothing else."""
    return all(spoken.word.name == "yes" for spoken in script.words) and (
        says_yes(script.paragraphs) or bool(script.words and not script.paragraphs)
    )


def _says_nothing_else(found: Submission | Result | None) -> bool:
    """True if no turn was found, nor one that may be meant."""
    match found:
        case NothingFound(meant=meant) | TurnWrong(verdict=verdicts.Unreadable(), meant=meant):
            return meant is None or meant.number is None
    return False


def _is_wish(found: Submission | Result) -> bool:
    return isinstance(found, NothingFound | NotYourTurn | TurnStale) and bool(found.wish)


def _slip_of_word(
    found: Submission | Result | None, incoming: Incoming, names: Sequence[str]
) -> WordMeant | None:
    """The question whether a word was meant that is written with a slip, where nothing else was
    found; None if it is none.
    """
    match found:
        case TurnWrong(verdict=verdicts.Unreadable(possible=())):
            nothing = found.meant is None or found.meant.number is None
        case NothingFound():
            nothing = found.meant is None or found.meant.number is None
        case _:
            nothing = isinstance(found, NotYourTurn | TurnStale | GameOver)
    if not nothing:
        return None
    if incoming.forwarded or incoming.unmarked or incoming.doubtful.strip():
        return None
    meant = nearly_a_word(incoming.own_text.strip(), names)
    return WordMeant(text=meant) if meant is not None else None


def _is_for_table(
    incoming: Incoming, letters: Sequence[Letter], row: SeatRow, results: Results, turn: TurnOfReply
) -> bool:
    """True for an answer to what others said that has no word of its own, and nothing that may be
    a quote.
    """
    done = [each for each in results if not isinstance(each, SeatBack)]
    said = incoming.whole_text.strip() and not (incoming.unmarked or incoming.doubtful.strip())
    return bool(said) and not done and not turn.line and is_of_messages(letters, row)


def _said_to_table(context: CommandContext, reads: Reader, incoming: Incoming) -> Results:
    """What comes of a reply that says all of it to the table, as behind the word "message"."""
    spoken = reads(f"message {incoming.whole_text.strip()}").words
    said = [_say(context, each) for each in spoken[:1]]
    return [
        msgspec.structs.replace(each, by_reply=True) if isinstance(each, MessageSaid) else each
        for each in said
        if each is not None
    ]


def _reader(context: CommandContext, names: Sequence[str]) -> Reader:
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
        return can_be_read(notation, state, seat, line, context.player.lang)

    return partial(read, names=names, keeps=notation.keeps, is_notation=is_notation)


def _with_doubts(results: Results, script: Script, turn: TurnOfReply) -> Results:
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


def _script(incoming: Incoming, reads: Reader) -> Script:
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


def _take_line(script: Script, turn: TurnOfReply) -> tuple[Script, Results]:
    """The reply without the line that is said with its turn, which the turn gets, and what is wrong
    with that line.
    """
    written = (s.arguments for s in script.words if s.word.name == "ps")
    said = " ".join(" ".join(each.text for each in written if isinstance(each, Text)).split())
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
