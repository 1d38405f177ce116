"""Letters in a browser as narrow as phones are."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.support.letters_to_png import parts_of, shown

HERE = "http://paleopost.test"
LONG = "https://paleopost.games-by-letter-and-by-mail.example.org"


@pytest.mark.parametrize("width", [320, pytest.param(360, marks=pytest.mark.rarely)])
def test_no_letter_is_wider_than_a_phone(
    known: dict[str, bytes], browser: Browser, width: int
) -> None:
    page = browser.new_page(
        viewport={"width": width, "height": 640}, java_script_enabled=False, offline=True
    )
    wide = {}
    for name, raw in known.items():
        _, _, html, pictures = parts_of(raw)
        assert HERE in html
        html = html.replace(HERE, LONG).replace("@paleopost.test", "@" + LONG[8:])
        page.set_content(shown(html, pictures))
        # Contents that stick out widen the table they stand in.
        card = page.locator("table table").first.bounding_box()
        assert card is not None
        if card["width"] > width:
            wide[name] = card["width"]
    page.close()
    assert wide == {}
