"""Games for tests of what the product does with several, or with another one alone."""

from __future__ import annotations

import copy
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine import games as found
from engine.games import register, unregister
from engine.protocol import Game

KNOWN = "sapiens"
"""The game of tests that need one they know, and are about none."""

_TITLE = re.compile(r"(macro title\(\)[^%]*%\}).*?(\{%-? endmacro)", re.DOTALL)


class Outside(NamedTuple):
    """A game that lies outside of the product, and the folder of its templates."""

    game: Game[Any, Any]
    folder: Path


def twin(of: Outside, key: str, folder: Path) -> Outside:
    """A game under another key, with the same rules; its templates are in `folder` under that key,
    where it is called by it.
    """
    game = copy.copy(of.game)
    vars(game)["key"] = key
    shutil.copytree(of.folder / "translations", folder / "translations")
    for kind in ("games", "boards"):
        for path in (of.folder / "templates" / kind / of.game.key).iterdir():
            text = path.read_text(encoding="utf-8")
            for said in ("games/{}/", "boards/{}/", 'presentation("{}")'):
                text = text.replace(said.format(of.game.key), said.format(key))
            if path.name == "pitch.txt":
                text = _TITLE.sub(rf"\g<1>{key.title()}\g<2>", text)
            copied = folder / "templates" / kind / key / path.name
            copied.parent.mkdir(parents=True, exist_ok=True)
            copied.write_text(text, encoding="utf-8")
    return Outside(game, folder)


@contextmanager
def offered(besides: Sequence[Outside], *, alone: bool = False) -> Iterator[None]:
    """Have these games besides those of the product, or instead of them."""
    with pytest.MonkeyPatch.context() as patch:
        # The folder goes, and what was compiled of its templates would stay.
        patch.setattr(sys, "dont_write_bytecode", True)
        if alone:
            patch.setattr(found, "_found", dict)
        for game, folder in besides:
            register(game, str(folder))
        try:
            yield
        finally:
            for game, _ in besides:
                unregister(game.key)
