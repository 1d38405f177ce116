"""The faults of a command's words, gathered, so that whoever typed them learns of all at once."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from service.cli.root import Failure
from service.core.plain import whole_number

T = TypeVar("T")


class Faults:
    """The faults found so far, each a sentence that begins with the option it is about."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def add(self, option: str, sentence: str) -> None:
        """Note a fault; the same one once."""
        said = f"{option}: {sentence}"
        if said not in self._found:
            self._found.append(said)

    def given(self, option: str, value: object, what: str) -> bool:
        """True if there is such a value; notes the fault otherwise."""
        if value in (None, ""):
            self.add(option, f"is missing; give {what}.")
            return False
        return True

    def whole(self, option: str, text: str | None, known: Collection[int], what: str) -> int | None:
        """The whole number that was written, which has to be one of these; None for any other, with
        the fault noted, and for none.
        """
        if text is None:
            return None
        number = whole_number(text, 18)
        if number is None or number not in known:
            self.add(option, f"“{text[:40]}” will not do; give {what}.")
            return None
        return number

    def one_of(self, option: str, text: str, known: Collection[str], what: str) -> bool:
        """True if the text is one of those known; notes the fault otherwise."""
        if text in known:
            return True
        self.add(option, f"there is no {what} “{text[:40]}”; there are: {', '.join(known)}.")
        return False

    def stop(self) -> None:
        """End the command if there are any. Raises Failure with all of them, exit status 2."""
        if len(self._found) == 1:
            raise Failure(self._found[0], 2)
        if self._found:
            count = len(self._found)
            raise Failure("\n  ".join([f"{count} things have to be mended.", *self._found]), 2)
