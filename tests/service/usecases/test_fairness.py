"""Chance that nobody can choose: a secret committed to first, and what everybody adds who comes."""

from __future__ import annotations

import hashlib
import json

import pytest

from engine.games import games
from engine.record import decode
from engine.verification import verify
from service.core.models import InboundMail, Match
from service.core.results import InvitationAnswered
from service.mail.receive import inbound
from service.matches import hosting, leaving, moves, opening, records, rematch, tables
from service.matches.tables import BotSeat, Guest
from service.time.terms import Terms
from tests.support.correspondence import Correspondence, published_by
from tests.support.tables import World
from tests.support.time import at

BEN = Guest(address="ben@example.org", name="Ben")
CAM = Guest(address="cam@example.org", name="Cam")
HOSTS, BENS, CAMS = (bytes([n]) * 32 for n in (1, 2, 3))
SECRET = bytes(range(32))


def answer(
    world: World, match_id: int, name: str, part: bytes | None, reply: str = "accept"
) -> None:
    row = next(row for row in world.match(match_id).invitees if row.name == name)
    token = world.service.keys.token("invitation", match_id, row.player_id)
    with world.service.database.write() as work:
        tables.answer(world.service, work, token, reply, part)


def exported(world: World, match_id: int) -> bytes:
    with world.service.database.read() as session:
        return records.export(session, session.get_one(Match, match_id))


def end(world: World, match_id: int) -> None:
    """Everybody but the host gives up."""
    for row in world.match(match_id).seats[1:]:
        if row.player is not None:
            with at(world, match_id) as (work, match):
                if match.status == "playing":
                    leaving.resign(world.service, work, match, row.seat or 0)


def invitations(world: World, match_id: int) -> list[list[str]]:
    post = Correspondence(world, match_id)
    return [published_by(post, letter) for letter in world.letters(match_id, "invitation")]


def test_the_commitment_and_the_hosts_part_stand_in_the_invitation(
    world: World, game_key: str
) -> None:
    match_id = world.open([BEN, CAM], game_key, part=HOSTS, secret=SECRET)
    match = world.match(match_id)
    commitment = hashlib.sha256(SECRET).hexdigest()
    assert (match.commitment, match.seed, match.parts) == (commitment, b"", None)
    texts = invitations(world, match_id)
    assert len(texts) == 2
    for published in texts:
        assert published == [commitment, HOSTS.hex()]


def test_the_seed_is_made_of_the_secret_and_all_parts(world: World, game_key: str) -> None:
    match_id = world.open([BEN, CAM], game_key, part=HOSTS, secret=SECRET)
    answer(world, match_id, "Cam", CAMS)
    assert world.match(match_id).seed == b""
    answer(world, match_id, "Ben", BENS)
    match = world.match(match_id)
    numbered = b"".join(n.to_bytes(8, "big") + part for n, part in enumerate((HOSTS, BENS, CAMS)))
    seed = hashlib.sha256(SECRET + b"paleopost seed" + numbered).digest()
    assert (match.seed, match.seed_hash) == (seed, hashlib.sha256(seed).hexdigest())
    post = Correspondence(world, match_id)
    for letter in [*world.letters(match_id, "start"), *world.letters(match_id, "turn")]:
        told = [match.commitment, HOSTS.hex(), BENS.hex(), CAMS.hex(), match.seed_hash]
        assert published_by(post, letter) == told
    running = exported(world, match_id)
    assert SECRET.hex().encode() not in running
    assert [p["part"] for p in json.loads(running)["fairness"]["parts"]] == [
        HOSTS.hex(),
        BENS.hex(),
        CAMS.hex(),
    ]
    end(world, match_id)
    record = decode(exported(world, match_id))
    verify(record, games())
    assert record.fairness is not None
    assert record.fairness.secret == SECRET.hex()
    for letter in world.letters(match_id, "end"):
        whole = {SECRET.hex(), HOSTS.hex(), BENS.hex(), CAMS.hex(), seed.hex()}
        assert whole <= set(published_by(post, letter))


def test_another_part_is_another_deal(world: World, game_key: str) -> None:
    states = set()
    for part in (BENS, CAMS):
        match_id = world.open([BEN], game_key, part=HOSTS, secret=SECRET)
        answer(world, match_id, "Ben", part)
        states.add(json.loads(exported(world, match_id))["setup"]["digest"])
    assert len(states) == 2


def test_who_does_not_come_adds_nothing(world: World, game_key: str) -> None:
    match_id = world.open([BEN, CAM], game_key, part=HOSTS)
    answer(world, match_id, "Ben", BENS, "decline")
    answer(world, match_id, "Cam", CAMS)
    world.wait_out(match_id)
    fairness = json.loads(exported(world, match_id))["fairness"]
    assert fairness["parts"] == [
        {"seat": 0, "name": "Ana", "part": HOSTS.hex()},
        {"seat": 1, "name": "Cam", "part": CAMS.hex()},
    ]


def test_a_mail_that_came_after_the_page_has_added_nothing(world: World, game_key: str) -> None:
    match_id = world.open([BEN, CAM], game_key, part=HOSTS)
    post = Correspondence(world, match_id)
    ben = world.player("ben@example.org")
    to = post.guest_address(ben.id)
    answer(world, match_id, "Ben", BENS)
    told = post.answer(post.send(ben.email, to, "yes")).first(InvitationAnswered)
    assert told.added is None


