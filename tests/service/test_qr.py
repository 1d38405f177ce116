"""QR codes, read back by a scanner of others."""

from __future__ import annotations

import pytest
import zxingcpp
from PIL import Image

from service.render.pictures.drawing import rasterise
from service.render.qr import qr_svg

LINKS = [
    "http://localhost:8080/j/abcdefghijklmnopqrstuvwxyz",
    "https://" + "long-name." * 16 + "example.org/jeux/j/abcdefghijklmnopqrstuvwxyz",
]


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("by_night", [False, True])
def test_a_code_is_read_on_any_ground(link: str, by_night: bool) -> None:
    """It brings its own ground and quiet zone: around it may be as dark as its modules."""
    code = rasterise(str(qr_svg(link, "A table")), None, 4)
    page = Image.new("RGBA", (360, 360), "#2B2622" if by_night else "#FFFFFF")
    page.alpha_composite(code, (60, 60))
    assert [found.text for found in zxingcpp.read_barcodes(page.convert("L"))] == [link]
