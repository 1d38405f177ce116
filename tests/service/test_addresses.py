"""The addresses mail comes back to: made, read again, and nobody else's taken for ours."""

from __future__ import annotations

import pytest

from service.access.addresses import Addresses, Tag
from tests.support.tables import settings_for

TOKEN = "a2" * 13


@pytest.fixture(params=[{}, {"PLUS_ADDRESS": "Play@Example.org"}], ids=["domain", "mailbox"])
def addresses(request: pytest.FixtureRequest) -> Addresses:
    """On a domain of our own, and behind an ordinary mailbox."""
    return Addresses(settings_for("sqlite:///x.db", **request.param))


def test_a_reply_address_leads_back_to_its_token(addresses: Addresses) -> None:
    assert addresses.tag_of(addresses.reply(TOKEN).upper()) == Tag("r", TOKEN)


def test_a_bounce_address_leads_back_to_its_letter(addresses: Addresses) -> None:
    tag = addresses.tag_of(addresses.bounce(4711, "a2" * 8))
    assert tag is not None
    assert addresses.bounced(tag) == (4711, "a2" * 8)
    assert addresses.bounced(Tag("r", TOKEN)) is None


@pytest.mark.parametrize(
    "address",
    [
        "",
        "r",
        "play@example.org",
        "r+short@paleopost.test",
        f"r+{TOKEN}@elsewhere.test",
        "x+" + TOKEN,
    ],
)
def test_other_addresses_are_not_ours(addresses: Addresses, address: str) -> None:
    assert addresses.tag_of(address) is None
