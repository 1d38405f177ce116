"""The pictures of a letter are small together, whatever the game: inboxes cut off long letters."""

from __future__ import annotations

import msgspec
import pytest

from engine.games import games
from engine.kit.presentation import Marks, Occasion
from service.render.pictures import board_png
from service.render.templating import presentation_of
from tests.engine.contract.walks import sample

MOST = 160_000
NAMES = ("Ana", "Bruno", "Chloé", "Dora", "Emil", "Fay")


@pytest.mark.parametrize("key", games())
def test_pictures_of_a_letter_have_160_kilobytes(key: str) -> None:
    game = games()[key]
    seats = max(game.seats)
    for moment in sample(key, seats, 2, 2):
        view = msgspec.to_builtins(game.view(moment.state, 0))
        marks = Marks(names=NAMES[:seats])
        wanted = presentation_of(key).pictures(view, 0, Occasion.TURN)
        sizes = [
            len(board_png(key, view, wanted=msgspec.structs.replace(one, legend=not at),
                          marks=marks, lang="fr"))
            for at, one in enumerate(wanted)
        ]  # fmt: skip
        assert sum(sizes) <= MOST, sizes
