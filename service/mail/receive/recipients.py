"""The addresses mail is taken for, and where a mail's headers say it was sent."""

from __future__ import annotations

import email.policy
import re
from email.message import Message
from email.parser import BytesHeaderParser

from service.access import reply_keys
from service.access.addresses import Addresses
from service.core.context import Service
from service.mail.parse.headers import RECIPIENTS
from service.outgoing import identity

_ADDRESS = re.compile(r"[^\s<>,;:\"()\[\]]+@[^\s<>,;:\"()\[\]]+")


def is_known(service: Service, address: str) -> bool:
    """True if anybody is behind this address: an issued key (`service.access.reply_keys`), or a
    bounce mark of ours.

    Used and expired keys count, and those of letters that were sent after the copy was taken that
    the database was set back to: an answer to an old letter is answered, too.
    """
    addresses = Addresses(service.settings)
    tag = addresses.tag_of(address)
    if tag is None:
        return False
    if tag.purpose == "bounce":
        return identity.is_bounce_address(service, tag)
    keys = service.keys
    with service.database.read() as session:
        known = reply_keys.find(keys, session, tag.text)
        return known is not None or reply_keys.outdated(keys, session, tag.text) is not None


def named_in(addresses: Addresses, head: bytes) -> list[str]:
    """The addresses of ours that the headers name, each once, the surest first."""
    found: dict[str, None] = {}
    headers = _parsed(head)
    for name in RECIPIENTS:
        for value in headers.get_all(name, []):
            for address in _ADDRESS.findall(str(value)):
                if addresses.tag_of(address) is not None:
                    found.setdefault(address.lower())
    return list(found)


def reverse_path(head: bytes) -> str | None:
    """The address in Return-Path (RFC 5321 §4.4), "" for the null one; None if there is none."""
    value = _parsed(head).get("Return-Path")
    return None if value is None else str(value).strip().removeprefix("<").removesuffix(">")


def _parsed(head: bytes) -> Message:
    return BytesHeaderParser(policy=email.policy.compat32).parsebytes(head)
