"""Words are answered by letters whose pictures nobody looks at: they are not drawn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.undrawn import not_drawn


@pytest.fixture(autouse=True)
def undrawn() -> Iterator[None]:
    """Letters tell what their pictures would be of."""
    with not_drawn(pages=True):
        yield
