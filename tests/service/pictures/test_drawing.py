"""The renderer: what it does with any SVG."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.render.pictures.drawing import rasterise

WORDS = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" font-family="Cabin">'
    '<rect width="20" height="20" fill="#102030"/><text x="22" y="15" font-size="12">w</text></svg>'
)


def test_it_draws_on_a_ground_and_on_none() -> None:
    on_none, on_ground = rasterise(WORDS, None), rasterise(WORDS, "#FBF6EC", 1)
    assert (on_none.mode, on_none.size) == ("RGBA", (80, 40))
    assert (on_ground.mode, on_ground.size) == ("RGB", (40, 20))
    assert on_none.getpixel((20, 20)) == (0x10, 0x20, 0x30, 255)
    assert on_none.getpixel((78, 2)) == (0, 0, 0, 0)
    assert on_ground.getpixel((39, 1)) == (0xFB, 0xF6, 0xEC)


def test_threads_draw_the_same() -> None:
    first = rasterise(WORDS, None)
    with ThreadPoolExecutor(3) as pool:
        assert all(image == first for image in pool.map(rasterise, [WORDS] * 9, [None] * 9))


@pytest.mark.parametrize("svg", ["", "<svg", WORDS.replace("</svg>", ""), WORDS.replace("w", "\v")])
def test_what_cannot_be_drawn_is_an_error_like_others(svg: str) -> None:
    """The renderer's own would end a worker."""
    with pytest.raises(ValueError, match="cannot be drawn"):
        rasterise(svg, None)
