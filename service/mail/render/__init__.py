"""Letters: written from the journal when they are sent, the same bytes every time.

`render` is the whole of it: the function of the letter's kind writes it (one module each), the
headers and the MIME parts are put around it. What it says of a match is read as of the entry it was
owed for, whatever has happened since.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Final

from sqlalchemy.orm import Session

from service.core.context import Service
from service.core.letter_details import AliasDetails, SignInDetails
from service.core.models import Letter
from service.core.statuses import LetterKind
from service.mail.render import (
    alias,
    answer,
    calendars,
    cancelled,
    declined,
    digest,
    dkim,
    end,
    erasure,
    headers,
    invitation,
    join,
    message,
    mime,
    news,
    notice,
    orders,
    reminder,
    signin,
    start,
    turn,
)
from service.mail.render.draft import Draft
from service.mail.render.letter_context import LetterContext
from service.outgoing import identity, one_click
from service.outgoing.policies import policy_of

KINDS: Final[Mapping[LetterKind, Callable[[LetterContext], Draft]]] = {
    LetterKind.SIGNIN: signin.write,
    LetterKind.ALIAS: alias.write,
    LetterKind.ERASURE: erasure.write,
    LetterKind.ANSWER: answer.write,
    LetterKind.INVITATION: invitation.write,
    LetterKind.START: start.write,
    LetterKind.TURN: turn.write,
    LetterKind.ORDERS: orders.write,
    LetterKind.REMINDER: reminder.write,
    LetterKind.NUDGE: reminder.write,
    LetterKind.NEWS: news.write,
    LetterKind.NOTICE: notice.write,
    LetterKind.MESSAGE: message.write,
    LetterKind.END: end.write,
    LetterKind.DIGEST: digest.write,
    LetterKind.CANCELLED: cancelled.write,
    LetterKind.JOIN: join.write,
    LetterKind.DECLINED: declined.write,
}
"""Who writes each kind of letter: a module here, a folder of templates in `templates/mail/`."""


def render(service: Service, session: Session, letter: Letter) -> bytes:
    """The whole message (RFC 5322), CRLF lines. Raises KeyError for an unknown kind."""
    write = KINDS[letter.kind]
    service = service.writing(letter)
    lang = language_of(session, letter)
    draft = write(LetterContext(service, session, letter, lang))
    settings = service.settings
    policy = policy_of(letter.kind)
    heading = headers.Heading(
        sender=settings.mail_from,
        to=receiver_of(letter),
        name=letter.player.name,
        subject=draft.subject,
        date=letter.date,
        lang=lang,
        domain=settings.mail_domain,
        message_id=identity.message_id(service, letter),
        kind=letter.kind,
        thread=draft.thread,
        in_reply_to=draft.in_reply_to,
        references=draft.references,
        replying=policy.answers,
        reply_to=draft.reply_to,
        group=draft.group,
        unsubscribe=_ways_out(service, letter, draft),
        published=draft.published,
        speaker=draft.speaker,
    )
    mark = hashlib.sha256(letter.dedupe.encode()).hexdigest()[:24]
    head = "".join(f"{line}\r\n" for line in headers.lines(heading)).encode("ascii")
    calendar = calendars.file(service, session, letter, lang)
    message = head + mime.body(draft.text, draft.html, draft.pictures, mark, calendar)
    return dkim.signed(message, settings, letter.date)


def receiver_of(letter: Letter) -> str:
    """The address a letter goes to: the player's, or one that is to be confirmed first."""
    details = letter.details
    return details.address if isinstance(details, AliasDetails) else letter.player.email


def _ways_out(service: Service, letter: Letter, draft: Draft) -> tuple[str, ...]:
    """How to have no more such letters: a page for one click, and a mail where one is read."""
    page = one_click.address(service, letter.kind, letter.player_id, letter.match_id)
    if page is None:
        return ()
    if draft.reply_to is None:
        return (page,)
    word = "never" if policy_of(letter.kind).consent == "stranger" else "mute"
    return page, f"mailto:{draft.reply_to}?subject={word}"


def language_of(session: Session, letter: Letter) -> str:
    """The language a letter is written in: what was chosen where it was asked for, else the
    reader's own.
    """
    if letter.kind in (LetterKind.INVITATION, LetterKind.JOIN):
        return invitation.guest_of(session, letter).lang
    details = letter.details
    asked = details.lang if isinstance(details, (SignInDetails, AliasDetails)) else None
    return asked or letter.player.lang
