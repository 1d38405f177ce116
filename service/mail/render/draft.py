"""The draft that a letter's function hands back: the words and pictures, without headers or
encoding.
"""

from __future__ import annotations

import msgspec


class Picture(msgspec.Struct, frozen=True):
    """An inline PNG. `cid` is its Content-ID without brackets, `name` what it is saved as."""

    cid: str
    name: str
    png: bytes


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """One letter before it is put into an envelope.

    `text` is complete without `html`. `thread` names the conversation the letter belongs to (None:
    it stands alone); letters of a thread keep one subject, by which some inboxes group them.
    `group` names the list it is sent by (RFC 2919); None for what was asked for by its reader.
    `published` are values that prove later that chance was fair, by the names of their headers.
    `reply_to` is the address of ours that reads what is answered. `in_reply_to` is the Message-ID
    of the reader's own mail that this letter answers, `<...>` and all, and `references` the ids
    that mail referred to: an answer stands in the reader's conversation.
    `speaker` is the name of the player whose words it brings: an inbox shows it before ours.
    """

    subject: str
    text: str
    html: str
    pictures: tuple[Picture, ...] = ()
    thread: str | None = None
    group: str | None = None
    reply_to: str | None = None
    published: tuple[tuple[str, str], ...] = ()
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    speaker: str | None = None
