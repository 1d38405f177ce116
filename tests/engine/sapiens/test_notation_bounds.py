"""Texts far longer than any order: answered, and quickly."""

from __future__ import annotations

import pytest

from engine.chance import SeededChance
from engine.protocol import IllegalAction, Unreadable
from engine.sapiens.notation import NOTATION
from engine.sapiens.setup import Options, setup


@pytest.mark.parametrize(
    "text", ["C4 " * 1300, "c2 " * 1300, "take " + "hunt fire " * 390, "C4" * 2000, "(" * 4000]
)
def test_what_is_repeated_without_end_is_refused(text: str) -> None:
    state = setup(2, Options(), SeededChance(bytes(32))).state
    with pytest.raises((Unreadable, IllegalAction)) as refused:
        NOTATION.parse(state, 0, text, "en")
    if isinstance(refused.value, IllegalAction):
        assert refused.value.code == "long_line"
