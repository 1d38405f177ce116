"""Matches of other games through the whole service: tables, letters, pages, clocks."""

from __future__ import annotations

import email
import email.policy
import re
from itertools import count
from typing import Any

import pytest
from sqlalchemy import select

from engine.games import games
from service.core import locks, verdicts
from service.core.models import DecisionRow, Player, Submission
from service.core.statuses import MatchStatus
from service.matches import bots, reading, standins, undoing
from service.matches.tables import Guest
from service.players import preferences
from tests.engine.contract.walks import SHOWN_TABLES
from tests.engine.toy import GAME as TOY
from tests.support.correspondence import Correspondence
from tests.support.games import KNOWN
from tests.support.reader import Reader
from tests.support.tables import World
from tests.support.time import days, sent
from tests.web.conftest import PromptBells, Site, path

NAMES = ("Bea", "Carl", "Dora", "Emil", "Fay")
SHORTER = {TOY.key: {"rounds": 2}}
"""Options of games that would take long."""
BY_PEOPLE = 9
"""Turns that people play in a match; bots stand in for all of them afterwards."""
SIZES = [
    pytest.param(
        key,
        seats,
        by_people,
        marks=[pytest.mark.rarely]
        if seats in (3, 4, 5)
        or by_people != BY_PEOPLE
        or (key, seats) in (("mammoths", 2), ("fire_and_stone", 2))
        else [],
    )
    for key, seats in SHOWN_TABLES
    for by_people in (BY_PEOPLE, 10_000)
    if key != KNOWN
]
ENGLISH = re.compile(r"\b(Your turn|How you stand|The beginning|rests)\b")


def guests(count: int) -> list[Guest]:
    """So many people, every second of them French."""
    return [
        Guest(address=f"g{n}@example.org", name=name, lang="fr" if n % 2 else "en")
        for n, name in enumerate(NAMES[:count])
    ]


def begun(world: World, game: str, seats: int, **terms: Any) -> int:
    """A table of Ana and others that has begun; letters are sent."""
    number = world.open(guests(seats - 1), game, **terms)
    world.hear(mail=True)
    world.everybody_accepts(number)
    world.hear(mail=True)
    return number


def text_of(message: bytes) -> str:
    """What a letter says, in text and HTML."""
    parsed = email.message_from_bytes(message, policy=email.policy.default)
    parts = [parsed.get_body((kind,)) for kind in ("plain", "html")]
    return "\n".join(part.get_content() for part in parts if part is not None)


def to_the_duel(world: World, number: int) -> None:
    """Everybody's turn of the round is played."""
    while world.awaited(number).kind != "duel":
        world.submit(number)
        world.hear(mail=True)


def stand_in_for_all(site: Site, number: int) -> None:
    """Have bots play for everybody, one decision at a time: no worker hears of them."""
    assert isinstance(site.jobs, PromptBells)
    site.jobs.worker = None
    with site.service.database.write() as work:
        match = locks.lock_number(site.service, work, number)
        for row in match.seats:
            standins.put_in(site.service, work, match, row)


def a_bot_plays(site: Site) -> None:
    """The decision that a bot was asked for first is made."""
    job = next(job for job in site.jobs.enqueued if job[0] == "moves.bot")
    site.jobs.enqueued.remove(job)
    bots.play_bot(site.service, *job[1])


@pytest.mark.slow
@pytest.mark.parametrize(("key", "seats", "by_people"), SIZES)
def test_a_table_of_every_size_plays_to_its_end(
    site: Site, key: str, seats: int, by_people: int
) -> None:
    """Of every game: letters, pages of players and spectators, the film, the record."""
    number = begun(site, key, seats, options=SHORTER.get(key, {}))
    match = site.match(number)
    began = {row.seat for row in site.letters(number) if str(row.kind) in ("start", "turn")}
    assert began == set(range(seats)), "whoever is asked nothing yet is told that it begins"
    links = [path(site.links.seat(match, seat)) for seat in range(seats)]
    readers = [site.reader("fr" if seat and not seat % 2 else "en") for seat in range(seats)]
    # The default turns of a game may lead nowhere, those of a bot that wants points do not.
    wants_points = "greedy" in games()[key].bots
    for turn in count():
        if site.match(number).status != MatchStatus.PLAYING:
            break
        row = site.awaited(number)
        # In long matches not every turn is written to people and looked at.
        looked_at = turn < 9 or turn % 18 == 0
        if looked_at:
            for seat in (row.seat, (row.seat + 1) % seats):
                seen = readers[seat].get(links[seat])
                assert seen.status == 200
                assert "None" not in seen.text
            assert readers[0].get(path(site.links.watch(match))).status == 200
        if turn == by_people:
            stand_in_for_all(site, number)
        if turn >= by_people:
            a_bot_plays(site)
            continue
        site.submit(number, site.bots_turn(number, "greedy") if wants_points else None)
        site.hear(mail=looked_at)
    site.hear(mail=True)
    assert site.match(number).status == MatchStatus.ENDED
    kinds = {str(letter.kind) for letter in site.letters(number)}
    assert {"invitation", "turn", "end"} <= kinds
    assert sum(letter.kind == "end" for letter in site.letters(number)) == seats
    french = {guest.address for guest in guests(seats - 1) if guest.lang == "fr"}
    for _, to, message in site.post.sent:
        said = text_of(message)
        assert "%(" not in said
        assert not re.search(r"\bNone\b(?! of)", said)
        if to in french:
            assert not ENGLISH.search(said), ENGLISH.search(said)
    for seat in range(seats):
        assert readers[seat].get(links[seat]).status == 200
    code = match.code
    client = site.app.test_client()
    Reader(client).get(path(site.links.watch(match)))
    film = client.get(f"/m/{code}/film.gif?lang=en")
    assert film.data.startswith(b"GIF89a")
    assert readers[0].get(f"/m/{code}/record.json").status == 200


