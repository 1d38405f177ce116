"""The pictures of a letter are small together, whatever the game: inboxes cut off long letters."""

from __future__ import annotations

from io import BytesIO

import msgspec
import pytest
from PIL import Image

from engine.games import games
from engine.kit.presentation import HasPatches, Marks, Occasion
from service.render.pictures import board_png, filled, patch_png
from service.render.pictures.aids import PATCH_WIDTH
from service.render.pictures.drawing import SCALE
from service.render.templating import presentation_of
from tests.engine.contract.walks import sample, walk

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


@pytest.mark.parametrize(
    "key", [key for key in games() if isinstance(presentation_of(key), HasPatches)]
)
def test_a_picture_beside_a_choice_is_as_fine_as_it_is_shown(key: str) -> None:
    game, seats = games()[key], min(games()[key].seats)
    found = []
    for moment in walk(key, seats, 2)[:80]:
        if moment.step is None or moment.decision is None:
            continue
        seat = moment.decision.seat
        events = [msgspec.to_builtins(event) for event in moment.step.events]
        if last := filled(key, seats, [events])[seat]:
            view = msgspec.to_builtins(game.view(moment.step.state, seat))
            if (png := patch_png(key, view, seat=seat, last=last, lang="en")) is not None:
                found.append(Image.open(BytesIO(png)).width)
    assert found
    assert max(found) <= SCALE * PATCH_WIDTH
