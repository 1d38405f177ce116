"""The rules of a game as a page: a section is what follows its numbered heading."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup

_SECTION: Final = re.compile(
    r"^<h2>(?P<number>\d+)\. (?P<title>.*?)</h2>$.*?(?=^<h2>\d|^<section|\Z)", re.M | re.S
)


def sectioned(text: str) -> Markup:
    """The text with its numbered sections marked as such; section 5 has the id "s5"."""

    def section(found: re.Match[str]) -> str:
        return f'<section id="s{found["number"]}">\n{found[0].rstrip()}\n</section>\n\n'

    return Markup(_SECTION.sub(section, text))  # noqa: S704


def contents(text: str) -> list[tuple[str, Markup]]:
    """The number of each section, as its heading has it, and its title."""
    found = _SECTION.finditer(text)
    return [(each["number"], Markup(each["title"])) for each in found]  # noqa: S704
