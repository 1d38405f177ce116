"""What is thrown away in time, and that whatever depends on old letters still has an answer."""

from __future__ import annotations

import datetime as dt
import email
from collections.abc import Iterable
from typing import Any

import pytest
from sqlalchemy import select, text, update

from service.access.links import Links
from service.core import locks
from service.core.keys import digest_of, seat_scope
from service.core.models import Base, EntryRow, Key, Letter, Match, Submission
from service.mail.parse.reports import Failure
from service.mail.render import render
from service.mail.send import delivery, resending
from service.mail.send.resending import NotResendable
from service.matches import journal, leaving, records, rematch, undoing
from service.matches.chronicle import public_views
from service.matches.tables import Guest
from service.ops import retention
from service.outgoing.policies import LASTING
from service.players import bounces
from tests.support.correspondence import Correspondence
from tests.support.snapshots import once
from tests.support.tables import World, of_all

pytestmark = pytest.mark.slow

BEN = "ben@example.org"


def started(world: World, game_key: str) -> int:
    match_id = world.begun([Guest(address=BEN, name="Ben")], game_key)
    world.hear(mail=True)
    return match_id


def play(world: World, match_id: int, turns: int = 1000) -> None:
    while turns and world.match(match_id).status == "playing":
        world.submit(match_id)
        world.hear(mail=True)
        turns -= 1


def end(world: World, match_id: int) -> None:
    """Ben gives up, and with two at the table that is the end."""
    with world.service.database.write() as work:
        leaving.resign(world.service, work, locks.lock_number(world.service, work, match_id), 1)
    world.hear(mail=True)
    assert world.match(match_id).status == "ended"


def age(world: World, match_id: int, days: float, *, up_to: int | None = None) -> None:
    """Let the match, or its entries up to one, be older."""
    with world.changing() as work:
        at = world.service.now() - dt.timedelta(days=days)
        entries = update(EntryRow).where(EntryRow.match_id == match_id)
        if up_to is None:
            work.session.execute(
                update(Match).where(Match.id == match_id).values(ended_at=at),
                execution_options=of_all(work),
            )
        else:
            entries = entries.where(EntryRow.n <= up_to)
        work.session.execute(entries.values(made_at=at), execution_options=of_all(work))


def snapshots(world: World, match_id: int) -> list[int]:
    with world.service.database.read() as session:
        kept = select(EntryRow.n).where(EntryRow.match_id == match_id, EntryRow.state.is_not(None))
        return list(session.scalars(kept.order_by(EntryRow.n)))


def sent(world: World, match_id: int, kinds: Iterable[str] = ()) -> dict[int, bytes]:
    """Every letter that has left, as it would be sent again."""
    with world.service.database.read() as session:
        letters = session.scalars(
            select(Letter).where(Letter.match_id == match_id, Letter.status == "sent")
        ).all()
        return {
            letter.id: render(world.service, session, letter)
            for letter in letters
            if not kinds or letter.kind in kinds
        }


def written_down(world: World, match_id: int) -> tuple[Any, ...]:
    """The journal, the record, and the whole match as everybody may see it."""
    columns = [column for column in Base.metadata.tables["entry"].columns if column.name != "state"]
    with world.service.database.read() as session:
        match = session.get_one(Match, match_id)
        entries = select(*columns).where(EntryRow.match_id == match_id).order_by(EntryRow.n)
        return (
            [tuple(row) for row in session.execute(entries)],
            records.export(session, match),
            public_views(session, match),
            journal.position(session, match),
        )


