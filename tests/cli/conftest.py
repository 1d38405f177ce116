"""Commands write letters whose pictures nobody looks at: they are not drawn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.undrawn import not_drawn


@pytest.fixture(autouse=True)
def undrawn() -> Iterator[None]:
    """Pictures in this process are told by what they would be of; those of commands are drawn."""
    with not_drawn(pages=True):
        yield
