"""The letter to another address of a player: is it theirs?"""

from __future__ import annotations

from service.core.keys import digest_of
from service.core.letter_details import AliasDetails
from service.core.models import Key
from service.mail.render.draft import Draft
from service.mail.render.letter_context import Desk


def write(desk: Desk) -> Draft:
    """Write the letter: who says so, what for, and that nothing happens without the button."""
    details = desk.letter.details_as(AliasDetails)
    nonce = details.nonce
    key = desk.session.get(Key, digest_of(desk.service.keys.token("alias", nonce)))
    subject, text, html = desk.write(
        link=desk.links.alias(nonce),
        address=details.address,
        account=desk.letter.player.email,
        # The address may have been taken back since.
        expires=key.expires_at if key is not None else desk.letter.created_at,
    )
    return Draft(subject=subject, text=text, html=html)
