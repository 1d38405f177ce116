"""The picture beside a link to a match, where links are shown with one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.protocol import Seat
from service.render.pictures.boards import store_of, template_of
from service.render.pictures.cells import Noted, frame_of
from service.render.pictures.drawing import SCALE, compose
from service.render.pictures.fonts import drawable
from service.render.pictures.png import encode
from service.render.pictures.store import PictureStore, key_of

KEPT_BYTES: Final = 1 << 20
"""Cards kept by a process."""

ROOM: Final = 6.5
"""For a name on a card, in sizes of bold type: beside a board there is less than elsewhere."""

_finished = PictureStore(KEPT_BYTES)


def card_png(
    game_key: str, view: Mapping[str, Any], *, shown: Seat, names: Sequence[str], lang: str
) -> bytes:
    """A position with the board of `shown` and everybody's points: `card.svg` of the game.

    `view` is the public one as built-in types. Equal positions give equal bytes.
    """
    asked = key_of(game_key, view, shown, names, lang)
    card = _finished.get(asked)
    if card is None:
        store = store_of(game_key, lang)
        cells = Noted()
        called = [drawable(name, "", ROOM) for name in names]
        template = template_of(game_key, "card.svg", lang)
        frame = frame_of(template.render(view=view, shown=shown, names=called, cell=cells))
        rows = compose(frame, cells.placed, store)
        card = encode(rows, frame.width * SCALE, frame.height * SCALE, store.palette)
        _finished.put(asked, card)
    return card
