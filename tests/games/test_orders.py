"""Orders that players file, plans that act for them, and the one clock of a turn, in a match."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import pytest
from sqlalchemy import select

from engine.journal import replay
from engine.protocol import Asks
from service.core import locks, verdicts
from service.core.errors import Refused
from service.core.models import DecisionRow, EntryRow, Match, Submission
from service.core.statuses import Actor, SubmissionStatus
from service.matches import journal, leaving, reading, undoing
from service.matches.tables import BotSeat
from tests.engine.toy import plans as toy_plans
from tests.games.playing import asked, opened, to_the_duel
from tests.support.tables import World
from tests.support.time import days, row_of, sent


def entries(world: World, number: int) -> list[EntryRow]:
    """The journal, without its set-up."""
    with world.service.database.read() as session:
        query = select(EntryRow).where(EntryRow.match_id == number, EntryRow.n > 0)
        return list(session.scalars(query.order_by(EntryRow.n)))


def order_of(world: World, number: int, seat: int, kind: str) -> DecisionRow:
    """The open decision of a seat that it may make."""
    with world.service.database.read() as session:
        return session.scalars(
            select(DecisionRow).where(
                DecisionRow.match_id == number,
                DecisionRow.seat == seat,
                DecisionRow.kind == kind,
                DecisionRow.closed_entry.is_(None),
            )
        ).one()


def file(world: World, number: int, seat: int, kind: str, text: str) -> Submission:
    """File an order, by the link of its own."""
    row = order_of(world, number, seat, kind)
    stored = world.submit(number, text, seat=seat, decision=row.decision)
    world.hear(mail=True)
    with world.service.database.read() as session:
        return session.get_one(Submission, stored.id)


def seats_after(world: World, number: int) -> Sequence[int]:
    """The seats in the order in which they play this round."""
    first = world.awaited(number).seat
    count = len(world.match(number).seats)
    return [(first + step) % count for step in range(count)]


def others_see(world: World, number: int, seat: int) -> tuple[object, ...]:
    """What there is about others: their letters and what they are asked."""
    letters = [(x.kind, x.seat, x.entry) for x in world.letters(number) if x.seat != seat]
    with world.service.database.read() as session:
        rows = session.scalars(select(DecisionRow).where(DecisionRow.match_id == number)).all()
        open_ = [(r.decision, r.asks, r.deadline, r.closed_entry) for r in rows if r.seat != seat]
    return letters, sorted(open_)


def test_an_order_is_replaced_as_often_as_its_player_likes(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    seat = world.awaited(number).seat
    other = (seat + 1) % 3
    before = others_see(world, number, other)
    for place in ("hill", "ford", "none", "hill"):
        done = file(world, number, other, "watch", f"watch {place}")
        assert done.status == SubmissionStatus.PLAYED
    made = entries(world, number)
    assert [(e.seat, e.asks, e.number, e.turn) for e in made] == [(other, Asks.MAY, 0, "")] * 4
    assert others_see(world, number, other) == before
    again = file(world, number, other, "watch", "watch hill")
    assert again.status == SubmissionStatus.REFUSED
    assert isinstance(again.verdict, verdicts.Illegal)


def test_what_is_on_file_is_shown_to_its_player_alone(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    seat = world.awaited(number).seat
    file(world, number, seat, "watch", "watch hill")
    with world.service.database.read() as session:
        match = session.get_one(Match, number)
        views = {who: reading.match_view(session, match, who) for who in (0, 1, 2, None)}
    (filed,) = views.pop(seat).filed
    assert (filed.kind, filed.text) == ("watch", {"en": "watch hill", "fr": "guette colline"})
    assert all(not view.filed for view in views.values())


def test_an_order_handed_in_as_the_answer_to_a_letter_leaves_its_turn_open(
    world: World, toy: str
) -> None:
    number = opened(world, toy, 3)
    with world.changing() as work:
        work.session.get_one(Match, number).hold_minutes = 10
    turn = world.awaited(number)
    stored = world.submit(number, "watch hill")
    world.hear(mail=True)
    (made,) = entries(world, number)
    assert (made.decision, made.asks) == (f"0.watch.{turn.seat}", Asks.MAY)
    assert world.awaited(number).decision == turn.decision
    with world.service.database.read() as session:
        assert session.get_one(Submission, stored.id).decision == made.decision


def test_a_move_answers_a_letter_that_offers_an_order(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    seat = world.awaited(number).seat
    done = file(world, number, seat, "watch", "camp wood, rest")
    assert done.status == SubmissionStatus.PLAYED
    assert entries(world, number)[0].asks is Asks.MUST


def test_a_plan_makes_a_turn_that_nobody_is_asked_for(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    first, second, third = seats_after(world, number)
    plan = "plan always camp wood / always rest"
    assert file(world, number, second, "file", plan).status == SubmissionStatus.PLAYED
    world.submit(number, "camp ford, rest")
    world.hear(mail=True)
    while world.awaited(number).seat == first:
        world.submit(number, "rest")
        world.hear(mail=True)
    planned = [e for e in entries(world, number) if e.cause.actor is Actor.PLAN]
    assert planned
    assert {e.seat for e in planned} == {second}
    assert {e.turn for e in planned} == {"1"}
    assert world.awaited(number).seat == third
    turns = [seat for seat, _ in sent(world, number, "turn")]
    assert second not in turns
    made = row_of(world, number, planned[-1].decision or "")
    assert (made.closed_entry, made.deadline) == (planned[-1].n, None)


def test_the_clock_of_a_turn_goes_on_after_what_it_reveals(world: World, toy: str) -> None:
    with days(world) as time:
        number = opened(world, toy, 3, pace_days=4)
        turn = world.awaited(number)
        time.after(days=1)
        world.submit(number, "camp hill")
        world.hear(mail=True)
        left = world.awaited(number)
        assert (left.seat, left.turn, left.kind) == (turn.seat, "1", "dig")
        assert left.deadline == turn.deadline
        time.after(days=2, hours=23, minutes=30)
        world.submit(number, "draw")
        world.hear(mail=True)
        last = world.awaited(number)
        assert (last.kind, last.deadline) == ("bury", world.service.now() + dt.timedelta(hours=1))
        # Each kind of reminder came once for the turn.
        reminded = [which for seat, which in sent(world, number, "reminder") if seat == turn.seat]
        assert len(set(reminded)) == len(reminded)


def test_a_bank_is_filled_up_once_a_turn(world: World, toy: str) -> None:
    with days(world) as time:
        number = opened(world, toy, 3, pace_days=0, bank_hours=48, increment_hours=6)
        seat = world.awaited(number).seat
        for hours, text in ((10, "camp hill"), (5, "draw"), (1, None)):
            time.after(hours=hours)
            world.submit(number, text)
            world.hear(mail=True)
        assert world.awaited(number).seat != seat
        assert world.match(number).seats[seat].bank_left == (48 - 16 + 6) * 3600


def test_a_plan_for_when_time_is_up_comes_before_the_default(world: World, toy: str) -> None:
    with days(world) as time:
        number = opened(world, toy, 3, pace_days=1, timeout="default")
        seat = world.awaited(number).seat
        assert file(world, number, seat, "file", "plan late camp cave / late rest").entry == 1
        assert world.awaited(number).seat == seat
        time.after(days=1, hours=1)
        made = [(e.seat, e.cause.actor) for e in entries(world, number)[1:]]
        assert made == [(seat, Actor.PLAN)] * len(made)
        assert world.awaited(number).seat != seat
        assert not sent(world, number, "news")


@pytest.mark.parametrize("timeout", ["wait", "drop", "bot"])
def test_who_has_planned_for_it_is_not_late(world: World, toy: str, timeout: str) -> None:
    with days(world) as time:
        number = opened(world, toy, 4, pace_days=1, timeout=timeout)
        seat = world.awaited(number).seat
        file(world, number, seat, "file", "plan late camp cave / late rest")
        time.after(days=1, hours=1)
        assert world.awaited(number).seat != seat
        row = world.match(number).seats[seat]
        assert (row.left_at, row.stand_in) == (None, None)


def test_the_plans_of_who_left_say_nothing(world: World, toy: str) -> None:
    number = opened(world, toy, 4)
    second = seats_after(world, number)[1]
    file(world, number, second, "file", "plan always camp wood / always rest")
    with world.service.database.write() as work:
        leaving.resign(world.service, work, locks.lock_number(world.service, work, number), second)
    while not any(e.seat == second and e.number for e in entries(world, number)):
        world.submit(number)
        world.hear(mail=True)
    actors = {e.cause.actor for e in entries(world, number) if e.seat == second and e.number > 0}
    assert actors == {Actor.BOT}


def test_a_bot_is_offered_orders(world: World, toy: str) -> None:
    number = world.open([BotSeat(bot="random")], toy, hold_minutes=0)
    world.hear(mail=True)
    filed = [e for e in entries(world, number) if e.asks is not Asks.MUST]
    assert {e.cause.actor for e in filed} <= {Actor.BOT}
    with world.service.database.read() as session:
        rows = session.scalars(
            select(DecisionRow).where(DecisionRow.match_id == number, ~DecisionRow.blocks)
        ).all()
    assert rows
    assert all(row.enqueued_at is None for row in rows)


def test_an_order_does_not_wake_a_table_that_sleeps(world: World, toy: str) -> None:
    with days(world) as time:
        number = opened(world, toy, 2, pace_days=1, timeout="default")
        while world.match(number).paused_at is None:
            time.after(days=1, hours=1)
        seat = 1 - world.awaited(number).seat
        file(world, number, seat, "watch", "watch ford")
        assert world.match(number).paused_at is not None


def test_a_step_taken_back_leaves_one_clock(world: World, toy: str) -> None:
    with days(world) as time:
        number = opened(world, toy, 3, pace_days=2, bank_hours=24, increment_hours=6)
        to_the_duel(world, number)
        world.submit(number)
        world.hear()
        # Seat 0 has laid a card and may lay another: nothing more is asked of it.
        before = row_of(world, number, "1.duel.0")
        assert before.asks is Asks.MAY
        time.pass_unnoticed(minutes=5)
        with world.service.database.write() as work:
            match = locks.lock_number(world.service, work, number)
            undoing.undo(world.service, work, match, 0)
        assert {row.seat for row in asked(world, number)} == {0, 1, 2}
        with world.service.database.write() as work, pytest.raises(Refused):
            match = locks.lock_number(world.service, work, number)
            undoing.undo(world.service, work, match, 0)


def take_back(world: World, number: int, seat: int) -> undoing.Undone:
    """A player takes the newest turn back."""
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, number)
        return undoing.undo(world.service, work, match, seat)


def step(world: World, number: int) -> DecisionRow:
    """The seat to move rests, which reveals nothing; nobody has been told of it yet."""
    world.submit(number)
    world.hear(mail=True)
    row = world.awaited(number)
    assert row.kind == "dig"
    world.submit(number, "rest")
    world.hear()
    return row


def test_a_turn_is_taken_back_beside_the_silent_orders_of_others(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    row = step(world, number)
    others = [seat for seat in range(3) if seat != row.seat]
    for seat, place in zip(others, ("hill", "wood"), strict=True):
        asked_for = order_of(world, number, seat, "watch")
        world.submit(number, f"watch {place}", seat=seat, decision=asked_for.decision)
    world.hear()
    assert undoing_of(world, number, row.seat) is None
    assert take_back(world, number, row.seat).decision == row.decision
    assert world.awaited(number).decision == row.decision
    made = entries(world, number)
    assert [e.n for e in made] == list(range(1, len(made) + 1))
    assert [e.seat for e in made[-2:]] == others
    assert {e.number for e in made[-2:]} == {made[-3].number}
    with world.service.database.read() as session:
        match = session.get_one(Match, number)
        handed_in = session.scalars(
            select(Submission).where(Submission.match_id == number, Submission.seat.in_(others))
        )
        assert sorted(s.entry or 0 for s in handed_in) == [made[-2].n, made[-1].n]
        *_, reached = replay(
            journal.game_of(match), journal.setup_of(match), map(journal.entry_of, made), match.seed
        )
        assert reached.n == match.last_entry
    step_again = world.submit(number, "rest")
    world.hear(mail=True)
    with world.service.database.read() as session:
        assert session.get_one(Submission, step_again.id).status == SubmissionStatus.PLAYED


def undoing_of(world: World, number: int, seat: int) -> str | None:
    """Why this seat cannot take its turn back."""
    with world.service.database.read() as session:
        return undoing.obstacle(session, session.get_one(Match, number), seat)


def test_whether_a_turn_can_be_taken_back_tells_nothing_of_orders(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    row = step(world, number)
    other = (row.seat + 1) % 3
    before = [undoing_of(world, number, seat) for seat in range(3) if seat != other]
    asked_for = order_of(world, number, (row.seat + 1) % 3, "watch")
    world.submit(number, "watch hill", seat=other, decision=asked_for.decision)
    world.hear()
    assert [undoing_of(world, number, seat) for seat in range(3) if seat != other] == before


def test_an_order_is_taken_back_as_long_as_nothing_followed(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    seat = (world.awaited(number).seat + 1) % 3
    file(world, number, seat, "watch", "watch hill")
    file(world, number, seat, "watch", "watch ford")
    take_back(world, number, seat)
    with world.service.database.read() as session:
        view = reading.match_view(session, session.get_one(Match, number), seat)
    assert [filed.text["en"] for filed in view.filed] == ["watch hill"]
    world.submit(number)
    world.hear()
    assert undoing_of(world, number, seat) == "nothing_to_undo"


def test_a_turn_is_counted_once_however_many_entries_it_has(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    to_the_duel(world, number)
    turns = [(e.seat, e.number) for e in entries(world, number) if e.asks is Asks.MUST]
    assert len(turns) > 3
    assert len(set(turns)) == 3
    assert {n for _, n in turns} == {1, 2, 3}


def test_the_clock_goes_on_over_what_a_plan_does_in_the_middle(world: World, toy: str) -> None:
    with days(world) as time:
        number = opened(world, toy, 3, pace_days=4)
        turn = world.awaited(number)
        file(world, number, turn.seat, "file", "plan always draw")
        time.after(days=1)
        world.submit(number, "camp hill")
        world.hear(mail=True)
        last = world.awaited(number)
        assert (last.seat, last.kind, last.deadline) == (turn.seat, "bury", turn.deadline)


@pytest.mark.parametrize("timeout", ["drop", "wait"])
def test_what_a_late_plan_leaves_open_is_asked_with_an_hour(
    world: World, toy: str, timeout: str
) -> None:
    with days(world) as time:
        number = opened(world, toy, 4, pace_days=1, timeout=timeout)
        seat = world.awaited(number).seat
        file(world, number, seat, "file", "plan late camp cave")
        time.after(days=1, minutes=5)
        left = world.awaited(number)
        assert (left.seat, left.kind) == (seat, "dig")
        assert left.deadline == world.service.now() + dt.timedelta(hours=1)
        assert [who for who, _ in sent(world, number, "turn")][-1] == seat
        assert world.match(number).seats[seat].left_at is None


def test_a_plan_that_fails_is_not_the_tables_trouble(
    world: World, toy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = opened(world, toy, 3)
    second = seats_after(world, number)[1]
    file(world, number, second, "file", "plan always camp wood / always rest")

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(toy_plans, "planned", broken)
    while world.awaited(number).seat != second:
        world.submit(number)
        world.hear(mail=True)
    assert world.awaited(number).kind == "camp"
