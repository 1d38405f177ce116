"""Reading forms strictly: every field that belongs, once, and none that does not."""

from __future__ import annotations

from collections.abc import Iterable

from flask import request

from service.core.errors import Refused

LONGEST_FIELD = 2000


class Form:
    """The fields of the form that was posted, each the text that was typed (trimmed, without NUL).

    `single` are fields that come exactly once, `maybe` those that may be left out, `lists` come any
    number of times; none has more than `longest` characters. Only `check` fails: what was typed can
    always be shown again.
    """

    def __init__(
        self,
        single: Iterable[str],
        maybe: Iterable[str] = (),
        lists: Iterable[str] = (),
        longest: int = LONGEST_FIELD,
    ) -> None:
        self._longest = longest
        self._single, self._maybe, self._lists = set(single), set(maybe), set(lists)
        self._sent = {
            name: [_clean(value) for value in request.form.getlist(name)] for name in request.form
        }

    def __getitem__(self, name: str) -> str:
        values = self._sent.get(name)
        return values[0] if values else ""

    def all(self, name: str) -> list[str]:
        """Every value of a repeated field, in order."""
        return self._sent.get(name, [])

    @property
    def filled(self) -> dict[str, str]:
        """The texts that were typed, by field."""
        known = self._single | self._maybe
        return {name: self[name][:LONGEST_FIELD] for name in known if name in self._sent}

    @property
    def several(self) -> dict[str, list[str]]:
        """The values chosen of repeated fields, by field."""
        return {name: self.all(name) for name in self._lists}

    def check(self) -> None:
        """See that it is a form of ours.

        Raises Refused("bad_form") with the `field` and a `problem`: "missing", "doubled", "foreign"
        or "long".
        """
        for name in sorted(self._single):
            if name not in self._sent:
                raise Refused("bad_form", problem="missing", field=name)
        for name, values in sorted(self._sent.items()):
            if name == "csrf_token":
                continue
            if name not in self._single | self._maybe | self._lists:
                raise Refused("bad_form", problem="foreign", field=_short(name))
            if name not in self._lists and len(values) > 1:
                raise Refused("bad_form", problem="doubled", field=name)
            if any(len(value) > self._longest for value in values):
                raise Refused("bad_form", problem="long", field=name)


def _clean(value: str) -> str:
    return value.replace("\0", "").strip()


def _short(name: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in name[:40])
