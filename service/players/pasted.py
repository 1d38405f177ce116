"""Addresses as people paste them: from a list, a spreadsheet, the line "To:" of a mail program.

The standard library reads headers (RFC 5322), where commas alone part addresses: it loses those
that a space or a semicolon parts, and takes a name behind an address for part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from service.core.names import NAME_LENGTH

ADDRESS_LENGTH = 254

# What is in quotes or brackets is one piece on its line; a quote or bracket that stays open counts
# for nothing. No piece is looked for twice, so time grows as the text does.
_PIECE = re.compile(
    r'"(?P<quoted>[^"]*)"|\((?P<aside>[^()]*)\)|(?P<angle><)|(?P<end>[,;])'
    r'|(?P<word>[^\s<>()\[\],;"]+)'
)
_WORD = re.compile(r'[^\s<>()\[\],;"]+')
_BEFORE_AN_ANGLE = re.compile(r"\s*<[^\s<>]*@")
_SPECIAL = re.compile(r'[<>()\[\],;"@]')
_IN_FRONT = re.compile(r"(?:mailto:|['’:])*")
# Of a quoted name the marks that quote within it: they would end the quotes it is shown in.
_MARKS = str.maketrans("", "", '"\\')
_AROUND = " '’:"

Kind = Literal["address", "angle", "name", "aside", "end"]
_Piece = tuple[Kind, str]
_ADDRESSES, _NAMES = ("address", "angle"), ("name", "aside")


class Named(msgspec.Struct, frozen=True):
    """An address, and the name that stood at it ("" for none)."""

    address: str
    name: str = ""


def named(text: str) -> list[Named]:
    """Every address of a text, in order, with its name: before it, or behind it if addresses come
    first. Line ends, commas and semicolons part them, and so does the next address.

    What holds an @ is an address, never a name. Between two ends without any the words are taken
    for one, so that they are refused as what they are and not lost. Nothing is checked here.
    """
    found: list[Named] = []
    for line in text.splitlines():
        part: list[_Piece] = []
        for piece in [*_pieces(line), ("end", "")]:
            if piece[0] != "end":
                part.append(piece)
            elif part:
                found += _of_one_part(part)
                part = []
    return found


def line_of(who: Named) -> str:
    """The text of an address with its name, to be read again."""
    if not who.name:
        return who.address if "@" in who.address else _quoted(who.address)
    return f"{_quoted(who.name)} <{who.address}>"


def _quoted(text: str) -> str:
    return f'"{text}"' if _SPECIAL.search(text) else text


def _pieces(line: str) -> Iterator[_Piece]:
    angle = False
    for match in _PIECE.finditer(line):
        kind = match.lastgroup or ""
        said = match[kind]
        if kind == "end":
            yield "end", ""
        elif kind == "word":
            yield from _words(said, "angle" if angle else "address", "name")
        elif kind != "angle" and "@" not in said:
            if said.strip():
                yield "aside" if kind == "aside" else "name", said
        elif kind == "aside":
            yield from _words(said, "address", "aside")
        elif kind == "quoted" and not _BEFORE_AN_ANGLE.match(line, match.end()):
            yield from _words(said, "address", "name")
        # Else an address in place of a name, as mail programs write: the one behind it counts.
        angle = kind == "angle"


def _words(text: str, address: Kind, name: Kind) -> Iterator[_Piece]:
    """The addresses of a text, and what is between them."""
    between: list[str] = []
    for word in _WORD.findall(text):
        if "@" not in word:
            between.append(word)
            continue
        if between:
            yield name, " ".join(between)
            between = []
        yield address, _bare(word)
    if between:
        yield name, " ".join(between)


def _bare(address: str) -> str:
    """Without what pages and mail programs put around it."""
    front = _IN_FRONT.match(address)
    return address[front.end() if front else 0 :].rstrip(_AROUND)


def _of_one_part(part: list[_Piece]) -> list[Named]:
    if not any(kind in _ADDRESSES for kind, _ in part):
        words = _plain([said for _, said in part])
        return [Named(words[:ADDRESS_LENGTH].strip())] if words else []
    addresses: list[str] = []
    names: list[list[str]] = []
    waiting: list[str] = []
    for (kind, said), ahead in zip(part, _ahead(part), strict=True):
        if kind not in _ADDRESSES:
            # What is in brackets behind a name goes where the name goes.
            (waiting if ahead or waiting or not addresses else names[-1]).append(said)
        elif kind == "address" or waiting or addresses[-1:] != [said]:
            addresses.append(said)
            names.append(waiting)
            waiting = []
        # Else it is zoe@example.org <zoe@example.org>, which is one.
    return [Named(address, _name(words)) for address, words in zip(addresses, names, strict=True)]


def _ahead(part: list[_Piece]) -> list[bool]:
    """Of each piece whether it is, as a name, that of the address ahead of it."""
    first = part[0][0]
    ahead: list[bool] = []
    following: Kind | None = None
    for kind, _ in reversed(part):
        if kind in _ADDRESSES:
            following = kind
        if kind == "aside":
            ahead.append(following is not None and first == "aside")
        else:
            ahead.append(following == "angle" or (following is not None and first in _NAMES))
    return ahead[::-1]


def _name(words: list[str]) -> str:
    return _plain(words).strip(_AROUND)[:NAME_LENGTH].strip(_AROUND)


def _plain(words: list[str]) -> str:
    return " ".join(" ".join(words).translate(_MARKS).split())