@pytest.fixture
def every_tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches of tests are short."""
    monkeypatch.setattr(retention, "EVERY", 10)


@pytest.mark.usefixtures("every_tenth")
def test_old_snapshots_go_and_nothing_is_told_otherwise(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    play(world, match_id, 18)
    assert snapshots(world, match_id) == list(range(19))
    age(world, match_id, 8, up_to=15)
    letters, match = sent(world, match_id), written_down(world, match_id)
    assert retention.drop_snapshots(world.service) == 1
    assert snapshots(world, match_id) == [0, 10, 15, 16, 17, 18]
    assert retention.drop_snapshots(world.service) == 0
    assert sent(world, match_id) == letters
    assert written_down(world, match_id) == match
    play(world, match_id, 1)
    assert world.match(match_id).last_entry == 19


@pytest.mark.on_postgresql
def test_the_newest_snapshot_stays_however_old_it_is(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    play(world, match_id, 3)
    age(world, match_id, 400, up_to=3)
    retention.drop_snapshots(world.service)
    assert snapshots(world, match_id) == [0, 3]
    play(world, match_id, 1)
    age(world, match_id, 8, up_to=4)
    retention.drop_snapshots(world.service)
    assert snapshots(world, match_id) == [0, 4]


@pytest.mark.on_postgresql
def test_what_was_begun_is_gone_on_with(
    world: World, game_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few entries at a time, and one sweep breaks down before it has noted how far it came."""
    matches = [started(world, game_key) for _ in range(2)]
    for match_id in matches:
        play(world, match_id, 5)
        age(world, match_id, 8, up_to=5)
    monkeypatch.setattr(retention, "BATCH", 4)
    with monkeypatch.context() as broken:

        def breaks(*_: object) -> None:
            raise RuntimeError("the machine is switched off")

        broken.setattr(retention, "_remember", breaks)
        with pytest.raises(RuntimeError):
            retention.drop_snapshots(world.service)
    sweeps = 0
    while retention.drop_snapshots(world.service):
        sweeps += 1
    assert sweeps == 3
    assert [snapshots(world, match_id) for match_id in matches] == [[0, 5], [0, 5]]


