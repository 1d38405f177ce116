"""QR codes (ISO/IEC 18004) of links, as SVG that stands in a page."""

from __future__ import annotations

import segno
from markupsafe import Markup

QUIET_ZONE = 4
"""Modules of light around the code (ISO/IEC 18004 §5.3.8)."""


def qr_svg(link: str, title: str) -> Markup:
    """The code of a link; `title` is what it is called for who does not see it. It has no size of
    its own, and its own ground: what reads it wants dark on light, by night, too.
    """
    code = segno.make_qr(link, error="m")
    drawn = code.svg_inline(
        border=QUIET_ZONE,
        dark="#2B2622",
        light="#FFFFFF",
        omitsize=True,
        svgclass="qr",
        lineclass=None,
        title=title,
    )
    return Markup(drawn.replace("<svg ", '<svg role="img" ', 1))  # noqa: S704 (its title is escaped)
