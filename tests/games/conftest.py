"""Every game there is, and the toy among them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.toy import toy_registered


@pytest.fixture(autouse=True)
def toy() -> Iterator[str]:
    """The toy game's key; it is a game of the product as long as a test runs."""
    with toy_registered() as key:
        yield key
