"""Use cases write letters whose pictures nobody looks at: they are not drawn."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from service.render.pictures import boards
from service.render.pictures.store import PictureStore


def _blank() -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (2, 2), "white").save(made, "PNG")
    return made.getvalue()


BLANK = _blank()


@pytest.fixture(autouse=True)
def blank(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture of any position is this one; what the process keeps of others stays as it is."""
    monkeypatch.setattr(boards, "png_of", lambda *_: BLANK)
    monkeypatch.setattr(boards, "_finished", PictureStore(len(BLANK) * 100))