def test_bots_add_nothing_and_the_first_answer_counts(world: World, game_key: str) -> None:
    bot = next(iter(games()[game_key].bots))
    match_id = world.open([BEN, BotSeat(bot=bot)], game_key)
    answer(world, match_id, "Ben", BENS)
    answer(world, match_id, "Ben", CAMS)
    fairness = json.loads(exported(world, match_id))["fairness"]
    assert fairness["parts"] == [{"seat": 1, "name": "Ben", "part": BENS.hex()}]
    end(world, match_id)
    verify(decode(exported(world, match_id)), games())


def test_a_mail_adds_the_hash_of_its_message_id(world: World, game_key: str) -> None:
    match_id = world.open([BEN, CAM], game_key, part=HOSTS)
    post = Correspondence(world, match_id)
    ben = world.match(match_id).invitees[1].player
    assert ben is not None
    mail = post.send(
        ben.email, post.guest_address(ben.id), "yes", message_id="<unguessable.1@mail.example.org>"
    )
    added = hashlib.sha256(b"unguessable.1@mail.example.org").hexdigest()
    row = world.match(match_id).invitees[1]
    assert (row.status, row.part) == ("accepted", bytes.fromhex(added))
    assert added in post.answer(mail).said


def test_a_mail_without_a_message_id_adds_its_own_hash(world: World, game_key: str) -> None:
    match_id = world.open([BEN, CAM], game_key)
    post = Correspondence(world, match_id)
    ben = world.match(match_id).invitees[1].player
    assert ben is not None
    to = post.guest_address(ben.id)
    lines = post.written(ben.email, to, "yes").splitlines(keepends=True)
    raw = b"".join(line for line in lines if not line.lower().startswith(b"message-id"))
    stored = post.take(raw, to, ben.email)
    assert stored is not None
    inbound.handle(world.service, stored)
    with world.service.database.read() as session:
        kept = session.get_one(InboundMail, stored).raw
    row = world.match(match_id).invitees[1]
    assert (row.status, row.part) == ("accepted", hashlib.sha256(kept).digest())


@pytest.mark.on_postgresql
def test_who_takes_a_seat_over_adds_nothing_and_who_left_it_stays_named(
    world: World, game_key: str
) -> None:
    match_id = world.open([BEN, CAM], game_key, part=HOSTS)
    answer(world, match_id, "Ben", BENS)
    answer(world, match_id, "Cam", CAMS)
    seed = world.match(match_id).seed
    dan = Guest(address="dan@example.org", name="Dan")
    with at(world, match_id) as (work, match):
        hosting.replace(world.service, work, match, 1, dan)
    (text,) = invitations(world, match_id)[2:]
    commitment = world.match(match_id).commitment
    assert commitment is not None
    assert commitment not in text
    answer(world, match_id, "Dan", bytes(32))
    found = world.match(match_id)
    assert (found.seed, found.seats[1].name, found.seats[1].part) == (seed, "Dan", None)
    parts = json.loads(exported(world, match_id))["fairness"]["parts"]
    assert [part["name"] for part in parts] == ["Ana", "Ben", "Cam"]
    end(world, match_id)
    verify(decode(exported(world, match_id)), games())


@pytest.mark.on_postgresql
def test_the_form_commits_to_the_secret_of_the_match_it_opens(world: World, game_key: str) -> None:
    host = world.player("ana@example.org", name="Ana")
    bot = BotSeat(bot=next(iter(games()[game_key].bots)))
    shown = opening.commitment(world.service, host.id, "once")
    code = opening.open_once(world.service, host.id, "once", game_key, [bot], Terms(), {}, HOSTS)
    with world.service.database.read() as session:
        match = session.query(Match).filter_by(code=code).one()
        fairness = json.loads(records.export(session, match))["fairness"]
    assert match.commitment == shown == fairness["commitment"]
    assert [part["part"] for part in fairness["parts"]] == [HOSTS.hex()]
    assert opening.commitment(world.service, host.id, "twice") != shown
    assert opening.commitment(world.service, host.id + 1, "once") != shown


@pytest.mark.on_postgresql
def test_the_same_table_again_has_a_secret_and_parts_of_its_own(
    world: World, game_key: str
) -> None:
    match_id = world.open([BEN], game_key, part=HOSTS)
    answer(world, match_id, "Ben", BENS)
    end(world, match_id)
    old = world.match(match_id)
    with world.service.database.read() as session:
        shown = rematch.commitment(world.service, session, old, old.host_id)
    post = Correspondence(world, match_id)
    mail = post.reply(0, "rematch", message_id="<again.7@mail.example.org>")
    added = hashlib.sha256(b"again.7@mail.example.org")
    assert added.hexdigest() in post.answer(mail).said
    with world.service.database.read() as session:
        again = session.query(Match).filter_by(rematch_of=match_id).one()
        assert again.commitment == shown != old.commitment
        assert again.invitees[0].part == added.digest()


def test_default_turns_of_a_table_are_what_the_record_says(world: World, game_key: str) -> None:
    match_id = world.open([BEN], game_key, part=HOSTS)
    answer(world, match_id, "Ben", BENS)
    for _ in range(4):
        asked = world.awaited(match_id)
        turn = world.submit(match_id, source="default")
        with world.changing() as work:
            row = work.session.get_one(type(asked), (match_id, asked.decision))
            row.expired_at = world.service.now()
        assert moves.play(world.service, turn.id).status == "played"
    end(world, match_id)
    record = decode(exported(world, match_id))
    assert {entry.cause for entry in record.entries} == {"default"}
    verify(record, games())
