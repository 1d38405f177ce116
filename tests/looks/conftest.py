"""One walk through all pages for all tests of how they look."""

from __future__ import annotations

import pytest

from tests.support.tour import Tour


@pytest.fixture(scope="session")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Tour:
    return Tour(tmp_path_factory.mktemp("tour"))
