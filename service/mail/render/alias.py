"""The letter to another address of a player: is it theirs?"""

from __future__ import annotations

from service.core.keys import digest_of
from service.core.letter_details import AliasDetails
from service.core.models import Key
from service.mail.render.draft import Draft
from service.mail.render.letter_context import LetterContext


def write(context: LetterContext) -> Draft:
    """Write the letter: who says so, what for, and that nothing happens without the button."""
    details = context.letter.details_as(AliasDetails)
    nonce = details.nonce
    key = context.session.get(Key, digest_of(context.service.keys.token("alias", nonce)))
    subject, text, html = context.write(
        link=context.links.alias(nonce),
        address=details.address,
        account=context.letter.player.email,
        # The address may have been taken back since.
        expires=key.expires_at if key is not None else context.letter.created_at,
    )
    return Draft(subject=subject, text=text, html=html)
