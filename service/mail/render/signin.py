"""The letter with the link that signs its reader in."""

from __future__ import annotations

from service.core.keys import digest_of
from service.core.letter_details import SignInDetails
from service.core.models import Key
from service.mail.render.draft import Draft
from service.mail.render.letter_context import LetterContext


def write(context: LetterContext) -> Draft:
    """Asked for by whoever typed the address: it says so, and how to ignore it."""
    details = context.letter.details_as(SignInDetails)
    nonce = details.nonce
    key = context.session.get_one(Key, digest_of(context.service.keys.token("signin", nonce)))
    subject, text, html = context.write(
        link=context.links.sign_in(nonce, details.play), expires=key.expires_at, play=details.play
    )
    return Draft(subject=subject, text=text, html=html)
