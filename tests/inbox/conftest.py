"""Letters that mails quote are written once for each table, not for every mail that is compared.

Tables are put back before each mail, and a letter reads the same whenever it is written again
(`tests/service/letters/test_content.py`). Pictures of answers are not drawn: nobody looks at them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from sqlalchemy.orm import Session

from service.core.context import Service
from service.core.models import Letter
from service.core.statuses import LetterKind
from service.mail.render import quotable
from tests.support.undrawn import not_drawn

BEGINNING = (LetterKind.INVITATION, LetterKind.START, LetterKind.TURN)
"""What a table has before any mail comes."""

_write = quotable._written


class _Once:
    """Writes a letter of a table's beginning, and keeps what it says."""

    def __init__(self) -> None:
        self._kept: dict[object, tuple[str, str]] = {}

    def written(
        self, service: Service, session: Session, letter: Letter, lang: str
    ) -> tuple[str, str]:
        if letter.kind not in BEGINNING:
            return _write(service, session, letter, lang)
        asked = (service.settings.database_url, letter.id, letter.dedupe, letter.sent_at, lang)
        if asked not in self._kept:
            self._kept[asked] = _write(service, session, letter, lang)
        return self._kept[asked]


_once = cache(_Once)


@pytest.fixture(autouse=True)
def written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """See above."""
    monkeypatch.setattr(quotable, "_written", _once().written)


@pytest.fixture(autouse=True)
def undrawn() -> Iterator[None]:
    """Letters tell what their pictures would be of."""
    with not_drawn(pages=True):
        yield
