"""Names and addresses as people type them, made fit for letters and pages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from email_validator import EmailNotValidError, validate_email

NAME_LENGTH = 40

_LINK = re.compile(r"://|(?<!\w)www\.", re.IGNORECASE)


class BadAddress(ValueError):
    """Not an address mail can be sent to. `address` is what was typed."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


def clean_name(text: str, otherwise: str = "", length: int = NAME_LENGTH) -> str:
    """One line of printable text of at most `length` characters, or `otherwise` if nothing is left.

    Control characters (line breaks would break headers) become spaces; format characters (direction
    overrides, invisible joiners) would turn the text around them and are dropped, except the joiner
    inside emoji. Nor is a name an address that mail programs would make a link of: it keeps its
    letters, without `://` and a leading `www.`.
    """
    text = printable(text)
    while (bare := _LINK.sub(" ", text)) != text:
        text = " ".join(bare.split())
    return text[:length].strip(" \u200d") or otherwise


def printable(text: str) -> str:
    """One line of the characters that are shown, single spaces between words: controls become
    spaces, format characters are dropped but for the joiner inside emoji.
    """
    kept = []
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        if category in ("Cc", "Zl", "Zp"):
            kept.append(" ")
        elif category not in ("Cf", "Cs", "Co", "Cn") or char == "\u200d":
            kept.append(char)
    return " ".join("".join(kept).split())


def clean_address(text: str) -> str:
    """The address in its one stored form (domain lower-cased, Unicode normalised). Raises
    BadAddress.
    """
    try:
        found = validate_email(
            text.strip(), check_deliverability=False, test_environment=True, allow_smtputf8=False
        )
    except EmailNotValidError as error:
        raise BadAddress(text[:100]) from error
    return f"{found.local_part}@{found.ascii_domain}".lower()


def name_from_address(address: str) -> str:
    """A name for somebody who gave none: the part before the @, a little tidied."""
    local = address.partition("@")[0].partition("+")[0]
    return clean_name(local.replace(".", " ").replace("_", " ").title(), "?")


FORMER = "Former player"
"""What a table calls who has had their data erased, with a number from the second one on. Readers
see it in their language (`service.render.bots.shown_name`).
"""
_FORMER = re.compile(rf"{FORMER}(?: ([0-9]{{1,3}}))?")


def former_name(taken: Collection[str]) -> str:
    """The first such name that nobody at the table has."""
    if FORMER not in taken:
        return FORMER
    return next(name for n in range(2, 1000) if (name := f"{FORMER} {n}") not in taken)


def former_number(name: str) -> int | None:
    """The number of such a name, 1 for the first; None for any other name."""
    found = _FORMER.fullmatch(name)
    return None if found is None else int(found[1] or 1)
