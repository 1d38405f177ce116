"""The letter with the link that erases its reader's data."""

from __future__ import annotations

from service.core.keys import digest_of
from service.core.letter_details import ErasureDetails
from service.core.models import Key
from service.mail.render.draft import Draft
from service.mail.render.letter_context import LetterContext


def write(context: LetterContext) -> Draft:
    """Asked for on the settings page: what the button behind it does, and how to ignore it."""
    nonce = context.letter.details_as(ErasureDetails).nonce
    key = context.session.get_one(Key, digest_of(context.service.keys.token("erase", nonce)))
    subject, text, html = context.write(
        link=context.links.erasure(nonce),
        address=context.letter.player.email,
        expires=key.expires_at,
    )
    return Draft(subject=subject, text=text, html=html)
