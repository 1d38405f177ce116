"""Orders in letters: an invitation to file ahead, a place in other letters, and what a plan did."""

from __future__ import annotations

import re

from service.core.models import Match
from service.core.statuses import LetterKind
from service.matches import hosting, standins
from service.matches.tables import Guest, answer
from service.outgoing.policies import policy_of
from service.players import preferences
from tests.games.playing import opened, to_the_duel
from tests.games.test_orders import file, seats_after
from tests.support.letters_to_png import parts_of
from tests.support.tables import World
from tests.support.time import days, sent
from tests.web.conftest import Site, path


def letters_to(world: World, number: int, seat: int) -> list[tuple[str, str]]:
    """The subject and text of every letter the player of a seat has got."""
    player = world.match(number).seats[seat].player
    assert player is not None
    found = [parts_of(message) for _, to, message in world.post.sent if to == player.email]
    return [(str(head["Subject"]), text.replace("\r\n", "\n")) for head, text, _, _ in found]


def to_the_next_round(world: World, number: int) -> None:
    """The first round is played, by default turns."""
    to_the_duel(world, number)
    world.post.sent.clear()
    while world.awaited(number).kind == "duel":
        world.submit(number)
        world.hear(mail=True)


def kinds_of(world: World, number: int, entry: int) -> dict[int, list[str]]:
    """The kinds of letters of an entry, by seat."""
    found: dict[int, list[str]] = {}
    for letter in world.letters(number):
        if letter.entry == entry and letter.seat is not None and letter.kind != "reminder":
            found.setdefault(letter.seat, []).append(str(letter.kind))
    return found


def test_who_may_file_ahead_is_invited_by_one_letter(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    assert not sent(world, number, "orders"), "the first letters tell of the first round"
    to_the_next_round(world, number)
    mover = world.awaited(number)
    found = kinds_of(world, number, world.match(number).last_entry)
    assert found == {seat: ["turn" if seat == mover.seat else "orders"] for seat in range(3)}
    for seat in range(3):
        if seat != mover.seat:
            ((subject, text),) = letters_to(world, number, seat)
            lang = world.match(number).seats[seat].lang
            assert {"en": "plan ahead if you like", "fr": "prépare la suite"}[lang] in subject
            assert {"en": "Nobody is waiting", "fr": "Personne ne t’attend"}[lang] in text
            lead = " ".join(text.partition("http")[0].split())
            assert {"en": " turn. You will get", "fr": "Tu recevras une lettre"}[lang] in lead
            assert {"en": "the bounty", "fr": "la prime"}[lang] in text
    assert policy_of(LetterKind.ORDERS).mutable
    assert not policy_of(LetterKind.ORDERS).dated


def test_an_invitation_has_no_clock_reminder_or_calendar(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    to_the_next_round(world, number)
    invited = [letter for letter in world.letters(number) if letter.kind == LetterKind.ORDERS]
    assert invited
    assert all(date.cancelled for letter in invited for date in letter.notes.calendar)
    with days(world) as time:
        time.after(days=2, hours=6)
    reminded = {seat for seat, _ in sent(world, number, "reminder")}
    assert reminded == {world.awaited(number).seat}


def test_nobody_is_invited_whose_turn_has_come_meanwhile(world: World, toy: str) -> None:
    number = opened(world, toy, 2)
    to_the_duel(world, number)
    world.submit(number)
    world.hear(mail=True)
    world.post.sent.clear()
    world.submit(number)
    world.hear()
    (invited,) = [letter for letter in world.letters(number) if letter.kind == LetterKind.ORDERS]
    first = world.awaited(number).seat
    while world.awaited(number).seat == first:
        world.submit(number)
        world.hear()
    world.hear(mail=True)
    kinds = {letter.id: letter.status for letter in world.letters(number)}
    assert kinds[invited.id] == "dropped"


def test_a_digest_gathers_invitations(world: World, toy: str) -> None:
    number = opened(world, toy, 2)
    to_the_duel(world, number)
    for row in world.match(number).seats:
        with world.changing() as work:
            found = work.session.merge(row)
            assert found.player is not None
            preferences.change(world.service, work, found.player, digest=8 * 60)
    while world.awaited(number).kind == "duel":
        world.submit(number)
        world.hear(mail=True)
    (invited,) = [letter for letter in world.letters(number) if letter.kind == LetterKind.ORDERS]
    assert invited.status == "gathered"


def test_a_turn_letter_says_what_is_on_file_and_why_a_plan_stopped(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    first, second, _ = seats_after(world, number)
    file(world, number, second, "file", "plan always camp cave / wolf rest / grass rest")
    while world.awaited(number).seat == first:
        world.submit(number)
        world.hear(mail=True)
    assert (world.awaited(number).seat, world.awaited(number).kind) == (second, "dig")
    _, text = letters_to(world, number, second)[-1]
    assert world.match(number).seats[second].lang == "en"
    assert "Your plan has no answer to this, so you are asked." in text
    assert "Line 2 does not fit here (only with a wolf)." in " ".join(text.split())
    assert "(as you had planned)" in text
    assert "~ plan always camp cave / wolf rest / grass rest" in text
    assert text.index("Rest or draw") < text.index("What you can plan ahead")
    others = [
        letter for seat in (first, 3 - first - second) for letter in letters_to(world, number, seat)
    ]
    assert not [said for _, said in others if "camp cave" in said or "planned" in said]


def test_who_is_asked_nothing_finds_orders_in_the_first_letter(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    _, second, _ = seats_after(world, number)
    _, text = letters_to(world, number, second)[-1]
    assert "What you can plan ahead" in text
    assert text.count("/t/") == 2, "a link for each"


def test_who_takes_a_seat_over_can_file_by_the_links_of_their_letter(site: Site, toy: str) -> None:
    number = opened(site, toy, 3)
    second = next(seat for seat in seats_after(site, number)[1:] if seat)
    with site.changing() as work:
        match = work.session.get_one(Match, number)
        guest = Guest(address="nina@example.org", name="Nina", lang="en")
        row = hosting.replace(site.service, work, match, second, guest)
        assert row.player is not None
        token = site.service.keys.token("invitation", number, row.player.id)
    site.post.sent.clear()
    with site.service.database.write() as work:
        answer(site.service, work, token, "accept")
    site.hear(mail=True)
    text = next(text for subject, text in letters_to(site, number, second) if "File a plan" in text)
    (link,) = re.findall(r"File a plan\nNo plan yet\.\nPlan ahead:\n(\S+)", text)
    assert "You need not plan" in site.reader().get(path(link)).text


def test_no_invitation_goes_to_bots_and_who_is_away(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    to_the_duel(world, number)
    first = seats_after(world, number)[0]
    away = (first + 1) % 3
    with world.changing() as work:
        work.session.get_one(Match, number).seats[away].stand_in = "random"
    while world.awaited(number).kind == "duel":
        world.submit(number)
        world.hear(mail=True)
    invited = {seat for seat, _ in sent(world, number, "orders")}
    assert away not in invited
    with world.changing() as work:
        standins.take_back(world.service, work, work.session.get_one(Match, number), away)
    world.hear(mail=True)
    assert {seat for seat, _ in sent(world, number, "orders")} == invited
