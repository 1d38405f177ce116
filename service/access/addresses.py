"""The addresses that mail comes back to: replies, and reports of letters that did not arrive.

On a domain of our own every tag has an address, `r+TOKEN@domain`. With an ordinary mailbox
(`PLUS_ADDRESS`) the tag is put behind its name instead, `name+r-TOKEN@provider` (RFC 5233).
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from service.core.settings import Settings

Purpose = Literal["r", "bounce"]

_REPLY = re.compile(r"[a-z2-7]{26}")
_BOUNCE = re.compile(r"([0-9a-f]{1,16})-([a-z2-7]{16})")


class Tag(msgspec.Struct, frozen=True):
    """The text behind the plus: "r" and the token of a key, or "bounce" and a letter's mark."""

    purpose: Purpose
    text: str


class Addresses:
    """The addresses of one installation."""

    def __init__(self, settings: Settings) -> None:
        self._plus = settings.plus_address
        self._domain = settings.mail_domain

    def reply(self, token: str) -> str:
        """The reply address of this token (of a key for "reply")."""
        return self._address("r", token)

    def bounce(self, letter_id: int, mark: str) -> str:
        """The envelope sender of a letter (VERP), with the mark that proves it
        (`service.outgoing.identity`).
        """
        return self._address("bounce", f"{letter_id:x}-{mark}")

    @staticmethod
    def bounced(tag: Tag) -> tuple[int, str] | None:
        """The letter that a bounce address names, and the mark it has to prove that."""
        found = _BOUNCE.fullmatch(tag.text) if tag.purpose == "bounce" else None
        return None if found is None else (int(found[1], 16), found[2])

    def tag_of(self, address: str) -> Tag | None:
        """The tag of an address of ours, whatever its case; None for any other address."""
        local, at, domain = address.strip().lower().rpartition("@")
        if not at:
            return None
        if self._plus is None:
            if domain != self._domain.lower():
                return None
            purpose, plus, text = local.partition("+")
        else:
            name, _, host = self._plus.lower().rpartition("@")
            if domain != host or not local.startswith(f"{name}+"):
                return None
            purpose, plus, text = local.removeprefix(f"{name}+").partition("-")
        if plus and purpose == "r" and _REPLY.fullmatch(text):
            return Tag("r", text)
        if plus and purpose == "bounce" and _BOUNCE.fullmatch(text):
            return Tag("bounce", text)
        return None

    def _address(self, purpose: Purpose, text: str) -> str:
        if self._plus is None:
            return f"{purpose}+{text}@{self._domain}"
        name, _, host = self._plus.rpartition("@")
        return f"{name}+{purpose}-{text}@{host}"
