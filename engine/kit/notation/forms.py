"""Forms: one description by which a struct is both read from a text and written as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from engine.kit.notation.syntax import Parser, after, before, each, either, into, keyword, many
from engine.kit.notation.syntax import maybe as maybe_read
from engine.kit.notation.words import Vocabulary

T = TypeVar("T")
U = TypeVar("U")


class Part(NamedTuple, Generic[T]):
    """Something inside a line: how it is read, and how it is written, "" for nothing at all."""

    read: Parser[T]
    write: Callable[[T, str], str]


def term(vocabulary: Vocabulary[T], kind: str) -> Part[T]:
    """A word of a vocabulary, for what it means."""
    return Part(each(vocabulary, kind), vocabulary.write)


def fixed(vocabulary: Vocabulary[str], meaning: str, kind: str = "word") -> Part[None]:
    """One word that only leads to something, or ends it."""
    names = {lang: vocabulary.write(meaning, lang) for lang in ("en", "fr")}
    return Part(keyword(names, kind), lambda _, lang: names[lang])


def led(word: Part[None], part: Part[T]) -> Part[T]:
    """Something behind a fixed word."""
    return Part(
        after(word.read, part.read),
        lambda value, lang: f"{word.write(None, lang)} {part.write(value, lang)}",
    )


def ended(part: Part[T], word: Part[None]) -> Part[T]:
    """Something in front of a fixed word."""
    return Part(
        before(word.read, part.read),
        lambda value, lang: f"{part.write(value, lang)} {word.write(None, lang)}",
    )


def maybe(part: Part[T], without: T) -> Part[T]:
    """Something that is left out where it is as it would be `without`."""
    return Part(
        maybe_read(part.read, without),
        lambda value, lang: "" if value == without else part.write(value, lang),
    )


def instead(part: Part[T], word: Part[None], meaning: T, *, first: bool = False) -> Part[T]:
    """Something, or a fixed word that stands for one meaning of it, which may be offered first."""
    alone = into(lambda _: meaning, word.read)
    return Part(
        either(alone, part.read) if first else either(part.read, alone),
        lambda value, lang: word.write(None, lang) if value == meaning else part.write(value, lang),
    )


def several(part: Part[T], least: int = 1) -> Part[tuple[T, ...]]:
    """Something again and again."""
    return Part(many(part.read, least), lambda values, lang: _joined(part, values, lang))


def _joined(part: Part[T], values: tuple[T, ...], lang: str) -> str:
    return " ".join(part.write(value, lang) for value in values)


def together(*parts: Part[Any]) -> Part[tuple[Any, ...]]:
    """Several things, one behind the other, as a tuple."""

    def write(values: tuple[Any, ...], lang: str) -> str:
        written = (part.write(value, lang) for part, value in zip(parts, values, strict=True))
        return " ".join(filter(None, written))

    read: Any = into
    return Part(read(lambda *values: values, *(part.read for part in parts)), write)


def mapped(part: Part[T], read: Callable[[T], U], back: Callable[[U], T]) -> Part[U]:
    """Something that stands for another value, and `back`."""
    return Part(into(read, part.read), lambda value, lang: part.write(back(value), lang))


class Form(Generic[T]):
    """A struct made of parts by the fields they fill, of several fields as a tuple ("w f").

    `constant` are fields that no part fills; what the parts leave out keeps its default.
    """

    def __init__(
        self, make: Callable[..., T], parts: Mapping[str, Part[Any]], /, **constant: Any
    ) -> None:
        self._make = make
        self._fields = [names.split() for names in parts]
        self._constant = constant
        self._whole = together(*parts.values())
        self.read: Parser[T] = into(self._made, self._whole.read)

    def _made(self, values: tuple[Any, ...]) -> T:
        given = dict(self._constant)
        for names, value in zip(self._fields, values, strict=True):
            given.update(zip(names, value, strict=True) if len(names) > 1 else [(names[0], value)])
        return self._make(**given)

    def write(self, thing: Any, lang: str) -> str:
        """The parts as text."""
        values = (
            tuple(getattr(thing, name) for name in names)
            if len(names) > 1
            else getattr(thing, names[0])
            for names in self._fields
        )
        return self._whole.write(tuple(values), lang)
