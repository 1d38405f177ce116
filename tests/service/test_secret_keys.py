"""Secret keys come and go: what was made with one holds as long as it is listed, and a lost one
is noticed.
"""

from __future__ import annotations

from email.utils import parseaddr

import pytest

from service.core.context import Service
from service.core.keys import fingerprint
from service.core.models import Letter
from service.core.secret_keys import WrongSecretKey
from service.core.settings import Settings, SettingsError
from service.core.startup import require_database
from service.mail.render import render
from service.mail.send import delivery
from service.matches.tables import Guest
from service.ops import rekeying
from service.outgoing.identity import bounce_address, letter_named, message_id
from tests.support.correspondence import Correspondence
from tests.support.tables import Jobs, World, settings_for

pytestmark = pytest.mark.both_databases

OLD, NEW, OTHER = "old-" * 8, "new-" * 8, "other" * 8
BEN = Guest(address="ben@example.org", name="Ben")


def with_keys(url: str, *keys: str) -> World:
    """A service on this database, with these secret keys, the newest first."""
    jobs = Jobs()
    return World(Service(settings_for(url, SECRET_KEYS=" ".join(keys)), jobs), jobs)


def test_several_keys_are_read_and_one_is_enough() -> None:
    several = settings_for("sqlite:///x.db", SECRET_KEYS=f"{NEW}, {OLD}\n{NEW}")
    assert several.secret_keys == (NEW, OLD)
    assert settings_for("sqlite:///x.db", SECRET_KEY=OLD).secret_keys == (OLD,)
    with pytest.raises(SettingsError, match="SECRET_KEYS: needs at least 32 characters"):
        settings_for("sqlite:///x.db", SECRET_KEYS=f"{NEW} short")
    with pytest.raises(SettingsError, match="SECRET_KEY: is not set"):
        Settings.from_env({"BASE_URL": "http://x.test"})


def test_a_letter_stays_the_same_when_the_key_is_rotated(database_url: str) -> None:
    before = with_keys(database_url, OLD)
    match_id = before.open([BEN], "sapiens")
    before.everybody_accepts(match_id)
    letter = before.letters(match_id, "turn")[0]
    assert delivery.deliver(before.service, before.post, letter.id)
    sender, _, sent = before.post.sent[-1]
    asked = before.awaited(match_id)
    turn = before.legal_turn(match_id, asked.seat, asked.decision)
    address = Correspondence(before, match_id).address(asked.seat, asked.decision)
    before.service.database.dispose()

    after = with_keys(database_url, NEW, OLD)
    with after.service.database.read() as session:
        again = session.get_one(Letter, letter.id)
        assert render(after.service, session, again) == sent
        assert bounce_address(after.service, again) == sender
        named = letter_named(after.service, session, message_id(after.service, again))
        assert named is not None
        assert named.id == letter.id
    player = after.match(match_id).seats[asked.seat].player
    assert player is not None
    table = Correspondence(after, match_id)
    mail = table.send(player.email, address, turn)
    assert mail.verdict == "played"
    # What is made from now on is made with the new key, and opens the match that began before
    assert table.reply(asked.seat, "status").verdict == "word"
    assert table.address(asked.seat) != Correspondence(before, match_id).address(asked.seat)
    after.service.database.dispose()

    removed = with_keys(database_url, NEW)
    late = Correspondence(removed, match_id)
    assert late.send(player.email, address, "status").verdict == "unknown"
    assert late.reply(asked.seat, "status").verdict == "word"
    removed.service.database.dispose()


@pytest.mark.parametrize("keys", [(NEW,), (NEW, OLD)])
def test_a_question_written_with_another_key_can_be_answered(
    database_url: str, keys: tuple[str, ...]
) -> None:
    before = with_keys(database_url, OLD)
    match_id = before.open([BEN], "sapiens")
    before.everybody_accepts(match_id)
    table = Correspondence(before, match_id)
    (question,) = table.answers(table.reply(1, "resign"))
    before.service.database.dispose()

    after = with_keys(database_url, *keys)
    assert delivery.deliver(after.service, after.post, question.id)
    table = Correspondence(after, match_id)
    address = parseaddr(table.rendered(table.answers()[0])["Reply-To"])[1]
    assert table.answer(table.send("ben@example.org", address, "yes")).codes == ["resigned"]
    after.service.database.dispose()


def test_a_letter_whose_key_is_gone_is_another_letter(database_url: str) -> None:
    before = with_keys(database_url, OLD)
    match_id = before.open([BEN], "sapiens")
    before.everybody_accepts(match_id)
    letter = before.letters(match_id, "turn")[0]
    name = message_id(before.service, letter)
    before.service.database.dispose()
    after = with_keys(database_url, NEW)
    assert delivery.deliver(after.service, after.post, letter.id)
    assert name.encode() not in after.post.sent[-1][2]
    assert after.letters(match_id, "turn")[0].secret == fingerprint(NEW)
    after.service.database.dispose()


def test_a_message_id_cannot_be_made_up(database_url: str) -> None:
    world = with_keys(database_url, OLD)
    match_id = world.open([BEN], "sapiens")
    world.everybody_accepts(match_id)
    letter = world.letters(match_id, "turn")[0]
    name = message_id(world.service, letter)
    with world.service.database.read() as session:
        assert letter_named(world.service, session, name) is not None
        for forged in (
            f"{letter.dedupe}@paleopost.test",
            f"{letter.dedupe}.{'a' * 16}@paleopost.test",
            name.replace("paleopost", "elsewhere"),
            "",
        ):
            assert letter_named(world.service, session, forged) is None
    world.service.database.dispose()


def test_a_lost_key_is_noticed_and_another_is_accepted(database_url: str) -> None:
    require_database(settings_for(database_url, SECRET_KEY=OLD))
    world = with_keys(database_url, OLD)
    match_id = world.open([BEN], "sapiens")
    world.everybody_accepts(match_id)
    world.service.database.dispose()

    with pytest.raises(WrongSecretKey, match=f"fingerprint {fingerprint(OLD)}; .*accept-key"):
        require_database(settings_for(database_url, SECRET_KEY=OTHER))
    require_database(settings_for(database_url, SECRET_KEYS=f"{NEW} {OLD}"))
    require_database(settings_for(database_url, SECRET_KEY=NEW))
    with pytest.raises(WrongSecretKey):
        require_database(settings_for(database_url, SECRET_KEY=OTHER))

    lost = with_keys(database_url, OTHER)
    assert rekeying.accept(lost.service, tell=False) == 2
    assert rekeying.accept(lost.service, tell=False) is None
    require_database(settings_for(database_url, SECRET_KEY=OTHER))
    letters = [x for x in lost.letters(match_id, "answer") if x.dedupe.startswith("answer.links.")]
    assert sorted(x.player.name for x in letters) == ["Ana", "Ben"]
    asked = lost.awaited(match_id)
    (mine,) = [x for x in letters if x.seat == asked.seat]
    text = Correspondence(lost, match_id).rendered(mine)
    assert "new secret key" in text.said
    address = Correspondence(lost, match_id).address(asked.seat, asked.decision)
    assert address in text["Reply-To"]
    lost.service.database.dispose()