def test_a_turn_is_taken_back_to_where_no_snapshot_is(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    play(world, match_id, 4)
    row = world.awaited(match_id)
    world.submit(match_id)
    world.jobs.enqueued = [job for job in world.jobs.enqueued if job[0] == "moves.play"]
    world.hear()
    with world.changing() as work:
        work.session.get_one(EntryRow, (match_id, 5)).revealed = False
    age(world, match_id, 8, up_to=5)
    retention.drop_snapshots(world.service)
    assert snapshots(world, match_id) == [0, 5]
    with world.service.database.write() as work:
        undoing.undo(
            world.service, work, locks.lock_number(world.service, work, match_id), row.seat
        )
    assert snapshots(world, match_id) == [0]
    assert world.awaited(match_id).decision == row.decision
    play(world, match_id, 2)
    assert snapshots(world, match_id) == [0, 5, 6]


@pytest.fixture
def over(world: World, game_key: str) -> Correspondence:
    """A match that was over long ago, and has been pruned."""

    def reach() -> int:
        match_id = started(world, game_key)
        play(world, match_id, 5)
        end(world, match_id)
        return match_id

    match_id = once(world, "over after five turns", reach)
    world.letters_before = sent(world, match_id)  # type: ignore[attr-defined]
    age(world, match_id, 89)
    assert retention.prune_matches(world.service) == 0
    age(world, match_id, 91)
    world.match_before = written_down(world, match_id)  # type: ignore[attr-defined]
    retention.drop_snapshots(world.service)
    assert retention.prune_matches(world.service) == 1
    assert retention.prune_matches(world.service) == 0
    return Correspondence(world, match_id)


def test_the_journal_and_the_last_letters_stay(world: World, over: Correspondence) -> None:
    assert written_down(world, over.match_id) == world.match_before  # type: ignore[attr-defined]
    before: dict[int, bytes] = world.letters_before  # type: ignore[attr-defined]
    for number, raw in sent(world, over.match_id, LASTING).items():
        assert raw == before[number]
    letters = world.letters(over.match_id)
    assert {letter.id for letter in letters} == set(before)
    assert all(not x.stored_details for x in letters if x.kind not in LASTING)


@pytest.mark.on_postgresql
def test_links_to_single_turns_go_and_the_others_stay(world: World, over: Correspondence) -> None:
    with world.service.database.read() as session:
        purposes = set(session.scalars(select(Key.purpose).where(Key.match_id == over.match_id)))
        assert purposes == {"seat", "watch", "rematch", "reply", "invitation", "unsubscribe"}
        row = world.match(over.match_id).seats[0]
        turn = session.scalars(
            select(Submission.decision).where(
                Submission.match_id == over.match_id, Submission.seat == row.seat
            )
        ).first()
        keys = world.service.keys
        token = keys.token("decision", *seat_scope(row, turn))
        assert session.get(Key, digest_of(token)) is None
        seat = keys.token("seat", *seat_scope(row))
        assert session.get(Key, digest_of(seat)) is not None


def test_replies_to_old_letters_are_answered(world: World, over: Correspondence) -> None:
    with world.service.database.read() as session:
        decision = session.scalars(
            select(Submission.decision).where(
                Submission.match_id == over.match_id, Submission.seat == 1
            )
        ).first()
    gone = over.reply(1, "status", decision=decision or "")
    assert over.answer(gone).codes == ["unknown_address"]
    kept = over.reply(1, "status")
    assert over.answer(kept).codes == ["status"]
    bens = {x.id for x in world.letters(over.match_id) if x.player.email == BEN}
    threads = {
        email.message_from_bytes(raw)["References"]
        for number, raw in world.letters_before.items()  # type: ignore[attr-defined]
        if number in bens
    }
    told = world.letters(over.match_id, "end")[1]
    assert over.rendered(told)["References"] in threads


@pytest.mark.on_postgresql
def test_an_old_letter_can_come_back_and_cannot_go_again(
    world: World, over: Correspondence
) -> None:
    def of(kind: str) -> Letter:
        return next(x for x in world.letters(over.match_id, kind) if x.player.email == BEN)

    with world.service.database.write() as work:
        turn = work.session.get_one(Letter, of("turn").id)
        hard = Failure(recipient=BEN, status="5.1.1", hard=True, diagnostic="no such user")
        bounces.count(world.service, work, turn, [hard])
        assert turn.player.bounce_score == 1
        for anew in (False, True):
            with pytest.raises(NotResendable, match="over"):
                resending.again(world.service, work, turn, anew=anew)
    with world.service.database.write() as work:
        end = work.session.get_one(Letter, of("end").id)
        resending.again(world.service, work, end)
    before = len(world.post.sent)
    assert delivery.deliver(world.service, world.post, end.id)
    assert world.post.sent[before][2] == world.letters_before[end.id]  # type: ignore[attr-defined]


def test_the_same_table_again(world: World, over: Correspondence) -> None:
    match = world.match(over.match_id)
    token = Links(world.service).rematch(match, 0).rpartition("/")[2]
    with world.service.database.write() as work:
        assert rematch.rematch(world.service, work, token).rematch_of == match.id


@pytest.mark.on_postgresql
def test_a_letter_that_still_waits_is_kept(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    world.post.fail = ConnectionRefusedError("nobody there")
    end(world, match_id)
    age(world, match_id, 91)
    waiting = {x.id for x in world.letters(match_id) if x.due_at is not None}
    assert waiting
    retention.prune_matches(world.service)
    assert waiting <= {x.id for x in world.letters(match_id)}


@pytest.mark.on_postgresql
def test_a_match_that_goes_on_is_not_pruned(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    play(world, match_id, 4)
    with world.service.database.write() as work:
        at = (world.service.now() - dt.timedelta(days=400)).replace(tzinfo=None)
        work.session.execute(text("UPDATE match SET started_at = :at").bindparams(at=at))
    before = world.letters(match_id)
    assert retention.prune_matches(world.service) == 0
    assert [x.id for x in world.letters(match_id)] == [x.id for x in before]


def test_pages_of_sqlite_are_free_again(sqlite_url: str, game_key: str) -> None:
    """A row that only shrinks would leave a gap that nothing fills."""
    from service.core.context import Service
    from tests.support.tables import Jobs, settings_for

    jobs = Jobs()
    world = World(Service(settings_for(sqlite_url), jobs), jobs)
    match_id = started(world, game_key)
    play(world, match_id)
    age(world, match_id, 91)

    def used() -> int:
        with world.service.database.engine.connect() as connection:
            pages = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in NAMES]
            return int(pages[0] or 0) - int(pages[1] or 0)

    before = used()
    retention.drop_snapshots(world.service)
    retention.prune_matches(world.service)
    turns = world.match(match_id).last_entry
    assert before - used() > turns * 2000 / 4096
    world.service.database.dispose()


NAMES = ("page_count", "freelist_count")
