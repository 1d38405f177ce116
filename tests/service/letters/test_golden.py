"""Letters word for word. To write them anew: python -m tests.support.known_letters --golden

and read what changed (`git diff`) before committing it.
"""

from __future__ import annotations

import pytest

from tests.support.known_letters import GOLDEN, NAMES, shown


@pytest.mark.parametrize("name", NAMES)
def test_letter_is_as_it_was_read_last(known: dict[str, bytes], name: str) -> None:
    for ending, content in shown(known[name]).items():
        assert content == (GOLDEN / f"{name}{ending}").read_text(encoding="utf-8")


def test_every_letter_is_kept_and_no_other(known: dict[str, bytes]) -> None:
    assert sorted(known) == sorted(NAMES)
    assert {path.stem for path in GOLDEN.iterdir()} == set(NAMES)
