"""Games for tests of what the product does with several, or with another one alone."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine import games as found
from engine.games import register, unregister
from engine.protocol import Game
from service.render.templating import LANGUAGES, TEMPLATES

KNOWN = "sapiens"
"""The game of tests that need one they know, and are about none."""

CATALOGUE = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'


class Outside(NamedTuple):
    """A game that lies outside of the product, and the folder of its templates."""

    game: Game[Any, Any]
    folder: Path


def twin(of: Game[Any, Any], key: str, folder: Path) -> Outside:
    """A game under another key, with the same rules, and its templates under that key in `folder`,
    where it is called by its key.
    """
    game = copy.copy(of)
    vars(game)["key"] = key
    for kind in ("games", "boards"):
        for path in (TEMPLATES / kind / of.key).iterdir():
            text = path.read_text(encoding="utf-8")
            for said in ("games/{}/", "boards/{}/", 'presentation("{}")'):
                text = text.replace(said.format(of.key), said.format(key))
            if path.name == "pitch.txt":
                before, _, rest = text.partition("{% macro title() %}")
                text = before + "{% macro title() %}" + key.title() + rest[rest.index("{%") :]
            copied = folder / "templates" / kind / key / path.name
            copied.parent.mkdir(parents=True, exist_ok=True)
            copied.write_text(text, encoding="utf-8")
    for lang in LANGUAGES:
        catalogue = folder / "translations" / lang / "LC_MESSAGES" / "messages.po"
        catalogue.parent.mkdir(parents=True, exist_ok=True)
        catalogue.write_text(CATALOGUE, encoding="utf-8")
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