def test_a_turn_is_played_by_its_link_and_page(site: Site, toy: str) -> None:
    number = begun(site, toy, 3, hold_minutes=0)
    match, row = site.match(number), site.awaited(number)
    reader = site.reader()
    page = reader.get(site.turn_link(match, "camp hill"))
    assert page.status == 200
    form = page.form("/play/")
    assert form.all("a") == ["camp hill"]
    (button,) = [button.text for button in form.buttons if button.action]
    page = reader.press(form, button)
    assert page.status == 200
    left = site.awaited(number)
    assert (left.seat, left.kind) == (row.seat, "dig")


def test_guests_are_told_which_options_were_chosen(site: Site, toy: str) -> None:
    """In the invitation and on the pages, in their language; nothing of the rulebook's own."""
    said = {"en": "2 rounds are played.", "fr": "On joue 2 manches."}
    for options, told in (({"rounds": 2}, True), ({}, False)):
        number = site.open(guests(2), toy, options=options)
        site.hear(mail=True)
        texts = {to: text_of(raw) for _, to, raw in site.post.sent}
        for lang, address in (("en", "g0@example.org"), ("fr", "g1@example.org")):
            assert texts[address].count(said[lang]) == (2 if told else 0)
        match = site.match(number)
        guest = match.seats[1].player_id
        assert guest is not None
        asked = site.reader().get(path(site.links.invitation(match, guest)))
        begins = site.signed_in("ana@example.org").get(f"/m/{match.code}/0")
        site.everybody_accepts(number)
        begun = site.reader().get(path(site.links.seat(match, 0)))
        assert [said["en"] in page.text for page in (asked, begins, begun)] == [told] * 3


def test_a_board_of_all_is_called_nobodys(site: Site, toy: str) -> None:
    """Neither letters nor pages speak of boards of each player, or list them."""
    number = begun(site, toy, 2, options={"rounds": 1})
    match, reader = site.match(number), site.reader()
    pages = [reader.get(path(site.links.seat(match, 0)))]
    pages.append(reader.get(site.turn_link(match)))
    while site.match(number).status == MatchStatus.PLAYING:
        site.submit(number)
        site.hear(mail=True)
    said = [page.text for page in pages] + [text_of(sent) for _, _, sent in site.post.sent]
    for of_each in ("Your board", "The final boards", "The boards as they are now"):
        assert not [text for text in said if of_each in text]
    assert not [page for page in pages if "board=1" in page.source]


def test_a_turn_is_played_by_a_reply(site: Site, toy: str) -> None:
    number = begun(site, toy, 3, hold_minutes=0)
    row = site.awaited(number)
    table = Correspondence(site, number)
    mail = table.reply(row.seat, "camp ford", row.decision)
    assert mail.verdict == "played"
    assert table.answer(mail).codes == ["played"]
    assert site.awaited(number).kind == "dig"
    wrong = table.reply(row.seat, "bury 99", site.awaited(number).decision)
    assert site.awaited(number).kind == "dig"
    assert "(rule 3)" in table.answer(wrong).said


def test_who_lets_time_pass_is_reminded_and_has_the_default_played(site: Site, toy: str) -> None:
    with days(site) as time:
        number = begun(site, toy, 3, pace_days=3, timeout="default")
        late = site.awaited(number)
        time.after(days=2, hours=6)
        reminded = {seat for seat, _ in sent(site, number, "reminder")}
        assert reminded == {late.seat}
        time.after(days=1)
        assert sent(site, number, "news") == [(late.seat, "played_default")]
        # What the tile has left of the turn is not asked: its time was up before.
        assert site.awaited(number).seat != late.seat
        asked = [seat for seat, _ in sent(site, number, "turn")]
        assert asked == [late.seat, site.awaited(number).seat]


def test_everybody_who_misses_the_duel_has_a_card_played(site: Site, toy: str) -> None:
    """Each has a clock of their own; the cards are shown when the last is laid."""
    with days(site) as time:
        number = begun(site, toy, 3, pace_days=1, timeout="default", options={"rounds": 1})
        while site.awaited(number).kind != "duel":
            site.submit(number)
            time.tick()
        time.after(days=2)
        assert site.match(number).status == MatchStatus.ENDED


