"""What a match in the valley does with replies that move, file plans and give orders for fights:
good, wrong and ambiguous, in both languages.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from service.core.schema import upgrade
from tests.inbox.valley_match import KINDS, Valley

REPLIES: Final[dict[str, dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent / "valley_replies.toml").read_text(encoding="utf-8")
)
QUOTED: Final = (
    "\n\nOn Mon, 23 Nov 2026, Paleopost wrote:\n> Choose my turn:\n> move 1w 43-33\n> done\n"
)
"""Below every second reply: what somebody else wrote is nothing that was said."""


@pytest.fixture(scope="module")
def valley(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valley]:
    """The match that all of them answer."""
    folder = tmp_path_factory.mktemp("valley")
    upgrade(f"sqlite:///{folder / 'match.db'}")
    found = Valley(folder)
    yield found
    found.close()


def test_replies_in_the_valley_do_what_they_say(valley: Valley) -> None:
    for number, (name, mail) in enumerate(REPLIES.items()):
        text = mail["text"] + (QUOTED if number % 2 else "")
        handled = valley.receive(mail["moment"], text)
        found = (handled.verdict, valley.on_file(), valley.made(mail["moment"]))
        assert found == (mail["verdict"], mail["on_file"], mail["made"]), name
        assert len(valley.world.letters(valley.number, "answer")) == 1, name


def test_replies_in_the_valley_are_of_all_sorts() -> None:
    """At least forty; at each moment some that act and some that are refused."""
    assert len(REPLIES) >= 40
    for moment in KINDS:
        verdicts = [each["verdict"] for each in REPLIES.values() if each["moment"] == moment]
        assert sum(verdict in ("played", "filed") for verdict in verdicts) >= 5
        assert sum(verdict in ("mend", "question", "waiting") for verdict in verdicts) >= 3
    for lang in ("en", "fr"):
        assert sum(name.startswith(lang) for name in REPLIES) >= 15
