"""Bytes to text, although the label may be wrong, missing or unknown."""

from __future__ import annotations

import codecs

_SLOW_OR_STRANGE = frozenset(
    {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "mbcs", "oem"}
)
"""Codecs of Python that are no charset of mail; `punycode` takes quadratic time."""

_MISUSED = frozenset({"ascii", "iso8859-1", "cp1252"})
"""Labels that programs put on whatever they have."""


def decoded_as(data: bytes, label: str) -> str:
    """The text of these bytes, labelled with that charset. Never raises: what cannot be right is
    read as UTF-8 if it is that, else as Windows-1252.
    """
    name = _known(label)
    if name is None or name in _MISUSED:
        return decoded(data)
    try:
        return data.decode(name)
    except (UnicodeError, ValueError, LookupError):
        return decoded(data)


def decoded(data: bytes) -> str:
    """The text of unlabelled bytes."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        # Windows-1252 is what nearly everything called ISO-8859-1 is; its five holes are latin-1's.
        return data.decode("cp1252", "paleopost-hole")


def _hole(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("paleopost-hole", _hole)


def _known(label: str) -> str | None:
    try:
        name = codecs.lookup(label.strip().strip("\"'")[:40]).name
    except (LookupError, ValueError, UnicodeError):
        return None
    return None if name.replace("_", "-") in _SLOW_OR_STRANGE else name
