"""One letter a day instead of many: what was gathered for it, and every board that waits.

Composing is idempotent: one digest a player, local day and hour, however often it is enqueued. What
its boards show is settled when it is first taken up to be sent, as a digest may wait, too.
"""

from __future__ import annotations

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session, lazyload

from service.core.context import Service
from service.core.db import Work
from service.core.letter_details import DigestBoard, DigestDetails
from service.core.models import DecisionRow, Letter, Player, SeatRow
from service.core.statuses import LetterKind, LetterStatus
from service.mail.render.digest import is_readers, news_of
from service.matches import seeing
from service.outgoing.outbox import AWAITED, is_asked, is_unwanted, owe
from service.time.daytime import USUAL_DIGEST, digest_day, digest_hour

# A board of its own stands for these; of the others the digest says a line.
_SHOWN_AS_BOARDS = frozenset({LetterKind.TURN, LetterKind.REMINDER, LetterKind.NUDGE})
MOST_BOARDS = 40

# Made once: building a statement costs as much as running it.
# In one order by all who want them: two of them may be due at once. What is asked about each is
# read with it.
_GATHERED = (
    select(Letter, SeatRow, DecisionRow)
    .outerjoin(
        SeatRow,
        (SeatRow.match_id == Letter.match_id) & (SeatRow.player_id == Letter.player_id),
    )
    .outerjoin(
        DecisionRow,
        (DecisionRow.match_id == Letter.match_id) & (DecisionRow.decision == Letter.decision),
    )
    .where(Letter.player_id == bindparam("player"), Letter.status == LetterStatus.GATHERED)
    .order_by(Letter.id, SeatRow.id)
    .options(lazyload(Letter.player), lazyload(SeatRow.player))
    .with_for_update(of=Letter)
    .execution_options(populate_existing=True)
)
_NAMED = select(Letter.id).where(Letter.dedupe == bindparam("dedupe"))
_WAITING = AWAITED.order_by(
    DecisionRow.deadline.is_(None), DecisionRow.deadline, DecisionRow.opened_at
)


def compose(service: Service, work: Work, player: Player) -> None:
    """Owe the player's digest of now, if something was gathered for it and there is anything to
    tell. What was gathered is then told by it.

    If there has been one at this hour today, delivery looks anew at what was gathered: it may wait
    for tomorrow's, or be too pressing.
    """
    session, now = work.session, service.now()
    seats: dict[Letter, SeatRow | None] = {}
    for letter, seat, _ in session.execute(_GATHERED, {"player": player.id}):
        seats.setdefault(letter, seat)
    if not any(letter.due_at is not None and letter.due_at <= now for letter in seats):
        return  # another worker was faster
    hour = player.digest_at if player.digest_at is not None else USUAL_DIGEST
    dedupe = f"digest.{player.id}.{digest_day(player, hour, now).isoformat()}.{hour}"
    if session.scalar(_NAMED, {"dedupe": dedupe}) is not None:
        for letter in seats:
            letter.status, letter.due_at = LetterStatus.DUE, now
            work.enqueue_after_commit("mail.deliver", letter.id)
        return
    told, within = [], []
    for letter, own in seats.items():
        letter.status, letter.due_at = _next_status(session, letter, own), None
        if letter.status != LetterStatus.SENT:
            continue
        letter.sent_at = now
        within.append(letter)
        if letter.kind not in _SHOWN_AS_BOARDS:
            told.append(letter.id)
    boards = [
        board
        for board, seat in _waiting(session, player)
        if seat.muted_at is None and digest_hour(player, seat) is not None
    ][:MOST_BOARDS]
    if boards or told:
        details = DigestDetails(boards=tuple(boards), letters=tuple(told))
        owe(service, work, LetterKind.DIGEST, player, dedupe=dedupe, details=details)
        number = session.scalar(_NAMED, {"dedupe": dedupe})
        for letter in within:
            letter.told_in = number


def matches_of(letter: Letter) -> list[int]:
    """The matches whose boards a digest shows, in the order in which they are locked."""
    return sorted({board.match for board in letter.details_as(DigestDetails).boards})


def settle(session: Session, letter: Letter) -> bool:
    """Settle what a digest shows, before it is sent; its matches are locked. False if nothing is
    left to tell.

    The first time: the boards that still wait, as they are now; from then on nobody takes back what
    they show. A digest that is sent again only loses what is no longer its reader's.
    """
    details, waiting = letter.details_as(DigestDetails), _waiting(session, letter.player)
    now = {(board.match, board.decision): board for board, seat in waiting}
    if details.settled:
        boards = [board for board in details.boards if is_readers(session, letter, board)]
    else:
        asked = [(board.match, board.decision) for board in details.boards]
        boards = [now[each] for each in asked if each in now]
        for board in boards:
            seeing.note_shown(session, board.match, board.seat, board.entry)
    told = [each.id for each in news_of(session, letter)]
    letter.details = DigestDetails(boards=tuple(boards), letters=tuple(told), settled=True)
    return bool(boards or told)


def _next_status(session: Session, letter: Letter, seat: SeatRow | None) -> LetterStatus:
    """The next status of a gathered letter: told by the digest, or not. One that its reader, who
    has this seat, does not want now may be wanted again (`outbox.owe_again`).
    """
    if not is_asked(session, letter):
        return LetterStatus.DROPPED
    unwanted = is_unwanted(letter.kind, letter.player, seat)
    return LetterStatus.SUPPRESSED if unwanted else LetterStatus.SENT


def _waiting(session: Session, player: Player) -> list[tuple[DigestBoard, SeatRow]]:
    """Every decision that waits for the player, as a board, and whose seat; the most pressing
    first.
    """
    asked = session.execute(_WAITING, {"player": player.id}).all()
    return [
        (
            DigestBoard(
                match=row.match_id,
                seat=row.seat,
                decision=row.decision,
                # As of the newest entry: a later one asks others only.
                entry=last,
            ),
            seat,
        )
        for row, seat, last in asked
    ]
