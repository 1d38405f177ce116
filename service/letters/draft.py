"""What a letter's function hands back: the words and pictures, without headers or encoding."""

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
    `group` names the list it is sent by (RFC 2919) and `unsubscribe` the page to stop it (RFC
    2369); both None for what was asked for by its reader.
    """

    subject: str
    text: str
    html: str
    pictures: tuple[Picture, ...] = ()
    thread: str | None = None
    group: str | None = None
    unsubscribe: str | None = None
