"""Pictures of letters, to look at: each as an inbox shows it on a desk and on a phone, by day and
by night.

    python -m tests.support.letters_to_png OUT_DIR LETTER.eml...

writes OUT_DIR/LETTER.{desk,phone}.{light,dark}.png, LETTER.no-pictures.png and LETTER.txt (headers
and text part).
"""

from __future__ import annotations

import base64
import re
import sys
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.support.chromium import FLAGS, chromium

WIDTHS = {"desk": 720, "phone": 360}


def parts_of(raw: bytes) -> tuple[EmailMessage, str, str, dict[str, bytes]]:
    """The message, its text, its HTML, and its pictures by Content-ID."""
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    text = html = ""
    pictures = {}
    for part in message.walk():
        kind = part.get_content_type()
        if kind == "text/plain":
            text = part.get_content()
        elif kind == "text/html":
            html = part.get_content()
        elif kind == "image/png":
            pictures[part["Content-ID"].strip("<>")] = part.get_content()
    return message, text, html, pictures


def shown(html: str, pictures: dict[str, bytes]) -> str:
    """The HTML with its pictures in it, as a mail client puts them there."""

    def put(found: re.Match[str]) -> str:
        png = pictures.get(found.group(1))
        return (
            "about:blank"
            if png is None
            else f"data:image/png;base64,{base64.b64encode(png).decode()}"
        )

    return re.sub(r"cid:([^\"]+)", put, html)


def photograph(browser: Browser, html: str, path: Path, width: int, scheme: Any) -> None:
    """Open the letter without scripts or network and take the whole of it."""
    page = browser.new_page(
        viewport={"width": width, "height": 600},
        color_scheme=scheme,
        java_script_enabled=False,
        offline=True,
        device_scale_factor=1.5,
    )
    page.set_content(html)
    page.screenshot(path=str(path), full_page=True)
    page.close()


def main(out: Path, letters: list[Path]) -> None:
    """Write the pictures and the text of every letter."""
    out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=chromium(), args=FLAGS)
        for letter in letters:
            message, text, html, pictures = parts_of(letter.read_bytes())
            head = "\n".join(f"{name}: {value}" for name, value in message.items())
            (out / f"{letter.stem}.txt").write_text(f"{head}\n\n{text}", encoding="utf-8")
            for size, width in WIDTHS.items():
                for scheme in ("light", "dark"):
                    path = out / f"{letter.stem}.{size}.{scheme}.png"
                    photograph(browser, shown(html, pictures), path, width, scheme)
            path = out / f"{letter.stem}.no-pictures.png"
            photograph(browser, shown(html, {}), path, WIDTHS["desk"], "light")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