def test_a_digest_has_the_board_and_its_turns(site: Site, toy: str) -> None:
    with days(site) as time:
        number = begun(site, toy, 3, pace_days=10)
        row = site.awaited(number)
        player = site.match(number).seats[row.seat].player
        assert player is not None
        with site.service.database.write() as work:
            found = work.session.get_one(Player, player.id)
            preferences.change(site.service, work, found, digest=8 * 60)
        for _ in range(12):
            if site.awaited(number).seat != row.seat or site.awaited(number).kind == "duel":
                site.submit(number)
                site.hear()
            else:
                site.submit(number)
                site.hear()
            if site.awaited(number).kind == "duel":
                break
        site.post.sent.clear()
        time.after(days=1)
        digests = [m for _, to, m in site.post.sent if to == player.email]
        assert len(digests) == 1
        said = text_of(digests[0])
        assert "play " in said or "joue " in said


def test_a_card_that_was_laid_is_taken_back(site: Site, toy: str) -> None:
    number = begun(site, toy, 3, hold_minutes=0)
    to_the_duel(site, number)
    row = site.awaited(number)
    site.submit(number)
    site.hear()
    assert site.awaited(number).seat != row.seat
    with site.service.database.write() as work:
        match = locks.lock_number(site.service, work, number)
        undone = undoing.undo(site.service, work, match, row.seat)
    assert undone.decision == row.decision
    again = site.awaited(number)
    assert (again.seat, again.decision, again.deadline) == (row.seat, row.decision, row.deadline)


def test_a_second_card_replaces_the_first_until_the_last_is_laid(site: Site, toy: str) -> None:
    number = begun(site, toy, 3, hold_minutes=0)
    to_the_duel(site, number)
    row = site.awaited(number)
    with site.service.database.read() as session:
        hand = reading.match_view(session, site.match(number), row.seat).view["own"]["hand"]
    for card in hand[:2]:
        site.submit(number, f"play {card}", seat=row.seat, decision=row.decision)
        site.hear()
    with site.service.database.read() as session:
        left = reading.match_view(session, site.match(number), row.seat).view["own"]["hand"]
    assert sorted(left) == sorted({*hand} - {hand[1]})
    for _ in range(2):
        site.submit(number)
        site.hear()
    late = site.submit(number, f"play {hand[0]}", seat=row.seat, decision=row.decision)
    site.hear()
    with site.service.database.read() as session:
        done = session.get_one(Submission, late.id)
    assert done.status == "refused"
    assert isinstance(done.verdict, verdicts.Stale)


def test_spectators_see_no_hand(site: Site, toy: str) -> None:
    number = begun(site, toy, 4)
    to_the_duel(site, number)
    site.submit(number)
    site.hear()
    page = site.reader().get(path(site.links.watch(site.match(number))))
    assert "your hand" not in page.text
    assert "face down" in page.text or "?" in page.text
    assert "Waiting for 3 of 4 players." in page.text
    for name in ("Ana", "Bea", "Carl", "Dora"):
        assert f"{name}’s turn" not in page.text


def test_letters_and_pages_say_how_many_are_missing(site: Site, toy: str) -> None:
    number = begun(site, toy, 5, hold_minutes=0)
    to_the_duel(site, number)
    match = site.match(number)
    for _ in range(3):
        site.submit(number)
        site.hear()
    table = Correspondence(site, number)
    done = next(s for s in range(5) if s not in _missing(site, number))
    page = site.reader("fr").get(path(site.links.seat(match, done)))
    assert (
        "Waiting for 2 of 5 players." in page.text
        or "Réponses encore attendues\N{NO-BREAK SPACE}: 2 sur 5." in page.text
    )
    said = table.answer(table.reply(done, "status")).said
    assert "2" in said
    assert "5" in said
    assert not any(f"waits for {name}" in said for name in ("Ana", *NAMES))


def test_nudging_and_hosting_name_nobody_who_decides_in_secret(site: Site, toy: str) -> None:
    number = begun(site, toy, 3, hold_minutes=0)
    to_the_duel(site, number)
    site.submit(number)
    site.hear()
    reader = site.reader()
    match = site.match(number)
    done = next(seat for seat in range(3) if seat not in _missing(site, number))
    reader.get(path(site.links.seat(match, done)))
    time_page = reader.get(f"/m/{match.code}/{done}/time")
    assert time_page.status == 200
    buttons = [button.text for form in time_page.forms for button in form.buttons]
    assert {"Nudge whoever is missing", "Relancer les retardataires"} & set(buttons)
    match_page = reader.get(path(site.links.seat(match, done)))
    assert not re.search(r"(Nudge|Relancer) (Ana|Bea|Carl)", match_page.text)
    host = site.signed_in("ana@example.org").get(f"/m/{match.code}/0/host")
    assert host.status == 200
    others = 3 - (0 in _missing(site, number))
    assert host.text.count("decides in secret") == others, "whoever has decided, too"
    assert ("has just got the turn" in host.text) == (others == 2), "of oneself one is told"


def _missing(site: Site, number: int) -> set[int]:
    with site.service.database.read() as session:
        return set(
            session.scalars(
                select(DecisionRow.seat).where(
                    DecisionRow.match_id == number,
                    DecisionRow.closed_entry.is_(None),
                    DecisionRow.blocks,
                )
            )
        )
