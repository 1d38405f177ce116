"""The picture beside a link to a match, where links are shown with one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.protocol import Seat
from service.render.pictures.boards import png_of
from service.render.pictures.fonts import drawable
from service.render.pictures.store import PictureStore, key_of
from service.render.templating import presentation_of

KEPT_BYTES: Final = 1 << 20
"""Cards kept by a process."""

ROOM: Final = 6.5
"""For a name on a card, in sizes of bold type: beside a board there is less than elsewhere."""

_finished = PictureStore(KEPT_BYTES)


def card_png(
    game_key: str, view: Mapping[str, Any], *, shown: Seat, names: Sequence[str], lang: str
) -> bytes:
    """A position with the board of `shown` and everybody's points.

    `view` is the public one as built-in types. Equal positions give equal bytes.
    """
    asked = key_of(game_key, view, shown, names, lang)
    card = _finished.get(asked)
    if card is None:
        called = [drawable(name, "", ROOM) for name in names]
        card = png_of(presentation_of(game_key).card(view, shown, called), game_key, lang)
        _finished.put(asked, card)
    return card
